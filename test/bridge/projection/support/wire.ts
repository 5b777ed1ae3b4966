/**
 * What must be true of everything that a projection says of one turn, whatever the agent did.
 */
import * as Result from "effect/Result"
import { isDeepStrictEqual } from "node:util"
import type { AgentEvent } from "../../../../src/agent/AgentEvent.ts"
import type { Notify, Output, PutItem } from "../../../../src/bridge/projection/index.ts"
import { TurnProjection } from "../../../../src/bridge/projection/index.ts"
import type * as Strict from "../../../../src/protocol/generated/StrictTypes.ts"
import * as Methods from "../../../../src/protocol/Methods.ts"

export const options: TurnProjection.TurnOptions = {
  threadId: "01a229b4-c21b-71a0-a218-265c7eeb2613",
  turnId: "01a229b4-c231-7a73-ae01-b48a078b8600",
  cwd: "/work/space",
  backend: "testing"
}

/** Projects events that come 10 ms apart. */
export const run = (
  events: ReadonlyArray<AgentEvent>,
  more: Partial<TurnProjection.TurnOptions> = {}
): ReadonlyArray<Output> => {
  const state = TurnProjection.make({ ...options, ...more })
  return events.flatMap((event, at) => TurnProjection.step(state, event, 1_700_000_000_000 + at * 10))
}

export const notifications = (outputs: ReadonlyArray<Output>): ReadonlyArray<Notify> =>
  outputs.filter((output) => output._tag === "Notify")

export const paramsOf = <M extends Notify["method"]>(
  outputs: ReadonlyArray<Output>,
  method: M
): ReadonlyArray<Strict.ServerNotifications[M]["params"]> =>
  outputs.flatMap((output) =>
    output._tag === "Notify" && output.method === method
      ? [output.params as Strict.ServerNotifications[M]["params"]]
      : []
  )

/** One line an output, e.g. `item/started reasoning`. */
export const outline = (outputs: ReadonlyArray<Output>): ReadonlyArray<string> =>
  notifications(outputs).map((output) => {
    switch (output.method) {
      case "item/started":
      case "item/completed":
        return `${output.method} ${output.params.item.type}`
      case "thread/status/changed": {
        const { status } = output.params
        return [output.method, status.type, ...(status.type === "active" ? status.activeFlags : [])].join(" ")
      }
      case "error":
        return `error ${output.params.willRetry ? "retry" : "final"}`
      case "turn/completed":
        return `${output.method} ${output.params.turn.status}`
      default:
        return output.method
    }
  })

