/**
 * `fuzzyFileSearch`, once or in sessions that keep the list of files while somebody types.
 */
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as FileSystem from "effect/FileSystem"
import * as Path from "effect/Path"
import * as Queue from "effect/Queue"
import * as Scope from "effect/Scope"
import type * as Open from "../../protocol/generated/OpenTypes.ts"
import type * as Strict from "../../protocol/generated/StrictTypes.ts"
import { type BridgeError, Internal, refuse } from "../BridgeError.ts"
import type { ClientConnection, Handlers } from "../ClientConnection.ts"
import * as FileWalk from "./FileWalk.ts"
import * as FuzzyMatch from "./FuzzyMatch.ts"
import * as PerConnection from "./internal/PerConnection.ts"
import { invalid } from "./internal/Refusals.ts"
import type { WorkspaceAccess } from "./WorkspaceAccess.ts"

/** Files that an answer has at most. */
export const maxResults = 50

/** Sessions that one connection may have. */
export const maxSessions = 32

/** While files are still being listed, results are told at most this often. */
const updateInterval = "100 millis"

/** Entries that are ranked before others get their turn. */
const slice = 500

interface Entry extends FuzzyMatch.Entry {
  /** As the client gave it. */
  readonly root: string
}

interface Session {
  readonly id: string
  readonly scope: Scope.Closeable
  readonly entries: Array<Entry>
  readonly changed: Queue.Queue<void>
  query: string
  listed: boolean
}

interface State {
  readonly sessions: Map<string, Session>
  /** Running searches that a newer one with the same token takes the place of. */
  readonly cancellable: Map<string, Deferred.Deferred<void>>
}

const resultOf = ({ entry, indices, score }: FuzzyMatch.Ranked<Entry>): Strict.FuzzyFileSearchResult => ({
  root: entry.root,
  path: entry.path,
  match_type: entry.matchType,
  file_name: entry.path.slice(entry.path.lastIndexOf("/") + 1),
  score,
  indices
})

/** The best of the entries, or `undefined` when nobody wants them any more. */
const rank = Effect.fnUntraced(function*(
  text: string,
  entries: ReadonlyArray<Entry>,
  isWanted: () => boolean = () => true
) {
  const ranking = FuzzyMatch.ranking<Entry>(FuzzyMatch.query(text), maxResults)
  for (let start = 0; start < entries.length; start += slice) {
    ranking.add(entries.slice(start, start + slice))
    yield* Effect.yieldNow
    if (!isWanted()) return undefined
  }
  return ranking.best().map(resultOf)
})

/** Tells what is found, for each query and while the list grows. */
const report = (session: Session, connection: ClientConnection) =>
  Effect.gen(function*() {
    yield* Queue.take(session.changed)
    const { listed, query } = session
    if (!listed && query.trim() === "") return
    // When somebody types on, the next round tells.
    const files = yield* rank(query, session.entries, () => session.query === query)
    if (files === undefined) return
    // That nothing was found is no news before all was looked at.
    if (!listed && files.length === 0) return
    connection.notify("fuzzyFileSearch/sessionUpdated", { sessionId: session.id, query, files })
    if (listed) connection.notify("fuzzyFileSearch/sessionCompleted", { sessionId: session.id })
    else yield* Effect.sleep(updateInterval)
  }).pipe(Effect.forever)

const close = (sessions: Map<string, Session>, id: string) =>
  Effect.suspend(() => {
    const session = sessions.get(id)
    if (session === undefined) return Effect.void
    sessions.delete(id)
    return Scope.close(session.scope, Exit.void)
  })

