/**
 * Takes the steps of a scripted turn.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Queue from "effect/Queue"
import type { AgentItem, DeltaField, Usage } from "../../agent/index.ts"
import { AgentDied, AgentError, emptyUsage } from "../../agent/index.ts"
import * as Asking from "./Asking.ts"
import type { Frame, Stop, Words } from "./Frame.ts"
import { withStatus } from "./ItemDeltas.ts"
import type { Step, StepOf } from "./Scenario.ts"
import type { TurnRecorder } from "./TurnRecorder.ts"

/** Takes all steps. */
export const run = (frame: Frame, steps: ReadonlyArray<Step>): Effect.Effect<void, Stop> =>
  Effect.forEach(steps, (step) => take(frame, step), { discard: true })

const take = (frame: Frame, step: Step): Effect.Effect<void, Stop> => {
  const { recorder } = frame
  switch (step._tag) {
    case "Say":
      return say(frame, step)
    case "Reason":
      return reason(frame, step)
    case "ProposePlan":
      return proposePlan(frame, step)
    case "Command":
      return command(frame, step)
    case "ChangeFiles":
      return changeFiles(frame, step)
    case "CallMcp":
      return callMcp(frame, step)
    case "AskPermissions":
      return Asking.permissions(frame, step)
    case "CallTool":
      return Asking.callTool(frame, step)
    case "Ask":
      return Asking.question(frame, step)
    case "Elicit":
      return Asking.elicitation(frame, step)
    case "Pause":
      return Effect.sleep(step.millis)
    case "AwaitSteer":
      return Effect.map(Queue.take(frame.steered), (steer) => {
        frame.words = { ...frame.words, steer }
      })
    case "Hang":
      return Effect.never
    case "Fail":
      return failed(frame, step.reason)
    case "Die":
      return die(frame, step)
    case "End":
      return step.outcome._tag === "Completed" ? Effect.void : Effect.fail(step.outcome)
    case "SearchWeb":
      return mention(recorder, { _tag: "WebSearch", id: recorder.nextItemId(), query: step.query })
    case "ViewImage":
      return mention(recorder, { _tag: "ImageView", id: recorder.nextItemId(), path: step.path })
    case "UnknownThing":
      return mention(recorder, { _tag: "UnknownItem", id: recorder.nextItemId(), type: step.type, raw: step.raw })
    case "UseSubAgent":
      return act(recorder, {
        _tag: "SubAgent",
        id: recorder.nextItemId(),
        operation: step.operation,
        status: "inProgress",
        sessionIds: step.sessionIds ?? [],
        ...(step.prompt === undefined ? {} : { prompt: step.prompt })
      })
    case "Compact":
      return act(recorder, { _tag: "ContextCompaction", id: recorder.nextItemId(), status: "inProgress" })
    case "LeaveOpen":
      return Effect.sync(() => leaveOpen(recorder, step))
    case "Use":
      return Effect.sync(() => {
        frame.usage = addUsage(frame.usage, step)
        recorder.remark({ _tag: "UsageUpdated", usage: frame.usage })
      })
    case "ChangeGoal":
      return Effect.sync(() => {
        frame.setGoal(step.goal)
        recorder.remark({ _tag: "GoalUpdated", goal: step.goal })
      })
    case "UpdatePlan":
      return Effect.sync(() =>
        recorder.remark({
          _tag: "PlanUpdated",
          steps: step.steps,
          ...(step.explanation === undefined ? {} : { explanation: step.explanation })
        })
      )
    case "ShowDiff":
      return Effect.sync(() => recorder.remark({ _tag: "DiffUpdated", diff: step.diff }))
    case "Retry":
      return Effect.sync(() => {
        const error = new AgentError({ backend: frame.backend, reason: step.reason })
        recorder.remark({ _tag: "Retrying", error })
      })
    case "Warn":
      return Effect.sync(() => recorder.remark({ _tag: "Warning", code: step.code, message: step.message }))
    case "ReviewByGuardian":
      return Effect.sync(() => {
        recorder.remark({ _tag: "GuardianReview", phase: "started", raw: step.raw })
        recorder.remark({ _tag: "GuardianReview", phase: "completed", raw: step.raw })
      })
    case "ChangeStatus":
      return Effect.sync(() => recorder.remark({ _tag: "StatusChanged", status: step.status, flags: step.flags ?? [] }))
    case "UnknownEvent":
      return Effect.sync(() => recorder.remark({ _tag: "Unrecognized", method: step.method, raw: step.raw }))
  }
}

