/**
 * What a bridge in a process of its own does when something breaks: itself, its clients, or what they send.
 */
import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as FileSystem from "effect/FileSystem"
import * as Scope from "effect/Scope"
import * as NodeChildProcess from "node:child_process"
import * as Net from "node:net"
import type { Scenario, Step } from "../../../src/backends/scripted/Scenario.ts"
import type * as Open from "../../../src/protocol/generated/OpenTypes.ts"
import * as WebSocketTransport from "../../../src/transport/WebSocketTransport.ts"
import { binaryOf, main } from "../../cli/support/runCli.ts"
import { type ShownItem, ShownItems } from "../../support/ShownItems.ts"
import * as WireClient from "../../support/WireClient.ts"
import { connect, freshHome, prompt, serve } from "./server.ts"

const patience = 120_000

/** Numbers that are the same in each run. */
const random = (seed: number) => {
  let state = seed
  return (below: number): number => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((state / 2_147_483_648) * below)
  }
}

const untimed = (item: Open.ThreadItem) => ({ ...item, startedAtMs: 0, completedAtMs: 0 })

/** The texts of an item, by name. */
const textsOf = (item: Open.ThreadItem): ReadonlyMap<string, string> => {
  const texts = new Map<string, string>()
  const add = (name: string, text: unknown) => {
    if (typeof text === "string" && text !== "") texts.set(name, text)
  }
  switch (item.type) {
    case "agentMessage":
    case "plan":
      add("text", item["text"])
      break
    case "reasoning":
      for (const name of ["summary", "content"] as const) {
        const parts = item[name]
        if (Array.isArray(parts)) parts.forEach((text, part) => add(`${name} ${part}`, text))
      }
      break
    case "commandExecution":
      add("output", item["aggregatedOutput"])
  }
  return texts
}

/** What a client has of an open item, and of the item when nobody goes on with it, besides the texts. */
const settled = (item: Open.ThreadItem) => ({
  ...untimed(item),
  ...("status" in item ? { status: item.status === "inProgress" ? "failed" : item.status } : {}),
  text: "",
  summary: [],
  content: [],
  aggregatedOutput: null
})

/** All that was shown of an item is there. Of one that is open, more may be: it was stored, and not shown any more. */
const assertKept = (kept: Open.ThreadItem | undefined, { isOpen, item, threadId }: ShownItem): void => {
  const name = `${item.type} ${item.id} of ${threadId}`
  if (kept === undefined) return assert.fail(`${name} was shown and is not stored`)
  if (!isOpen) return assert.deepStrictEqual(untimed(kept), untimed(item))
  assert.deepStrictEqual(settled(kept), settled(item))
  const texts = textsOf(kept)
  for (const [field, text] of textsOf(item)) {
    assert.isTrue(
      texts.get(field)?.startsWith(text),
      `${field} of ${name}: ${text} was shown, ${texts.get(field)} is stored`
    )
  }
}

/** Everything that comes in texts, a word at a time. */
const talking: ReadonlyArray<Step> = ["w", "x"].flatMap((letter): ReadonlyArray<Step> => {
  const words = Array.from({ length: 8 }, (_, nth) => `${letter}${nth} `)
  const millis = 3
  return [
    { _tag: "Reason", summary: [words, words], content: [words], millis },
    { _tag: "ProposePlan", deltas: words, millis },
    { _tag: "Command", command: "make", output: words, millis },
    { _tag: "Say", deltas: words, millis }
  ]
})

const words = Array.from({ length: 8 }, (_, nth) => `w${nth} `)

/** An item of each kind that has texts is left open, all of them at once. */
const unfinished: ReadonlyArray<Step> = [
  ...(["message", "reasoning", "plan", "command"] as const).map((kind): Step => ({
    _tag: "LeaveOpen",
    kind,
    deltas: words
  })),
  { _tag: "Hang" }
]

/** What the agent has done in turns, which begin with what they were asked. */
const kept = (turns: ReadonlyArray<Open.Turn>) => turns.flatMap(({ items }) => items.slice(1))

