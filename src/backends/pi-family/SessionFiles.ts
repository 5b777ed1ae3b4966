/**
 * The files that these agents keep their sessions in: where they are, whether they are whole, and who writes them.
 *
 * A session is a file `<time>_<id>.jsonl` somewhere below a directory. The agents lock nothing: two processes that go
 * on with the same session write into each other's lines. A lock beside the file, which names its process, keeps one
 * of them out. A process that was killed leaves its lock behind; whoever comes next sees that it is dead.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Option from "effect/Option"
import * as Path from "effect/Path"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import { AgentError, Rejected, SessionBusy, UnknownSession } from "../../agent/AgentError.ts"
import { ProcessIdentity, ProcessTable } from "../../transport/ProcessTable.ts"
import { endOfTurn, type Entry } from "./Extension.ts"
import { isRecord, type JsonRecord, parsed, textMember, textOf } from "./Reading.ts"

const Lock = Schema.fromJsonString(ProcessIdentity)
const decodeLock = Schema.decodeResult(Lock)
const encodeLock = Schema.encodeSync(Lock)

/** What the id of a session may be made of: nothing that leads elsewhere. */
const isId = (id: string): boolean => /^[\w-]+$/u.test(id)

/**
 * Finds a session's file. Fails with `UnknownSession` where there is none: it was moved or removed, or the agent ended
 * before it had anything to keep.
 */
export const find = Effect.fn("SessionFiles.find")(function*(backend: string, directory: string, sessionId: string) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const unknown = (detail: string) => new AgentError({ backend, reason: new UnknownSession({ sessionId, detail }) })
  if (!isId(sessionId)) return yield* unknown("this is no id of a session")
  const names = yield* fs.readDirectory(directory, { recursive: true }).pipe(
    Effect.catchReason("PlatformError", "NotFound", () => Effect.succeed<ReadonlyArray<string>>([])),
    Effect.mapError((error) => unknown(error.message))
  )
  const name = names.find((each) => each.endsWith(`_${sessionId}.jsonl`))
  if (name === undefined) return yield* unknown(`there is no file of it below ${directory}`)
  return path.join(directory, name)
})

/**
 * Looks whether a file holds the session. Agents begin a new session in place of one that they cannot read, so that
 * nothing would be left of it. Lines in its middle that cannot be read are left out by the agents; how many there are
 * is part of the result, as is the directory of the session.
 */
export const check = Effect.fn("SessionFiles.check")(function*(backend: string, file: string, sessionId: string) {
  const fs = yield* FileSystem.FileSystem
  const damaged = (detail: string) =>
    new AgentError({ backend, reason: new UnknownSession({ sessionId, detail: `${file} is damaged: ${detail}` }) })
  const content = yield* Effect.mapError(fs.readFileString(file), (error) => damaged(error.message))
  const entries = content.split("\n").filter((line) => line !== "").map(parsed)
  const header = entries.find((entry) => textMember(entry, "type") === "session")
  if (header === undefined) return yield* damaged("it does not say of which session it is")
  const found = textMember(header, "id")
  if (found !== sessionId) return yield* damaged(`it is of session ${found}`)
  const cwd = textMember(header, "cwd")
  return { cwd: cwd === "" ? undefined : cwd, unreadable: entries.filter((entry) => entry === undefined).length }
})

/**
 * Begins a new session that knows what another one knew at the end of one of its turns, and gives its file, beside the
 * other's. Fails with `UnknownSession` where the turn is not in what the other one goes on with.
 */
export const branch = Effect.fn("SessionFiles.branch")(function*(
  backend: string,
  source: { readonly file: string; readonly sessionId: string },
  turnId: string,
  id: string
) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const { file, sessionId } = source
  const failed = (error: { readonly message: string }) =>
    new AgentError({ backend, reason: new Rejected({ operation: `forking ${file}`, detail: error.message }) })
  const content = yield* Effect.mapError(fs.readFileString(file), failed)
  const records = content.split("\n").map(parsed).filter(isRecord)
  const end = endOfTurn(pathOf(records), turnId)
  if (end === undefined) {
    const detail = `turn ${turnId} is not in ${file}`
    return yield* new AgentError({ backend, reason: new UnknownSession({ sessionId, detail }) })
  }
  const kept = new Set(pathOf(records, end).map((entry) => entry.id))
  const timestamp = new Date(yield* Clock.currentTimeMillis).toISOString()
  const lines = records.flatMap((record) => {
    if (record["type"] === "session") return [{ ...record, id, timestamp, parentSession: file }]
    return typeof record["id"] !== "string" || kept.has(record["id"]) ? [record] : []
  })
  const target = path.join(path.dirname(file), `${timestamp.replaceAll(/[:.]/g, "-")}_${id}.jsonl`)
  const text = lines.map((line) => `${JSON.stringify(line)}\n`).join("")
  yield* Effect.mapError(fs.writeFileString(target, text, { flag: "wx", mode: 0o600 }), failed)
  return target
})