const speak = (
  recorder: TurnRecorder,
  itemId: string,
  field: DeltaField,
  index: number,
  deltas: ReadonlyArray<string>,
  millis: number | undefined
): Effect.Effect<void> =>
  Effect.forEach(deltas, (delta) => {
    recorder.delta(itemId, field, index, delta)
    return millis === undefined ? Effect.void : Effect.sleep(millis)
  }, { discard: true })

const say = Effect.fnUntraced(function*(frame: Frame, step: StepOf<"Say">) {
  const { recorder } = frame
  const id = recorder.nextItemId()
  recorder.start({ _tag: "AgentMessage", id, text: "", ...(step.phase === undefined ? {} : { phase: step.phase }) })
  yield* speak(recorder, id, "text", 0, step.deltas.map((delta) => fill(delta, frame.words)), step.millis)
  recorder.complete(id)
})

const fill = (text: string, words: Words): string =>
  text.replace(
    /\{\{(prompt|context|heard|steer|answer|tool|decision)\}\}/g,
    (_, name: keyof Words) => name === "prompt" ? brief(words.prompt) : words[name]
  )

const promptLimit = 200

const brief = (text: string): string => {
  const characters = Array.from(text)
  return characters.length <= promptLimit ? text : `${characters.slice(0, promptLimit).join("")}…`
}

const reason = Effect.fnUntraced(function*(frame: Frame, step: StepOf<"Reason">) {
  const { recorder } = frame
  const id = recorder.nextItemId()
  recorder.start({ _tag: "Reasoning", id, summary: [], content: [] })
  for (const [index, deltas] of (step.content ?? []).entries()) {
    yield* speak(recorder, id, "reasoning", index, deltas, step.millis)
  }
  for (const [index, deltas] of (step.summary ?? []).entries()) {
    yield* speak(recorder, id, "summary", index, deltas, step.millis)
  }
  recorder.complete(id)
})

const proposePlan = Effect.fnUntraced(function*(frame: Frame, step: StepOf<"ProposePlan">) {
  const { recorder } = frame
  const id = recorder.nextItemId()
  recorder.start({ _tag: "Plan", id, text: "" })
  yield* speak(recorder, id, "plan", 0, step.deltas, step.millis)
  recorder.complete(id)
})

const command = Effect.fnUntraced(function*(frame: Frame, step: StepOf<"Command">) {
  const { recorder } = frame
  const id = recorder.nextItemId()
  const cwd = step.cwd ?? frame.cwd
  const place = cwd === undefined ? {} : { cwd }
  recorder.start({
    _tag: "CommandExecution",
    id,
    command: step.command,
    status: "inProgress",
    source: "agent",
    ...place
  })
  const allowed = yield* Asking.approval(frame, step.approval, {
    key: `command ${step.command}`,
    title: step.command,
    request: (common) => ({ _tag: "Command", ...common, itemId: id, command: step.command, ...place }),
    itemId: id
  })
  if (!allowed) return
  const startedAt = yield* Clock.currentTimeMillis
  yield* speak(recorder, id, "output", 0, step.output ?? [], step.millis)
  const exitCode = step.exitCode ?? 0
  const durationMs = (yield* Clock.currentTimeMillis) - startedAt
  recorder.complete(id, (item) =>
    item._tag === "CommandExecution"
      ? {
        ...item,
        status: exitCode === 0 ? "completed" : "failed",
        output: item.output ?? "",
        exitCode,
        durationMs
      }
      : item)
})

const changeFiles = Effect.fnUntraced(function*(frame: Frame, step: StepOf<"ChangeFiles">) {
  const { recorder } = frame
  const id = recorder.nextItemId()
  const paths = step.changes.map((change) => change.path)
  recorder.start({ _tag: "FileChange", id, status: "inProgress", changes: step.changes })
  const allowed = yield* Asking.approval(frame, step.approval, {
    key: `files ${JSON.stringify(paths.toSorted())}`,
    title: paths.join(", "),
    request: (common) => ({ _tag: "FileChange", ...common, itemId: id, changes: step.changes }),
    itemId: id
  })
  if (allowed) recorder.complete(id, (item) => withStatus(item, "completed"))
})

