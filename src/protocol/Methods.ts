/**
 * Every method of the protocol, with what it takes and gives.
 *
 * Each message has a sender and a receiver. The sender encodes with the strict dialect, which refuses what the protocol
 * does not have; the receiver decodes with the open one, which takes unknown enum values, variants and members as data.
 * Requests of a client are read more closely: what this release does not know it cannot do. None of it changes the value: what comes back is the value that went in, checked.
 *
 * | | client side | server side |
 * |---|---|---|
 * | client request | `encodeClientParams`, `decodeClientResult` | `decodeClientRequest`, `encodeClientResult` |
 * | server request | `decodeServerRequest`, `encodeServerResult` | `encodeServerParams`, `decodeServerResult` |
 * | server notification | `decodeNotification` | `encodeNotification` |
 * | client notification | `encodeClientNotification` | `decodeClientNotification` |
 *
 * All of them fail with a `ProtocolError` whose reason is `UnknownMethod` or `Mismatch`. The checker of a method is
 * compiled when the method is first seen.
 */
import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import type * as SchemaAST from "effect/SchemaAST"
import type * as SchemaIssue from "effect/SchemaIssue"
import * as SchemaParser from "effect/SchemaParser"
import { guard, schema } from "./Definitions.ts"
import * as Experimental from "./generated/Experimental.ts"
import * as Table from "./generated/MethodTable.ts"
import type * as Open from "./generated/OpenTypes.ts"
import type * as Strict from "./generated/StrictTypes.ts"
import { type Dialect, type Plain, strictOptions } from "./internal/Dialect.ts"
import type { MethodShape } from "./internal/Shape.ts"
import { mismatch, ProtocolError, UnknownMethod } from "./ProtocolError.ts"

/** A message that was decoded, told apart by its method. */
type Decoded<Methods> = {
  readonly [M in keyof Methods]: Methods[M] extends { readonly params: infer Params }
    ? { readonly method: M; readonly params: Params }
    : never
}[keyof Methods]

/** A client request as a server reads it. */
export type ClientRequest = Decoded<Open.ClientRequests>
/** A server request as a client reads it. */
export type ServerRequest = Decoded<Open.ServerRequests>
/** A server notification as a client reads it. */
export type ServerNotification = Decoded<Open.ServerNotifications>
/** A client notification as a server reads it. */
export type ClientNotification = Decoded<Open.ClientNotifications>

type Kind = UnknownMethod["kind"]

const tables: Readonly<Record<Kind, Readonly<Record<string, MethodShape>>>> = {
  "client request": Table.clientRequests,
  "server request": Table.serverRequests,
  "server notification": Table.serverNotifications,
  "client notification": Table.clientNotifications
}

/** What is wrong with a value, or `undefined`. */
type Check = (value: unknown) => SchemaIssue.Issue | undefined

const schemaCheck = (schema: Plain, options?: SchemaAST.ParseOptions): Check => {
  const decode = SchemaParser.decodeUnknownResult(schema, options)
  return (value) => {
    const result = decode(value)
    return Result.isFailure(result) ? result.failure : undefined
  }
}

const noParams: Readonly<Record<Dialect, Plain>> = {
  open: Schema.NullishOr(Schema.Record(Schema.String, Schema.Unknown)),
  request: Schema.NullishOr(Schema.Record(Schema.String, Schema.Unknown)),
  strict: Schema.NullishOr(Schema.Never)
}

const schemaOf = (dialect: Dialect, part: "params" | "result", shape: MethodShape): Plain => {
  if (part === "result") return shape.result === undefined ? Schema.Void : schema(dialect, shape.result)
  if (shape.params === undefined) return noParams[dialect]
  const params = schema(dialect, shape.params)
  return shape.paramsOptional ? Schema.NullishOr(params) : params
}

