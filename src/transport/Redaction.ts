/**
 * Keeps secrets out of logs, stderr tails and recordings.
 *
 * Works on shapes, not on knowledge of the secrets: well-known key formats, and
 * values that stand behind a name such as `api_key` or `authorization`. It is
 * the last line of defence, no licence to log credentials. All functions are
 * pure, linear in the length of their input, and change nothing when applied
 * to their own output.
 */
import { unprintable } from "./internal/terminal.ts"

/** What stands in the place of a secret. */
export const placeholder = "[redacted]"

/** Removes escape sequences (CSI, OSC and the others), control and invisible characters; keeps tab, LF and CR. */
export const stripAnsi = (text: string): string => text.replace(unprintable, "")

const names = String
  .raw`(?:api|access|secret|private|auth|encryption)[_-]?key|token|secret|password|passwd|passphrase|authorization|cookie|credentials?`

const namePattern = new RegExp(String.raw`(?:${names})$`, "i")

/** Whether a field or environment variable of that name holds a secret, e.g. `apiKey`, `OPENAI_API_KEY`, `authorization`. */
export const isSecretName = (name: string): boolean => namePattern.test(name)

const pemKey = /(-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----)[\s\S]*?(-----END|$)/g

// name, separator, value: `"api_key": "…"`, `\"token\":\"…\"`, `SECRET=…`, `authorization: Bearer …`.
const assignment = new RegExp(
  String.raw`(${names})(\\*["']?\s{0,8}(?:=>|[:=])\s{0,8})` +
    String.raw`(?!\[redacted\]|\\*["']\[redacted\]|(?:null|true|false|undefined)\b)` +
    String
      .raw`(?:(")(?:[^"\\\n]|\\.)+|(')[^'\n]+|(\\+")[^"\\\n]+|(?:(?:Bearer|Basic|Digest|Token)\s{1,8})?[^\s"'\\,;&{}[\]()<>|][^\s"'\\,;&{}<>|]*)`,
  "gi"
)

const commandFlag = new RegExp(
  String.raw`(--[\w-]{0,40}?(?:${names})\s{1,8})(?!\[redacted\])["']?[^\s"'\\-][^\s"'\\]*`,
  "gi"
)

const scheme = /\b(Bearer|Basic)(\s{1,8})(?=[^\s"']{0,512}?[\d+/=._~-])[A-Za-z0-9._~+/=-]{12,}/gi

const jsonWebToken = /\beyJ[A-Za-z0-9_-]{4,1024}\.[A-Za-z0-9_-]{8,8192}(?:\.[A-Za-z0-9_-]{0,4096})?/g

const knownKey =
  /\b(sk-|pk-|rk-|sess-|gh[opsru]_|github_pat_|glpat-|xox[abeprs]-|AKIA|AIza|hf_|npm_)[A-Za-z0-9_-]{12,}/g

const urlCredentials = /:\/\/[^\s/?#@"'<>\\]{1,512}@/g

/**
 * Replaces what looks like a secret, and leaves the text around it readable.
 *
 * Covers provider keys (`sk-…` and the like), JSON web tokens, bearer and basic
 * credentials, private key blocks, credentials in URLs, and values of fields,
 * command line flags and environment variables with a telling name.
 */
export const redact = (text: string): string =>
  text
    .replace(pemKey, `$1${placeholder}$2`)
    .replace(
      assignment,
      (_, name: string, separator: string, double = "", single = "", escaped = "") =>
        `${name}${separator}${double}${single}${escaped}${placeholder}`
    )
    .replace(commandFlag, `$1${placeholder}`)
    .replace(jsonWebToken, placeholder)
    .replace(scheme, `$1$2${placeholder}`)
    .replace(knownKey, `$1${placeholder}`)
    .replace(urlCredentials, `://${placeholder}@`)

/** A JSON value, as `JSON.parse` returns it. */
export type Json = null | boolean | number | string | ReadonlyArray<Json> | { readonly [key: string]: Json }

// Deeper values are cut: nothing a peer sends may overflow the stack of the recorder.
const depthLimit = 128

const redactAt = (value: Json, secret: boolean, depth: number): Json => {
  if (typeof value === "string") return secret && value !== "" ? placeholder : redact(value)
  if (typeof value === "number") return secret ? placeholder : value
  if (typeof value !== "object" || value === null) return value
  if (depth >= depthLimit) return placeholder
  if (Array.isArray(value)) return value.map((item: Json) => redactAt(item, secret, depth + 1))
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => [name, redactAt(field, secret || isSecretName(name), depth + 1)])
  )
}

/**
 * The same for a JSON value: strings and numbers below a telling field name are
 * replaced, every other string goes through {@link redact}. Booleans and null
 * stay. Nesting beyond 128 levels is replaced as a whole.
 */
export const redactJson = (value: Json): Json => redactAt(value, false, 0)
