/**
 * What the agent asks leave for, and what becomes of the answer: in the events, in the world and for the model.
 */
import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fs from "node:fs"
import * as Path from "node:path"
import {
  type AgentSession,
  type ApprovalDecision,
  type ApprovalRequest,
  TurnHostError,
  type TurnHostService
} from "../../src/agent/index.ts"
import { CodexBench } from "../support/CodexBench.ts"
import { completed, lastText } from "../support/conformanceKit.ts"
import * as ModelTurn from "../support/ModelTurn.ts"
import {
  assertUsable,
  cautious,
  eventsOf,
  lastRequest,
  layer as codex,
  open,
  realTime,
  requests,
  resolutions,
  run,
  script,
  toldOf,
  unsaid
} from "./kit.ts"

/** Answers every approval alike, and keeps what was asked. */
const deciding = (decision: ApprovalDecision) => {
  const asked: Array<ApprovalRequest> = []
  const host: Partial<TurnHostService> = {
    approve: (request) => Effect.sync(() => (asked.push(request), decision))
  }
  return { asked, host }
}

const command = (cmd: string, callId: string) =>
  ModelTurn.turn([ModelTurn.functionCall("exec_command", { cmd }, { callId })])

const patch = (callId: string, ...lines: ReadonlyArray<string>) =>
  ModelTurn.turn([ModelTurn.applyPatch(["*** Begin Patch", ...lines, "*** End Patch"].join("\n"), { callId })])

const file = Effect.fnUntraced(function*(name: string) {
  const { home } = yield* CodexBench
  const path = Path.join(home.work, name)
  return {
    path,
    exists: Effect.sync(() => Fs.existsSync(path)),
    text: Effect.sync(() => Fs.readFileSync(path, "utf8")),
    write: (text: string) => Effect.sync(() => Fs.writeFileSync(path, text))
  }
})