/** Has a session work elsewhere from now on: omp goes back to the directory that its file names. */
export const move = Effect.fn("SessionFiles.move")(function*(backend: string, file: string, cwd: string) {
  const fs = yield* FileSystem.FileSystem
  const moved = `${file}.moved`
  yield* Effect.gen(function*() {
    const lines = (yield* fs.readFileString(file)).split("\n")
    const at = lines.findIndex((line) => textMember(parsed(line), "type") === "session")
    const header = parsed(lines[at] ?? "")
    if (!isRecord(header)) return
    yield* fs.writeFileString(moved, lines.with(at, JSON.stringify({ ...header, cwd })).join("\n"), { mode: 0o600 })
    // As a whole or not at all.
    yield* fs.rename(moved, file)
  }).pipe(
    Effect.mapError((error) =>
      new AgentError({ backend, reason: new Rejected({ operation: `moving ${file}`, detail: error.message }) })
    )
  )
})

/** The entries from the first one to this one, or to where the session goes on. */
const pathOf = (records: ReadonlyArray<JsonRecord>, end?: string): ReadonlyArray<Entry> => {
  const entries = new Map<string, Entry & { readonly parentId: string | undefined }>()
  let last = end
  for (const record of records) {
    const { customType, data, id, parentId, type } = record
    if (typeof id !== "string" || typeof type !== "string" || type === "session") continue
    entries.set(id, {
      id,
      type,
      parentId: textOf(parentId),
      ...(typeof customType === "string" ? { customType, data } : {})
    })
    if (end === undefined) last = id
  }
  const found: Array<Entry> = []
  for (let entry = entries.get(last ?? ""); entry !== undefined; entry = entries.get(entry.parentId ?? "")) {
    found.unshift(entry)
    // A file that was tampered with may go round.
    entries.delete(entry.id)
  }
  return found
}

/** What this process holds, by the file. */
const held = new Map<string, symbol>()

export interface Lock {
  /** The agent that had the file is gone: another one in this process may take it. */
  readonly letGo: () => void
}

/** Keeps others from writing a session's file while the scope is open. Fails with `SessionBusy` where one does. */
export const lock = Effect.fn("SessionFiles.lock")(function*(
  backend: string,
  file: string,
  sessionId: string
): Effect.fn.Return<Lock, AgentError, FileSystem.FileSystem | ProcessTable | Scope.Scope> {
  const fs = yield* FileSystem.FileSystem
  const table = yield* ProcessTable
  const lockFile = `${file}.lock`
  const failed = (error: { readonly message: string }) =>
    new AgentError({ backend, reason: new Rejected({ operation: `locking ${file}`, detail: error.message }) })
  const busy = (detail: string) => new AgentError({ backend, reason: new SessionBusy({ sessionId, detail }) })

  const self = yield* Effect.mapError(table.identify(process.pid), failed)
  if (Option.isNone(self)) return yield* failed(new Error("this process is not in the process table"))
  if (held.has(file)) return yield* busy("another session of this process has it open")

  const mine = Symbol(file)
  const isMine = () => held.get(file) === mine
  const letGo = () => {
    if (isMine()) held.delete(file)
  }
  let isWritten = false
  held.set(file, mine)
  // The lock goes with the last one of this process that had it.
  yield* Effect.addFinalizer(() => {
    const isLast = isWritten && (isMine() || !held.has(file))
    letGo()
    return !isLast ? Effect.void : Effect.catch(
      fs.remove(lockFile, { force: true }),
      (error) => Effect.logWarning(`${lockFile} is left behind`, error)
    )
  })

  const write = fs.writeFileString(lockFile, encodeLock(self.value), { flag: "wx", mode: 0o600 }).pipe(
    Effect.as(true),
    Effect.catchReason("PlatformError", "AlreadyExists", () => Effect.succeed(false)),
    Effect.mapError(failed)
  )
  const take = Effect.gen(function*() {
    if (yield* write) return
    const found = yield* Effect.mapError(fs.readFileString(lockFile), () => busy(`${lockFile} is changing hands`))
    const holder = decodeLock(found)
    if (holder._tag === "Success" && isSame(holder.success, self.value)) return
    const isAlive = holder._tag === "Success" &&
      (yield* table.isAlive(holder.success).pipe(
        // Whoever could not be looked at may live.
        Effect.catch((error) =>
          Effect.as(Effect.logWarning("The holder of a lock could not be looked at", error), true)
        )
      ))
    if (isAlive) return yield* busy(`process ${holder.success.pid} has it open`)
    yield* Effect.logInfo(`${lockFile} is of a process that has ended`)
    yield* Effect.mapError(fs.remove(lockFile, { force: true }), failed)
    if (!(yield* write)) return yield* busy("another process was quicker")
  })
  yield* Effect.onError(take, () => Effect.sync(letGo))
  isWritten = true
  return { letGo }
})

const isSame = (one: ProcessIdentity, other: ProcessIdentity): boolean =>
  one.pid === other.pid && one.startTime === other.startTime

/** Whether a session is kept yet: agents write its file with the first answer of the model. */
export const exists = (file: string): Effect.Effect<boolean, never, FileSystem.FileSystem> =>
  Effect.flatMap(
    FileSystem.FileSystem,
    (fs) =>
      Effect.catch(fs.exists(file), (error) =>
        Effect.as(Effect.logWarning(`${file} could not be looked at`, error), false))
  )
