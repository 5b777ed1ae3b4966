import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/testing/TestClock"
import { ThreadStore } from "../../../src/bridge/store/index.ts"
import { ProcessTable } from "../../../src/transport/ProcessTable.ts"
import * as BridgeBench from "../../support/BridgeBench.ts"

const bench = BridgeBench.layer({ scenario: { fallback: [{ _tag: "Say", deltas: ["hello"] }] } })

const pinned = "01984de2-8f74-7c91-a3b2-5c5e937cf318"
const nobody = "01984de2-8f74-7c91-a3b2-5c5e937cf319"

const connect = Effect.flatMap(BridgeBench.BridgeBench, (bridge) => bridge.connect())

/** A thread in which this was said. */
const talked = Effect.fnUntraced(function*(client: BridgeBench.Client, text: string) {
  const { thread } = yield* client.ask("thread/start", {})
  const { turn } = yield* client.ask("turn/start", {
    threadId: thread.id,
    input: [{ type: "text", text, text_elements: [] }]
  })
  yield* client.told("turn/completed", (params) => params.turn.id === turn.id)
  return thread.id
})

const order = (client: BridgeBench.Client, sectionId: string, sortDirection: "asc" | "desc" | null = null) =>
  Effect.map(
    client.ask("thread/list", { sectionId, sortKey: "section_position", sortDirection }),
    ({ data }) => data.map(({ id }) => id)
  )

describe("sections", () => {
  it.effect("threads are pinned, moved before others, and taken out again; everybody is told", () =>
    Effect.gen(function*() {
      const client = yield* connect
      const other = yield* connect
      const [a, b, c] = [yield* talked(client, "a"), yield* talked(client, "b"), yield* talked(client, "c")]
      yield* client.ask("thread/section/move", { threadId: a, sectionId: pinned })
      yield* other.told("thread/section/changed", (params) => params.threadId === a && params.sectionId === pinned)
      yield* client.ask("thread/section/move", { threadId: b, sectionId: pinned })
      assert.deepStrictEqual(yield* order(client, pinned), [a, b])
      // So often that there is no room left between two of them.
      for (let round = 0; round < 30; round++) {
        yield* client.ask("thread/section/move", { threadId: c, sectionId: pinned, beforeThreadId: b })
        assert.deepStrictEqual(yield* order(client, pinned), [a, c, b])
        yield* client.ask("thread/section/move", { threadId: a, sectionId: pinned, beforeThreadId: b })
        assert.deepStrictEqual(yield* order(client, pinned), [c, a, b])
        yield* client.ask("thread/section/move", { threadId: a, sectionId: pinned, beforeThreadId: c })
      }
      assert.deepStrictEqual(yield* order(client, pinned, "desc"), [b, c, a])
      const page = yield* client.ask("thread/list", { sectionId: pinned, sortKey: "section_position", limit: 2 })
      const rest = yield* client.ask("thread/list", {
        sectionId: pinned,
        sortKey: "section_position",
        cursor: page.nextCursor ?? null
      })
      assert.deepStrictEqual([...page.data, ...rest.data].map(({ id }) => id), [a, c, b])
      const { thread } = yield* client.ask("thread/read", { threadId: a })
      assert.deepStrictEqual(thread.section, { id: pinned, name: "Pinned", appearance: null })
      assert.isNumber(thread.sectionEnteredAt)

      yield* client.ask("thread/section/move", { threadId: c, sectionId: null })
      assert.deepStrictEqual(yield* order(client, pinned), [a, b])
      const loose = yield* client.ask("thread/list", { sectionId: null })
      assert.deepStrictEqual(loose.data.map(({ id, section }) => [id, section]), [[c, null]])
    }).pipe(Effect.provide(bench)))

  it.effect("a section is made, renamed and deleted with all that shows it", () =>
    Effect.gen(function*() {
      const client = yield* connect
      const { section } = yield* client.ask("threadSection/create", {
        name: "  Work  ",
        appearance: { color: "red", icon: null }
      })
      assert.deepStrictEqual(section, { id: section.id, name: "Work", appearance: { icon: null, color: "red" } })
      const a = yield* talked(client, "a")
      yield* client.ask("thread/section/move", { threadId: a, sectionId: section.id })
      yield* client.ask("threadSection/update", { sectionId: section.id, name: "Play" })
      // The thread is loaded: what it shows has changed beside it.
      const resumed = yield* client.ask("thread/resume", { threadId: a })
      assert.strictEqual(resumed.thread.section?.name, "Play")
      assert.strictEqual(resumed.thread.section?.appearance?.color, "red")
      const fork = yield* client.ask("thread/fork", { threadId: a })
      assert.isNull(fork.thread.section)
      yield* client.ask("threadSection/delete", { sectionId: section.id })
      assert.isNull((yield* client.ask("thread/read", { threadId: a })).thread.section)
      const { data } = yield* client.ask("threadSection/list", {})
      assert.deepStrictEqual(data, [{ id: pinned, name: "Pinned", appearance: null }])
    }).pipe(Effect.provide(bench)))

  it.effect("what codex refuses is refused in its words", () =>
    Effect.gen(function*() {
      const client = yield* connect
      const a = yield* talked(client, "a")
      const b = yield* talked(client, "b")
      const { thread } = yield* client.ask("thread/start", { ephemeral: true })
      const move = (params: object) =>
        client.refusal("thread/section/move", { threadId: a, sectionId: pinned, ...params })
      assert.deepStrictEqual([
        yield* move({ beforeThreadId: a }),
        yield* move({ beforeThreadId: b }),
        yield* move({ sectionId: null, beforeThreadId: b }),
        yield* move({ sectionId: "nope" }),
        yield* move({ threadId: nobody }),
        yield* move({ threadId: thread.id }),
        yield* client.refusal("thread/section/move", { threadId: a }),
        yield* client.refusal("threadSection/create", { name: " " }),
        yield* client.refusal("threadSection/create", { name: "a", appearance: { color: "c".repeat(65) } }),
        yield* client.refusal("threadSection/update", { sectionId: pinned, name: "a" }),
        yield* client.refusal("threadSection/delete", { sectionId: pinned }),
        yield* client.refusal("threadSection/delete", { sectionId: "nope" }),
        yield* client.refusal("thread/list", { sortKey: "section_position" })
      ], [
        `thread ${a} cannot be moved before itself`,
        `before thread ${b} is not in section ${pinned}`,
        "beforeThreadId requires a non-null sectionId",
        "section nope does not exist",
        `thread not found: ${nobody}`,
        `ephemeral thread does not support section moves: ${thread.id}`,
        "Invalid request: missing field `sectionId`",
        "section name must not be empty",
        "section appearance color must not exceed 64 bytes",
        "the built-in pinned section cannot be renamed",
        "the built-in pinned section cannot be deleted",
        "thread section not found: nope",
        "section-position sorting requires a section filter"
      ])
    }).pipe(Effect.provide(bench)))
})