const checkOf = (dialect: Dialect, part: "params" | "result", shape: MethodShape): Check => {
  if (dialect === "strict") return schemaCheck(schemaOf(dialect, part, shape), strictOptions)
  const name = shape[part]
  if (name === undefined) return schemaCheck(schemaOf(dialect, part, shape))
  const fits = guard(dialect, name)
  let check: Check | undefined
  return (value) => fits(value) ? undefined : (check ??= schemaCheck(schemaOf(dialect, part, shape)))(value)
}

type Checked = Result.Result<unknown, ProtocolError>

const makeChecker = (kind: Kind, dialect: Dialect, part: "params" | "result") => {
  const table = tables[kind]
  const checks = new Map<string, Check>()

  const compile = (method: string): Check | undefined => {
    const shape = Object.hasOwn(table, method) ? table[method] : undefined
    if (shape === undefined) return undefined
    const check = checkOf(dialect, part, shape)
    checks.set(method, check)
    return check
  }

  return (method: string, value: unknown): ProtocolError | undefined => {
    const check = checks.get(method) ?? compile(method)
    if (check === undefined) return new ProtocolError({ reason: new UnknownMethod({ kind, method }) })
    const issue = check(value)
    return issue === undefined ? undefined : mismatch(method, part, issue)
  }
}

/** For a value whose type the caller's own signature names; the check has just proved it. */
const makeValue = (kind: Kind, dialect: Dialect, part: "params" | "result") => {
  const check = makeChecker(kind, dialect, part)
  return (method: string, value: unknown): Checked => {
    const error = check(method, value)
    return error === undefined ? Result.succeed(value) : Result.fail(error)
  }
}

const makeMessage = (kind: Kind, dialect: Dialect = "open") => {
  const check = makeChecker(kind, dialect, "params")
  return (method: string, params: unknown): Checked => {
    const error = check(method, params)
    return error === undefined ? Result.succeed({ method, params }) : Result.fail(error)
  }
}

// The functions below are these, with the types that the generator wrote beside the shapes. The compiler cannot see that
// both come from one source, hence one cast for each.

/** Client side: checks the params of a request before it is sent. */
export const encodeClientParams = makeValue("client request", "strict", "params") as <
  M extends keyof Strict.ClientRequests
>(
  method: M,
  params: Strict.ClientRequests[M]["params"]
) => Result.Result<Strict.ClientRequests[M]["params"], ProtocolError>

/** Client side: reads the result of a request. */
export const decodeClientResult = makeValue("client request", "open", "result") as <
  M extends keyof Open.ClientRequests
>(method: M, result: unknown) => Result.Result<Open.ClientRequests[M]["result"], ProtocolError>

/** Client side: reads a notification. */
export const decodeNotification = makeMessage("server notification") as (
  method: string,
  params: unknown
) => Result.Result<ServerNotification, ProtocolError>

/** Client side: reads a request of the server. */
export const decodeServerRequest = makeMessage("server request") as (
  method: string,
  params: unknown
) => Result.Result<ServerRequest, ProtocolError>

/** Client side: checks the answer to a request of the server before it is sent. */
export const encodeServerResult = makeValue("server request", "strict", "result") as <
  M extends keyof Strict.ServerRequests
>(
  method: M,
  result: Strict.ServerRequests[M]["result"]
) => Result.Result<Strict.ServerRequests[M]["result"], ProtocolError>

/** Client side: checks a notification before it is sent. */
export const encodeClientNotification = makeValue("client notification", "strict", "params") as <
  M extends keyof Strict.ClientNotifications
>(
  method: M,
  params: Strict.ClientNotifications[M]["params"]
) => Result.Result<Strict.ClientNotifications[M]["params"], ProtocolError>

/** Server side: reads a request of a client. Integers out of range, unknown enum values and variants are refused. */
export const decodeClientRequest = makeMessage("client request", "request") as (
  method: string,
  params: unknown
) => Result.Result<ClientRequest, ProtocolError>

