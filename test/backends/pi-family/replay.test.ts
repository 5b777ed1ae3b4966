/**
 * Recorded sessions of the real agents, played to the projector once more.
 */
import { assert, describe, it } from "@effect/vitest"
import type { AgentEvent, TurnOutcome } from "../../../src/agent/AgentEvent.ts"
import type { AgentItem } from "../../../src/agent/AgentItem.ts"
import { recordingsOf, replay, type ReplayedTurn } from "../../support/PiRecording.ts"
import { wellFormed } from "../../support/wellFormed.ts"
import { completed, deltasOf, eventsOf, outcomeOf, type Raw } from "./support/frames.ts"

const recordings = [...recordingsOf("omp"), ...recordingsOf("pi")]

interface Part {
  readonly type: string
  readonly text?: string
  readonly thinking?: string
}

interface Message {
  readonly role: string
  readonly content: ReadonlyArray<Part>
  readonly stopReason?: string
}

const messagesOf = (frames: ReadonlyArray<Raw>, type: string): ReadonlyArray<Message> =>
  frames.flatMap((frame) => frame["type"] === type ? [frame["message"] as Message] : [])

/** How the recording itself says that the turn ended. */
const recordedEnd = ({ frames, wasEnded }: ReplayedTurn): TurnOutcome["_tag"] | undefined => {
  if (!wasEnded) return frames.some(({ type }) => type === "agent_start") ? "Failed" : undefined
  const answers = messagesOf(frames, "message_end").filter(({ role }) => role === "assistant")
  switch (answers.at(-1)?.stopReason) {
    case "aborted":
      return "Interrupted"
    case "error":
      return "Failed"
    default:
      return "Completed"
  }
}

const isSaid = (item: AgentItem) => item._tag === "AgentMessage" || item._tag === "Reasoning"

const textOf = (item: AgentItem): string =>
  item._tag === "AgentMessage" ? item.text : item._tag === "Reasoning" ? item.summary.join("") : ""

const saidIn = (frames: ReadonlyArray<Raw>): ReadonlyArray<string> =>
  messagesOf(frames, "message_end").filter(({ role }) => role === "assistant").flatMap(({ content }) =>
    content.flatMap(({ text, thinking, type }) => {
      const said = type === "text" ? text : type === "thinking" ? thinking : undefined
      return said === undefined || said === "" ? [] : [said]
    })
  )

const checkTexts = (events: ReadonlyArray<AgentEvent>, turn: ReplayedTurn) => {
  const said = completed(events).filter(isSaid)
  if (turn.wasEnded) assert.deepStrictEqual(said.map(textOf).toSorted(), saidIn(turn.frames).toSorted())
  for (const item of said) {
    const deltas = deltasOf(events, item.id)
    assert(textOf(item).startsWith(deltas) || deltas === "", `${item.id}: ${deltas}`)
  }
}

const checkCalls = (events: ReadonlyArray<AgentEvent>, { frames }: ReplayedTurn) => {
  const items = new Map(completed(events).map((item) => [item.id, item]))
  const closed = eventsOf(events, "ItemCompleted").filter((event) => event.closed).map(({ item }) => item.id)
  for (const frame of frames) {
    if (frame["type"] !== "tool_execution_end") continue
    const id = String(frame["toolCallId"])
    const item = items.get(id)
    if (frame["toolName"] === "todo" && item === undefined) continue
    assert(item !== undefined, `${id} has no item`)
    assert.notInclude(closed, id)
    if ("status" in item) assert.strictEqual(item.status !== "completed", frame["isError"] === true, id)
    if (item._tag !== "CommandExecution") continue
    assert.notMatch(item.output ?? "", /Wall time: |Command exited with code/)
    if (item.status === "completed") assert.strictEqual(deltasOf(events, id), item.output)
  }
}

const one = (name: string, options = {}) => {
  const recording = recordings.find((each) => each.name === name)
  assert(recording !== undefined, name)
  return replay(recording, options)
}