describe("projects", () => {
  it.effect("a project is made once for a key, also after it was deleted", () =>
    Effect.gen(function*() {
      const client = yield* connect
      const other = yield* connect
      const roots = [{ path: "/work/one/" }]
      const { project } = yield* client.ask("project/create", { idempotencyKey: "k", name: " One ", roots })
      yield* other.told("project/changed", ({ changeType }) => changeType === "created")
      assert.deepStrictEqual([project.name, project.roots, project.metadata, project.recencyAt], [
        "One",
        [{ path: "/work/one" }],
        {},
        null
      ])
      const again = yield* client.ask("project/create", { idempotencyKey: "k", name: "Other", roots: [] })
      assert.deepStrictEqual(again.project, project)
      assert.lengthOf(client.allTold("project/changed"), 1)
      yield* client.ask("project/delete", { projectId: project.id })
      assert.deepStrictEqual([
        yield* client.refusal("project/create", { idempotencyKey: "k", name: "One", roots }),
        yield* client.refusal("project/create", { idempotencyKey: "l", name: "One", roots: [...roots, ...roots] }),
        yield* client.refusal("project/create", { idempotencyKey: "l", name: "", roots }),
        yield* client.refusal("project/create", { idempotencyKey: "", name: "One", roots }),
        yield* client.refusal("project/read", { projectId: project.id }),
        yield* client.refusal("project/import", { idempotencyKey: "l", name: "One", roots, threads: ["nope"] })
      ], [
        "idempotency key refers to deleted project: k",
        "duplicate project root: /work/one",
        "project name must not be empty",
        "idempotencyKey must not be empty",
        `project not found: ${project.id}`,
        "thread not found: nope"
      ])
    }).pipe(Effect.provide(bench)))

  it.effect("threads belong to projects: by import, by their start, by a change, with their forks", () =>
    Effect.gen(function*() {
      const client = yield* connect
      const [a, b] = [yield* talked(client, "a"), yield* talked(client, "b")]
      const { project } = yield* client.ask("project/import", {
        idempotencyKey: "i",
        name: "P",
        roots: [],
        threads: [a]
      })
      yield* client.told(
        "thread/project/updated",
        ({ projectId, threadId }) => threadId === a && projectId === project.id
      )
      yield* client.ask("thread/metadata/update", { threadId: b, projectId: project.id })
      yield* client.told("thread/project/updated", ({ threadId }) => threadId === b)
      const fork = yield* client.ask("thread/fork", { threadId: a })
      assert.strictEqual(fork.thread.projectId, project.id)
      const started = yield* client.ask("thread/start", { projectId: project.id })
      assert.strictEqual(started.thread.projectId, project.id)
      const { data } = yield* client.ask("thread/list", { projectId: project.id })
      assert.sameMembers(data.map(({ id }) => id), [a, b, fork.thread.id])
      assert.isNumber((yield* client.ask("project/read", { projectId: project.id })).project.recencyAt)
      assert.strictEqual(yield* client.refusal("thread/list", { projectId: "nope" }), "project not found: nope")
      assert.strictEqual(yield* client.refusal("thread/start", { projectId: "nope" }), "project not found: nope")
      yield* client.ask("project/delete", { projectId: project.id })
      yield* client.told("thread/project/updated", ({ projectId, threadId }) => threadId === b && projectId == null)
      assert.isNull((yield* client.ask("thread/resume", { threadId: a })).thread.projectId)
    }).pipe(Effect.provide(bench)))

  it.effect("are kept in an order, which is paged through", () =>
    Effect.gen(function*() {
      const client = yield* connect
      const ids: Array<string> = []
      for (const name of ["a", "b", "c", "d"]) {
        ids.push((yield* client.ask("project/create", { idempotencyKey: name, name, roots: [] })).project.id)
      }
      const [a = "", b = "", c = ""] = ids
      const names = Effect.fnUntraced(function*(sortKey: "position" | "recencyAt", sortDirection: "asc" | "desc") {
        const found: Array<string> = []
        let cursor: string | null = null
        do {
          const page: { readonly data: ReadonlyArray<{ readonly name: string }>; readonly nextCursor?: string | null } =
            yield* client.ask("project/list", { sortKey, sortDirection, limit: 1, cursor })
          found.push(...page.data.map(({ name }) => name))
          cursor = page.nextCursor ?? null
        } while (cursor !== null)
        return found.join("")
      })
      assert.strictEqual(yield* names("position", "asc"), "abcd")
      yield* client.ask("project/move", { projectId: a, beforeProjectId: c })
      assert.strictEqual(yield* names("position", "asc"), "bacd")
      yield* client.ask("project/move", { projectId: b })
      assert.strictEqual(yield* names("position", "desc"), "bdca")
      yield* client.ask("thread/metadata/update", { threadId: yield* talked(client, "x"), projectId: c })
      assert.strictEqual((yield* names("recencyAt", "desc")).slice(0, 1), "c")
      const { project } = yield* client.ask("project/update", { projectId: a, name: "A", metadata: { x: "y" } })
      assert.deepStrictEqual([project.name, project.metadata, project.roots], ["A", { x: "y" }, []])
      assert.strictEqual(
        yield* client.refusal("project/list", { cursor: "x" }),
        "invalid project cursor: malformed or mismatched sort anchor"
      )
    }).pipe(Effect.provide(bench)))
})