/** Server side: checks the answer to a request of a client before it is sent. */
export const encodeClientResult = makeValue("client request", "strict", "result") as <
  M extends keyof Strict.ClientRequests
>(
  method: M,
  result: Strict.ClientRequests[M]["result"]
) => Result.Result<Strict.ClientRequests[M]["result"], ProtocolError>

/** Server side: checks a notification before it is sent. */
export const encodeNotification = makeValue("server notification", "strict", "params") as <
  M extends keyof Strict.ServerNotifications
>(
  method: M,
  params: Strict.ServerNotifications[M]["params"]
) => Result.Result<Strict.ServerNotifications[M]["params"], ProtocolError>

/** Server side: checks the params of a request to the client before it is sent. */
export const encodeServerParams = makeValue("server request", "strict", "params") as <
  M extends keyof Strict.ServerRequests
>(
  method: M,
  params: Strict.ServerRequests[M]["params"]
) => Result.Result<Strict.ServerRequests[M]["params"], ProtocolError>

/** Server side: reads the client's answer to a request. */
export const decodeServerResult = makeValue("server request", "open", "result") as <
  M extends keyof Open.ServerRequests
>(method: M, result: unknown) => Result.Result<Open.ServerRequests[M]["result"], ProtocolError>

/** Server side: reads a notification of a client. */
export const decodeClientNotification = makeMessage("client notification") as (
  method: string,
  params: unknown
) => Result.Result<ClientNotification, ProtocolError>

/** The names of all methods by kind, e.g. for an error that lists them. */
export const methods = (kind: Kind): ReadonlyArray<string> => Object.keys(tables[kind])

/** Client requests that a server still answers and that no export names. Their params come as they were sent. */
export const legacyMethods = ["getConversationSummary", "gitDiffToRemote", "getAuthStatus"] as const

/** All client requests that a server answers, in the order in which it lists them when it refuses another one. */
export const answeredMethods = (): ReadonlyArray<string> =>
  methods("client request").flatMap((method) => method === "fuzzyFileSearch" ? [...legacyMethods, method] : [method])

/** Whether the protocol has such a client request. */
export const isClientMethod = (method: string): method is keyof Open.ClientRequests & string =>
  Object.hasOwn(Table.clientRequests, method)

/** Client requests that a server accepts only from a client that asked for `experimentalApi`. */
export const experimentalMethods: ReadonlySet<string> = Experimental.methods

/**
 * Per client request: the members of its params that need `experimentalApi`. A path goes through members by dots, and
 * into the elements of an array by `[]`; `:name` picks a variant or a value.
 */
export const experimentalFields: Readonly<Record<string, ReadonlyArray<string>>> = Experimental.fields

/**
 * What in a client request needs the `experimentalApi` capability, in the server's words: the method, or the first
 * member as `method.member`. `undefined` if nothing does. A member that is null counts as missing.
 */
export const experimentalUse = (method: string, params: unknown): string | undefined => {
  if (Experimental.methods.has(method)) return method
  const fields = Object.hasOwn(Experimental.fields, method) ? Experimental.fields[method] : undefined
  const path = fields?.find((path) => hasPath(params, path.match(/[^.[\]:]+|\[\]|:[^.[\]]+/g) ?? []))
  return path === undefined ? undefined : `${method}.${path}`
}

const hasPath = (value: unknown, [step, ...rest]: ReadonlyArray<string>): boolean => {
  if (value === undefined || value === null) return false
  if (step === undefined) return true
  if (step === "[]") return Array.isArray(value) && value.some((element) => hasPath(element, rest))
  if (step.startsWith(":")) {
    const name = step.slice(1)
    if (typeof value === "string") return value === name
    return Predicate.isObject(value) && (Object.hasOwn(value, name) || Object.values(value).includes(name)) &&
      hasPath(value, rest)
  }
  return Predicate.isObject(value) && Object.hasOwn(value, step) && hasPath(value[step], rest)
}
