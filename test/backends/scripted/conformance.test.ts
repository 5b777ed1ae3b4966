import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import {
  type AgentBackend,
  type AgentErrorReason,
  ContextOverflow,
  ModelFailed,
  RateLimited,
  Unauthorized,
  UsageLimitExceeded
} from "../../../src/agent/index.ts"
import { type Scenario, ScriptedBackend } from "../../../src/backends/scripted/index.ts"
import { backendConformance } from "../../support/conformance.ts"
import { type Behaviour, ConformanceDriver, type Failure } from "../../support/ConformanceDriver.ts"

const say = (...deltas: ReadonlyArray<string>): Scenario.Step => ({ _tag: "Say", deltas })

const failures: Readonly<Record<Failure, AgentErrorReason>> = {
  rateLimited: new RateLimited({ detail: "slow down", httpStatus: 429 }),
  contextOverflow: new ContextOverflow({ detail: "too long" }),
  unauthorized: new Unauthorized({ detail: "no key", httpStatus: 401 }),
  usageLimit: new UsageLimitExceeded({ detail: "come back tomorrow" }),
  modelFailed: new ModelFailed({ detail: "HTTP 500", httpStatus: 500 })
}

const stepsOf = (behaviour: Behaviour): ReadonlyArray<Scenario.Step> => {
  switch (behaviour.kind) {
    case "text":
      return [say(...behaviour.parts)]
    case "reasoning":
      return [{ _tag: "Reason", summary: [[behaviour.summary]] }, say(behaviour.answer)]
    case "command":
      return [{ _tag: "Command", command: "make", output: ["built\n"], approval: {} }, say(behaviour.answer)]
    case "patch": {
      const changes = [{ path: "a.txt", kind: "add", diff: "hello\n" }] as const
      return [{ _tag: "ChangeFiles", changes, approval: {} }, say(behaviour.answer)]
    }
    case "hostTool":
      return [{ _tag: "CallTool", tool: behaviour.tool, arguments: behaviour.arguments }, say(behaviour.answer)]
    case "question":
      return [{ _tag: "Ask", questions: [behaviour.question] }, say(behaviour.answer)]
    case "hang":
      return behaviour.parts.length === 0
        ? [{ _tag: "Hang" }]
        : [{ _tag: "LeaveOpen", kind: "message", deltas: behaviour.parts }, { _tag: "Hang" }]
    case "steer":
      return [say(...behaviour.parts), { _tag: "AwaitSteer" }, say(behaviour.answer)]
    case "usage": {
      const { cachedInput, input, output, reasoningOutput } = behaviour
      // Two calls of the model, which add up.
      const first = { input: input - 100, cachedInput, output: output - 10, reasoningOutput }
      return [{ _tag: "Use", ...first }, say(behaviour.answer), { _tag: "Use", input: 100, output: 10 }]
    }
    case "failure":
      return [{ _tag: "Fail", reason: failures[behaviour.failure] }]
    case "die":
      return [{ _tag: "LeaveOpen", kind: "message", deltas: behaviour.parts }, { _tag: "Die", exitCode: 1 }]
    case "recall":
      return [say("{{heard}}")]
    case "compaction":
      return [{ _tag: "Compact" }]
  }
}

const harness = (scenario: Scenario.Scenario): Layer.Layer<AgentBackend | ConformanceDriver> =>
  Layer.unwrap(Effect.sync(() => {
    const prepared = new Map<string, ReadonlyArray<Scenario.Step>>()
    const driver = Layer.succeed(ConformanceDriver, {
      session: {},
      prepare: (behaviour) =>
        Effect.sync(() => {
          const prompt = `behaviour ${prepared.size + 1}`
          prepared.set(prompt, stepsOf(behaviour))
          return { input: { input: [{ _tag: "Text", text: prompt }] }, release: Effect.void }
        })
    })
    const backend = ScriptedBackend.layer(scenario, {
      choose: (text) => {
        const steps = prepared.get(text)
        return steps === undefined ? undefined : { steps }
      }
    })
    return Layer.merge(backend, driver)
  }))

backendConformance("scripted", { layer: harness({}), clock: "test" })

const lacks = "switched off in the scenario"
backendConformance("scripted without capabilities", {
  clock: "test",
  layer: harness({
    capabilities: {
      steer: false,
      interrupt: false,
      compact: false,
      resume: false,
      fork: false,
      goals: false,
      approvals: false,
      hostTools: false,
      models: false
    }
  }),
  missing: {
    steer: lacks,
    command: lacks,
    patch: lacks,
    sessionApproval: lacks,
    hostTool: lacks,
    compaction: lacks,
    resume: lacks,
    fork: lacks,
    goals: lacks,
    models: lacks
  }
})
