import { assert, describe, it } from "@effect/vitest"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as Table from "../../src/protocol/generated/MethodTable.ts"
import type * as Open from "../../src/protocol/generated/OpenTypes.ts"
import type * as Strict from "../../src/protocol/generated/StrictTypes.ts"
import * as Methods from "../../src/protocol/Methods.ts"
import type { Variant } from "../../src/protocol/Openness.ts"
import type { Mismatch, ProtocolError } from "../../src/protocol/ProtocolError.ts"
import { AnyJson } from "./support/json.ts"

const value = <A>(result: Result.Result<A, ProtocolError>): A => {
  if (Result.isFailure(result)) assert.fail(result.failure.message)
  return result.success
}

const mismatch = (result: Result.Result<unknown, ProtocolError>): Mismatch => {
  if (Result.isSuccess(result)) assert.fail("it was accepted")
  const { reason } = result.failure
  if (reason._tag !== "Mismatch") assert.fail(reason._tag)
  return reason
}

const account = (planType: string) => ({
  account: { type: "chatgpt", email: "x@example.com", planType },
  requiresOpenaiAuth: true
})

const completed = (item: unknown) => ({ item, threadId: "t", turnId: "u", completedAtMs: 1 })

describe("decoding what a server sends", () => {
  it("gives the very value that came in", () => {
    const params = { threadId: "t", turnId: "u", itemId: "i", delta: "text", later: { any: 1 } }
    const decoded = value(Methods.decodeNotification("item/agentMessage/delta", params))
    assert.strictEqual<unknown>(decoded.params, params)
    const result = account("pro")
    assert.strictEqual<unknown>(value(Methods.decodeClientResult("account/read", result)), result)
  })

  it("a plan type of a later release does not take the account away", () => {
    const decoded = value(Methods.decodeClientResult("account/read", account("some_future_plan")))
    assert.strictEqual(decoded.account?.type === "chatgpt" ? decoded.account.planType : "", "some_future_plan")
  })

  it("an item of a later release is data, in an array among known ones too", () => {
    const item = { type: "holodeck", id: 7, deck: [1] }
    const decoded = value(Methods.decodeNotification("item/completed", completed(item)))
    assert.strictEqual(decoded.method === "item/completed" ? decoded.params.item.type : "", "holodeck")
    const turn = { id: "u", items: [{ type: "plan", id: "p", text: "x" }, item], status: "hibernated" }
    value(Methods.decodeNotification("turn/completed", { threadId: "t", turn }))
  })

  it("a kind of error of a later release is data, as a string and as an object", () => {
    for (const codexErrorInfo of ["quantumFlux", { quantumFlux: { spin: 1 } }, null]) {
      const error = { message: "m", codexErrorInfo, additionalDetails: null }
      value(Methods.decodeNotification("error", { error, willRetry: false, threadId: "t", turnId: "u" }))
    }
  })

  it("a known item that is malformed is an error that names the place", () => {
    const problems = mismatch(
      Methods.decodeNotification("item/completed", completed({ type: "agentMessage", id: "i", text: 5 }))
    ).problems
    assert.deepStrictEqual(problems.map(({ path }) => path), ["item.text"])
    assert.include(problems[0].problem, "string")
  })

  it("a known error kind that is malformed is an error, not an unknown kind", () => {
    const error = { message: "m", codexErrorInfo: { httpConnectionFailed: { httpStatusCode: "x" } } }
    const failed = mismatch(
      Methods.decodeNotification("error", { error, willRetry: false, threadId: "t", turnId: "u" })
    )
    assert.include(failed.message, "error.codexErrorInfo.httpConnectionFailed.httpStatusCode")
  })

  it("an item without a type is an error", () => {
    assert.include(mismatch(Methods.decodeNotification("item/completed", completed({ id: "i" }))).message, "item.type")
  })

  it("takes a missing member, null and a value where any of them may stand", () => {
    for (const extra of [{}, { clientId: null }, { clientId: "c" }]) {
      value(
        Methods.decodeNotification("item/completed", completed({ type: "userMessage", id: "i", content: [], ...extra }))
      )
    }
  })

  it("an older server that leaves out what nothing depends on is understood", () => {
    value(Methods.decodeClientResult("initialize", { userAgent: "codex/0.150.0" }))
    mismatch(Methods.decodeClientResult("initialize", {}))
  })

  it("notifications that no export lists are known", () => {
    value(Methods.decodeNotification("rawResponseItem/completed", { item: { type: "x" }, threadId: "t", turnId: "u" }))
  })

  it("an unknown method is told apart from a mismatch", () => {
    for (const method of ["thread/teleported", "toString", "__proto__"]) {
      const result = Methods.decodeNotification(method, {})
      if (Result.isSuccess(result)) assert.fail("it was accepted")
      assert.strictEqual(result.failure.reason._tag, "UnknownMethod")
      assert.include(result.failure.message, method)
    }
  })

  it("errors do not repeat what a message held", () => {
    const secret = "hunter2-secret"
    const failures = [
      Methods.decodeNotification(
        "item/completed",
        completed({ type: "agentMessage", id: secret, text: { [secret]: 1 } })
      ),
      Methods.decodeNotification("turn/diff/updated", { threadId: secret, turnId: 1, diff: secret }),
      Methods.decodeNotification("item/completed", secret),
      Methods.decodeServerResult("item/tool/requestUserInput", {
        answers: { [`/home/${secret}`]: { answers: secret } }
      })
    ]
    for (const failure of failures) {
      assert.notInclude(mismatch(failure).message, secret)
      assert.notInclude(JSON.stringify(failure), secret)
    }
  })

  it.prop(
    "no value makes it throw",
    [Schema.Literals(Object.keys(Table.serverNotifications)), AnyJson],
    ([method, params]) => {
      assert.include(["Success", "Failure"], Methods.decodeNotification(method, params)._tag)
      assert.include(["Success", "Failure"], Methods.decodeClientResult("thread/read", params)._tag)
    }
  )
})