layer(codex(), realTime)("approvals", (it) => {
  it.effect("a command that is accepted runs, and the model gets its output", () =>
    Effect.gen(function*() {
      const session = yield* open(cautious)
      const made = yield* file("accepted")
      const { asked, host } = deciding("accept")
      const { events, outcome, turn } = yield* run(
        session,
        "Do it",
        [command("touch accepted && echo it is done", "cmd-1"), ModelTurn.text("Done")],
        host
      )
      assert.deepStrictEqual(outcome, { _tag: "Completed" })
      assert.isTrue(yield* made.exists)
      const [request] = asked
      assert(request?._tag === "Command")
      const { sessionId } = yield* session.ref
      assert.deepInclude(request, { itemId: "cmd-1", sessionId, turnId: turn.id, cwd: Path.dirname(made.path) })
      assert.include(request.command, "touch accepted")
      const [item] = completed(events, "CommandExecution")
      assert.deepInclude(item?.item, { id: "cmd-1", status: "completed", exitCode: 0, cwd: Path.dirname(made.path) })
      assert.include(item?.item.output, "it is done")
      assert.isFalse(item?.closed)
      assert.include(yield* toldOf(session, "cmd-1"), "it is done")
      // The item is known before anybody is asked about it, and the question is settled before the item.
      const order = events.flatMap((event) =>
        event._tag === "RequestOpened" || event._tag === "RequestResolved"
          ? [event._tag]
          : "item" in event && event.item.id === "cmd-1"
          ? [event._tag]
          : []
      )
      assert.deepStrictEqual(order, ["ItemStarted", "RequestOpened", "RequestResolved", "ItemCompleted"])
      assert.deepStrictEqual(eventsOf(events, "RequestOpened").map(({ itemId, kind }) => [kind, itemId]), [[
        "approval",
        "cmd-1"
      ]])
    }))

  it.effect("a command that fails is a failed item with its exit code, and no failed turn", () =>
    Effect.gen(function*() {
      const session = yield* open()
      const { events, outcome } = yield* run(session, "Fail", [
        command("echo oops >&2; exit 3", "cmd-fail"),
        ModelTurn.text("It failed")
      ])
      assert.deepInclude(completed(events, "CommandExecution")[0]?.item, { status: "failed", exitCode: 3 })
      assert.include(completed(events, "CommandExecution")[0]?.item.output, "oops")
      assert.deepStrictEqual(resolutions(events), [])
      assert.deepStrictEqual(outcome, { _tag: "Completed" })
    }))

  it.effect("accepted for the session, the same command is not asked about again, another one is", () =>
    Effect.gen(function*() {
      const session = yield* open(cautious)
      const { asked, host } = deciding("acceptForSession")
      for (const [callId, cmd] of [["s-1", "touch same"], ["s-2", "touch same"], ["s-3", "touch other"]] as const) {
        const { events } = yield* run(session, "Again", [command(cmd, callId), ModelTurn.text("ok")], host)
        assert.strictEqual(completed(events, "CommandExecution")[0]?.item.status, "completed")
      }
      assert.deepStrictEqual(asked.map((request) => request.itemId), ["s-1", "s-3"])
    }))

  it.effect("declined, the command does not run, the model is told, and the turn goes on", () =>
    Effect.gen(function*() {
      const session = yield* open(cautious)
      const { host } = deciding("decline")
      const made = yield* file("declined")
      const { events, outcome } = yield* run(
        session,
        "Do it",
        [command("touch declined", "cmd-2"), ModelTurn.text("A pity")],
        host
      )
      assert.isFalse(yield* made.exists)
      assert.strictEqual(completed(events, "CommandExecution")[0]?.item.status, "declined")
      assert.deepStrictEqual(resolutions(events), ["decline"])
      assert.strictEqual(lastText(events), "A pity")
      assert.deepStrictEqual(outcome, { _tag: "Completed" })
      assert.match((yield* toldOf(session, "cmd-2")) ?? "", /rejected/i)
    }))

  it.effect("cancelled, the command does not run, and the turn is interrupted, though nobody asked for that here", () =>
    Effect.gen(function*() {
      const session = yield* open(cautious)
      const { host } = deciding("cancel")
      const made = yield* file("cancelled")
      const { events, outcome } = yield* run(session, "Do it", [command("touch cancelled", "cmd-3")], host)
      assert.isFalse(yield* made.exists)
      assert.strictEqual(completed(events, "CommandExecution")[0]?.item.status, "declined")
      assert.deepStrictEqual(outcome, { _tag: "Interrupted", requested: false, confirmed: true })
      assert.strictEqual((yield* requests(session)).length, 1)
      yield* assertUsable(session)
    }))

  const broken: Readonly<Record<string, TurnHostService["approve"]>> = {
    "fails": () => Effect.fail(new TurnHostError({ message: "nobody is there" })),
    "dies": () => Effect.die(new Error("a bug of the host's"))
  }
  for (const [how, approve] of Object.entries(broken)) {
    it.effect(`a host that ${how} has declined, and its reason is no business of the model's`, () =>
      Effect.gen(function*() {
        const session = yield* open(cautious)
        const made = yield* file(`host-${how}`)
        const { events, outcome } = yield* run(
          session,
          "Do it",
          [command(`touch host-${how}`, `cmd-${how}`), ModelTurn.text("On we go")],
          { approve }
        )
        assert.isFalse(yield* made.exists)
        assert.deepStrictEqual(resolutions(events), ["failed"])
        assert.strictEqual(completed(events, "CommandExecution")[0]?.item.status, "declined")
        assert.deepStrictEqual(outcome, { _tag: "Completed" })
        const told = JSON.stringify((yield* lastRequest(session)).json)
        assert.notInclude(told, "nobody is there")
        assert.notInclude(told, "a bug of the host's")
      }))
  }

  it.effect("files are added, changed, moved and deleted once that is accepted, and the turn's diff shows it", () =>
    Effect.gen(function*() {
      const session = yield* open(cautious)
      const [old, away, doomed, fresh] = [
        yield* file("old.txt"),
        yield* file("away.txt"),
        yield* file("doomed.txt"),
        yield* file("fresh.txt")
      ]
      yield* old.write("one\ntwo\n")
      yield* doomed.write("doomed\n")
      const { asked, host } = deciding("accept")
      const { events, outcome } = yield* run(session, "Change things", [
        patch(
          "patch-1",
          "*** Add File: fresh.txt",
          "+fresh",
          "*** Update File: old.txt",
          "*** Move to: away.txt",
          "@@",
          " one",
          "-two",
          "+three",
          "*** Delete File: doomed.txt"
        ),
        ModelTurn.text("Changed")
      ], host)
      assert.deepStrictEqual(outcome, { _tag: "Completed" })
      assert.strictEqual(yield* fresh.text, "fresh\n")
      assert.strictEqual(yield* away.text, "one\nthree\n")
      assert.isFalse(yield* old.exists)
      assert.isFalse(yield* doomed.exists)
      // The question carries the changes, which codex sends with the item alone.
      const [request] = asked
      assert(request?._tag === "FileChange")
      const kinds = (changes: typeof request.changes) =>
        changes.map(({ kind, movedTo, path }) => [Path.basename(path), kind, movedTo && Path.basename(movedTo)])
          .toSorted()
      const wanted = [["doomed.txt", "delete", undefined], ["fresh.txt", "add", undefined], [
        "old.txt",
        "update",
        "away.txt"
      ]]
      assert.deepStrictEqual(kinds(request.changes), wanted)
      const [item] = completed(events, "FileChange")
      assert.strictEqual(item?.item.status, "completed")
      assert.deepStrictEqual(kinds(item?.item.changes ?? []), wanted)
      const diff = eventsOf(events, "DiffUpdated").at(-1)?.diff ?? ""
      for (const line of ["+fresh", "-two", "+three", "-doomed"]) assert.include(diff, line)
      assert.include(yield* toldOf(session, "patch-1"), "Success")
    }))

  for (const decision of ["decline", "cancel"] as const) {
    it.effect(`a file change that is answered by ${decision} leaves the files as they are`, () =>
      Effect.gen(function*() {
        const session = yield* open(cautious)
        const made = yield* file(`${decision}.txt`)
        const { host } = deciding(decision)
        yield* script(session, patch(`patch-${decision}`, `*** Add File: ${decision}.txt`, "+no"))
        const rest = decision === "decline" ? [ModelTurn.text("Then not")] : []
        const { events, outcome } = yield* run(session, "Change", rest, host)
        assert.isFalse(yield* made.exists)
        assert.deepStrictEqual(resolutions(events), [decision])
        const [item] = completed(events, "FileChange")
        assert.strictEqual(item?.item.status, decision === "decline" ? "declined" : "interrupted")
        // Codex itself never ends the item of a cancelled change.
        assert.strictEqual(item?.closed, decision === "cancel")
        assert.deepStrictEqual(eventsOf(events, "DiffUpdated"), [])
        if (decision === "decline") {
          assert.deepStrictEqual(outcome, { _tag: "Completed" })
          assert.match((yield* toldOf(session, "patch-decline")) ?? "", /rejected/i)
        } else {
          assert.deepStrictEqual(outcome, { _tag: "Interrupted", requested: false, confirmed: true })
          yield* assertUsable(session)
        }
      }))
  }

  const wanted = { network: { enabled: true } }
  const askForMore = (callId: string) =>
    ModelTurn.turn([
      ModelTurn.functionCall("request_permissions", { reason: "to look it up", permissions: wanted }, { callId })
    ])
  for (const [decision, granted] of [["accept", true], ["acceptForSession", true], ["decline", false]] as const) {
    it.effect(`more permissions are ${granted ? "granted as asked for" : "refused as none"} by ${decision}`, () =>
      Effect.gen(function*() {
        const session = yield* open({
          approvalPolicy: "on-request",
          sandbox: "workspace-write",
          config: { "features.request_permissions_tool": true }
        })
        const { asked, host } = deciding(decision)
        const callId = `more-${decision}`
        const { events } = yield* run(session, "More", [askForMore(callId), ModelTurn.text("ok")], host)
        const [request] = asked
        assert(request?._tag === "Permissions")
        assert.strictEqual(request.reason, "to look it up")
        assert.deepInclude(request.permissions, { network: { enabled: true } })
        assert.deepStrictEqual(resolutions(events), [decision])
        const told = (yield* toldOf(session, callId)) ?? ""
        assert.strictEqual(/"enabled":true/.test(told.replace(/\s/g, "")), granted, told)
        if (granted) assert.include(told, decision === "accept" ? "turn" : "session")
      }))
  }

  it.effect("settings of one turn end with it: the next one asks again", () =>
    Effect.gen(function*() {
      const session = yield* open(cautious)
      const free = {
        input: [{ _tag: "Text", text: "Freely" }],
        approvalPolicy: "never",
        sandbox: "danger-full-access"
      } as const
      const { asked, host } = deciding("decline")
      const first = yield* run(session, free, [command("touch freely", "free-1"), ModelTurn.text("ok")], host)
      assert.strictEqual(completed(first.events, "CommandExecution")[0]?.item.status, "completed")
      assert.strictEqual(asked.length, 0)
      const second = yield* run(
        session,
        "As before",
        [command("touch not-freely", "free-2"), ModelTurn.text("ok")],
        host
      )
      assert.strictEqual(completed(second.events, "CommandExecution")[0]?.item.status, "declined")
      assert.strictEqual(asked.length, 1)
    }))

  it.effect("settings of the session outlast a crash of the server", () =>
    Effect.gen(function*() {
      const bench = yield* CodexBench
      const session: AgentSession = yield* open({ ...cautious, config: { "tools.update_plan.enabled": true } })
      yield* assertUsable(session)
      yield* bench.crash
      const { asked, host } = deciding("decline")
      yield* run(session, "After", [command("touch after-the-crash", "crash-1"), ModelTurn.text("ok")], host)
      assert.strictEqual(asked.length, 1)
      const body = JSON.stringify((yield* lastRequest(session)).json)
      assert.include(body, `"name":"update_plan"`)
      assert.strictEqual(yield* unsaid(session), 0)
    }))
})
