import { assert, describe, it } from "@effect/vitest"
import * as Result from "effect/Result"
import type * as Envelope from "../../src/protocol/Envelope.ts"
import * as Methods from "../../src/protocol/Methods.ts"
import type { ProtocolError } from "../../src/protocol/ProtocolError.ts"
import { type Line, type Recording, recordings } from "./support/recordings.ts"

/** What a recording may hold that does not fit, and why that is right. */
const exceptions: Readonly<Record<string, ReadonlyArray<string>>> = {
  "03-before-init.jsonl": [
    // The client tried bad requests on purpose.
    "c2s The protocol has no client request nope/nope",
    "c2s The params of thread/start do not fit: cwd: expected string | null",
    "c2s The params of turn/start do not fit: input: missing key",
    "c2s The params of thread/start do not fit: expected object",
    "c2s The params of thread/loaded/list do not fit: expected object",
    "c2s The protocol has no client notification bogus/notification",
    // An answer to nothing, and an id that a double does not hold.
    "c2s an answer to no request",
    "s2c an answer with an invalid id",
    // The recording does not show the requests 80 to 82.
    "s2c an answer to no request"
  ],
  // An approval was answered with `{}` on purpose.
  "18-cmd-approve-error-and-bad.jsonl": [
    "c2s The result of item/commandExecution/requestApproval does not fit: decision: missing key"
  ],
  // The server takes tools without a type, in the form of an earlier release; its export no longer says so.
  "30b-dynamic-tools-shapes.jsonl": [
    "c2s The params of thread/start do not fit: dynamicTools[0]: expected { readonly \"type\": \"function\", ... } | " +
    "{ readonly \"type\": \"namespace\", ... }"
  ],
  // A method of an earlier release that the server still answers; its export no longer has it.
  "40-model-account.jsonl": [
    "c2s The protocol has no client request getAuthStatus",
    "s2c The protocol has no client request getAuthStatus"
  ],
  // The client asked on purpose for what there is not.
  "70-bad-thread-params.jsonl": [
    "c2s The params of thread/start do not fit: approvalPolicy: expected \"untrusted\" | \"on-request\" | \"never\"",
    "c2s The params of thread/start do not fit: personality: expected \"none\" | \"friendly\" | \"pragmatic\"",
    "c2s The params of thread/start do not fit: sandbox: expected \"read-only\" | \"workspace-write\" | " +
    "\"danger-full-access\"",
    "c2s The params of turn/start do not fit: input[0]: expected { readonly \"type\": \"text\", ... } | " +
    "{ readonly \"type\": \"image\", ... } | { readonly \"type\": \"localImage\", ... } | " +
    "{ readonly \"type\": \"audio\", ... } | { readonly \"type\": \"localAudio\", ... } | " +
    "{ readonly \"type\": \"skill\", ... } | { readonly \"type\": \"mention\", ... }",
    "c2s The params of turn/start do not fit: sandboxPolicy: expected { readonly \"type\": \"dangerFullAccess\", ... } | " +
    "{ readonly \"type\": \"readOnly\", ... } | { readonly \"type\": \"externalSandbox\", ... } | " +
    "{ readonly \"type\": \"workspaceWrite\", ... }"
  ],
  // Two requests with one id on purpose: the answers cannot be told apart.
  "75-same-id-inflight.jsonl": ["s2c The result of thread/loaded/list does not fit: data[0]: expected string"]
}

const failure = (result: Result.Result<unknown, ProtocolError>): string | undefined =>
  Result.isFailure(result) ? result.failure.message : undefined

/** Looks at a recording as both sides saw it. */
const problems = ({ lines }: Recording): ReadonlyArray<string> => {
  const asked = { c2s: new Map<Envelope.RequestId, string>(), s2c: new Map<Envelope.RequestId, string>() }

  const problem = ({ dir, message }: Line): string | undefined => {
    const server = dir === "s2c"
    switch (message._tag) {
      case "Request": {
        asked[dir].set(message.id, message.method)
        const decode = server ? Methods.decodeServerRequest : Methods.decodeClientRequest
        return failure(decode(message.method, message.params))
      }
      case "Notification": {
        const decode = server ? Methods.decodeNotification : Methods.decodeClientNotification
        return failure(decode(message.method, message.params))
      }
      case "Response": {
        const method = asked[server ? "c2s" : "s2c"].get(message.id)
        if (method === undefined) return "an answer to no request"
        // The method is whatever was recorded: an unknown one is a failure like any other.
        return failure(
          server
            ? Methods.decodeClientResult(method as "initialize", message.result)
            : Methods.decodeServerResult(method as "item/tool/call", message.result)
        )
      }
      case "ErrorResponse":
        return undefined
      case "Malformed":
        return message.reason
    }
  }

  return lines.flatMap((line) => {
    const found = problem(line)
    return found === undefined ? [] : [`${line.dir} ${found}`]
  })
}

describe("Recordings", () => {
  const all = recordings()

  it("are there, with messages in both directions", () => {
    assert.isAtLeast(all.length, 80)
    assert.isAtLeast(all.flatMap(({ lines }) => lines).length, 3900)
  })

  for (const recording of all) {
    it(`${recording.name} fits the open dialect`, () => {
      const expected = exceptions[recording.name] ?? []
      assert.deepStrictEqual(new Set(problems(recording)), new Set(expected))
    })
  }
})