/** The arguments for a server whose agent does this in each turn. */
const follow = Effect.fnUntraced(function*(home: string, steps: ReadonlyArray<Step>) {
  const fs = yield* FileSystem.FileSystem
  const scenario: Scenario = { fallback: steps }
  yield* fs.writeFileString(`${home}/scenario.json`, JSON.stringify(scenario))
  return ["--scenario", `${home}/scenario.json`]
})

const read = (client: WireClient.WireClient, threadId: string) =>
  Effect.map(client.ask("thread/read", { threadId, includeTurns: true }), ({ thread }) => thread)

/** The server answers a new client. */
const assertAlive = Effect.fnUntraced(function*(url: string) {
  const client = yield* connect(url)
  yield* client.ask("thread/start", {})
  yield* client.ask("thread/list", {})
}, Effect.scoped)

layer(NodeServices.layer, { excludeTestServices: true })("when something breaks", (it) => {
  it.effect(
    "what a client was shown of a busy bridge that is killed is there when it is back",
    () =>
      Effect.gen(function*() {
        const home = yield* freshHome
        const args = yield* follow(home, talking)
        const below = random(4711)
        const threadIds: Array<string> = []
        const shown = new ShownItems()
        const endings = new Map<string, Open.Turn>()
        const started = new Map<string, string>()
        for (let round = 0; round < 4; round++) {
          const server = yield* serve(home, { args })
          const client = yield* connect(server.url)
          // Threads of before go on, new ones come in addition.
          for (const threadId of threadIds) yield* client.ask("thread/resume", { threadId, excludeTurns: true })
          for (let nth = 0; nth < 3; nth++) {
            const { thread } = yield* client.ask("thread/start", {})
            threadIds.push(thread.id)
          }
          for (const threadId of threadIds) {
            const { turn } = yield* client.ask("turn/start", prompt(threadId, `round ${round}`))
            started.set(turn.id, threadId)
          }
          const moment = 60 + 60 * round + below(240)
          yield* client.first(() => client.notifications().length >= moment)
          yield* server.kill
          yield* client.closed
          for (const message of client.notifications()) shown.take(message)
          for (const { turn } of client.allTold("turn/completed")) endings.set(turn.id, turn)
          assert.isNotEmpty(client.allTold("item/completed"))
        }
        const open = [...shown.all.values()].filter(({ isOpen, item }) => isOpen && textsOf(item).size > 0)
        assert.isNotEmpty(open, "nothing was being said when the bridge was killed")
        const server = yield* serve(home, { args })
        const client = yield* connect(server.url)
        for (const threadId of threadIds) {
          const { turns } = yield* read(client, threadId)
          for (const item of shown.all.values()) {
            if (item.threadId !== threadId) continue
            const turn = turns.find(({ id }) => id === item.turnId)
            assertKept(turn?.items.find(({ id }) => id === item.item.id), item)
          }
          const ids = turns.flatMap(({ items }) => items.map(({ id }) => id))
          assert.strictEqual(new Set(ids).size, ids.length)
          for (const turn of turns) {
            assert.strictEqual(turn.status, endings.get(turn.id)?.status ?? "interrupted", turn.id)
          }
        }
        // All turns that were accepted are there.
        for (const [turnId, threadId] of started) {
          const { turns } = yield* read(client, threadId)
          assert.isTrue(turns.some(({ id }) => id === turnId))
        }
        assert.strictEqual(yield* server.stop, 0)
      }),
    patience
  )

  it.effect(
    "what a killed bridge has said of what it had not finished is there, to the last word",
    () =>
      Effect.gen(function*() {
        const home = yield* freshHome
        const args = yield* follow(home, unfinished)
        const server = yield* serve(home, { args })
        const client = yield* connect(server.url)
        const { thread } = yield* client.ask("thread/start", {})
        const { turn } = yield* client.ask("turn/start", prompt(thread.id))
        const text = words.join("")
        yield* client.first(() =>
          client.allTold("item/commandExecution/outputDelta").map(({ delta }) => delta).join("") === text
        )
        const shown = new ShownItems()
        for (const message of client.notifications()) shown.take(message)
        const open = [...shown.all.values()].filter(({ isOpen }) => isOpen)
        const expected = [["text", text], ["summary 0", text], ["text", text], ["output", text]]
        assert.deepStrictEqual(open.flatMap(({ item }) => [...textsOf(item)]), expected)
        const items = open.map(({ item }) => item)

        // Another bridge that has nothing but the store shows the same, and forks it.
        const two = yield* serve(home, { listen: "ws", args })
        const other = yield* connect(two.url)
        assert.deepStrictEqual(kept((yield* read(other, thread.id)).turns), items)
        const page = yield* other.ask("thread/items/list", { threadId: thread.id, turnId: turn.id })
        assert.deepStrictEqual(page.data.slice(1).map(({ item }) => item), items)
        const fork = yield* other.ask("thread/fork", { threadId: thread.id })

        yield* server.kill
        yield* client.closed
        const again = yield* connect((yield* serve(home, { args })).url)
        for (const threadId of [thread.id, fork.thread.id]) {
          const { turns } = yield* read(again, threadId)
          assert.deepStrictEqual(turns.map(({ status }) => status), ["interrupted"])
          assert.deepStrictEqual(kept(turns).map(settled), items.map(settled))
          assert.deepStrictEqual(kept(turns).flatMap((item) => [...textsOf(item)]), expected)
        }
      }),
    patience
  )

  it.effect(
    "a bridge that is asked to stop in the middle of a turn lets it end, tells so, and keeps what was shown",
    () =>
      Effect.gen(function*() {
        const home = yield* freshHome
        const server = yield* serve(home)
        const client = yield* connect(server.url)
        const { thread } = yield* client.ask("thread/start", {})
        const { turn } = yield* client.ask("turn/start", prompt(thread.id))
        yield* client.told("item/agentMessage/delta")
        assert.strictEqual(yield* server.stop, 0)
        yield* client.closed
        assert.deepStrictEqual(client.allTold("turn/completed").map(({ turn }) => turn.status), ["completed"])
        const again = yield* serve(home)
        const { turns } = yield* read(yield* connect(again.url), thread.id)
        assert.deepStrictEqual(turns.map(({ id, status }) => [id, status]), [[turn.id, "completed"]])
        const kept = new Map(
          turns.flatMap(({ items }) => items.map((item) => [String(item.id), untimed(item)] as const))
        )
        for (const { item } of client.allTold("item/completed")) {
          assert.deepStrictEqual(kept.get(String(item.id)), untimed(item))
        }
      }),
    patience
  )

  it.effect("a thread that one bridge runs is not taken from under it by another one", () =>
    Effect.gen(function*() {
      const home = yield* freshHome
      const [one, two] = [yield* serve(home), yield* serve(home, { listen: "ws" })]
      const [client, other] = [yield* connect(one.url), yield* connect(two.url)]
      const { thread } = yield* client.ask("thread/start", {})
      const threadId = thread.id
      yield* client.ask("turn/start", prompt(threadId))
      const busy = { code: -32600, message: `thread ${threadId} already has an active writer` }
      for (const method of ["thread/resume", "thread/archive", "thread/delete"] as const) {
        assert.deepInclude(yield* other.call(method, { threadId }), { error: busy })
      }
      const end = yield* client.told("turn/completed")
      assert.strictEqual(end.turn.status, "completed")
      yield* client.ask("thread/archive", { threadId })
      yield* other.ask("thread/delete", { threadId })
    }), patience)

  it.effect("a turn goes on without its client, who finds it whole on coming back", () =>
    Effect.gen(function*() {
      const { url } = yield* serve(yield* freshHome)
      const scope = yield* Scope.fork(yield* Effect.scope)
      const one = yield* Scope.provide(connect(url), scope)
      const { thread } = yield* one.ask("thread/start", {})
      const { turn } = yield* one.ask("turn/start", prompt(thread.id))
      yield* one.told("item/agentMessage/delta")
      yield* Scope.close(scope, Exit.void)
      const two = yield* connect(url)
      const { thread: resumed } = yield* two.ask("thread/resume", { threadId: thread.id })
      assert.strictEqual(resumed.turns.at(-1)?.id, turn.id)
      assert.strictEqual(resumed.turns.at(-1)?.status, "inProgress")
      const end = yield* two.told("turn/completed")
      assert.strictEqual(end.turn.status, "completed")
      const { turns } = yield* read(two, thread.id)
      const texts = turns.flatMap(({ items }) =>
        items.flatMap((item) => item.type === "agentMessage" ? [item.text] : [])
      )
      assert.strictEqual(texts[0], "You said: go")
      assert.lengthOf(texts, 2)
    }), patience)

  it.effect(
    "a flood of requests by a client that does not read is answered when it reads, and others are served",
    () =>
      Effect.gen(function*() {
        const { url } = yield* serve(yield* freshHome)
        const flood = yield* WireClient.make(yield* WebSocketTransport.make({ url }), { deaf: true })
        yield* flood.say({ id: "i", method: "initialize", params: WireClient.initializeParams() })
        const count = 5000
        const sending = yield* Effect.forkChild(Effect.forEach(
          Array.from({ length: count }, (_, id) => id),
          (id) => flood.say({ id, method: "config/read", params: {} }),
          { discard: true }
        ))
        yield* assertAlive(url)
        yield* flood.listen
        const all = flood.first(() =>
          flood.seen.filter(({ id, method }) => method === undefined && id !== "i").length >= count
        )
        yield* Effect.raceFirst(Effect.asVoid(all), Effect.asVoid(flood.closed))
        sending.interruptUnsafe()
        const ids = flood.seen.flatMap(({ id, method }) => method === undefined && id !== undefined ? [id] : [])
        assert.strictEqual(new Set(ids).size, ids.length)
        for (const { error, result } of flood.seen.filter(({ method }) => method === undefined)) {
          assert.isTrue(result !== undefined || error?.code === -32001, JSON.stringify(error))
        }
        yield* assertAlive(url)
      }),
    patience
  )

  it.effect(
    "a message of 32 MiB is answered, and one that is too large costs no other client",
    () =>
      Effect.gen(function*() {
        const { url } = yield* serve(yield* freshHome)
        const other = yield* connect(url)
        const client = yield* connect(url)
        const { thread } = yield* client.ask("thread/start", {})
        const large = "x".repeat(32 * 1024 * 1024)
        assert.include(yield* client.refusal("turn/start", prompt(thread.id, large)), "exceeds the maximum length")
        yield* client.ask("thread/list", { searchTerm: large })
        const { thread: other1 } = yield* other.ask("thread/start", {})
        const tooLarge = yield* WebSocketTransport.make({ url })
        const sender = yield* WireClient.make(tooLarge)
        yield* sender.initialize()
        yield* Effect.forkChild(Effect.ignore(sender.sayText(
          JSON.stringify({ id: "x", method: "thread/list", params: { searchTerm: large + large + large } })
        )))
        yield* Effect.raceFirst(sender.closed, sender.first(({ id }) => id === "x"))
        yield* other.ask("thread/read", { threadId: other1.id })
        yield* assertAlive(url)
      }),
    patience
  )

  const garbage = [
    "not json",
    "{",
    "[]",
    "null",
    "\u0000\u0001",
    "{\"id\":{}}",
    "{\"id\":1}",
    "{\"id\":null,\"method\":\"thread/list\"}",
    "{\"method\":1}",
    "{\"id\":[1],\"method\":\"thread/list\",\"params\":{}}",
    "\"text\"",
    "",
    "{\"id\":7,\"result\":{}}",
    "{\"id\":8,\"error\":{\"code\":1,\"message\":\"m\"}}",
    "[".repeat(100_000)
  ]

  for (const listen of ["unix", "ws"] as const) {
    it.effect(`garbage over ${listen} does no harm`, () =>
      Effect.gen(function*() {
        const { url } = yield* serve(yield* freshHome, { listen })
        const client = yield* connect(url)
        for (const text of garbage) {
          yield* Effect.ignore(client.sayText(text))
          yield* client.ask("thread/list", {})
        }
        // No WebSocket at all.
        const target = url.startsWith("unix://")
          ? { path: url.slice("unix://".length) }
          : { host: "127.0.0.1", port: Number(/:(\d+)/.exec(url.slice("ws://".length))?.[1]) }
        for (const bytes of ["\r\n\r\n", "GET / HTTP/1.1\r\n\r\n", "\u0000\u00ff".repeat(5000), "{\"id\":1}\n"]) {
          yield* Effect.callback<void>((resume) => {
            const socket = Net.connect(target)
            socket.on("error", () => {})
            socket.on("close", () => resume(Effect.void))
            socket.on("connect", () => socket.end(Buffer.from(bytes, "latin1")))
            socket.resume()
          })
        }
        yield* client.ask("thread/list", {})
        yield* assertAlive(url)
      }), patience)
  }

  it.effect("garbage on stdin does no harm, and stdout has nothing but answers", () =>
    Effect.gen(function*() {
      const home = yield* freshHome
      const ended = yield* Effect.callback<{ readonly code: number | null; readonly stdout: string }>((resume) => {
        const child = NodeChildProcess.spawn(binaryOf("node"), [main, "app-server", "--backend", "scripted"], {
          env: { PATH: process.env["PATH"] ?? "", CODEX_HOME: home, HOME: home },
          stdio: ["pipe", "pipe", "ignore"]
        })
        let stdout = ""
        child.stdout.on("data", (chunk: Buffer) => {
          stdout += chunk.toString()
          if (stdout.includes("\"id\":\"last\"")) child.stdin.end()
        })
        child.on("close", (code) => resume(Effect.succeed({ code, stdout })))
        child.stdin.on("error", () => {})
        for (const text of garbage) child.stdin.write(`${text}\n`)
        child.stdin.write(Buffer.from([0xff, 0xfe, 0x00, 0x0a, 0xc3, 0x0a]))
        const say = (message: unknown) => child.stdin.write(`${JSON.stringify(message)}\n`)
        say({ id: "i", method: "initialize", params: WireClient.initializeParams() })
        for (const text of garbage) child.stdin.write(`${text}\n`)
        say({ id: "last", method: "thread/list", params: {} })
        return Effect.sync(() => child.kill("SIGKILL"))
      })
      assert.strictEqual(ended.code, 0)
      const messages = ended.stdout.trimEnd().split("\n").map((line): WireClient.Message => JSON.parse(line))
      assert.isDefined(messages.find(({ id }) => id === "i")?.result)
      assert.isDefined(messages.find(({ id }) => id === "last")?.result)
    }), patience)

  it.effect("a thousand threads are started, and a hundred of them run at once", () =>
    Effect.gen(function*() {
      const { url } = yield* serve(yield* freshHome)
      const client = yield* connect(url, {
        optOut: ["item/agentMessage/delta", "item/reasoning/summaryTextDelta", "thread/started"]
      })
      const ids = yield* Effect.forEach(
        Array.from({ length: 1000 }),
        () => Effect.map(client.ask("thread/start", {}), ({ thread }) => thread.id),
        { concurrency: 32 }
      )
      assert.strictEqual(new Set(ids).size, 1000)
      const turns = yield* Effect.forEach(
        ids.filter((_, nth) => nth % 10 === 0),
        (threadId) => Effect.map(client.ask("turn/start", prompt(threadId)), ({ turn }) => turn.id),
        { concurrency: 32 }
      )
      for (const id of turns) {
        const end = yield* client.told("turn/completed", ({ turn }) => turn.id === id)
        assert.strictEqual(end.turn.status, "completed")
      }
      const { data } = yield* client.ask("thread/loaded/list", {})
      assert.lengthOf(data, 1000)
    }), patience)
})