describe("recordings", () => {
  let turns = 0
  let items = 0

  for (const recording of recordings) {
    for (const inProcess of [false, true]) {
      it(`${recording.name} ${inProcess ? "in process" : "over RPC"}`, () => {
        for (const turn of replay(recording, { inProcess })) {
          turns++
          const { events, turnId } = turn
          assert.deepStrictEqual(wellFormed(events, { turnId }), [])
          checkTexts(events, turn)
          checkCalls(events, turn)
          items += completed(events).length
          const end = recordedEnd(turn)
          if (end !== undefined) assert.strictEqual(outcomeOf(events)._tag, end, turnId)
          assert.deepStrictEqual(eventsOf(events, "Unrecognized"), [])
        }
      })
    }
  }

  it("held turns and items enough to mean something", () => {
    assert.isAtLeast(turns, 150)
    assert.isAtLeast(items, 390)
  })

  it("a prompt that was dropped by an early abort is an interrupted turn", () => {
    const [turn] = one("omp/abort-early")
    assert.deepStrictEqual(turn?.events, [
      { _tag: "TurnEnded", outcome: { _tag: "Interrupted", requested: true, confirmed: true } }
    ])
  })

  it("what a backgrounded command brings belongs to the turn that started it", () => {
    const turns = one("omp/settle-bg")
    assert.lengthOf(turns, 1)
    const said = completed(turns[0]?.events ?? []).filter(isSaid).map(textOf)
    assert.deepStrictEqual(said, ["started", "bg result seen"])
  })

  it("a run that nobody asked for is a turn of its own", () => {
    const [turn] = one("omp/steer-idle")
    assert(turn !== undefined)
    assert.strictEqual(completed(turn.events)[0]?._tag, "UserMessage")
  })

  it("a steer is a message of the user within the turn", () => {
    for (const name of ["omp/steer-stream", "omp/x-steer-noasync", "pi/steer"]) {
      const [turn] = one(name)
      assert.include(completed(turn?.events ?? []).map(({ _tag }) => _tag), "UserMessage", name)
    }
  })

  it("a call that a person declines is declined", () => {
    for (const name of ["omp/ext-par", "pi/ext-par", "omp/approval-rpc-always-ask"]) {
      const statuses = one(name).flatMap(({ events }) =>
        completed(events).flatMap((item) => item._tag === "CommandExecution" ? [item.status] : [])
      )
      assert.deepStrictEqual(statuses.toSorted(), ["completed", "declined"], name)
    }
  })

  it("with what was there before, a write and an edit of pi are true diffs", () => {
    const before: Readonly<Record<string, string>> = { "a.txt": "one\ntwo\nthree\n" }
    const [turn] = one("pi/basic", {
      facts: (call: { readonly toolCallId: string; readonly args: Raw }) =>
        typeof call.args["path"] !== "string" ? [] : [{
          _tag: "Snapshot",
          toolCallId: call.toolCallId,
          path: call.args["path"],
          before: before[call.args["path"]] ?? null
        }]
    })
    assert(turn !== undefined)
    const changes = completed(turn.events).flatMap((item) => item._tag === "FileChange" ? item.changes : [])
    assert.deepStrictEqual(changes, [
      { path: "/workspace/pi.txt", kind: "add", diff: "x\n" },
      { path: "/workspace/a.txt", kind: "update", diff: "@@ -1,3 +1,3 @@\n one\n-two\n+TWO\n three\n" }
    ])
    assert.strictEqual(
      eventsOf(turn.events, "DiffUpdated").at(-1)?.diff,
      [
        "diff --git a/pi.txt b/pi.txt",
        "new file mode 100644",
        "index 0000000000000000000000000000000000000000..587be6b4c3f93f93c489c0111bba5596147a26cb",
        "--- /dev/null",
        "+++ b/pi.txt",
        "@@ -0,0 +1 @@",
        "+x",
        "diff --git a/a.txt b/a.txt",
        "index 4cb29ea38f70d7c61b2a3a25b02e3bdf44905402..ddc897f039f57aa91e16efa6dfde386c4255206f",
        "--- a/a.txt",
        "+++ b/a.txt",
        "@@ -1,3 +1,3 @@",
        " one",
        "-two",
        "+TWO",
        " three",
        ""
      ].join("\n")
    )
  })
})
