import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Predicate from "effect/Predicate"
import * as TestClock from "effect/testing/TestClock"
import { Overloaded } from "../../src/agent/AgentError.ts"
import type { Scenario, Step } from "../../src/backends/scripted/Scenario.ts"
import type * as Open from "../../src/protocol/generated/OpenTypes.ts"
import * as BridgeBench from "../support/BridgeBench.ts"

const bench = (scenario: Scenario, options: Omit<BridgeBench.Options, "scenario"> = {}) =>
  BridgeBench.layer({ scenario, ...options })

const connect = (options?: BridgeBench.ConnectOptions) =>
  Effect.flatMap(BridgeBench.BridgeBench, (bridge) => bridge.connect(options))

const prompt = (threadId: string, text = "go") => ({
  threadId,
  input: [{ type: "text" as const, text, text_elements: [] }]
})

const everything: ReadonlyArray<Step> = [
  { _tag: "Reason", summary: [["think", "ing"], ["more"]], content: [["raw"]] },
  { _tag: "UpdatePlan", steps: [{ step: "one", status: "inProgress" }] },
  { _tag: "Say", phase: "commentary", deltas: ["I ", "look"] },
  { _tag: "Command", command: "ls", output: ["a\n", "b\n"] },
  { _tag: "Command", command: "false", exitCode: 1 },
  { _tag: "ChangeFiles", changes: [{ path: "/w/a", kind: "add", diff: "1\n" }] },
  { _tag: "CallMcp", server: "s", tool: "t", arguments: {}, progress: ["half"], result: { content: [] } },
  { _tag: "SearchWeb", query: "q" },
  { _tag: "Retry", reason: new Overloaded({ detail: "busy", mayHaveReached: true }) },
  { _tag: "Use", input: 3, output: 2 },
  { _tag: "Say", phase: "final", deltas: ["do", "ne"] }
]

/** What a client was told, apart from when. */
const told = (client: BridgeBench.Client): ReadonlyArray<readonly [method: string | undefined, params: unknown]> =>
  client.notifications().map(({ method, params }) => [method, params])

const approvals = (client: BridgeBench.Client) =>
  client.seen.filter(({ id, method }) => id !== undefined && method === "item/commandExecution/requestApproval")

const resolved = (client: BridgeBench.Client) =>
  client.notifications("serverRequest/resolved").map(({ params }) =>
    Predicate.hasProperty(params, "requestId") ? params.requestId : undefined
  )

describe("two clients on one thread", () => {
  it.effect("see the same, in the same order", () =>
    Effect.gen(function*() {
      const one = yield* connect()
      const two = yield* connect()
      const { thread } = yield* one.ask("thread/start", {})
      yield* two.ask("thread/resume", { threadId: thread.id })
      yield* Effect.all([one.told("thread/goal/cleared"), two.told("thread/goal/cleared")])
      const before = [told(one).length, told(two).length] as const
      yield* one.ask("turn/start", prompt(thread.id))
      yield* Effect.all([one.told("turn/completed"), two.told("turn/completed")])
      const first = told(one).slice(before[0])
      assert.isAbove(first.length, 25)
      assert.deepStrictEqual(told(two).slice(before[1]), first)
    }).pipe(Effect.provide(bench({ fallback: everything }))))

  it.effect("one that left the thread is told no more of it than all clients are", () =>
    Effect.gen(function*() {
      const one = yield* connect()
      const two = yield* connect()
      const { thread } = yield* one.ask("thread/start", {})
      yield* two.ask("thread/resume", { threadId: thread.id })
      yield* two.ask("thread/unsubscribe", { threadId: thread.id })
      const before = two.notifications().length
      yield* one.ask("turn/start", prompt(thread.id))
      yield* one.told("turn/completed")
      yield* two.ask("thread/list", {})
      assert.deepStrictEqual(two.notifications().slice(before).map(({ method }) => method), [
        "thread/status/changed",
        "thread/readState/changed",
        "thread/status/changed"
      ])
    }).pipe(Effect.provide(bench({ fallback: everything }))))

  it.effect("one that never reads is disconnected, and the other one misses nothing", () =>
    Effect.gen(function*() {
      const one = yield* connect()
      const { thread } = yield* one.ask("thread/start", {})
      const deaf = yield* connect({ deaf: true })
      yield* deaf.say({ id: "r", method: "thread/resume", params: { threadId: thread.id } })
      // The server has it as a watcher.
      yield* one.ask("thread/list", {})
      for (let nth = 1; nth <= 8; nth++) {
        const { turn } = yield* one.ask("turn/start", prompt(thread.id))
        yield* one.told("turn/completed", (end) => end.turn.id === turn.id)
      }
      assert.deepStrictEqual(deaf.disconnected.map(([, code]) => code), [1013])
      const deltas = one.notifications("item/agentMessage/delta").map(({ params }) =>
        Predicate.hasProperty(params, "delta") ? params.delta : ""
      )
      assert.strictEqual(deltas.join("").length, 8 * 1000 * 100)
      assert.deepStrictEqual(one.disconnected, [])
    }).pipe(Effect.provide(
      bench(
        { fallback: [{ _tag: "Say", deltas: Array.from({ length: 1000 }, () => "x".repeat(100)) }] },
        { limits: { outboundBytes: 1024 * 1024 } }
      )
    )))
})

