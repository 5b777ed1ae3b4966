/**
 * The duplex frame channel underneath a JSON-RPC peer.
 *
 * A transport moves whole frames of text and knows nothing of what they say.
 * It is either open or ended: once `receive` or `send` has failed, the
 * connection is over and every later call fails with the same error.
 */
import type * as Arr from "effect/Array"
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { TransportError } from "./TransportError.ts"

/**
 * What one frame brought: its text, or why there is none.
 *
 * A plain string on the hot path: a frame that could be read costs no wrapper.
 */
export type Inbound = string | Unreadable

/** A frame that could not be turned into text. The connection goes on after it. */
export class Unreadable {
  readonly _tag = "Unreadable"
  /** `noise`: a line that is no message (a banner, an escape sequence). `utf8`: not valid UTF-8. `size`: longer than the frame limit. */
  readonly reason: "noise" | "utf8" | "size"
  /** Length of the frame in bytes. */
  readonly bytes: number
  /** The beginning of the frame, at most {@link Unreadable.headBytes} bytes of it, invalid sequences replaced. */
  readonly head: string

  static readonly headBytes = 512

  constructor(reason: "noise" | "utf8" | "size", bytes: number, head: string) {
    this.reason = reason
    this.bytes = bytes
    this.head = head
  }
}

/** A frame limit for transports that are given none: 128 MiB, in bytes. */
export const defaultFrameLimit = 128 * 1024 * 1024

/**
 * An open connection that carries frames both ways.
 *
 * Closing the scope that made it closes the connection.
 */
export interface TransportService {
  /** What is at the other end, for messages: a command line, a socket path, a URL without credentials. */
  readonly target: string
  /** Takes everything that has arrived, in order; waits while there is nothing. Has one consumer at a time. */
  readonly receive: Effect.Effect<Arr.NonEmptyReadonlyArray<Inbound>, TransportError>
  /** Hands frames to the connection in order. Waits while its bounded buffer is full. */
  readonly send: (frames: Arr.NonEmptyReadonlyArray<string>) => Effect.Effect<void, TransportError>
}

/** The service of {@link TransportService}. */
export class Transport extends Context.Service<Transport, TransportService>()(
  "effect-codex-bridge/transport/Transport"
) {}
