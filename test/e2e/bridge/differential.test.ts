/**
 * The same client script against the real app-server and against the bridge with the real codex as its agent, before
 * models that say the same: what comes over the wire is the same, but for what is listed here with its reason.
 */
import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import * as Paths from "node:path"
import * as ChildTransport from "../../../src/transport/ChildTransport.ts"
import { binaryOf, main } from "../../cli/support/runCli.ts"
import { assertNoProcessNaming } from "../../support/CodexBench.ts"
import * as CodexHome from "../../support/CodexHome.ts"
import * as FakeResponses from "../../support/FakeResponses.ts"
import * as Gate from "../../support/Gate.ts"
import * as ModelTurn from "../../support/ModelTurn.ts"
import * as WireClient from "../../support/WireClient.ts"

const patience = 120_000

interface Side {
  readonly client: WireClient.WireClient
  readonly model: FakeResponses.FakeResponses["Service"]
  readonly home: CodexHome.CodexHome
}

/** One of the two servers, on stdio, with a model and a home of its own. */
const side = Effect.fnUntraced(function*(which: "real" | "bridge") {
  let root: string | undefined
  // The first finalizer to be added is the last to run.
  yield* Effect.addFinalizer(() => root === undefined ? Effect.void : assertNoProcessNaming(root))
  const model = yield* FakeResponses.make()
  const home = yield* CodexHome.make({ baseUrl: model.baseUrl, settings: { model_reasoning_summary: "detailed" } })
  root = Paths.dirname(home.home)
  const transport = yield* ChildTransport.make({
    ...which === "real"
      ? { command: home.codexBin, args: ["app-server"] }
      : {
        command: binaryOf("node"),
        args: [main, "app-server", "--backend", "codex-app-server", "--agent-bin", home.codexBin]
      },
    cwd: home.work,
    env: home.env,
    extendEnv: false
  })
  const client = yield* WireClient.make(transport)
  yield* client.initialize()
  const made: Side = { client, model, home }
  return made
})

// -- what is compared

const times =
  /^(?:startedAt|completedAt|createdAt|updatedAt|recencyAt|startedAtMs|completedAtMs|durationMs|emittedAtMs)$/
const uuids = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gu
const ids = /^(?:msg|rs|call|ctc|fc)_\w+$/u

/** Notifications of the real server alone. */
const notTold: Readonly<Record<string, string>> = {
  "account/rateLimits/updated": "there is no account here, and quotas are not made up",
  deprecationNotice: "about full histories, which are no burden here",
  configWarning: "about the sandbox of the real server's own host"
}

/** Members that differ. */
const differing: Readonly<Record<string, string>> = {
  path: "threads of the bridge are no files",
  modelProvider: "the agent is the provider",
  processId: "a number of the machine's",
  source: "how the real codex runs a command; the seam has commands of the agent",
  canAcceptDirectInput: "the real server says so of a thread that is started or resumed, and not in lists",
  backwardsCursor: "opaque",
  itemsBackwardsCursor: "opaque",
  turnsBackwardsCursor: "opaque"
}

/** What the approval of a command says on both. The seam knows neither environments nor amendments of a policy. */
const approvalMembers = ["command", "cwd", "itemId", "kind", "threadId", "turnId"]

/** The same value with times left out, ids by their order of appearance, and paths by what they stand for. */
const normaliser = ({ home }: Side) => {
  const names = new Map<string, string>()
  const root = Paths.dirname(home.home)
  const nameOf = (id: string): string => {
    const name = names.get(id) ?? `id${names.size}`
    names.set(id, name)
    return name
  }
  const normal = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map((element) => normal(element))
    if (Predicate.isObject(value)) {
      return Object.fromEntries(
        Object.entries(value).filter(([name]) => !times.test(name) && !(name in differing)).toSorted(([a], [b]) =>
          a < b ? -1 : 1
        )
          .map(([name, inner]) => [name.replaceAll(uuids, nameOf), normal(inner)])
      )
    }
    if (typeof value === "string") {
      return ids.test(value) ? nameOf(value) : value.replaceAll(uuids, nameOf).replaceAll(root, "<root>")
    }
    return value
  }
  return normal
}

type Line = readonly [what: string, content: unknown]

const isWaiting = (message: WireClient.Message): boolean =>
  message.method === "thread/status/changed" && JSON.stringify(message.params).includes("waitingOnApproval")

/** Of a command that waits for an approval the bridge shows the item first, as both do of a patch. */
const itemFirst = (messages: ReadonlyArray<WireClient.Message>): ReadonlyArray<WireClient.Message> => {
  const ordered = [...messages]
  for (const [at, message] of messages.entries()) {
    const next = messages[at + 1]
    if (!isWaiting(message) || next?.method !== "item/started") continue
    ordered[at] = next
    ordered[at + 1] = message
  }
  return ordered
}

