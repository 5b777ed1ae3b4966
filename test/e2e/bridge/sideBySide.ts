/**
 * The same client script against the real app-server and against the bridge with the real codex as its agent, before
 * models that say the same: what comes over the wire is the same, but for what is listed here with its reason.
 */
import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import * as Schema from "effect/Schema"
import * as Paths from "node:path"
import * as ChildTransport from "../../../src/transport/ChildTransport.ts"
import { binaryOf, main } from "../../cli/support/runCli.ts"
import { assertNoProcessNaming } from "../../support/CodexBench.ts"
import * as CodexHome from "../../support/CodexHome.ts"
import * as FakeResponses from "../../support/FakeResponses.ts"
import * as WireClient from "../../support/WireClient.ts"

const patience = 120_000

export interface Side {
  readonly client: WireClient.WireClient
  readonly model: FakeResponses.FakeResponses["Service"]
  readonly home: CodexHome.CodexHome
}

const beginnings = new Set(["thread/fork", "thread/start"])

/** Waits for the word that a thread was begun, which the real server says behind its answer, at times behind the next. */
const patient = (client: WireClient.WireClient): WireClient.WireClient => {
  const begun = (method: string, result: unknown) => {
    const thread = Predicate.isObject(result) && "thread" in result ? result.thread : undefined
    const id = Predicate.isObject(thread) && "id" in thread ? thread.id : undefined
    return beginnings.has(method) ? client.told("thread/started", ({ thread }) => thread.id === id) : Effect.void
  }
  return {
    ...client,
    ask: (method, params) => Effect.tap(client.ask(method, params), (result) => begun(method, result)),
    call: (method, params) =>
      Effect.tap(
        client.call(method, params),
        (answer) => answer._tag === "Error" ? Effect.void : begun(method, answer.result)
      )
  }
}

/** One of the two servers, on stdio, with a model and a home of its own. */
const side = Effect.fnUntraced(function*(
  which: "real" | "bridge",
  settings: Readonly<Record<string, CodexHome.Toml>> = { model_reasoning_summary: "detailed" }
) {
  let root: string | undefined
  // The first finalizer to be added is the last to run.
  yield* Effect.addFinalizer(() => root === undefined ? Effect.void : assertNoProcessNaming(root))
  const model = yield* FakeResponses.make()
  const home = yield* CodexHome.make({ baseUrl: model.baseUrl, settings })
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
  const client = patient(yield* WireClient.make(transport))
  yield* client.initialize()
  const made: Side = { client, model, home }
  return made
})

// -- what is compared

const times =
  /^(?:startedAt|completedAt|createdAt|updatedAt|recencyAt|startedAtMs|completedAtMs|durationMs|emittedAtMs|sectionEnteredAt)$/
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
  position: "a place in the real server's file",
  canAcceptDirectInput: "the real server says so of a thread that is started or resumed, and not in lists",
  backwardsCursor: "opaque",
  itemsBackwardsCursor: "opaque",
  turnsBackwardsCursor: "opaque"
}

/** What the approval of a command says on both. The seam knows neither environments nor amendments of a policy. */
const approvalMembers = ["command", "cwd", "itemId", "kind", "threadId", "turnId"]

/** Cursors are opaque: what counts is whether there is one, and what comes with it. */
const cursors = /^(?:next|turn)Cursor$/

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
          .map(([name, inner]) => [
            name.replaceAll(uuids, nameOf),
            cursors.test(name) && inner !== null ? "<cursor>" : normal(inner)
          ])
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

/** Both tell changed settings around the answer to the request that changed them; on which side is left to chance. */
const settingsFirst = (messages: ReadonlyArray<WireClient.Message>): ReadonlyArray<WireClient.Message> => {
  const ordered = [...messages]
  for (const [at, message] of messages.entries()) {
    const next = messages[at + 1]
    if (message.method !== undefined || next?.method !== "thread/settings/updated") continue
    ordered[at] = next
    ordered[at + 1] = message
  }
  return ordered
}

const turnIn = (value: unknown): unknown =>
  Predicate.hasProperty(value, "turn") && Predicate.hasProperty(value.turn, "id") ? value.turn.id : undefined

