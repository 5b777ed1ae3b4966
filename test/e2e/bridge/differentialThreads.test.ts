/** What clients do with threads besides turns, beside the real server. */
import { assert } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { readFile, writeFile } from "node:fs/promises"
import * as Gate from "../../support/Gate.ts"
import * as ModelTurn from "../../support/ModelTurn.ts"
import type * as WireClient from "../../support/WireClient.ts"
import { cautious, compare, nobody, say, started, turn } from "./sideBySide.ts"

const configured = (model_reasoning_effort: string) => ({ config: { model_reasoning_effort } })

const inMode = (mode: unknown) => ({
  collaborationMode: { mode, settings: { model: "x", reasoning_effort: null, developer_instructions: null } }
})

/** Resumes a thread without a goal, and waits for the word about that, which the real server says a moment later. */
const resume = Effect.fnUntraced(function*(client: WireClient.WireClient, threadId: string) {
  const before = client.allTold("thread/goal/cleared").length
  yield* client.call("thread/resume", { threadId, excludeTurns: true })
  let heard = 0
  yield* client.told("thread/goal/cleared", () => ++heard > before)
})

compare("threads beside the real server", {
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
  "model and effort": {
    settings: { model_reasoning_effort: "low" },
    script: Effect.fnUntraced(function*(side) {
      const { client } = side
      const threadId = yield* started(side, { model: "gpt-6-sol" })
      yield* client.call("thread/start", { ...cautious, ...configured("high") })
      yield* turn(side, threadId, "hello", ModelTurn.text("Hello"))
      yield* side.model.push(ModelTurn.text("Again"))
      yield* client.call("turn/start", { ...say(threadId, "again"), effort: "high" })
      yield* client.first(() => client.allTold("turn/completed").length === 2)
      yield* client.call("thread/read", { threadId })
      yield* client.call("thread/fork", { threadId })
      yield* client.call("thread/fork", { threadId, model: "gpt-6-sol", excludeTurns: true })
      yield* client.call("thread/fork", { threadId, ...configured("medium"), approvalPolicy: "untrusted" })
      // On another model the context would be compacted first.
      const { thread } = yield* client.ask("thread/fork", { threadId, model: "gpt-6-sol", excludeTurns: true })
      yield* turn(side, thread.id, "more", ModelTurn.text("More"))
      yield* client.call("thread/resume", { threadId, excludeTurns: true })
      yield* client.call("thread/read", { threadId: thread.id })
    })
  },
  "what the agent may do by its own configuration": {
    settings: {
      approval_policy: "never",
      sandbox_mode: "workspace-write",
      "sandbox_workspace_write.writable_roots": ["/srv/more"],
      "sandbox_workspace_write.network_access": true,
      model_reasoning_summary: "concise",
      personality: "friendly"
    },
    script: Effect.fnUntraced(function*(side) {
      const { client, home } = side
      const cwd = home.work
      const { thread } = yield* client.ask("thread/start", { cwd })
      const threadId = thread.id
      yield* client.call("thread/start", { cwd, ...cautious })
      yield* client.call("thread/start", { cwd, approvalPolicy: "on-request" })
      yield* client.call("thread/start", { cwd, permissions: ":read-only" })
      yield* client.call("thread/settings/update", { threadId, effort: "low" })
      yield* client.told("thread/settings/updated")
      yield* turn(side, threadId, "hello", ModelTurn.text("Hello"))
      yield* resume(client, threadId)
      yield* client.call("thread/fork", { threadId, excludeTurns: true })
      yield* client.call("thread/fork", { threadId, excludeTurns: true, approvalPolicy: "on-request" })
      // What has changed since counts for the sandbox of a thread that is loaded then, and not for when it asks.
      const written = yield* Effect.promise(() => readFile(home.config, "utf8"))
      yield* Effect.promise(() =>
        writeFile(home.config, written.replaceAll(/^(?:approval_policy|sandbox_mode).*$/gmu, ""))
      )
      yield* client.call("thread/start", { cwd })
      yield* client.call("thread/fork", { threadId, excludeTurns: true })
      yield* client.call("thread/archive", { threadId })
      yield* client.call("thread/unarchive", { threadId })
      yield* resume(client, threadId)
    })
  },
  "what is told on a resume": Effect.fnUntraced(function*(side) {
    const { client } = side
    const threadId = yield* started(side)
    const again = Effect.asVoid(client.call("thread/resume", { threadId, excludeTurns: true }))
    const anew = Effect.gen(function*() {
      yield* client.call("thread/archive", { threadId })
      yield* client.call("thread/unarchive", { threadId })
      yield* again
    })
    yield* turn(side, threadId, "hello", ModelTurn.text("Hello"))
    yield* again
    yield* client.call("thread/unsubscribe", { threadId })
    yield* again
    yield* anew
    yield* client.call("thread/goal/set", { threadId, objective: "Done", status: "paused" })
    yield* again
    yield* anew
    yield* client.call("thread/goal/clear", { threadId })
    yield* again
  }),
  timeline: Effect.fnUntraced(function*(side) {
    const { client } = side
    const threadId = yield* started(side)
    const list = (params: object = {}) => client.call("thread/timeline/list", { threadId, ...params })
    yield* list()
    yield* turn(
      side,
      threadId,
      "think",
      ModelTurn.turn([ModelTurn.reasoning({ summary: [["Hm"]] }), ModelTurn.message(["Hello"])])
    )
    yield* turn(side, threadId, "fail", ModelTurn.httpError(400, { body: { error: { message: "no" } } }))
    yield* list()
    let cursor: string | null | undefined
    do {
      const page = yield* client.ask("thread/timeline/list", { threadId, limit: 3, cursor: cursor ?? null })
      cursor = page.nextCursor
    } while (cursor != null)
    yield* list({ limit: 0 })
    yield* list({ cursor: "nope" })
    yield* list({ threadId: nobody })
    yield* list({ threadId: "nope" })
    const gate = yield* Gate.make
    yield* side.model.push(ModelTurn.text("Whole", gate))
    const { turn: running } = yield* client.ask("turn/start", say(threadId, "go"))
    yield* client.told("item/agentMessage/delta", ({ turnId }) => turnId === running.id)
    yield* list({ limit: 3 })
    yield* gate.open
    yield* client.told("turn/completed", (end) => end.turn.id === running.id)
    yield* client.call("thread/revert", { threadId, beforeTurnId: running.id })
    yield* list({ limit: 2 })
    yield* client.call("thread/archive", { threadId })
    yield* list()
  }),
  sections: Effect.fnUntraced(function*(side) {
    const { client } = side
    const pinned = "01984de2-8f74-7c91-a3b2-5c5e937cf318"
    const make = Effect.fnUntraced(function*(text: string) {
      const threadId = yield* started(side)
      yield* turn(side, threadId, text, ModelTurn.text("Yes"))
      return threadId
    })
    const [a, b, c] = [yield* make("alpha"), yield* make("beta"), yield* make("gamma")]
    const move = (threadId: string, sectionId: string | null, more: object = {}) =>
      client.call("thread/section/move", { threadId, sectionId, ...more })
    const list = (params: object) => client.call("thread/list", params)
    yield* client.call("threadSection/list", {})
    yield* move(a, pinned)
    yield* move(b, pinned)
    yield* move(c, pinned, { beforeThreadId: a })
    for (const sortKey of ["section_position", "created_at", "nope"]) {
      for (const sortDirection of ["asc", "desc"]) yield* list({ sectionId: pinned, sortKey, sortDirection })
    }
    yield* list({ sectionId: pinned, sortKey: "section_position", limit: 1 })
    yield* list({ sortKey: "section_position" })
    yield* move(a, pinned, { beforeThreadId: a })
    yield* move(b, null)
    yield* list({ sectionId: null })
    yield* move(a, nobody)
    yield* move(nobody, pinned)
    yield* move("nope", pinned)
    yield* client.call("thread/section/move", { threadId: a })
    const created = yield* client.ask("threadSection/create", { name: "  Work  " })
    const sectionId = created.section.id
    for (const name of ["Work", "", " "]) yield* client.call("threadSection/create", { name })
    yield* client.call("threadSection/create", { name: "Other", appearance: { color: "red", icon: "star" } })
    yield* client.call("threadSection/list", { limit: 1 })
    yield* client.call("threadSection/list", { cursor: "nope" })
    yield* client.call("threadSection/update", { sectionId, name: "Play", appearance: { color: "blue" } })
    yield* client.call("threadSection/update", { sectionId, name: "" })
    yield* client.call("threadSection/update", { sectionId: nobody, name: "Play" })
    yield* move(a, sectionId)
    yield* client.call("thread/read", { threadId: a })
    yield* client.call("thread/archive", { threadId: a })
    yield* list({ sectionId, archived: true })
    yield* client.call("thread/unarchive", { threadId: a })
    for (const id of [sectionId, sectionId, pinned]) yield* client.call("threadSection/delete", { sectionId: id })
    yield* list({})
    // Behind all lists, which do not say in the real server that a thread is a fork.
    yield* client.call("thread/fork", { threadId: c, excludeTurns: true })
    yield* client.told("thread/started", ({ thread }) => thread.forkedFromId === c)
  }),
  projects: Effect.fnUntraced(function*(side) {
    const { client, home } = side
    const [a, b] = [yield* started(side), yield* started(side)]
    yield* turn(side, a, "alpha", ModelTurn.text("Yes"))
    yield* turn(side, b, "beta", ModelTurn.text("Yes"))
    const roots = [{ path: home.work }]
    const create = (idempotencyKey: string, name: string, more: object = {}) =>
      client.call("project/create", { idempotencyKey, name, roots, ...more })
    const { project } = yield* client.ask("project/create", { idempotencyKey: "one", name: " One ", roots })
    const projectId = project.id
    yield* create("one", "Again")
    yield* create("", "Nothing")
    yield* create("two", "")
    yield* create("two", "Two", { roots: [], metadata: { key: "value" } })
    yield* create("three", "Three", { roots: [{ path: "relative" }] })
    yield* create("four", "Four", { roots: [...roots, ...roots] })
    yield* client.call("project/list", { limit: 1 })
    yield* client.call("project/list", { cursor: "nope" })
    yield* client.call("project/list", { sortKey: "nope" })
    yield* client.call("project/list", { sortKey: "recencyAt", sortDirection: "desc" })
    yield* client.call("project/read", { projectId })
    yield* client.call("project/read", { projectId: nobody })
    yield* client.call("project/update", { projectId, name: "Uno", metadata: { x: "y" } })
    yield* client.call("project/update", { projectId, name: "" })
    yield* client.call("project/update", { projectId: nobody, name: "Uno" })
    yield* client.call("project/move", { projectId })
    yield* client.call("project/move", { projectId, beforeProjectId: nobody })
    yield* client.call("project/list", {})
    yield* client.call("thread/metadata/update", { threadId: a, projectId })
    yield* client.call("thread/metadata/update", { threadId: a, projectId: nobody })
    yield* client.call("thread/list", { projectId })
    yield* client.call("thread/start", { ...cautious, projectId: nobody })
    const importing = { idempotencyKey: "five", name: "Imported", roots, threads: [b] }
    yield* client.call("project/import", importing)
    yield* client.call("project/import", importing)
    yield* client.call("project/import", { ...importing, idempotencyKey: "six", threads: [nobody] })
    yield* client.call("thread/list", {})
    yield* client.call("thread/fork", { threadId: a, excludeTurns: true })
    yield* client.call("project/delete", { projectId })
    yield* client.call("project/delete", { projectId })
    yield* client.call("thread/read", { threadId: a })
    const attachment = { threadId: a, attachmentType: "pr", identityKey: "x/1" }
    yield* client.call("thread/attachment/add", { ...attachment, payload: { n: 1 } })
    yield* client.call("thread/attachment/add", { ...attachment, payload: { n: 2 } })
    yield* client.call("thread/attachment/list", { threadId: a })
    yield* client.call("thread/attachmentOwner/list", { attachmentType: "pr", identityKey: "x/1" })
    yield* client.call("thread/attachment/remove", attachment)
    yield* client.call("thread/attachment/remove", attachment)
  }),
  search: {
    exception: {
      reason: "the real server tells some of what it finds beforehand, as it happens to find it",
      leaves: ({ method }) => method === "thread/search/partial"
    },
    script: Effect.fnUntraced(function*(side) {
      const { client } = side
      const [a, b] = [yield* started(side), yield* started(side)]
      yield* turn(side, a, "The apple falls", ModelTurn.text("An Apple a day. No apples."))
      yield* turn(side, a, "More", ModelTurn.text("Nothing\nof the kind"))
      yield* turn(side, b, "Pears", ModelTurn.text("And apple pie"))
      const search = (method: "thread/search" | "thread/search/stream", searchTerm: string, more: object = {}) =>
        client.call(method, { searchTerm, ...more })
      for (const method of ["thread/search", "thread/search/stream"] as const) {
        for (const term of ["apple", "APPLE", "nothing of", "plum", " "]) yield* search(method, term)
      }
      for (const sortKey of ["created_at", "updated_at", "section_position"]) {
        for (const sortDirection of ["asc", "desc"]) {
          yield* search("thread/search", "apple", { sortKey, sortDirection, limit: 1 })
        }
      }
      yield* search("thread/search", "apple", { cursor: "nope" })
      yield* client.call("thread/search/cancel", { requestId: 9999 })
      yield* client.call("thread/searchOccurrences", { threadId: a, searchTerm: "apple" })
      yield* client.call("thread/searchOccurrences", { threadId: a, searchTerm: "apple", limit: 2 })
      yield* client.call("thread/searchOccurrences", { threadId: a, searchTerm: " " })
      yield* client.call("thread/searchOccurrences", { threadId: nobody, searchTerm: "apple" })
      const { data } = yield* client.ask("thread/items/list", { threadId: a })
      const [first, second] = data
      assert(first !== undefined && second !== undefined)
      const { turnId } = first
      yield* client.call("thread/items/read", { threadId: a, turnId, itemIds: [second.item.id, first.item.id, "nope"] })
      yield* client.call("thread/items/read", { threadId: a, turnId, itemIds: [] })
      yield* client.call("thread/list", { searchTerm: "Pears" })
      yield* client.call("thread/list", { includeAttachedThreads: true })
    })
  },
  "values that there are none of": Effect.fnUntraced(function*(side) {
    const { client } = side
    const threadId = yield* started(side)
    const everywhere: ReadonlyArray<object> = [
      { approvalPolicy: "nope" },
      { approvalPolicy: { nope: {} } },
      { approvalPolicy: 3 },
      { approvalsReviewer: "nope" },
      { model: 3 }
    ]
    const atStart: ReadonlyArray<object> = [{ sandbox: "nope" }, { sandbox: 3 }, { personality: "nope" }]
    const later: ReadonlyArray<object> = [
      { sandboxPolicy: { type: "nope" } },
      { personality: "nope" },
      { personality: 3 },
      { summary: "nope" },
      { effort: "" },
      { effort: 3 },
      { collaborationMode: "plan" },
      inMode("nope"),
      inMode(3)
    ]
    for (const given of [...everywhere, ...atStart]) {
      yield* client.call("thread/start", given)
      yield* client.call("thread/resume", { threadId, ...given })
    }
    for (const given of [...everywhere, ...later]) {
      yield* client.call("turn/start", { ...say(threadId, "x"), ...given })
      yield* client.call("thread/settings/update", { threadId, ...given })
    }
    const permissions = ":workspace"
    for (const method of ["thread/start", "thread/resume"]) {
      yield* client.call(method, { threadId, permissions, sandbox: "workspace-write" })
    }
    for (const method of ["turn/start", "thread/settings/update"]) {
      const sandboxPolicy = { type: "dangerFullAccess" }
      yield* client.call(method, { ...say(threadId, "x"), permissions, sandboxPolicy })
    }
    yield* client.call("thread/start", { ...cautious, cwd: "below/here" })
    yield* client.call("thread/list", { sortKey: "nope" })
    yield* client.call("thread/list", { sortDirection: "nope" })
    yield* client.call("thread/turns/list", { threadId, itemsView: "nope" })
    yield* client.call("thread/goal/set", { threadId, objective: "x", status: "nope" })
    yield* client.call("thread/prediction/request", { threadId, sourceTurnId: nobody })
  }),
  refusals: Effect.fnUntraced(function*(side) {
    const { client } = side
    const threadId = yield* started(side)
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
})