const callMcp = Effect.fnUntraced(function*(frame: Frame, step: StepOf<"CallMcp">) {
  const { recorder } = frame
  const id = recorder.nextItemId()
  const title = `${step.server}: ${step.tool}`
  recorder.start({
    _tag: "McpToolCall",
    id,
    server: step.server,
    tool: step.tool,
    status: "inProgress",
    arguments: step.arguments
  })
  const allowed = yield* Asking.approval(frame, step.approval, {
    key: `mcp ${JSON.stringify([step.server, step.tool])}`,
    title,
    request: (common) => ({ _tag: "McpTool", ...common, itemId: id, server: step.server, message: title }),
    itemId: id
  })
  if (!allowed) return
  const startedAt = yield* Clock.currentTimeMillis
  yield* speak(recorder, id, "progress", 0, step.progress ?? [], undefined)
  const durationMs = (yield* Clock.currentTimeMillis) - startedAt
  recorder.complete(id, (item) =>
    item._tag === "McpToolCall"
      ? {
        ...item,
        status: step.error === undefined ? "completed" : "failed",
        durationMs,
        ...(step.result === undefined ? {} : { result: step.result }),
        ...(step.error === undefined ? {} : { error: step.error })
      }
      : item)
})

const mention = (recorder: TurnRecorder, item: AgentItem): Effect.Effect<void> =>
  Effect.sync(() => recorder.mention(item))

const act = (recorder: TurnRecorder, item: AgentItem): Effect.Effect<void> =>
  Effect.sync(() => {
    recorder.start(item)
    recorder.complete(item.id, (item) => withStatus(item, "completed"))
  })

const leaveOpen = (recorder: TurnRecorder, step: StepOf<"LeaveOpen">): void => {
  const id = recorder.nextItemId()
  const [item, field] = unfinished(step.kind, id)
  recorder.start(item)
  for (const delta of step.deltas ?? []) recorder.delta(id, field, 0, delta)
}

const unfinished = (kind: StepOf<"LeaveOpen">["kind"], id: string): readonly [AgentItem, DeltaField] => {
  switch (kind) {
    case "message":
      return [{ _tag: "AgentMessage", id, text: "" }, "text"]
    case "reasoning":
      return [{ _tag: "Reasoning", id, summary: [], content: [] }, "summary"]
    case "plan":
      return [{ _tag: "Plan", id, text: "" }, "plan"]
    case "command":
      return [{ _tag: "CommandExecution", id, command: "sleep infinity", status: "inProgress" }, "output"]
    case "tool":
      return [{ _tag: "DynamicToolCall", id, tool: "unfinished", status: "inProgress", arguments: {} }, "progress"]
  }
}

const addUsage = (usage: Usage, step: StepOf<"Use">): Usage => {
  const context = step.context ?? usage.context
  return {
    input: usage.input + step.input,
    cachedInput: usage.cachedInput + (step.cachedInput ?? 0),
    output: usage.output + step.output,
    reasoningOutput: usage.reasoningOutput + (step.reasoningOutput ?? 0),
    total: usage.total + step.input + step.output,
    // One reading that cannot be compared spoils the sum.
    fresh: (step.fresh ?? true) && (usage === emptyUsage || usage.fresh),
    ...(context === undefined ? {} : { context })
  }
}

const failed = (frame: Frame, reason: AgentError["reason"]): Effect.Effect<never, Stop> =>
  Effect.fail({ _tag: "Failed", error: new AgentError({ backend: frame.backend, reason }) })

const die = (frame: Frame, step: StepOf<"Die">): Effect.Effect<never, Stop> =>
  failed(
    frame,
    new AgentDied({
      detail: step.detail ?? "the scripted agent died",
      stderrTail: step.stderrTail ?? "",
      mayHaveReached: true,
      ...(step.exitCode === undefined ? {} : { exitCode: step.exitCode }),
      ...(step.signal === undefined ? {} : { signal: step.signal })
    })
  )
