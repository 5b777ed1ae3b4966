import { assert, describe, it } from "@effect/vitest"
import * as ErrorCodes from "../../src/protocol/ErrorCodes.ts"
import { recordings } from "./support/recordings.ts"

const thread = "01a229b4-c21b-71a0-a218-265c7eeb0000"

describe("ErrorCodes", () => {
  it("reads back the meaning of every sentence that it writes", () => {
    const cases: ReadonlyArray<readonly [ReturnType<typeof ErrorCodes.invalid>, ErrorCodes.Meaning]> = [
      [ErrorCodes.overloaded, { _tag: "Overloaded" }],
      [ErrorCodes.notInitialized, { _tag: "NotInitialized" }],
      [ErrorCodes.alreadyInitialized, { _tag: "AlreadyInitialized" }],
      [ErrorCodes.noActiveTurnToInterrupt, { _tag: "NoActiveTurn" }],
      [ErrorCodes.noActiveTurnToSteer, { _tag: "NoActiveTurn" }],
      [
        ErrorCodes.unknownVariant("on-failure", ["untrusted", "never"]),
        { _tag: "UnknownVariant", given: "on-failure", known: ["untrusted", "never"] }
      ],
      [ErrorCodes.missingField("params"), { _tag: "MissingField", field: "params" }],
      [
        ErrorCodes.experimentalRequired("thread/start.dynamicTools"),
        { _tag: "ExperimentalRequired", what: "thread/start.dynamicTools" }
      ],
      [ErrorCodes.threadNotFound(thread), { _tag: "ThreadUnknown", threadId: thread }],
      [ErrorCodes.threadNotLoaded(thread), { _tag: "ThreadUnknown", threadId: thread }],
      [ErrorCodes.noRollout(thread), { _tag: "ThreadUnknown", threadId: thread }],
      [ErrorCodes.activeWriter(thread), { _tag: "ActiveWriter", threadId: thread }],
      [ErrorCodes.archived(thread), { _tag: "ThreadArchived", threadId: thread }],
      [ErrorCodes.interruptMismatch("a", "b"), { _tag: "OtherTurn", expected: "a", found: "b" }],
      [ErrorCodes.steerMismatch("a", "b"), { _tag: "OtherTurn", expected: "a", found: "b" }],
      [ErrorCodes.notSupportedYet("list_turns"), { _tag: "NotSupportedYet", what: "list_turns" }],
      [ErrorCodes.inputTooLarge(2_000_000), { _tag: "InputTooLarge", maxChars: 1_048_576, actualChars: 2_000_000 }],
      [ErrorCodes.invalid("goal"), { _tag: "Other" }]
    ]
    for (const [error, meaning] of cases) assert.deepStrictEqual(ErrorCodes.recognize(error), meaning)
  })

  it("writes the sentences that codex was recorded to say", () => {
    const recorded = new Set(
      recordings().flatMap(({ lines }) =>
        lines.flatMap(({ dir, message }) =>
          dir === "s2c" && message._tag === "ErrorResponse" ? [JSON.stringify(message.error)] : []
        )
      )
    )
    const active = "01a229b9-c85f-7c81-aad3-94bef7e6fb47"
    for (
      const error of [
        ErrorCodes.notInitialized,
        ErrorCodes.alreadyInitialized,
        ErrorCodes.noActiveTurnToInterrupt,
        ErrorCodes.noActiveTurnToSteer,
        ErrorCodes.missingField("params"),
        ErrorCodes.experimentalRequired("thread/start.dynamicTools"),
        ErrorCodes.unknownVariant("bogus", ["read-only", "workspace-write", "danger-full-access"]),
        ErrorCodes.threadNotFound(thread),
        ErrorCodes.threadNotLoaded(thread),
        ErrorCodes.noRollout(thread),
        ErrorCodes.activeWriter("01a229c4-95a1-7812-8222-c199a6ce52fc"),
        ErrorCodes.archived("01a229ba-308b-7d53-9ea0-6d12949f21a2"),
        ErrorCodes.steerMismatch("nope", active),
        ErrorCodes.interruptMismatch("nope", "01a229b9-caec-7850-a601-bbf2e180e512"),
        ErrorCodes.notSupportedYet("list_turns"),
        ErrorCodes.inputTooLarge(1_048_577)
      ]
    ) assert.isTrue(recorded.has(JSON.stringify(error)), error.message)
  })
})
