/**
 * The command line cannot be run as it is; nothing was started.
 */
import * as Schema from "effect/Schema"

/** What is wrong with one flag or argument. */
export class UsageError extends Schema.TaggedError<UsageError>()("UsageError", {
  /** e.g. `--cwd`, `PROMPT`. */
  flag: Schema.String,
  detail: Schema.String
}) {
  override get message(): string {
    return `${this.flag}: ${this.detail}`
  }
}