describe("attachments", () => {
  it.effect("are added once, listed, found by what they are, copied by a fork, and removed", () =>
    Effect.gen(function*() {
      const client = yield* connect
      const [a, b] = [yield* talked(client, "a"), yield* talked(client, "b")]
      const add = (threadId: string, identityKey: string, payload: unknown) =>
        client.ask("thread/attachment/add", { threadId, attachmentType: "pr", identityKey, payload })
      const first = yield* add(a, "1", { n: 1 })
      assert.strictEqual(first.outcome, "created")
      yield* client.told("thread/attachment/updated", ({ operation }) => operation === "created")
      const again = yield* add(a, "1", { n: 2 })
      assert.deepStrictEqual([again.outcome, again.attachment], ["existing", first.attachment])
      yield* add(a, "2", null)
      yield* add(b, "1", "text")
      const page = yield* client.ask("thread/attachment/list", { threadId: a, limit: 1 })
      const rest = yield* client.ask("thread/attachment/list", { threadId: a, cursor: page.nextCursor ?? null })
      assert.deepStrictEqual([...page.data, ...rest.data].map(({ payload }) => payload), [{ n: 1 }, null])
      const fork = yield* client.ask("thread/fork", { threadId: a })
      const copied = yield* client.ask("thread/attachment/list", { threadId: fork.thread.id })
      assert.deepStrictEqual(copied.data.map(({ identityKey }) => identityKey), ["1", "2"])
      assert.notInclude(copied.data.map(({ id }) => id), first.attachment.id)
      yield* client.ask("thread/delete", { threadId: fork.thread.id })
      yield* client.ask("thread/archive", { threadId: b })
      const key = { attachmentType: "pr", identityKey: "1" }
      const owners = yield* client.ask("thread/attachmentOwner/list", key)
      assert.deepStrictEqual(owners.data, [{ threadId: a, archived: false }, { threadId: b, archived: true }])
      assert.lengthOf((yield* client.ask("thread/attachmentOwner/list", { ...key, archived: true })).data, 1)
      yield* client.ask("thread/attachment/remove", { threadId: a, ...key })
      yield* client.told("thread/attachment/updated", ({ operation }) => operation === "deleted")
      yield* client.ask("thread/attachment/remove", { threadId: a, ...key })
      assert.lengthOf((yield* client.ask("thread/attachment/list", { threadId: a })).data, 1)
      const refused = (params: object) =>
        client.refusal("thread/attachment/add", { threadId: a, ...key, payload: 1, ...params })
      assert.deepStrictEqual([
        yield* refused({ attachmentType: "" }),
        yield* refused({ identityKey: "k".repeat(257) }),
        yield* refused({ payload: "p".repeat(65_536) }),
        yield* refused({ threadId: nobody })
      ], [
        "attachmentType must not be empty",
        "identityKey must not exceed 256 bytes",
        "attachment payload must not exceed 65536 bytes",
        `thread not found: ${nobody}`
      ])
    }).pipe(Effect.provide(bench)))
})