/** The real server tells a status twice at times, right behind itself. */
const once = (messages: ReadonlyArray<WireClient.Message>): ReadonlyArray<WireClient.Message> =>
  messages.filter(({ method, params }, at) =>
    method !== "thread/status/changed" || messages[at - 1]?.method !== method ||
    JSON.stringify(messages[at - 1]?.params) !== JSON.stringify(params)
  )

/** What came over the wire, in order: answers by the number of their request, notifications, requests. */
const lines = (side: Side, from: number, left: (message: WireClient.Message) => boolean): ReadonlyArray<Line> => {
  const normal = normaliser(side)
  const compared = side.client.seen.slice(from).filter((message) => !left(message) && !(`${message.method}` in notTold))
  return once(itemFirst(compared)).map(({ error, id, method, params, result }): Line => {
    if (method === undefined) return [`answer ${id}`, normal(error ?? result)]
    if (id === undefined) return [method, normal(params)]
    return [
      `${method}?`,
      normal(
        method === "item/commandExecution/requestApproval" && Predicate.isObject(params)
          ? Object.fromEntries(Object.entries(params).filter(([name]) => approvalMembers.includes(name)))
          : params
      )
    ]
  })
}

/** What differs in one script. */
interface Exception {
  readonly reason: string
  readonly leaves: (message: WireClient.Message) => boolean
}

const closesItems: Exception = {
  reason: "the real server leaves a message spinning that was cut short; the bridge completes it",
  leaves: ({ method, params }) => method === "item/completed" && JSON.stringify(params).includes("\"text\":\"Half\"")
}

const exceptions: Readonly<Record<string, Exception>> = {
  interrupt: closesItems,
  steer: closesItems
}

// -- what the client does

const say = (threadId: string, text: string) => ({
  threadId,
  input: [{ type: "text" as const, text, text_elements: [] }]
})

const started = (side: Side, params: Parameters<typeof side.client.ask<"thread/start">>[1] = {}) =>
  Effect.map(
    side.client.ask("thread/start", {
      cwd: side.home.work,
      model: "gpt-5.5",
      approvalPolicy: "never",
      sandbox: "danger-full-access",
      ...params
    }),
    ({ thread }) => thread.id
  )

/** Runs a turn in which the model says these, and waits for its end. */
const turn = Effect.fnUntraced(function*(
  side: Side,
  threadId: string,
  text: string,
  ...turns: ReadonlyArray<FakeResponses.Script>
) {
  yield* side.model.push(...turns)
  const { turn } = yield* side.client.ask("turn/start", say(threadId, text))
  yield* side.client.told("turn/completed", (end) => end.turn.id === turn.id)
})

const accept = (side: Side, method: "item/commandExecution/requestApproval" | "item/fileChange/requestApproval") =>
  Effect.flatMap(side.client.asked(method), ({ id }) => side.client.say({ id, result: { decision: "accept" } }))

const cautious = { approvalPolicy: "untrusted", sandbox: "workspace-write" } as const