describe("encoding what a client sends", () => {
  it("gives the very value that went in", () => {
    const params: Strict.TurnStartParams = { threadId: "t", input: [{ type: "text", text: "hi" }], effort: null }
    assert.strictEqual(value(Methods.encodeClientParams("turn/start", params)), params)
  })

  it("a value that the release removed is refused, with the values that it has", () => {
    const removed = { approvalPolicy: "on-failure" } as unknown as Strict.ThreadStartParams
    const failed = mismatch(Methods.encodeClientParams("thread/start", removed))
    assert.strictEqual(failed.problems[0].path, "approvalPolicy")
    for (const allowed of ["untrusted", "on-request", "never"]) assert.include(failed.message, allowed)
  })

  it("the right value under the wrong key is refused, not ignored", () => {
    const wrong = { sandboxPolicy: { type: "dangerFullAccess" } } as Strict.ThreadStartParams
    assert.include(mismatch(Methods.encodeClientParams("thread/start", wrong)).message, "sandboxPolicy")
    const nested = {
      threadId: "t",
      input: [],
      sandboxPolicy: { type: "readOnly", network: true }
    } as unknown as Strict.TurnStartParams
    assert.include(mismatch(Methods.encodeClientParams("turn/start", nested)).message, "sandboxPolicy.network")
  })

  it("a variant that the release does not have is refused", () => {
    const params = { threadId: "t", input: [{ type: "smell", scent: "x" }] } as unknown as Strict.TurnStartParams
    assert.include(mismatch(Methods.encodeClientParams("turn/start", params)).message, "input[0]")
  })

  it("methods without params take none", () => {
    value(Methods.encodeClientParams("account/logout", undefined))
    mismatch(Methods.encodeClientParams("account/logout", {} as unknown as undefined))
    value(Methods.encodeClientNotification("initialized", undefined))
  })
})

