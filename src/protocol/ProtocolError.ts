/**
 * Why a value does not fit the protocol. The errors name methods, members and expectations, never what a message held.
 */
import * as Schema from "effect/Schema"
import type * as SchemaIssue from "effect/SchemaIssue"
import { describeIssue, Problem } from "./internal/Problem.ts"

export { Problem }

/** The protocol has no such method. */
export class UnknownMethod extends Schema.TaggedError<UnknownMethod>()("UnknownMethod", {
  kind: Schema.Literals(["client request", "server request", "server notification", "client notification"]),
  method: Schema.String
}) {
  override get message(): string {
    return `The protocol has no ${this.kind} ${this.method}`
  }
}

/** The params or the result of a known method do not fit its schema. */
export class Mismatch extends Schema.TaggedError<Mismatch>()("Mismatch", {
  method: Schema.String,
  part: Schema.Literals(["params", "result"]),
  problems: Schema.NonEmptyArray(Problem)
}) {
  override get message(): string {
    const problems = this.problems.map(({ path, problem }) => path === "" ? problem : `${path}: ${problem}`)
    const verb = this.part === "params" ? "do" : "does"
    return `The ${this.part} of ${this.method} ${verb} not fit: ${problems.join("; ")}`
  }
}

/** A message that does not fit the protocol. */
export class ProtocolError extends Schema.TaggedError<ProtocolError>()("ProtocolError", {
  reason: Schema.Union([UnknownMethod, Mismatch])
}) {
  override get message(): string {
    return this.reason.message
  }
}

/** @internal */
export const mismatch = (method: string, part: Mismatch["part"], issue: SchemaIssue.Issue): ProtocolError =>
  new ProtocolError({ reason: new Mismatch({ method, part, problems: describeIssue(issue) }) })
