/**
 * Drives a real codex for the conformance suite: what its model says, for each abstract behaviour.
 */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import type { AgentBackend, TurnInput } from "../../src/agent/index.ts"
import * as CodexBench from "./CodexBench.ts"
import { type Behaviour, ConformanceDriver, type Failure } from "./ConformanceDriver.ts"
import type { Script } from "./FakeResponses.ts"
import * as Gate from "./Gate.ts"
import * as ModelTurn from "./ModelTurn.ts"
import * as RecordedRequest from "./RecordedRequest.ts"

/** What codex says to the model when it wants a summary, set in its configuration to tell it from other requests. */
const compactPrompt = "Summarize the conversation so far."

const refuse = (status: number, type: string, message: string) =>
  ModelTurn.httpError(status, { body: { error: { type, message } } })

const failures: Readonly<Record<Failure, ModelTurn.ModelTurn>> = {
  rateLimited: refuse(429, "rate_limit", "slow down"),
  contextOverflow: ModelTurn.turn([ModelTurn.failed("context_length_exceeded", "too long")]),
  unauthorized: refuse(401, "auth", "no key"),
  usageLimit: refuse(429, "usage_limit_reached", "come back tomorrow"),
  modelFailed: refuse(400, "bad_request", "not like this")
}

interface Plan {
  /** The answers to the requests of the turn, in order; the last one goes for all that follow. */
  readonly answers: ReadonlyArray<ModelTurn.ModelTurn>
  readonly mode?: TurnInput["mode"]
}

const decodeArguments = Schema.decodeUnknownSync(Schema.Record(Schema.String, Schema.Json))

/** The model calls a tool, and answers when it has its output. */
const call = (name: string, args: Parameters<typeof ModelTurn.functionCall>[1], answer: string): Plan => ({
  answers: [ModelTurn.turn([ModelTurn.functionCall(name, args)]), ModelTurn.text(answer)]
})

const plan = (behaviour: Behaviour, gate: Gate.Gate): Plan => {
  switch (behaviour.kind) {
    case "text":
      return { answers: [ModelTurn.text(...behaviour.parts)] }
    case "reasoning":
      return {
        answers: [
          ModelTurn.turn([
            ModelTurn.reasoning({ summary: [[behaviour.summary]] }),
            ModelTurn.message([behaviour.answer])
          ])
        ]
      }
    case "command":
      return call("exec_command", { cmd: "touch made-by-a-command" }, behaviour.answer)
    case "patch":
      return {
        answers: [
          ModelTurn.turn([ModelTurn.applyPatch("*** Begin Patch\n*** Add File: a.txt\n+hello\n*** End Patch")]),
          ModelTurn.text(behaviour.answer)
        ]
      }
    case "hostTool":
      return call(behaviour.tool, decodeArguments(behaviour.arguments), behaviour.answer)
    case "question": {
      const { header, id, options, question } = behaviour.question
      const questions = [{ id, header, question, options: options.map((option) => ({ ...option })) }]
      return { ...call("request_user_input", { questions }, behaviour.answer), mode: "plan" }
    }
    case "hang":
      return {
        answers: [
          ModelTurn.turn([
            ...(behaviour.parts.length === 0 ? [] : [ModelTurn.message([...behaviour.parts, gate])]),
            ModelTurn.silence
          ])
        ]
      }
    case "steer":
      return { answers: [ModelTurn.text(...behaviour.parts, gate), ModelTurn.text(behaviour.answer)] }
    case "usage": {
      const { cachedInput, input, output, reasoningOutput } = behaviour
      // Two requests, which add up.
      return {
        answers: [
          ModelTurn.turn([ModelTurn.functionCall("exec_command", { cmd: "true" })], {
            usage: { input: input - 100, cachedInput, output: output - 10, reasoningOutput }
          }),
          ModelTurn.turn([ModelTurn.message([behaviour.answer])], {
            usage: { input: 100, cachedInput: 0, output: 10, reasoningOutput: 0 }
          })
        ]
      }
    }
    case "failure":
      return { answers: [failures[behaviour.failure]] }
    case "die":
      return { answers: [ModelTurn.text(...behaviour.parts, gate)] }
    case "recall":
      return { answers: [] }
    case "compaction":
      return { answers: [] }
  }
}

/** A codex of its own, and the driver of its model. */
export const layer: Layer.Layer<AgentBackend | ConformanceDriver, unknown> = Layer.unwrap(Effect.sync(() => {
  const prepared = new Map<string, { readonly plan: Plan; readonly recalls: boolean; asked: number }>()

  const answer: Script = (request) => {
    const texts = RecordedRequest.userTexts(request)
    if (texts.at(-1) === compactPrompt) return ModelTurn.text("What was said.")
    // A steer comes behind the prompt of its turn.
    const prompt = texts.findLast((text) => prepared.has(text))
    const found = prompt === undefined ? undefined : prepared.get(prompt)
    if (found === undefined) return ModelTurn.httpError(400, { body: { error: { message: "nothing was prepared" } } })
    if (found.recalls) return ModelTurn.text(texts.join(" / "))
    const { answers } = found.plan
    const turn = answers[Math.min(found.asked++, answers.length - 1)]
    return turn ?? ModelTurn.text("")
  }

  const driver = Effect.map(CodexBench.CodexBench, (bench) =>
    ConformanceDriver.of({
      session: { cwd: bench.home.work, approvalPolicy: "untrusted", sandbox: "workspace-write" },
      prepare: Effect.fnUntraced(function*(behaviour) {
        const gate = yield* Gate.make
        const prompt = `behaviour ${prepared.size + 1}`
        const made = plan(behaviour, gate)
        prepared.set(prompt, { plan: made, recalls: behaviour.kind === "recall", asked: 0 })
        return {
          input: { input: [{ _tag: "Text", text: prompt }], ...(made.mode === undefined ? {} : { mode: made.mode }) },
          release: behaviour.kind === "die" ? bench.kill : gate.open
        }
      })
    }))

  return Layer.effect(ConformanceDriver, driver).pipe(
    Layer.provideMerge(CodexBench.layer({ fallback: answer, settings: { compact_prompt: compactPrompt } }))
  )
}))
