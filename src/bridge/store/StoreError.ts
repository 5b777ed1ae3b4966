/**
 * Why the store of threads could not be opened. What goes wrong later, with one request, is a `BridgeError`.
 */
import * as Schema from "effect/Schema"

/** The file is there and is no intact database. */
export class Corrupt extends Schema.TaggedError<Corrupt>()("Corrupt", {
  path: Schema.String,
  cause: Schema.Defect()
}) {
  override get message(): string {
    return `The thread store ${this.path} is damaged or is no database. Move it away to start with an empty one`
  }
}

/** A later version of this program has changed the layout of the file. */
export class NewerSchema extends Schema.TaggedError<NewerSchema>()("NewerSchema", {
  path: Schema.String,
  /** Number of the last migration that the file has been through. */
  found: Schema.Int,
  /** Number of the last one that this program knows. */
  known: Schema.Int
}) {
  override get message(): string {
    return `The thread store ${this.path} was written by a later version: its layout is number ${this.found}, this ` +
      `program knows up to number ${this.known}`
  }
}

/** The file could not be opened, prepared or brought to the present layout. */
export class NotOpened extends Schema.TaggedError<NotOpened>()("NotOpened", {
  path: Schema.String,
  /** `prepare` the directory and the file, `open` the database, `migrate` its layout, `identify` this process. */
  step: Schema.Literals(["prepare", "open", "migrate", "identify"]),
  detail: Schema.String,
  cause: Schema.Defect()
}) {
  override get message(): string {
    return `Could not open the thread store ${this.path} (${this.step}): ${this.detail}`
  }
}

/** The store could not be opened; its `reason` says why, and names the file. */
export class StoreError extends Schema.TaggedError<StoreError>()("StoreError", {
  reason: Schema.Union([Corrupt, NewerSchema, NotOpened])
}) {
  override get message(): string {
    return this.reason.message
  }
}
