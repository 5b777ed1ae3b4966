/**
 * Records as rows, and back. Columns have the names of members; what is no text or number is JSON.
 */
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { type BridgeError, Internal, refuse } from "../../BridgeError.ts"
import { Piece } from "../ItemText.ts"
import { ItemRecord, ThreadRecord, TurnRecord } from "../ThreadRecord.ts"

const json = Schema.fromJsonString
const { fields: thread } = ThreadRecord

const ThreadRow = Schema.Struct({
  ...thread,
  settings: json(thread.settings),
  source: json(thread.source),
  ephemeral: Schema.BooleanFromBit,
  archived: Schema.BooleanFromBit,
  gitInfo: Schema.NullOr(json(thread.gitInfo.members[0])),
  goal: Schema.NullOr(json(thread.goal.members[0])),
  queue: json(thread.queue),
  backendRef: Schema.NullOr(json(thread.backendRef.members[0])),
  forkPoint: Schema.NullOr(json(thread.forkPoint.members[0])),
  untold: json(thread.untold),
  readState: Schema.NullOr(json(thread.readState.members[0])),
  section: Schema.NullOr(json(thread.section.members[0])),
  hasUserMessage: Schema.BooleanFromBit
})

const TurnRow = Schema.Struct({
  ...TurnRecord.fields,
  error: Schema.NullOr(json(TurnRecord.fields.error.members[0])),
  usage: Schema.NullOr(json(TurnRecord.fields.usage.members[0]))
})

const ItemRow = Schema.Struct({ ...ItemRecord.fields, item: json(ItemRecord.fields.item) })

/** What an item was given at a time. */
const TextRow = Schema.Struct({ item: Schema.Int, pieces: json(Schema.Array(Piece)) })

/** A section as it is stored, which is as it is shown. */
const SectionRow = Schema.Struct({
  id: Schema.String,
  name: Schema.String,
  appearance: Schema.NullOr(json(Schema.Struct({
    icon: Schema.NullOr(Schema.String),
    color: Schema.NullOr(Schema.String)
  })))
})

/** A project as it is stored; times are milliseconds. */
const ProjectRow = Schema.Struct({
  id: Schema.String,
  name: Schema.String,
  roots: json(Schema.Array(Schema.Struct({ path: Schema.String }))),
  metadata: json(Schema.Record(Schema.String, Schema.String)),
  position: Schema.Int,
  createdAt: Schema.Int,
  updatedAt: Schema.Int,
  recencyAt: Schema.NullOr(Schema.Int)
})

export type Row = Readonly<Record<string, unknown>>

/** A row of a list; what it lacks is an error of ours. */
export const text = (row: Row, column: string): string => {
  const value = row[column]
  if (typeof value !== "string") throw new Error(`No text in column ${column}`)
  return value
}

export const integer = (row: Row, column: string): number => {
  const value = row[column]
  if (typeof value !== "number") throw new Error(`No number in column ${column}`)
  return value
}

const unreadable = (what: string, cause: unknown): BridgeError =>
  refuse(new Internal({ message: `The stored ${what} cannot be read`, cause }))

const unwritable = (what: string, cause: unknown): BridgeError =>
  refuse(new Internal({ message: `The ${what} cannot be stored: it is none that the protocol has`, cause }))

const codec = <A extends Row, I extends Row>(schema: Schema.Codec<A, I>, name: (row: Row) => string) => {
  const decode = Schema.decodeUnknownResult(schema)
  const encode = Schema.encodeResult(schema)
  return {
    decode: (row: Row): Result.Result<A, BridgeError> =>
      Result.mapError(decode(row), (cause) => unreadable(name(row), cause)),
    encode: (record: A): Result.Result<I, BridgeError> =>
      Result.mapError(encode(record), (cause) => unwritable(name(record), cause)),
    /** One row that cannot be read does not take the others with it: it is left out, and logged. */
    decodeAll: Effect.fnUntraced(function*(rows: ReadonlyArray<Row>) {
      const records: Array<A> = []
      for (const row of rows) {
        const decoded = decode(row)
        if (Result.isSuccess(decoded)) records.push(decoded.success)
        else yield* Effect.logError(`The stored ${name(row)} cannot be read and is left out`)
      }
      return records
    })
  }
}

export const threads = codec(ThreadRow, (row) => `thread ${String(row["id"])}`)
export const turns = codec(TurnRow, (row) => `turn ${String(row["id"])} of thread ${String(row["threadId"])}`)
export const items = codec(ItemRow, (row) => `item ${String(row["id"])} of thread ${String(row["threadId"])}`)
export const texts = codec(TextRow, (row) => `text of item ${String(row["item"])}`)
export const sections = codec(SectionRow, (row) => `section ${String(row["id"])}`)
export const projects = codec(ProjectRow, (row) => `project ${String(row["id"])}`)
