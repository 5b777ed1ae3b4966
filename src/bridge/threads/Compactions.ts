/**
 * The turn of a compaction that a client has asked for. Pure.
 */
import type { AgentEvent, TurnOutcome } from "../../agent/AgentEvent.ts"

export const events = (turnId: string, itemId: string): {
  readonly begun: ReadonlyArray<AgentEvent>
  readonly ended: (outcome: TurnOutcome) => ReadonlyArray<AgentEvent>
} => {
  const item = { _tag: "ContextCompaction", id: itemId, status: "inProgress" } as const
  return {
    begun: [{ _tag: "TurnStarted", turnId }, { _tag: "ItemStarted", item }],
    ended: (outcome) => {
      const end: AgentEvent = { _tag: "TurnEnded", outcome }
      if (outcome._tag !== "Completed") return [end]
      return [{ _tag: "ItemCompleted", item: { ...item, status: "completed" }, closed: false }, end]
    }
  }
}