interface Shown {
  readonly items: ReadonlyMap<string, Open.ThreadItem>
  readonly ended: Open.Turn | undefined
}

/** A text that deltas are added to, of items that have one. */
const withDelta = (item: Open.ThreadItem, method: string | undefined, params: unknown): Open.ThreadItem => {
  if (!Predicate.isObject(params)) return item
  const { delta } = params as { readonly delta?: string }
  if (delta === undefined) return item
  if (item.type === "agentMessage" && method === "item/agentMessage/delta") {
    return { ...item, text: String(item.text) + delta }
  }
  if (item.type === "commandExecution" && method === "item/commandExecution/outputDelta") {
    return { ...item, aggregatedOutput: String(item.aggregatedOutput ?? "") + delta }
  }
  if (item.type === "reasoning" && method === "item/reasoning/summaryTextDelta") {
    const { summaryIndex } = params as { readonly summaryIndex: number }
    const summary = [...((item.summary ?? []) as ReadonlyArray<string>)]
    summary[summaryIndex] = (summary[summaryIndex] ?? "") + delta
    return { ...item, summary }
  }
  return item
}

/** What a client has that keeps a turn up to date: what it was given first, and every change since. */
const follow = (
  snapshot: Open.Turn | undefined,
  messages: ReadonlyArray<BridgeBench.Message>,
  problems: Array<string>
): Shown => {
  const items = new Map<string, Open.ThreadItem>()
  const complete = new Set<string>()
  let ended: Open.Turn | undefined
  for (const item of snapshot?.items ?? []) {
    if (items.has(String(item.id))) problems.push(`${item.id} is in the history twice`)
    items.set(String(item.id), item)
    if (Predicate.hasProperty(item, "completedAtMs") && item.completedAtMs !== null) complete.add(String(item.id))
  }
  for (const { method, params } of messages) {
    if (!Predicate.isObject(params)) continue
    if (method === "turn/completed") {
      if (ended !== undefined) problems.push("the turn ended twice")
      ended = params["turn"] as Open.Turn
    }
    if (method === "item/started") {
      const item = params["item"] as Open.ThreadItem
      if (items.has(String(item.id))) problems.push(`${item.id} started twice`)
      items.set(String(item.id), item)
    } else if (method === "item/completed") {
      const item = params["item"] as Open.ThreadItem
      const id = String(item.id)
      if (complete.has(id)) problems.push(`${id} was completed twice`)
      complete.add(id)
      const before = items.get(id)
      if (before === undefined) problems.push(`${id} was completed and never started`)
      else if (before.type === "agentMessage" && before.text !== item["text" as never]) {
        problems.push(`${id}: ${JSON.stringify(before.text)} came to ${JSON.stringify(item["text" as never])}`)
      } else if (
        before.type === "commandExecution" && item.type === "commandExecution" &&
        (before.aggregatedOutput ?? "") !== (item.aggregatedOutput ?? "")
      ) problems.push(`${id}: the output has a gap`)
      else if (
        before.type === "reasoning" && item.type === "reasoning" &&
        JSON.stringify(before.summary) !== JSON.stringify(item.summary)
      ) problems.push(`${id}: ${JSON.stringify(before.summary)} came to ${JSON.stringify(item.summary)}`)
      items.set(id, item)
    } else if (typeof params["itemId"] === "string") {
      const id = params["itemId"]
      const item = items.get(id)
      if (item === undefined) problems.push(`${method} of ${id}, which never started`)
      else if (complete.has(id)) problems.push(`${method} of ${id} after its end`)
      else items.set(id, withDelta(item, method, params))
    }
  }
  return { items, ended }
}