describe("the side of the server", () => {
  it("reads what it can do, whatever a later release adds to it, and answers strictly", () => {
    const decoded = value(Methods.decodeClientRequest("thread/start", { approvalPolicy: "never", later: 1 }))
    assert.strictEqual(decoded.method, "thread/start")
    value(Methods.decodeClientRequest("account/logout", undefined))
    value(Methods.decodeClientRequest("account/logout", {}))
    mismatch(Methods.decodeClientRequest("thread/start", undefined))
    mismatch(Methods.decodeClientRequest("thread/start", { approvalPolicy: "later" }))
    value(Methods.encodeClientResult("turn/steer", { turnId: "u" }))
    mismatch(Methods.encodeClientResult("turn/steer", { turnId: "u", more: 1 } as Strict.TurnSteerResponse))
  })

  it("sends only notifications and requests that the release has", () => {
    const delta = { threadId: "t", turnId: "u", itemId: "i", delta: "d" }
    assert.strictEqual(value(Methods.encodeNotification("item/agentMessage/delta", delta)), delta)
    mismatch(Methods.encodeNotification("item/agentMessage/delta", { ...delta, at: 1 } as typeof delta))
    value(
      Methods.encodeServerParams("item/tool/call", {
        threadId: "t",
        turnId: "u",
        callId: "c",
        namespace: null,
        tool: "x",
        arguments: { any: [1] }
      })
    )
    value(
      Methods.decodeServerResult("item/tool/call", { contentItems: [{ type: "inputText", text: "x" }], success: true })
    )
    mismatch(Methods.decodeServerResult("item/commandExecution/requestApproval", {}))
  })
})

describe("what needs experimentalApi", () => {
  it("names the method, or the first member, in the server's words", () => {
    assert.strictEqual(Methods.experimentalUse("collaborationMode/list", {}), "collaborationMode/list")
    assert.strictEqual(Methods.experimentalUse("thread/start", { dynamicTools: [] }), "thread/start.dynamicTools")
    assert.strictEqual(
      Methods.experimentalUse("thread/items/list", { deferOutput: { mcpToolCall: true } }),
      "thread/items/list.deferOutput.mcpToolCall"
    )
  })

  it("says nothing of what every client may use", () => {
    assert.isUndefined(Methods.experimentalUse("thread/start", { model: "m", dynamicTools: null }))
    assert.isUndefined(Methods.experimentalUse("thread/items/list", { deferOutput: {} }))
    assert.isUndefined(Methods.experimentalUse("turn/interrupt", undefined))
    assert.isUndefined(Methods.experimentalUse("constructor", {}))
  })
})

const text = (item: Open.ThreadItem): string => {
  switch (item.type) {
    case "agentMessage":
      return item.text
    case "commandExecution":
      return item.command
    default:
      return item.type
  }
}
const granular = (policy: Open.AskForApproval): boolean | string =>
  typeof policy === "string" ? policy : "granular" in policy ? policy.granular.rules : false

describe("types", () => {
  it("an unknown variant does not spoil the narrowing of the known ones", () => {
    const message: Variant<Strict.ThreadItem, "type", "agentMessage"> = { type: "agentMessage", id: "i", text: "t" }
    const known: Strict.ThreadItem = message
    // What we send can be read: the strict type is part of the open one.
    const asRead: Open.ThreadItem = known
    assert.strictEqual(text(asRead), "t")
    assert.strictEqual(granular("never"), "never")

    // @ts-expect-error a policy that the release does not have
    const wrong: Strict.AskForApproval = "on-failure"
    const later: Open.AskForApproval = "on-failure"
    assert.strictEqual<unknown>(wrong, later)

    const decoded = Methods.decodeNotification("item/agentMessage/delta", {})
    if (Result.isSuccess(decoded) && decoded.success.method === "item/agentMessage/delta") {
      const delta: string = decoded.success.params.delta
      assert.fail(delta)
    }
  })
})