/** Once in a while the real server says that a turn has begun before it answers the request that began it. */
const answersFirst = (messages: ReadonlyArray<WireClient.Message>): ReadonlyArray<WireClient.Message> => {
  const ordered = [...messages]
  for (const [at, message] of messages.entries()) {
    const [status, begun] = [messages[at - 2], messages[at - 1]]
    if (message.method !== undefined || status === undefined || begun === undefined) continue
    if (status.method !== "thread/status/changed" || begun.method !== "turn/started") continue
    if (turnIn(begun.params) === turnIn(message.result)) ordered.splice(at - 2, 3, message, status, begun)
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
  return once(settingsFirst(answersFirst(itemFirst(compared)))).map(({ error, id, method, params, result }): Line => {
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
export interface Exception {
  readonly reason: string
  readonly leaves: (message: WireClient.Message) => boolean
}

// -- what the client does

export const say = (threadId: string, text: string) => ({
  threadId,
  input: [{ type: "text" as const, text, text_elements: [] }]
})

export const started = (side: Side, params: Parameters<typeof side.client.ask<"thread/start">>[1] = {}) =>
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
export const turn = Effect.fnUntraced(function*(
  side: Side,
  threadId: string,
  text: string,
  ...turns: ReadonlyArray<FakeResponses.Script>
) {
  yield* side.model.push(...turns)
  const { turn } = yield* side.client.ask("turn/start", say(threadId, text))
  yield* side.client.told("turn/completed", (end) => end.turn.id === turn.id)
})

export const accept = (
  side: Side,
  method: "item/commandExecution/requestApproval" | "item/fileChange/requestApproval"
) => Effect.flatMap(side.client.asked(method), ({ id }) => side.client.say({ id, result: { decision: "accept" } }))

/** The id of no thread, and of nothing else. */
export const nobody = "01a22a6e-1fdb-7513-ba7b-b355185e1451"

export const cautious = { approvalPolicy: "untrusted", sandbox: "workspace-write" } as const

const Asked = Schema.Struct({
  input: Schema.Array(Schema.Struct({
    content: Schema.optional(Schema.Array(Schema.Struct({ text: Schema.optional(Schema.String) })))
  })),
  reasoning: Schema.optional(Schema.Json)
})

const decodeAsked = Schema.decodeUnknownEffect(Asked)

/** What each request tells the model of the settings: how to reason, and what the agent may do where. */
const settingsTold = Effect.fnUntraced(function*(side: Side) {
  const normal = normaliser(side)
  return yield* Effect.forEach(
    yield* side.model.requests,
    ({ json, ordinal }) =>
      Effect.map(Effect.orDie(decodeAsked(json)), ({ input, reasoning }): Line => {
        const texts = input.flatMap(({ content = [] }) => content.flatMap(({ text = "" }) => text))
        const told = texts.filter((text) => /<(?:permissions instructions|environment_context)>/u.test(text))
        return [`model ${ordinal}`, normal({ reasoning, told })]
      })
  )
})

type Script = (side: Side) => Effect.Effect<void>

export interface Comparison {
  readonly script: Script
  /** What codex is configured with, where the script needs something else than usual. */
  readonly settings?: Readonly<Record<string, CodexHome.Toml>>
  readonly exception?: Exception
  /** Whether what the model is told of the settings is compared too. */
  readonly asksModel?: boolean
}

const run = Effect.fnUntraced(
  function*(which: "real" | "bridge", { asksModel, exception, script, settings }: Comparison) {
    const made = yield* side(which, settings)
    const from = made.client.seen.length
    yield* script(made)
    // Whatever belongs behind the end has come when this is answered.
    yield* made.client.ask("thread/loaded/list", {})
    const told = lines(made, from, exception?.leaves ?? (() => false))
    return asksModel === true ? [...told, ...yield* settingsTold(made)] : told
  },
  Effect.scoped
)

/** One test for each script. */
export const compare = (title: string, comparisons: Readonly<Record<string, Comparison | Script>>): void =>
  layer(NodeServices.layer, { excludeTestServices: true })(title, (it) => {
    for (const [name, given] of Object.entries(comparisons)) {
      const comparison = typeof given === "function" ? { script: given } : given
      it.effect(`${name}: the same messages in the same order`, () =>
        Effect.gen(function*() {
          const [real, bridge] = yield* Effect.all([run("real", comparison), run("bridge", comparison)])
          assert.isAbove(real.length, 5)
          assert.deepStrictEqual(bridge, real)
        }), patience)
    }
  })