/** Numbers that are the same in each run. */
const random = (seed: number) => {
  let state = seed
  return (below: number): number => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((state / 2_147_483_648) * below)
  }
}

const randomTurn = (seed: number): ReadonlyArray<Step> => {
  const below = random(seed)
  const deltas = () => Array.from({ length: 1 + below(6) }, (_, nth) => `${nth}${"ab".repeat(below(4))} `)
  return Array.from({ length: 1 + below(6) }, (): Step => {
    switch (below(4)) {
      case 0:
        return { _tag: "Reason", summary: [deltas(), deltas()], millis: 10 }
      case 1:
        return { _tag: "Command", command: "ls", output: deltas(), millis: 10 }
      case 2:
        return { _tag: "Pause", millis: below(30) }
      default:
        return { _tag: "Say", deltas: deltas(), millis: 10 }
    }
  })
}

const untimed = (item: Open.ThreadItem) => ({ ...item, startedAtMs: 0, completedAtMs: 0 })

describe("a client that comes in the middle of a turn", () => {
  for (let seed = 1; seed <= 40; seed++) {
    it.effect(`has the turn whole: history, then what follows, with no gap and no repeat (${seed})`, () =>
      Effect.gen(function*() {
        const one = yield* connect()
        const { thread } = yield* one.ask("thread/start", {})
        yield* one.ask("turn/start", prompt(thread.id))
        yield* one.told("turn/started")
        const below = random(seed * 7919)
        const late: Array<readonly [BridgeBench.Client, Fiber.Fiber<Open.ClientRequests["thread/resume"]["result"]>]> =
          []
        for (let nth = 0; nth < 3; nth++) {
          yield* TestClock.adjust(below(60))
          const two = yield* connect()
          late.push([two, yield* Effect.forkChild(two.ask("thread/resume", { threadId: thread.id }))])
          // Whether the turn goes on before, during or after the answer.
          for (let step = below(4); step > 0; step--) yield* TestClock.adjust(10)
        }
        yield* TestClock.adjust("10 seconds")
        const { turn } = yield* one.told("turn/completed")
        const { turns } = (yield* one.ask("thread/read", { threadId: thread.id, includeTurns: true })).thread
        const stored = turns.find(({ id }) => id === turn.id)
        for (const [two, resuming] of late) {
          const answer = yield* Fiber.join(resuming)
          yield* two.ask("thread/list", {})
          const at = two.seen.findIndex(({ result }) => Predicate.hasProperty(result, "thread"))
          const problems: Array<string> = []
          assert.isFalse(two.seen.slice(0, at).some(({ method }) => /^(?:item|turn)\//u.test(method ?? "")))
          const snapshot = answer.thread.turns.find(({ id }) => id === turn.id)
          const { ended, items } = follow(snapshot, two.seen.slice(at + 1), problems)
          assert.deepStrictEqual(problems, [])
          assert.deepStrictEqual([...items.values()].map(untimed), stored?.items.map(untimed))
          if (snapshot?.status === "inProgress" || snapshot === undefined) assert.deepStrictEqual(ended, turn)
        }
      }).pipe(Effect.provide(bench({ fallback: randomTurn(seed) }))))
  }
})

const asking: Scenario = {
  fallback: [
    { _tag: "Command", command: "rm -r x", approval: {} },
    { _tag: "Say", deltas: ["{{decision}}"] }
  ]
}

/** The decision that the agent was given. */
const decision = (client: BridgeBench.Client) =>
  Effect.map(
    client.told("item/completed", ({ item }) => item.type === "agentMessage"),
    ({ item }) => item.type === "agentMessage" ? item.text : ""
  )

const asked = Effect.fnUntraced(function*(...clients: ReadonlyArray<BridgeBench.Client>) {
  const [one] = clients
  if (one === undefined) return yield* Effect.die("nobody")
  const { thread } = yield* one.ask("thread/start", {})
  for (const other of clients.slice(1)) yield* other.ask("thread/resume", { threadId: thread.id })
  yield* one.ask("turn/start", prompt(thread.id))
  const requests = yield* Effect.forEach(clients, (client) => client.asked("item/commandExecution/requestApproval"))
  assert.strictEqual(new Set(requests.map(({ id }) => id)).size, 1)
  const id = requests[0]?.id ?? -1
  return { id, threadId: thread.id }
})

describe("an approval", () => {
  it.effect("is asked of all who watch, and the first answer counts", () =>
    Effect.gen(function*() {
      const one = yield* connect()
      const two = yield* connect()
      const { id } = yield* asked(one, two)
      yield* two.say({ id, result: { decision: "accept" } })
      yield* one.say({ id, result: { decision: "decline" } })
      assert.strictEqual(yield* decision(one), "accept")
      yield* Effect.all([one.told("turn/completed"), two.told("turn/completed")])
      assert.deepStrictEqual([resolved(one), resolved(two)], [[id], [id]])
    }).pipe(Effect.provide(bench(asking))))

  it.effect("is asked when its item has been shown, and the thread waits for it", () =>
    Effect.gen(function*() {
      const one = yield* connect()
      const { id } = yield* asked(one)
      const at = one.seen.findIndex((message) => message.id === id && message.method !== undefined)
      const before = one.seen.slice(0, at)
      const { item } = yield* one.told("item/started", ({ item }) => item.type === "commandExecution")
      assert.containsSubset(
        before.find(({ method, params }) =>
          method === "item/started" && Predicate.hasProperty(params, "item") &&
          Predicate.hasProperty(params.item, "id") && params.item.id === item.id
        ),
        { method: "item/started" }
      )
      assert.containsSubset(before.at(-1), {
        method: "thread/status/changed",
        params: { status: { type: "active", activeFlags: ["waitingOnApproval"] } }
      })
    }).pipe(Effect.provide(bench(asking))))

  it.effect("is declined by an answer that was not offered", () =>
    Effect.gen(function*() {
      const one = yield* connect()
      const { id } = yield* asked(one)
      yield* one.say({ id, result: { decision: "sure" } })
      assert.strictEqual(yield* decision(one), "decline")
      yield* one.told("turn/completed")
      assert.deepStrictEqual(resolved(one), [id])
    }).pipe(Effect.provide(bench(asking))))

  for (
    const [name, bad] of [
      ["an answer without a decision", { result: {} }],
      ["an answer that is none", { result: "yes" }],
      ["an error", { error: { code: -32000, message: "no" } }]
    ] as const
  ) {
    it.effect(`${name} leaves the question to the others`, () =>
      Effect.gen(function*() {
        const one = yield* connect()
        const two = yield* connect()
        const { id } = yield* asked(one, two)
        yield* one.say({ id, ...bad })
        yield* one.ask("thread/list", {})
        yield* two.say({ id, result: { decision: "accept" } })
        assert.strictEqual(yield* decision(two), "accept")
      }).pipe(Effect.provide(bench(asking))))

    it.effect(`${name} of the only client is a no`, () =>
      Effect.gen(function*() {
        const one = yield* connect()
        const { id } = yield* asked(one)
        yield* one.say({ id, ...bad })
        assert.strictEqual(yield* decision(one), "decline")
        assert.deepStrictEqual(resolved(one), [id])
      }).pipe(Effect.provide(bench(asking))))
  }

  it.effect("stays with those who are left when a client vanishes", () =>
    Effect.gen(function*() {
      const one = yield* connect()
      const two = yield* connect()
      const { id } = yield* asked(one, two)
      yield* one.leave
      yield* TestClock.adjust("10 minutes")
      yield* two.say({ id, result: { decision: "accept" } })
      assert.strictEqual(yield* decision(two), "accept")
    }).pipe(Effect.provide(bench(asking))))

  it.effect("is asked again of whoever resumes, under the same id", () =>
    Effect.gen(function*() {
      const one = yield* connect()
      const { id, threadId } = yield* asked(one)
      yield* one.leave
      yield* TestClock.adjust("59 seconds")
      const two = yield* connect()
      yield* two.ask("thread/resume", { threadId })
      const again = yield* two.asked("item/commandExecution/requestApproval")
      assert.strictEqual(again.id, id)
      // Time does not count while somebody is there.
      yield* TestClock.adjust("10 minutes")
      yield* two.ask("thread/resume", { threadId })
      assert.lengthOf(approvals(two), 1)
      yield* two.say({ id, result: { decision: "accept" } })
      assert.strictEqual(yield* decision(two), "accept")
      yield* two.told("turn/completed")
      assert.deepStrictEqual(resolved(two), [id])
    }).pipe(Effect.provide(bench(asking))))

  it.effect("is declined when nobody comes back in time, and the turn goes on", () =>
    Effect.gen(function*() {
      const one = yield* connect()
      const { threadId } = yield* asked(one)
      yield* one.leave
      yield* TestClock.adjust("60 seconds")
      const two = yield* connect()
      yield* two.ask("thread/resume", { threadId })
      const turn = Effect.map(
        two.ask("thread/read", { threadId, includeTurns: true }),
        ({ thread }) => thread.turns.at(-1)
      )
      const { status } = (yield* turn) ?? {}
      if (status === "inProgress") yield* two.told("turn/completed")
      const { items = [] } = (yield* turn) ?? {}
      assert.containsSubset(items.at(-1), { type: "agentMessage", text: "decline" })
      assert.isEmpty(approvals(two))
    }).pipe(Effect.provide(bench(asking))))

  it.effect("is declined at once where there is no grace", () =>
    Effect.gen(function*() {
      const one = yield* connect()
      const { threadId } = yield* asked(one)
      yield* one.leave
      yield* TestClock.adjust(0)
      const two = yield* connect()
      yield* two.ask("thread/resume", { threadId })
      const { thread } = yield* two.ask("thread/read", { threadId, includeTurns: true })
      assert.containsSubset(thread.turns.at(-1)?.items.at(-1), { type: "agentMessage", text: "decline" })
    }).pipe(Effect.provide(bench(asking, { limits: { approvalGraceMs: 0 } }))))

  it.effect("is taken back from all when the turn is interrupted", () =>
    Effect.gen(function*() {
      const one = yield* connect()
      const two = yield* connect()
      const { id, threadId } = yield* asked(one, two)
      const { turn } = yield* one.told("turn/started")
      yield* two.ask("turn/interrupt", { threadId, turnId: turn.id })
      const ends = yield* Effect.all([one.told("turn/completed"), two.told("turn/completed")])
      assert.deepStrictEqual(ends.map(({ turn }) => turn.status), ["interrupted", "interrupted"])
      assert.deepStrictEqual([resolved(one), resolved(two)], [[id], [id]])
    }).pipe(Effect.provide(bench(asking))))
})

describe("a client that vanishes", () => {
  it.effect("right after it has started a turn leaves a turn that runs to its end", () =>
    Effect.gen(function*() {
      const two = yield* connect()
      for (let wait = 0; wait < 12; wait++) {
        const one = yield* connect()
        const { thread } = yield* one.ask("thread/start", {})
        yield* one.say({ id: "t", method: "turn/start", params: prompt(thread.id) })
        for (let turn = 0; turn < wait; turn++) yield* Effect.yieldNow
        yield* one.leave
        // Whether the turn was accepted or not: the thread takes the next one, or this as a part of it.
        yield* two.ask("thread/resume", { threadId: thread.id })
        const { turn } = yield* two.ask("turn/start", prompt(thread.id))
        const read = Effect.map(
          two.ask("thread/read", { threadId: thread.id, includeTurns: true }),
          (answer) => answer.thread.turns.find(({ id }) => id === turn.id)?.status
        )
        if ((yield* read) === "inProgress") yield* two.told("turn/completed", (end) => end.turn.id === turn.id)
        assert.strictEqual(yield* read, "completed")
      }
    }).pipe(Effect.provide(bench({ fallback: everything }))))
})
