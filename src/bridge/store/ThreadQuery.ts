/**
 * What a client may ask the store for, page by page.
 */
import type * as Strict from "../../protocol/generated/StrictTypes.ts"
import type { SortKey } from "./Cursor.ts"
import type { ItemRecord, ThreadRecord, TurnRecord } from "./ThreadRecord.ts"

export type Direction = "asc" | "desc"

/** One page of a list. */
export interface Page<A> {
  readonly data: ReadonlyArray<A>
  /** Continues behind the last entry; `null` at the end of the list. */
  readonly nextCursor: string | null
  /** Begins with the first entry of this page in the other direction; `null` for an empty page. */
  readonly backwardsCursor: string | null
}

export interface PageOptions {
  readonly cursor?: string | null | undefined
  /** Entries a page, at least 1; brought down to what a page may have. */
  readonly limit?: number | null | undefined
  /**
   * What a page may come to in an answer, about. It ends earlier then, with one entry at least: that may be larger, a
   * turn up to four times; beyond that, or if it has too many items, it comes as its summary.
   */
  readonly bytes?: number | undefined
  readonly direction?: Direction | null | undefined
}

/**
 * Filters of the list of threads, all of which hold. One that is `undefined` or `null` filters nothing, where not said
 * otherwise. A value that nothing can match gives an empty page.
 */
export interface ThreadQuery extends PageOptions {
  /** Whether the archived threads are listed, or the others; `false` by default. */
  readonly archived?: boolean | null | undefined
  /** Exact directories; a slash at the end makes no other one. */
  readonly cwd?: string | ReadonlyArray<string> | null | undefined
  /**
   * Kinds of the protocol; `subAgent` stands for all of its kinds. Missing or empty: what a person started, i.e. `cli`,
   * `vscode` and custom sources; with `parentThreadId` or `ancestorThreadId`, all.
   */
  readonly sourceKinds?: ReadonlyArray<string> | null | undefined
  /** Empty: all. */
  readonly modelProviders?: ReadonlyArray<string> | null | undefined
  /** Empty: all. */
  readonly originators?: ReadonlyArray<string> | null | undefined
  /** Part of the name or the preview, whatever the case. */
  readonly searchTerm?: string | null | undefined
  readonly parentThreadId?: string | null | undefined
  /** Descendants at any depth; not the ancestor itself. Not together with `parentThreadId`. */
  readonly ancestorThreadId?: string | null | undefined
  /** `null`: threads that are in none. */
  readonly sectionId?: string | null | undefined
  readonly projectId?: string | null | undefined
  /** Side conversations of this thread. */
  readonly attachedToThreadId?: string | null | undefined
  /** Whether side conversations are listed among the others; without it they are found by `attachedToThreadId` alone. */
  readonly attached?: boolean | null | undefined
  /** Only these, at most 100; empty: none. */
  readonly includedThreadIds?: ReadonlyArray<string> | null | undefined
  /** At most 100. */
  readonly excludedThreadIds?: ReadonlyArray<string> | null | undefined
  /** `createdAt` by default; `sectionPosition` only with a section. */
  readonly sortKey?: SortKey | null | undefined
  /** `desc` by default, the newest first; in a section's own order `asc`, the uppermost first. */
  readonly direction?: Direction | null | undefined
}

/** `summary`: the first user message and the last agent message. */
export type ItemsView = Strict.TurnItemsView

export interface TurnQuery extends PageOptions {
  /** `desc` by default: the newest first. */
  readonly direction?: Direction | null | undefined
  /** `summary` by default. */
  readonly view?: ItemsView | null | undefined
}

/** A turn with as many of its items as were asked for. */
export interface TurnView {
  readonly turn: TurnRecord
  readonly view: ItemsView
  readonly items: ReadonlyArray<ItemRecord>
}

export interface ItemQuery extends Omit<PageOptions, "cursor"> {
  /** Only the items of this turn. The cursors are the same ones: one of the whole thread works for a turn, too. */
  readonly turnId?: string | null | undefined
  /** A cursor, or the item of `turnId` behind which the page begins. */
  readonly cursor?: string | { readonly itemId: string } | null | undefined
  /** `asc` by default: the oldest first. */
  readonly direction?: Direction | null | undefined
}

/** Where to start to read a history backwards, with direction `desc`. The first page has what the cursor names. */
export interface HistoryCursors {
  readonly turns: string | null
  readonly items: string | null
}

/** One entry of a history as a list. Positions grow along it, and none ever comes to mean something else. */
export type TimelineEntry =
  | { readonly _tag: "TurnStarted" | "TurnEnded"; readonly position: number; readonly turn: TurnRecord }
  | { readonly _tag: "Item"; readonly position: number; readonly item: ItemRecord }

/** Entries in the order of the history; the next page is the one before. */
export type TimelinePage = Pick<Page<TimelineEntry>, "data" | "nextCursor">

export type ThreadPage = Page<ThreadRecord>
export type TurnPage = Page<TurnView>
export type ItemPage = Page<ItemRecord>
