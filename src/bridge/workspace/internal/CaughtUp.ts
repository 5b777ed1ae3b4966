import * as Effect from "effect/Effect"
import type { ClientConnection } from "../../ClientConnection.ts"

/** Bytes from which on a message waits for its client. */
export const largeBytes = 1024 * 1024

/**
 * Before a message of so many bytes: waits until the client has taken enough of what it was told, if it is a large one.
 * Several at once are more than may wait for a client, also for one that reads as fast as it can.
 */
export const caughtUp = (connection: ClientConnection, bytes: number): Effect.Effect<void> =>
  Effect.suspend(() => {
    const room = bytes < largeBytes ? undefined : connection.behind()
    return room === undefined ? Effect.void : Effect.andThen(room, caughtUp(connection, bytes))
  })
