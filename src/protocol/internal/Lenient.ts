/**
 * Required members that the open dialect lets a peer leave out, by definition: older servers do not send them, and
 * nothing here depends on them. A required member that may be null is lenient everywhere.
 */
import type { Field } from "./Shape.ts"

const members: Readonly<Record<string, ReadonlyArray<string>>> = {
  InitializeResponse: ["codexHome", "platformFamily", "platformOs"],
  Thread: ["cliVersion", "ephemeral", "preview", "sessionId", "source"],
  ThreadForkResponse: ["approvalsReviewer"],
  ThreadResumeResponse: ["approvalsReviewer"],
  ThreadStartResponse: ["approvalsReviewer"]
}

/** Whether a peer may leave this member of a definition out although it is required. */
export const isLenient = (definition: string, name: string, field: Field): boolean =>
  !field.optional && (field.shape.type === "nullable" || (members[definition]?.includes(name) ?? false))
