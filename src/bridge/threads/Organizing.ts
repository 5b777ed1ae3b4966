/**
 * Methods that put threads in order: sections, projects, and what is attached to threads.
 */
import * as Effect from "effect/Effect"
import * as ErrorCodes from "../../protocol/ErrorCodes.ts"
import type * as Strict from "../../protocol/generated/StrictTypes.ts"
import { type BridgeError, InvalidParams, InvalidRequest, refuse, ThreadNotLoaded, toRpc } from "../BridgeError.ts"
import { Clients } from "../Clients.ts"
import type { HandlersOf } from "../MethodTable.ts"
import * as ThreadId from "../store/ThreadId.ts"
import { ThreadStore } from "../store/ThreadStore.ts"
import { direction, oneOf } from "./Choices.ts"
import { Threads } from "./Threads.ts"

const projectSortKey = oneOf(["position", "recencyAt"])

export const emptyProject = "projectId must not be empty"

/** Refuses a project that there is none of, as methods of threads do. */
export const existing = (store: ThreadStore["Service"], projectId: string): Effect.Effect<void, BridgeError> => {
  if (projectId === "") return Effect.fail(refuse(new InvalidRequest({ message: emptyProject })))
  return Effect.asVoid(store.projects.read(projectId)).pipe(
    Effect.mapError((error) =>
      error.reason._tag === "InvalidParams"
        ? refuse(new InvalidRequest({ message: error.reason.message }))
        : error
    )
  )
}

/** As methods of attachments say it. */
const idOf = (threadId: string) =>
  Effect.mapError(
    Effect.fromResult(ThreadId.parse(threadId)),
    (error) => refuse(new InvalidParams({ message: toRpc(error).message }))
  )

export const handlers = Effect.gen(function*() {
  const clients = yield* Clients
  const { attachments, get, projects, sections } = yield* ThreadStore
  const threads = yield* Threads

  /** Threads that are loaded have to learn what was changed beside them. */
  const refresh = (threadIds: ReadonlyArray<string>) =>
    Effect.forEach(threadIds, (id) => threads.find(id)?.update({}) ?? Effect.void, { discard: true })

  const inProject = (threadIds: ReadonlyArray<string>, projectId: string | null) =>
    Effect.map(refresh(threadIds), () => {
      for (const threadId of threadIds) clients.notify("thread/project/updated", { threadId, projectId })
    })

  const attached = (
    threadId: string,
    { attachmentType, identityKey }: { readonly attachmentType: string; readonly identityKey: string },
    attachmentId: string,
    operation: "created" | "deleted"
  ) => clients.notify("thread/attachment/updated", { threadId, attachmentType, identityKey, attachmentId, operation })

  const changed = (projectId: string, changeType: Strict.ProjectChangeType) =>
    clients.notify("project/changed", { projectId, changeType })

  const made = (given: Parameters<typeof projects.create>[0]) =>
    Effect.uninterruptible(Effect.gen(function*() {
      const { isNew, project, threadIds } = yield* projects.create(given)
      if (isNew) changed(project.id, "created")
      yield* inProject(threadIds, project.id)
      return { project }
    }))

  const served: HandlersOf<"organizing"> = {
    "threadSection/list": (params) =>
      Effect.map(sections.list(params), ({ data, nextCursor }) => ({ data, nextCursor })),
    "threadSection/create": (params) => Effect.map(sections.create(params), (section) => ({ section })),
    "threadSection/update": Effect.fnUntraced(function*({ sectionId, ...change }) {
      const { section, threadIds } = yield* sections.update(sectionId, change)
      yield* refresh(threadIds)
      return { section }
    }, Effect.uninterruptible),
    "threadSection/delete": ({ sectionId }) =>
      Effect.uninterruptible(Effect.as(Effect.flatMap(sections.remove(sectionId), refresh), {})),
    "thread/section/move": Effect.fnUntraced(function*({ beforeThreadId, sectionId, threadId }, _c, call) {
      // Left out is not null: nobody loses a pin by it.
      if (sectionId === undefined) {
        return yield* refuse(new InvalidRequest({ message: ErrorCodes.missingField("sectionId").message }))
      }
      const id = yield* Effect.fromResult(ThreadId.parse(threadId))
      const before = beforeThreadId == null ? null : yield* Effect.fromResult(ThreadId.parse(beforeThreadId))
      const record = yield* Effect.mapError(
        get(id),
        (error) => error.reason._tag === "NoSuchThread" ? refuse(new ThreadNotLoaded({ threadId: id })) : error
      )
      if (record.ephemeral) {
        const message = `ephemeral thread does not support section moves: ${id}`
        return yield* refuse(new InvalidRequest({ message }))
      }
      yield* sections.move(id, sectionId, before)
      yield* refresh([id])
      call.afterAnswer(() => clients.notify("thread/section/changed", { threadId: id, sectionId }))
      return {}
    }, Effect.uninterruptible),

    "project/list": Effect.fnUntraced(function*({ cursor, limit, sortDirection, sortKey }) {
      const { data, nextCursor } = yield* projects.list({
        cursor,
        limit,
        sortKey: yield* projectSortKey(sortKey),
        direction: yield* direction(sortDirection)
      })
      return { data, nextCursor }
    }),
    "project/read": ({ projectId }) => Effect.map(projects.read(projectId), (project) => ({ project })),
    "project/create": (params) => made(params),
    "project/import": (params) => made(params),
    "project/update": Effect.fnUntraced(function*({ projectId, ...change }) {
      const { changed: isChanged, project } = yield* projects.update(projectId, change)
      if (isChanged) changed(projectId, "updated")
      return { project }
    }),
    "project/delete": Effect.fnUntraced(function*({ projectId }) {
      const threadIds = yield* projects.remove(projectId)
      changed(projectId, "deleted")
      yield* inProject(threadIds, null)
      return {}
    }, Effect.uninterruptible),
    "project/move": Effect.fnUntraced(function*({ beforeProjectId, projectId }) {
      yield* projects.move(projectId, beforeProjectId ?? null)
      changed(projectId, "updated")
      return {}
    }),

    "thread/attachment/add": Effect.fnUntraced(function*({ payload, threadId, ...key }, _connection, call) {
      const id = yield* idOf(threadId)
      const added = yield* attachments.add(id, key, payload)
      if (added.outcome === "created") {
        call.afterAnswer(() => attached(id, key, added.attachment.id, "created"))
      }
      return added
    }),
    "thread/attachment/remove": Effect.fnUntraced(function*({ threadId, ...key }, _connection, call) {
      const id = yield* idOf(threadId)
      const attachmentId = yield* attachments.remove(id, key)
      if (attachmentId !== undefined) {
        call.afterAnswer(() => attached(id, key, attachmentId, "deleted"))
      }
      return {}
    }),
    "thread/attachment/list": Effect.fnUntraced(function*({ threadId, ...page }) {
      const { data, nextCursor } = yield* attachments.list(yield* idOf(threadId), page)
      return { data, nextCursor }
    }),
    "thread/attachmentOwner/list": Effect.fnUntraced(function*({ archived, cursor, limit, ...key }) {
      const { data, nextCursor } = yield* attachments.owners(key, archived ?? null, { cursor, limit })
      return { data, nextCursor }
    })
  }
  return served
})
