import { assert, describe, it } from "@effect/vitest"
import type { AgentEvent } from "../../../src/agent/AgentEvent.ts"
import type { AgentItem } from "../../../src/agent/AgentItem.ts"
import { ItemBook } from "../../../src/backends/pi-family/internal/ItemBook.ts"

const item = (text: string): AgentItem => ({ _tag: "AgentMessage", id: "m", text })

const eventsOf = (act: (book: ItemBook) => void): ReadonlyArray<string> => {
  const events: Array<AgentEvent> = []
  act(new ItemBook((event) => events.push(event)))
  return events.map((event) => event._tag)
}

describe("an item", () => {
  it("is started once, updated when it changes, and completed once", () => {
    assert.deepStrictEqual(
      eventsOf((book) => {
        book.show(item("a"))
        book.show(item("a"))
        book.show(item("b"))
        book.complete(item("b"), false)
        book.complete(item("c"), false)
        book.show(item("c"))
        book.close("failed")
      }),
      ["ItemStarted", "ItemUpdated", "ItemCompleted"]
    )
  })

  it("is started by its completion", () => {
    assert.deepStrictEqual(eventsOf((book) => book.complete(item("a"), false)), ["ItemStarted", "ItemCompleted"])
  })
})