const scripts: Readonly<Record<string, (side: Side) => Effect.Effect<void>>> = {
  text: Effect.fnUntraced(function*(side) {
    const threadId = yield* started(side)
    yield* turn(side, threadId, "hello", ModelTurn.text("Hel", "lo"))
    yield* turn(side, threadId, "again", ModelTurn.text("And ", "again"))
  }),
  reasoning: Effect.fnUntraced(function*(side) {
    yield* turn(
      side,
      yield* started(side),
      "think",
      ModelTurn.turn([ModelTurn.reasoning({ summary: [["Thin", "king"], ["More"]] }), ModelTurn.message(["Done"])])
    )
  }),
  command: Effect.fnUntraced(function*(side) {
    const threadId = yield* started(side, cautious)
    yield* Effect.all([
      turn(
        side,
        threadId,
        "run",
        ModelTurn.turn([ModelTurn.functionCall("exec_command", { cmd: "touch made" }, { callId: "call_1" })]),
        ModelTurn.text("Ran")
      ),
      accept(side, "item/commandExecution/requestApproval")
    ], { concurrency: 2 })
  }),
  patch: Effect.fnUntraced(function*(side) {
    const threadId = yield* started(side, cautious)
    const patch = "*** Begin Patch\n*** Add File: new.txt\n+one\n*** End Patch"
    yield* Effect.all([
      turn(
        side,
        threadId,
        "patch",
        ModelTurn.turn([ModelTurn.applyPatch(patch, { callId: "call_1" })]),
        ModelTurn.text("Patched")
      ),
      accept(side, "item/fileChange/requestApproval")
    ], { concurrency: 2 })
  }),
  failure: Effect.fnUntraced(function*(side) {
    const threadId = yield* started(side)
    yield* turn(side, threadId, "fail", ModelTurn.httpError(400, { body: { error: { message: "no" } } }))
    yield* turn(side, threadId, "again", ModelTurn.text("Fine"))
  }),
  interrupt: Effect.fnUntraced(function*(side) {
    const threadId = yield* started(side)
    const gate = yield* Gate.make
    yield* side.model.push(ModelTurn.text("Half", gate))
    const { turn: running } = yield* side.client.ask("turn/start", say(threadId, "go"))
    yield* side.client.told("item/agentMessage/delta")
    yield* side.client.ask("turn/interrupt", { threadId, turnId: running.id })
    yield* side.client.told("turn/completed")
  }),
  steer: Effect.fnUntraced(function*(side) {
    const threadId = yield* started(side)
    const gate = yield* Gate.make
    yield* side.model.push(ModelTurn.text("Half", gate), ModelTurn.text("Left then"))
    const { turn: running } = yield* side.client.ask("turn/start", say(threadId, "go"))
    yield* side.client.told("item/agentMessage/delta")
    yield* side.client.ask("turn/steer", { ...say(threadId, "left"), expectedTurnId: running.id })
    yield* side.client.told("turn/completed")
  }),
  "resume and fork": Effect.fnUntraced(function*(side) {
    const threadId = yield* started(side)
    yield* turn(side, threadId, "hello", ModelTurn.text("Hello"))
    yield* side.client.ask("thread/resume", { threadId, excludeTurns: true })
    yield* turn(side, threadId, "more", ModelTurn.text("More"))
    const { thread } = yield* side.client.ask("thread/fork", { threadId, excludeTurns: true })
    yield* turn(side, thread.id, "else", ModelTurn.text("Else"))
  }),
  "fork and revert at a turn": Effect.fnUntraced(function*(side) {
    const threadId = yield* started(side)
    yield* turn(side, threadId, "one", ModelTurn.text("One"))
    const { turn: two } = yield* Effect.andThen(
      side.model.push(ModelTurn.text("Two")),
      side.client.ask("turn/start", say(threadId, "two"))
    )
    yield* side.client.told("turn/completed", (end) => end.turn.id === two.id)
    yield* side.client.ask("thread/goal/set", { threadId, objective: "Done", status: "paused" })
    const { thread } = yield* side.client.ask("thread/fork", {
      threadId,
      beforeTurnId: two.id,
      excludeTurns: true,
      deferGoalContinuation: true
    })
    yield* side.client.ask("thread/turns/list", { threadId: thread.id })
    yield* turn(side, thread.id, "else", ModelTurn.text("Else"))
    yield* side.client.ask("thread/revert", { threadId, beforeTurnId: two.id })
    yield* side.client.ask("thread/turns/list", { threadId })
    yield* turn(side, threadId, "three", ModelTurn.text("Three"))
    yield* side.client.ask("thread/turns/list", { threadId })
    yield* side.client.call("thread/fork", { threadId, lastTurnId: two.id })
    yield* side.client.call("thread/fork", { threadId, lastTurnId: two.id, beforeTurnId: two.id })
  }),
  reading: Effect.fnUntraced(function*(side) {
    const { client } = side
    const threadId = yield* started(side)
    yield* client.call("thread/read", { threadId })
    yield* client.call("thread/list", {})
    yield* turn(side, threadId, "hello", ModelTurn.text("Hello"))
    yield* turn(side, threadId, "more", ModelTurn.text("More"))
    yield* client.call("thread/name/set", { threadId, name: "A name" })
    yield* client.told("thread/name/updated")
    yield* client.call("thread/read", { threadId, includeTurns: true })
    yield* client.call("thread/turns/list", { threadId })
    yield* client.call("thread/turns/list", { threadId, sortDirection: "asc", itemsView: "full" })
    yield* client.call("thread/items/list", { threadId })
    yield* client.call("thread/list", {})
    yield* client.call("thread/loaded/list", {})
  }),
  archive: Effect.fnUntraced(function*(side) {
    const { client } = side
    const threadId = yield* started(side)
    yield* turn(side, threadId, "hello", ModelTurn.text("Hello"))
    yield* client.call("thread/archive", { threadId })
    yield* client.told("thread/archived")
    yield* client.call("thread/archive", { threadId })
    yield* client.call("thread/resume", { threadId })
    yield* client.call("thread/list", { archived: true })
    yield* client.call("thread/unarchive", { threadId })
    yield* client.told("thread/unarchived")
    yield* client.call("thread/unsubscribe", { threadId })
    yield* client.call("thread/delete", { threadId })
    yield* client.call("thread/read", { threadId })
  }),
  "a patch declined": Effect.fnUntraced(function*(side) {
    const threadId = yield* started(side, cautious)
    yield* Effect.all([
      turn(
        side,
        threadId,
        "patch",
        ModelTurn.turn([
          ModelTurn.applyPatch("*** Begin Patch\n*** Add File: new.txt\n+one\n*** End Patch", { callId: "call_1" })
        ]),
        ModelTurn.text("Then not")
      ),
      Effect.flatMap(
        side.client.asked("item/fileChange/requestApproval"),
        ({ id }) => side.client.say({ id, result: { decision: "decline" } })
      )
    ], { concurrency: 2 })
  }),
  "a thousand deltas": Effect.fnUntraced(function*(side) {
    yield* turn(side, yield* started(side), "much", ModelTurn.turn([ModelTurn.manyDeltas(1000, "x")]))
  }),
  "retry and give up": Effect.fnUntraced(function*(side) {
    const threadId = yield* started(side)
    yield* turn(
      side,
      threadId,
      "cut",
      ModelTurn.turn([ModelTurn.message(["Ha"]), ModelTurn.cut]),
      ModelTurn.text("Whole")
    )
    yield* turn(side, threadId, "long", ModelTurn.turn([ModelTurn.failed("context_length_exceeded", "too long")]))
  }),
  compact: Effect.fnUntraced(function*(side) {
    const threadId = yield* started(side)
    yield* turn(side, threadId, "hello", ModelTurn.text("Hello"))
    yield* side.model.push(ModelTurn.text("SUMMARY"))
    yield* side.client.ask("thread/compact/start", { threadId })
    yield* side.client.first(() => side.client.allTold("turn/completed").length === 2)
  }),
  "read and unread": Effect.fnUntraced(function*(side) {
    const { client } = side
    const threadId = yield* started(side)
    const read = Effect.map(client.ask("thread/read", { threadId }), ({ readState }) => readState?.revision ?? "")
    const mark = (expectedRevision: string, type: string) =>
      client.call("thread/readState/update", { threadId, expectedRevision, operation: { type } })
    yield* mark(`initial:${threadId}`, "read")
    yield* turn(side, threadId, "nothing", ModelTurn.turn([ModelTurn.reasoning({ summary: [["Hm"]] })]))
    yield* read
    yield* turn(side, threadId, "hello", ModelTurn.text("Hello"))
    const first = yield* read
    yield* turn(side, threadId, "more", ModelTurn.text("More"))
    yield* mark(first, "read")
    yield* mark(yield* read, "read")
    yield* client.told("thread/readState/changed", ({ readState }) => readState.firstUnread === null)
    yield* turn(side, threadId, "fail", ModelTurn.httpError(400, { body: { error: { message: "no" } } }))
    yield* mark(yield* read, "unread")
    yield* client.told("thread/readState/changed", ({ readState }) => readState.firstUnread?.type === "threadStart")
    yield* client.call("thread/list", {})
    yield* mark(first, "fly")
  }),
  refusals: Effect.fnUntraced(function*(side) {
    const { client } = side
    const threadId = yield* started(side)
    const nobody = "01a22a6e-1fdb-7513-ba7b-b355185e1451"
    yield* client.call("turn/interrupt", { threadId, turnId: nobody })
    yield* client.call("turn/steer", { ...say(threadId, "x"), expectedTurnId: nobody })
    yield* client.call("turn/start", say(nobody, "x"))
    yield* client.call("thread/resume", { threadId: nobody })
    yield* client.call("thread/fork", { threadId: nobody })
    yield* client.call("thread/name/set", { threadId, name: " " })
    yield* client.call("turn/start", { threadId })
    yield* client.call("turn/start", { threadId, input: "text" })
    yield* client.call("thread/fly", {})
  })
}

const run = Effect.fnUntraced(
  function*(which: "real" | "bridge", name: string, script: (side: Side) => Effect.Effect<void>) {
    const made = yield* side(which)
    const from = made.client.seen.length
    yield* script(made)
    // Whatever belongs behind the end has come when this is answered.
    yield* made.client.ask("thread/loaded/list", {})
    return lines(made, from, exceptions[name]?.leaves ?? (() => false))
  },
  Effect.scoped
)

layer(NodeServices.layer, { excludeTestServices: true })("beside the real server", (it) => {
  for (const [name, script] of Object.entries(scripts)) {
    it.effect(`${name}: the same messages in the same order`, () =>
      Effect.gen(function*() {
        const [real, bridge] = yield* Effect.all([run("real", name, script), run("bridge", name, script)])
        assert.isAbove(real.length, 5)
        assert.deepStrictEqual(bridge, real)
      }), patience)
  }
})
