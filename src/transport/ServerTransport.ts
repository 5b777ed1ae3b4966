/**
 * A transport as the side that was connected to sees it: it can also show the client the door.
 */
import type { TransportService } from "./Transport.ts"

/** The server ends, or the conversation is over. */
export const goingAway = 1001
/** The client does not take what is sent to it. It may connect again. */
export const tryAgainLater = 1013

export interface ServerTransport extends TransportService {
  /**
   * Ends the connection, behind what was sent before, and tells the client why where the transport can. Does not wait:
   * `receive` and `send` fail with `Closed` from now on. A client that does not read what is under way is cut off after
   * a grace period. The first reason counts.
   */
  readonly disconnect: (detail: string, closeCode: number) => void
}
