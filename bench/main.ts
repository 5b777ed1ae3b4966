/**
 * The benchmarks: `npm run bench`, or `bun bench/main.ts [rounds]`.
 *
 * What counts are the ratios: each is to the least that the same work could cost, measured in the same rounds on the
 * same machine.
 */
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import { turnsAndAttempts } from "./Attempts.ts"
import { notifications } from "./Notifications.ts"
import { roundTrips } from "./RoundTrips.ts"

const rounds = Number(process.argv[2] ?? 5)

const runtime = process.versions["bun"] === undefined
  ? `Node ${process.versions.node}`
  : `Bun ${process.versions["bun"]}`

await Console.log(`${runtime}, ${process.platform} ${process.arch}`).pipe(
  Effect.andThen(notifications(rounds)),
  Effect.andThen(roundTrips(rounds)),
  Effect.andThen(turnsAndAttempts(rounds)),
  Effect.runPromise
)
