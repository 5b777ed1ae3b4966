/**
 * What the benchmarks read: lines as codex writes them.
 */
import { AppServerScript as Script } from "../src/testing/index.ts"

export const threadId = "01a229b4-c21b-71a0-a218-265c7eeb2613"
export const turnId = "01a229b4-c231-7a73-ae01-b48a078b8600"
const place = { thread: threadId, turn: turnId }

const words = "The quick brown fox jumps over the lazy dog and goes on to see what else there is".split(" ")

const textOf = (step: Script.FrameStep): string => step._tag === "Send" ? JSON.stringify(step.message) : ""

/** One message of 1,000 steps: its start, 998 deltas, its end. Said again, it is told from its deltas alone. */
const message = (id: string): ReadonlyArray<string> => {
  const deltas = Array.from({ length: 998 }, (_, index) => `${words[index % words.length]} `)
  return Script.say(id, deltas, place).map(textOf)
}

/** 8,000 lines: eight messages. */
export const deltaLines: ReadonlyArray<string> = Array.from({ length: 8 }, (_, index) => message(`msg_000000_${index}`))
  .flat()

/** How many digits of an item's id count the round. */
export const roundDigits = 6

/** Where they are, for a writer that patches bytes. */
export const roundMark = "msg_000000_"

/** The same lines for ever new messages. */
export const linesOfRound = (round: number): ReadonlyArray<string> =>
  deltaLines.map((line) => line.replaceAll(roundMark, `msg_${String(round).padStart(roundDigits, "0")}_`))

export const linesOfTurn: {
  readonly before: ReadonlyArray<string>
  readonly after: ReadonlyArray<string>
  readonly answers: Readonly<Record<string, unknown>>
} = {
  before: [Script.status({ type: "active", activeFlags: [] }, place), Script.started(place)].map(textOf),
  after: [Script.status({ type: "idle" }, place), Script.completed("completed", place)].map(textOf),
  answers: {
    initialize: {
      userAgent: "bench/0.171.0 (Bench 1.0)",
      codexHome: "/home/dev/.codex",
      platformFamily: "unix",
      platformOs: "linux"
    },
    "thread/start": Script.loadedThread(threadId),
    "thread/unsubscribe": { status: "unsubscribed" },
    "turn/start": { turn: Script.turn("inProgress", turnId) }
  }
}
