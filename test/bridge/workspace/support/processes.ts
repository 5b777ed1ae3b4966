import * as Effect from "effect/Effect"
import * as ChildProcess from "node:child_process"

/** Two lengths of sleep that no other process has, to find processes by. */
export interface Mark {
  readonly one: string
  readonly two: string
}

let marks = 0

export const marked = (): Mark => {
  const unique = `${process.pid}${++marks}`
  return { one: `61.${unique}1`, two: `62.${unique}2` }
}

/** The marked processes that are there. */
export const alive = ({ one, two }: Mark): ReadonlyArray<string> =>
  ChildProcess.execFileSync("ps", ["-A", "-o", "stat=,args="], { encoding: "utf8" }).split("\n").filter((line) =>
    !line.startsWith("Z") && !line.includes(" -c ") && (line.endsWith(`sleep ${one}`) || line.endsWith(`sleep ${two}`))
  )

/** Nothing tells the start and the end of a grandchild, so they are looked for; the test's time is the limit. */
const until = (mark: Mark, count: number): Effect.Effect<void> =>
  Effect.suspend(() => alive(mark).length === count ? Effect.void : Effect.delay(until(mark, count), "20 millis"))

/** Waits until both are there. */
export const running = (mark: Mark): Effect.Effect<void> => until(mark, 2)

/** Waits until none is there. */
export const gone = (mark: Mark): Effect.Effect<void> => until(mark, 0)
