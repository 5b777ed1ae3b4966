/** What clients set, beside the real server: what is shown of it, and what the model is told. */
import { assert } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { mkdir } from "node:fs/promises"
import * as ModelTurn from "../../support/ModelTurn.ts"
import { compare, say, type Side, started } from "./sideBySide.ts"

const policy = {
  type: "workspaceWrite",
  writableRoots: ["/srv/own"],
  networkAccess: true,
  excludeTmpdirEnvVar: true,
  excludeSlashTmp: true
}

const allowed = {
  "sandbox_workspace_write.writable_roots": ["/srv/conf"],
  "sandbox_workspace_write.network_access": true
}

/** A turn with settings. */
const turn = Effect.fnUntraced(function*(side: Side, threadId: string, settings: object = {}) {
  yield* side.model.push(ModelTurn.text("Yes"))
  const { turn } = yield* side.client.ask("turn/start", { ...say(threadId, "hello"), ...settings })
  yield* side.client.told("turn/completed", (end) => end.turn.id === turn.id)
})

/** Changes settings, and waits until that was told. */
const change = Effect.fnUntraced(function*(side: Side, threadId: string, settings: object) {
  const { length } = side.client.allTold("thread/settings/updated")
  yield* side.client.call("thread/settings/update", { threadId, ...settings })
  yield* side.client.first(() => side.client.allTold("thread/settings/updated").length > length)
})

const sandboxes: ReadonlyArray<object> = [
  { type: "workspaceWrite" },
  policy,
  { type: "readOnly", networkAccess: true },
  { type: "readOnly" },
  { type: "externalSandbox", networkAccess: "enabled" },
  { type: "externalSandbox" },
  { type: "dangerFullAccess" }
]

compare("what clients set beside the real server", {
  "a sandbox with a turn": {
    asksModel: true,
    script: Effect.fnUntraced(function*(side) {
      const threadId = yield* started(side, { sandbox: "read-only" })
      for (const sandboxPolicy of sandboxes) yield* turn(side, threadId, { sandboxPolicy })
      yield* turn(side, threadId)
    })
  },
  "a sandbox, beside what is configured": {
    asksModel: true,
    settings: allowed,
    script: Effect.fnUntraced(function*(side) {
      const threadId = yield* started(side, { sandbox: "workspace-write" })
      yield* turn(side, threadId)
      yield* change(side, threadId, { sandboxPolicy: policy })
      yield* turn(side, threadId)
      yield* turn(side, threadId, { permissions: ":workspace" })
      yield* turn(side, threadId, { sandboxPolicy: { type: "readOnly", networkAccess: true } })
    })
  },
  "permissions by name, beside what is configured": {
    asksModel: true,
    settings: allowed,
    script: Effect.fnUntraced(function*(side) {
      const { client, home } = side
      const { thread } = yield* client.ask("thread/start", {
        cwd: home.work,
        model: "gpt-5.5",
        approvalPolicy: "never",
        permissions: ":workspace"
      })
      yield* turn(side, thread.id)
      yield* turn(side, thread.id, { sandboxPolicy: policy })
      yield* turn(side, thread.id, { permissions: ":read-only" })
      yield* client.call("thread/fork", { threadId: thread.id, excludeTurns: true })
      yield* client.call("thread/fork", { threadId: thread.id, excludeTurns: true, permissions: ":workspace" })
      yield* client.call("thread/fork", { threadId: thread.id, excludeTurns: true, sandbox: "workspace-write" })
    })
  },
  "roots of the workspace": {
    asksModel: true,
    settings: allowed,
    script: Effect.fnUntraced(function*(side) {
      const { client, home } = side
      const runtimeWorkspaceRoots = [home.work, "/srv/root"]
      const threadId = yield* started(side, { sandbox: "workspace-write", runtimeWorkspaceRoots })
      yield* turn(side, threadId)
      yield* turn(side, threadId, { sandboxPolicy: { ...policy, writableRoots: ["/srv/root", "/srv/own", home.work] } })
      yield* change(side, threadId, { cwd: `${home.work}/below` })
      yield* client.call("thread/fork", { threadId, excludeTurns: true, sandbox: "workspace-write" })
    })
  },
  "another directory": {
    asksModel: true,
    script: Effect.fnUntraced(function*(side) {
      const threadId = yield* started(side, { sandbox: "workspace-write" })
      yield* turn(side, threadId)
      const cwd = `${side.home.work}/sub`
      yield* Effect.promise(() => mkdir(cwd))
      yield* turn(side, threadId, { cwd })
      yield* turn(side, threadId)
      yield* change(side, threadId, { cwd: side.home.work })
      yield* turn(side, threadId)
    })
  },
  "how to reason": {
    asksModel: true,
    script: Effect.fnUntraced(function*(side) {
      const threadId = yield* started(side)
      yield* turn(side, threadId)
      yield* turn(side, threadId, { summary: "concise", personality: "friendly" })
      yield* turn(side, threadId)
      yield* change(side, threadId, { summary: "none", personality: "pragmatic" })
      yield* turn(side, threadId)
      yield* turn(side, threadId, { summary: "auto" })
      const asked = (yield* side.model.requests).map(({ json }) => JSON.stringify(json))
      // As configured, with the turn, still so, without any, and as the model likes.
      for (const [at, told] of ["\"detailed\"", "\"concise\"", "\"concise\"", "", "\"auto\""].entries()) {
        const summary = /"reasoning":\{[^}]*?"summary":("[a-z]*")/u.exec(asked[at] ?? "")?.[1] ?? ""
        assert.strictEqual(summary, told)
      }
    })
  }
})
