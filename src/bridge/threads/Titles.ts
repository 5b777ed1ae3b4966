/**
 * Clients have a thread's title made on a thread of its own. It needs no agent: it would cost a model call, and run
 * beside the turn that the person waits for. Nor is it in any list: nobody would look for it there. Pure.
 */
import type { AgentEvent } from "../../agent/AgentEvent.ts"

/** How clients mark a thread that is there to make a title. */
export const isTitleThread = (threadSource: string | null): boolean => threadSource === "thread_title"

const words = 8
const characters = 60

/** The title of what the person asked, which clients put behind these words. */
export const titleOf = (prompt: string): string => {
  const [, asked = prompt] = /User prompt:\s*([\s\S]*)$/.exec(prompt) ?? []
  const line = asked.trim().split(/\s+/u).slice(0, words).join(" ")
  const short = line.length > characters ? `${line.slice(0, characters - 1)}…` : line
  return short === "" ? "New thread" : short
}

/** The turn that makes a title. */
export const events = (turnId: string, itemId: string, prompt: string): ReadonlyArray<AgentEvent> => {
  const text = JSON.stringify({ title: titleOf(prompt) })
  return [
    { _tag: "TurnStarted", turnId },
    { _tag: "ItemStarted", item: { _tag: "AgentMessage", id: itemId, text: "" } },
    { _tag: "ItemDelta", itemId, field: "text", index: 0, delta: text },
    { _tag: "ItemCompleted", item: { _tag: "AgentMessage", id: itemId, text }, closed: false },
    { _tag: "TurnEnded", outcome: { _tag: "Completed" } }
  ]
}
