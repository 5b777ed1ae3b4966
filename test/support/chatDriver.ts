/**
 * Drives a real omp or pi for the conformance suite: what its model says, for each abstract behaviour.
 */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { SessionOptions } from "../../src/agent/index.ts"
import { type Behaviour, ConformanceDriver, type Failure } from "./ConformanceDriver.ts"
import * as FakeChat from "./FakeChat.ts"
import * as Gate from "./Gate.ts"

// Below its own retries, which can be switched off, omp repeats requests that need not be waited for that long.
const later = "try again in 2h"

const failures: Readonly<Record<Failure, FakeChat.Step>> = {
  rateLimited: { status: 429, message: `slow down, ${later}` },
  contextOverflow: { status: 400, message: "This model's maximum context length is 10 tokens." },
  unauthorized: { status: 401, message: "no key" },
  usageLimit: { status: 429, message: `You have hit your usage limit: insufficient_quota, ${later}` },
  modelFailed: { status: 400, message: "not like this" }
}

const decodeArguments = Schema.decodeUnknownSync(Schema.Record(Schema.String, Schema.Json))

/** The arguments by which the agent is made to write a file. */
export interface Dialect {
  /** A tool call that adds a file. */
  readonly patch: FakeChat.ToolCall
  readonly command: (command: string) => FakeChat.ToolCall
}

const plan = (behaviour: Behaviour, gate: Gate.Gate, dialect: Dialect): ReadonlyArray<FakeChat.Step> => {
  switch (behaviour.kind) {
    case "text":
      return [{ text: behaviour.parts }]
    case "reasoning":
      return [{ reasoning: [behaviour.summary], text: [behaviour.answer] }]
    case "command":
      return [{ tools: [dialect.command("touch made-by-a-command")] }, { text: [behaviour.answer] }]
    case "patch":
      return [{ tools: [dialect.patch] }, { text: [behaviour.answer] }]
    case "hostTool":
      return [
        { tools: [{ name: behaviour.tool, args: decodeArguments(behaviour.arguments) }] },
        { text: [behaviour.answer] }
      ]
    case "question": {
      const { id, options, question } = behaviour.question
      const questions = [{ id, question, options: options.map(({ label }) => ({ label })) }]
      return [{ tools: [{ name: "ask", args: { questions } }] }, { text: [behaviour.answer] }]
    }
    case "hang":
      return [{ text: behaviour.parts, hang: true }]
    case "steer":
      return [{ text: [...behaviour.parts, gate] }, { text: [behaviour.answer] }]
    case "usage": {
      const { cachedInput, input, output, reasoningOutput } = behaviour
      // Two requests, which add up.
      return [
        {
          tools: [dialect.command("true")],
          usage: { input: input - 100, cachedInput, output: output - 10, reasoningOutput }
        },
        { text: [behaviour.answer], usage: { input: 100, cachedInput: 0, output: 10, reasoningOutput: 0 } }
      ]
    }
    case "failure":
      return [failures[behaviour.failure]]
    case "die":
      return [{ text: [...behaviour.parts, gate] }]
    case "recall":
    case "compaction":
      return []
  }
}

/** The driver of an agent whose model is the fake. `kill` ends the agent's process, where it has one. */
export const make = Effect.fnUntraced(function*(options: {
  readonly session: SessionOptions
  readonly dialect: Dialect
  readonly kill?: Effect.Effect<void>
}) {
  const chat = yield* FakeChat.FakeChat
  const prepared = new Map<
    string,
    { readonly steps: ReadonlyArray<FakeChat.Step>; readonly recalls: boolean; asked: number }
  >()
  yield* chat.auxiliary({ text: ["What was said."] })
  yield* chat.fallback((request) => {
    // omp puts a reminder of the day in front of what its user says.
    const texts = FakeChat.textsOf(request, "user").map((text) => /behaviour \d+$/.exec(text)?.[0] ?? text)
    // A steer comes behind the prompt of its turn.
    const prompt = texts.findLast((text) => prepared.has(text))
    const found = prompt === undefined ? undefined : prepared.get(prompt)
    if (found === undefined) return { status: 400, message: "nothing was prepared" }
    if (found.recalls) return { text: [texts.join(" / ")] }
    return found.steps[Math.min(found.asked++, found.steps.length - 1)] ?? { text: [] }
  })
  return ConformanceDriver.of({
    session: options.session,
    prepare: Effect.fnUntraced(function*(behaviour) {
      const gate = yield* Gate.make
      const prompt = `behaviour ${prepared.size + 1}`
      const steps = plan(behaviour, gate, options.dialect)
      prepared.set(prompt, { steps, recalls: behaviour.kind === "recall", asked: 0 })
      const release = behaviour.kind === "die" ? options.kill ?? Effect.void : gate.open
      return { input: { input: [{ _tag: "Text", text: prompt }] }, release }
    })
  })
})