/** The rules that the outputs of a whole turn break, in words. */
export const broken = (outputs: ReadonlyArray<Output>): ReadonlyArray<string> => {
  const found: Array<string> = []
  const open = new Set<string>()
  const completed = new Set<string>()
  const parts = new Set<string>()
  const stored = new Map<string, PutItem>()
  const shown = new Map<string, Strict.ThreadItem>()
  let state = "new" as "new" | "active" | "started" | "ended"
  let storedTurn: Strict.Turn | undefined
  let finalErrors = 0
  let total = 0
  let warned = 0

  outputs.forEach((output, at) => {
    const before = outputs[at - 1]
    const say = (what: string) => found.push(`#${at} ${"method" in output ? output.method : output._tag}: ${what}`)
    if (state === "ended") say("comes after the end of the turn")
    if (output._tag === "PutItem") {
      const known = stored.get(output.item.id)
      if (known === undefined && output.ordinal !== stored.size) say(`has the ordinal ${output.ordinal}`)
      if (known !== undefined && known.ordinal !== output.ordinal) say("changes its ordinal")
      if (known !== undefined && known.item.type !== output.item.type) say("changes its type")
      if (output.item.startedAtMs !== output.startedAtMs) say("has two starts")
      if (output.item.completedAtMs !== output.completedAtMs) say("has two ends")
      stored.set(output.item.id, output)
    }
    if (output._tag === "Ended") {
      storedTurn = output.turn
      if (open.size > 0) say(`with open items: ${[...open].join()}`)
    }
    if (output._tag !== "Notify") return
    const encoded = Methods.encodeNotification(output.method, output.params as never)
    if (Result.isFailure(encoded)) say(encoded.failure.message)
    const isStored = (item: Strict.ThreadItem) => before?._tag === "PutItem" && isDeepStrictEqual(before.item, item)
    const within = (id: string) => {
      if (!open.has(id)) say(`${id} is not open`)
    }
    const { method, params } = output
    if ("turnId" in params && params.turnId !== null && state !== "started") say("comes before the turn")
    switch (method) {
      case "thread/status/changed":
        if (params.status.type === "active" && state === "new") state = "active"
        else if (state !== "started") say("comes before the turn")
        return
      case "turn/started":
        if (state !== "active") say(`in state ${state}`)
        state = "started"
        return
      case "item/started": {
        const { item } = params
        if (open.has(item.id) || completed.has(item.id)) say(`${item.id} was started before`)
        if (!isStored(item)) say(`${item.id} is not stored`)
        if (item.startedAtMs !== params.startedAtMs || item.completedAtMs !== null) say(`${item.id} has wrong times`)
        if ("status" in item && item.status !== "inProgress") {
          // What came through as it was has a status of its own.
          if (item.type !== "imageGeneration") say(`${item.id} starts as ${item.status}`)
        }
        open.add(item.id)
        shown.set(item.id, item)
        return
      }
      case "item/completed": {
        const { item } = params
        within(item.id)
        if (!isStored(item)) say(`${item.id} is not stored`)
        if (item.completedAtMs !== params.completedAtMs) say(`${item.id} has wrong times`)
        if ((item.startedAtMs ?? 0) > params.completedAtMs) say(`${item.id} ends before it starts`)
        if ("status" in item && item.status === "inProgress") say(`${item.id} is in progress`)
        open.delete(item.id)
        completed.add(item.id)
        shown.set(item.id, item)
        return
      }
      case "item/reasoning/summaryPartAdded":
        within(params.itemId)
        if (parts.has(`${params.itemId} ${params.summaryIndex}`)) say("tells of a part twice")
        parts.add(`${params.itemId} ${params.summaryIndex}`)
        return
      case "item/reasoning/summaryTextDelta":
        within(params.itemId)
        if (!parts.has(`${params.itemId} ${params.summaryIndex}`)) say("is of an unknown part")
        return
      case "item/fileChange/patchUpdated": {
        // What is still being written has not started, and is stored when it has.
        if (!stored.has(params.itemId)) return
        within(params.itemId)
        if (before?._tag !== "PutItem" || before.item.type !== "fileChange") say("is not stored")
        else if (!isDeepStrictEqual(before.item.changes, params.changes)) say("is stored otherwise")
        else shown.set(params.itemId, before.item)
        return
      }
      case "item/agentMessage/delta":
      case "item/plan/delta":
      case "item/reasoning/textDelta":
      case "item/commandExecution/outputDelta":
      case "item/fileChange/outputDelta":
      case "item/mcpToolCall/progress":
        return within(params.itemId)
      case "thread/tokenUsage/updated": {
        const { tokenUsage } = params
        if (before?._tag !== "Usage" || !isDeepStrictEqual(before.usage, tokenUsage)) say("is not stored")
        if (tokenUsage.total.totalTokens < total) say("falls")
        total = tokenUsage.total.totalTokens
        return
      }
      case "thread/goal/updated":
        if (before?._tag !== "Goal" || before.goal !== params.goal) say("is not stored")
        return
      case "error":
        if (!params.willRetry) finalErrors++
        return
      case "warning":
        warned++
        return
      case "turn/completed": {
        const { turn } = params
        if (!isDeepStrictEqual(turn, storedTurn)) say("is not stored")
        if (open.size > 0) say(`with open items: ${[...open].join()}`)
        if (finalErrors !== (turn.status === "failed" ? 1 : 0)) say(`with ${finalErrors} final errors`)
        for (const item of turn.items) if (!isDeepStrictEqual(shown.get(item.id), item)) say(`shows another ${item.id}`)
        state = "ended"
        return
      }
    }
  })
  if (state !== "ended") found.push(`the turn is ${state}, with ${warned} warnings`)
  for (const [id, { item }] of stored) {
    if (!isDeepStrictEqual(shown.get(id), item)) found.push(`${id} is stored otherwise than shown`)
  }
  return found
}
