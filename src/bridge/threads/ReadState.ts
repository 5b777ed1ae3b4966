/**
 * What of a thread is still to be read: the first turn that left something and that nobody has marked as read. Pure.
 *
 * Every change gives it another revision; a client that changes it names the one that it knows.
 */
import type * as Strict from "../../protocol/generated/StrictTypes.ts"
import type { ThreadPatch, ThreadRecord } from "../store/ThreadRecord.ts"

/** A thread that nobody has marked yet has been read. `null`: nothing to read, or nothing that is kept. */
export const of = ({ ephemeral, hasUserMessage, id, readState }: ThreadRecord): Strict.ThreadReadState | null =>
  ephemeral || !hasUserMessage ? null : readState ?? { revision: `initial:${id}`, firstUnread: null }

/** A turn has left something to read. What was unread before stays the first that is. */
export const afterTurn = (turnId: string, revision: string) => (thread: ThreadRecord): ThreadPatch | undefined => {
  const current = of(thread)
  if (current === null) return undefined
  return { readState: { revision, firstUnread: current.firstUnread ?? { type: "turn", turnId } } }
}

/** A turn was taken back, and with it all later ones: when it was the first that was unread, nothing is. */
export const without = (turnId: string, revision: string) => (thread: ThreadRecord): ThreadPatch | undefined => {
  const unread = thread.readState?.firstUnread
  return unread?.type === "turn" && unread.turnId === turnId
    ? { readState: { revision, firstUnread: null } }
    : undefined
}

/** A client says that it was read, or is to be read again: from its start on then. */
export const marked = (operation: "read" | "unread", revision: string): Strict.ThreadReadState => ({
  revision,
  firstUnread: operation === "read" ? null : { type: "threadStart" }
})