describe("side conversations", () => {
  it.effect("are listed with the thread that they are attached to alone, which cannot be deleted before", () =>
    Effect.gen(function*() {
      const client = yield* connect
      const a = yield* talked(client, "a needle")
      const { thread } = yield* client.ask("thread/fork", { threadId: a, attachToSource: true })
      assert.strictEqual(thread.attachedToThreadId, a)
      const ids = (params: object) =>
        Effect.map(client.ask("thread/list", params), ({ data }) => data.map(({ id }) => id))
      assert.deepStrictEqual(yield* ids({}), [a])
      assert.deepStrictEqual(yield* ids({ attachedToThreadId: a }), [thread.id])
      assert.sameMembers([...(yield* ids({ includeAttachedThreads: true, searchTerm: "needle" }))], [a, thread.id])
      assert.strictEqual(
        yield* client.refusal("thread/list", { includeAttachedThreads: true }),
        "includeAttachedThreads requires a non-empty searchTerm"
      )
      assert.strictEqual(
        yield* client.refusal("thread/delete", { threadId: a }),
        `cannot delete thread while attached thread ${thread.id} exists; delete the attached thread first`
      )
      yield* client.ask("thread/delete", { threadId: thread.id })
      yield* client.ask("thread/delete", { threadId: a })
    }).pipe(Effect.provide(bench)))
})

describe("threads that nobody ever used", () => {
  it.effect("are gone some time after the start, if they are older than a day and not loaded", () =>
    Effect.gen(function*() {
      const { root } = yield* BridgeBench.BridgeBench
      const path = `${root}/home/bridge/threads.sqlite`
      const store = Context.get(yield* Layer.build(Layer.fresh(ThreadStore.layer({ path }))), ThreadStore)
      const now = yield* Clock.currentTimeMillis
      const unused = (id: string, createdAt: number) =>
        store.create({ id, createdAt, cwd: root, model: "m", modelProvider: "p", source: "vscode" })
      yield* unused(nobody, now - 86_400_001)
      yield* unused(pinned, now)
      const client = yield* connect
      yield* client.ask("thread/read", { threadId: nobody })
      yield* TestClock.adjust("9 seconds")
      yield* client.ask("thread/read", { threadId: nobody })
      yield* TestClock.adjust("1 second")
      assert.include(yield* client.refusal("thread/read", { threadId: nobody }), nobody)
      yield* client.ask("thread/read", { threadId: pinned })
    }).pipe(
      Effect.provide(
        Layer.mergeAll(bench, NodeServices.layer, ProcessTable.layer.pipe(Layer.provide(NodeServices.layer)))
      )
    ))
})