export const make = Effect.fn("FileSearch.make")(function*(
  access: WorkspaceAccess
): Effect.fn.Return<Handlers, never, FileSystem.FileSystem | Path.Path | Scope.Scope> {
  const fs = yield* FileSystem.FileSystem
  const paths = yield* Path.Path
  const connections = yield* PerConnection.make((): State => ({ sessions: new Map(), cancellable: new Map() }))

  const mayFollow = (path: string) =>
    access.confined
      ? Effect.match(access.path(path), { onFailure: () => false, onSuccess: () => true })
      : Effect.succeed(true)

  /** Lists what is below the roots. A root that does not exist has nothing. */
  const list = Effect.fnUntraced(function*(
    roots: ReadonlyArray<string>,
    onEntries: (entries: ReadonlyArray<Entry>) => void
  ): Effect.fn.Return<void, BridgeError> {
    const given = new Map<string, string>()
    for (const root of roots) {
      const path = yield* access.directory(root)
      if (!given.has(path)) given.set(path, root)
    }
    for (const [path, root] of given) {
      yield* FileWalk.walk({
        root: path,
        // What is below two roots belongs to the inner one.
        except: new Set(Array.from(given.keys()).filter((other) => other !== path)),
        mayFollow,
        onEntries: (entries) => onEntries(entries.map((entry) => ({ ...entry, root })))
      }).pipe(Effect.provideService(FileSystem.FileSystem, fs), Effect.provideService(Path.Path, paths))
    }
  })

  const searchOnce = Effect.fnUntraced(function*({ query, roots }: Open.FuzzyFileSearchParams) {
    if (query.trim() === "") return { files: [] }
    const entries: Array<Entry> = []
    yield* list(roots, (found) => {
      for (const entry of found) entries.push(entry)
    })
    return { files: (yield* rank(query, entries)) ?? [] }
  })

  return {
    "fuzzyFileSearch": Effect.fn("FileSearch.search")(function*(params, connection) {
      const token = params.cancellationToken
      if (token === undefined || token === null) return yield* searchOnce(params)
      const { value: { cancellable } } = yield* connections.of(connection)
      const cancelled = yield* Deferred.make<void>()
      const previous = cancellable.get(token)
      cancellable.set(token, cancelled)
      if (previous !== undefined) yield* Deferred.succeed(previous, undefined)
      return yield* Effect.raceFirst(searchOnce(params), Effect.as(Deferred.await(cancelled), { files: [] })).pipe(
        Effect.ensuring(Effect.sync(() => {
          if (cancellable.get(token) === cancelled) cancellable.delete(token)
        }))
      )
    }),

    "fuzzyFileSearch/sessionStart": Effect.fn("FileSearch.start")(function*({ roots, sessionId }, connection) {
      if (sessionId === "") return yield* invalid("sessionId must not be empty")
      if (roots.length === 0) {
        return yield* refuse(
          new Internal({
            message: "failed to start fuzzy file search session: at least one search directory is required"
          })
        )
      }
      for (const root of roots) yield* access.directory(root)
      const { scope: outer, value: { sessions } } = yield* connections.of(connection)
      yield* close(sessions, sessionId)
      if (sessions.size >= maxSessions) {
        return yield* invalid(`too many fuzzy file search sessions: limit is ${maxSessions} a connection`)
      }
      const changed = yield* Queue.sliding<void>(1)
      const session: Session = {
        id: sessionId,
        scope: yield* Scope.fork(outer),
        entries: [],
        changed,
        query: "",
        listed: false
      }
      sessions.set(sessionId, session)
      yield* Effect.forkIn(report(session, connection), session.scope)
      yield* list(roots, (found) => {
        for (const entry of found) session.entries.push(entry)
        Queue.offerUnsafe(changed, undefined)
      }).pipe(
        Effect.ensuring(Effect.sync(() => {
          session.listed = true
          Queue.offerUnsafe(changed, undefined)
        })),
        Effect.catch((error) => Effect.logWarning(`cannot list files for a search: ${error.message}`)),
        Effect.forkIn(session.scope)
      )
      return {}
    }),

    "fuzzyFileSearch/sessionUpdate": Effect.fn("FileSearch.update")(function*({ query, sessionId }, connection) {
      const { value: { sessions } } = yield* connections.of(connection)
      const session = sessions.get(sessionId)
      if (session === undefined) return yield* invalid(`fuzzy file search session not found: ${sessionId}`)
      session.query = query
      Queue.offerUnsafe(session.changed, undefined)
      return {}
    }),

    "fuzzyFileSearch/sessionStop": Effect.fn("FileSearch.stop")(function*({ sessionId }, connection) {
      const { value: { sessions } } = yield* connections.of(connection)
      yield* close(sessions, sessionId)
      return {}
    })
  }
})
