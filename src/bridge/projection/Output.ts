/**
 * What a projection has to say: data for whoever stores and sends it.
 */
import type { Usage as AgentUsage } from "../../agent/AgentEvent.ts"
import type * as Open from "../../protocol/generated/OpenTypes.ts"
import type * as Strict from "../../protocol/generated/StrictTypes.ts"
import type { NotificationMethod } from "../ClientConnection.ts"

/** A notification, told apart by its method. */
export type Notify = {
  readonly [M in NotificationMethod]: {
    readonly _tag: "Notify"
    readonly method: M
    readonly params: Strict.ServerNotifications[M]["params"]
  }
}[NotificationMethod]

/** An item as it is to be stored, before the notification that shows it. A later one replaces an earlier one. */
export interface PutItem {
  readonly _tag: "PutItem"
  readonly item: Strict.ThreadItem
  readonly startedAtMs: number
  /** `null` while the item is open. */
  readonly completedAtMs: number | null
  /** Place in the turn, counted from 0. An item keeps it. */
  readonly ordinal: number
}

/** What the thread has used by now, before the notification that says so. */
export interface UsageChanged {
  readonly _tag: "Usage"
  /** `total` is what the next turn of the thread starts from. */
  readonly usage: Open.ThreadTokenUsage
  /** Of this turn alone. */
  readonly turn: AgentUsage
}

/** The agent changed the thread's goal. */
export interface GoalChanged {
  readonly _tag: "Goal"
  readonly goal: Strict.ThreadGoal | null
}

/** The turn as it ended, before the notifications that say so. Nothing but these and `Unread` follows. */
export interface Ended {
  readonly _tag: "Ended"
  readonly turn: Strict.Turn
}

/** The turn has left something to read: where to tell so, among the notifications of its end. */
export interface Unread {
  readonly _tag: "Unread"
}

export type Output = Notify | PutItem | UsageChanged | GoalChanged | Ended | Unread

export const notify = <M extends NotificationMethod>(
  method: M,
  params: Strict.ServerNotifications[M]["params"]
): Extract<Notify, { readonly method: M }> =>
  // The compiler does not see that a method and its params make one member of the union.
  ({ _tag: "Notify", method, params }) as Extract<Notify, { readonly method: M }>
