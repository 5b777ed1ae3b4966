/**
 * The command line of `codex app-server`, as whatever launches a `codex` writes it. Pure.
 *
 * Clients put codex's own flags before and after the subcommand, and a later client may add some. A flag that is not
 * known is noted and left out: it must not keep the server from starting. That is why this is no `effect/cli` command.
 */

/** What the command line says. Names and values are as written; nothing has been looked at. */
export interface AppServerArguments {
  /** `stdio://`, `unix://`, `unix://PATH`, `ws://IP:PORT`, `off`. */
  readonly listen: string
  /** The flags that have a meaning here, by name without dashes. */
  readonly options: Readonly<Record<string, string>>
  /** `-c key=value`, in order; also `--enable` and `--disable`, as the features they stand for. */
  readonly config: ReadonlyArray<string>
  /** Flags of codex that have no meaning here. */
  readonly ignored: ReadonlyArray<string>
  /** Flags that nobody knows. */
  readonly unknown: ReadonlyArray<string>
  /** The first flag with a meaning here that was there already, as itself or as another one; by names without dashes. */
  readonly clash: { readonly flag: string; readonly other: string } | undefined
}

export type Parsed =
  /** Another command than `app-server`, or none. */
  | { readonly _tag: "Other" }
  | { readonly _tag: "AppServer"; readonly arguments: AppServerArguments }
  /** `app-server` with a subcommand. */
  | { readonly _tag: "Subcommand"; readonly name: string; readonly rest: ReadonlyArray<string> }

/** Flags with a value that the bridge has a use for. */
const options = new Set([
  "agent-bin",
  "backend",
  "listen",
  "log-file",
  "log-level",
  "scenario",
  "ws-audience",
  "ws-auth",
  "ws-issuer",
  "ws-max-clock-skew-seconds",
  "ws-shared-secret-file",
  "ws-token-file",
  "ws-token-sha256"
])

/** Flags of codex with a value that the bridge has no use for. */
const ignoredWithValue = new Set([
  "add-dir",
  "cd",
  "cloud-skills-snapshot",
  "code-mode-host",
  "image",
  "local-provider",
  "model",
  "profile",
  "remote",
  "remote-auth-token-env",
  "sandbox",
  "ask-for-approval",
  "session-source",
  "startup-client-info"
])

/** Flags of codex without a value that the bridge has no use for. */
const ignoredSwitches = new Set([
  "analytics-default-enabled",
  "dangerously-bypass-approvals-and-sandbox",
  "full-auto",
  "managed-daemon",
  "no-alt-screen",
  "no-daemon",
  "oss",
  "search",
  "startup-sign-out",
  "strict-config"
])

const short: Readonly<Record<string, string>> = {
  C: "cd",
  a: "ask-for-approval",
  c: "config",
  i: "image",
  m: "model",
  p: "profile",
  s: "sandbox"
}

const isFlag = (word: string): boolean => /^--?[A-Za-z]/.test(word)

/** Splits `--name=value`, `--name`, `-cvalue`. */
const split = (word: string): { readonly name: string; readonly inline: string | undefined } => {
  if (!word.startsWith("--")) {
    const name = short[word.slice(1, 2)] ?? word.slice(1, 2)
    return { name, inline: word.length > 2 ? word.slice(2).replace(/^=/, "") : undefined }
  }
  const equals = word.indexOf("=")
  return equals < 0
    ? { name: word.slice(2), inline: undefined }
    : { name: word.slice(2, equals), inline: word.slice(equals + 1) }
}

export const parse = (words: ReadonlyArray<string>): Parsed => {
  const found: Record<string, string> = {}
  const config: Array<string> = []
  const ignored: Array<string> = []
  const unknown: Array<string> = []
  let command: string | undefined
  let clash: AppServerArguments["clash"]
  // Which flag has said it.
  const saidBy = new Map<string, string>()
  const say = (option: string, flag: string, value: string): void => {
    const other = saidBy.get(option)
    if (other !== undefined) clash ??= { flag, other }
    saidBy.set(option, flag)
    found[option] = value
  }
  for (let index = 0; index < words.length; index++) {
    const word = words[index] ?? ""
    if (!isFlag(word)) {
      if (command !== undefined) return { _tag: "Subcommand", name: word, rest: words.slice(index + 1) }
      command = word
      if (command !== "app-server") return { _tag: "Other" }
      continue
    }
    const { inline, name } = split(word)
    const value = (): string => inline ?? words[++index] ?? ""
    if (name === "stdio") say("listen", name, "stdio://")
    else if (name === "config") config.push(value())
    else if (name === "enable" || name === "disable") config.push(`features.${value()}=${name === "enable"}`)
    else if (options.has(name)) say(name, name, value())
    else if (ignoredWithValue.has(name)) {
      value()
      ignored.push(`--${name}`)
    } else if (ignoredSwitches.has(name)) ignored.push(`--${name}`)
    else {
      unknown.push(word)
      // Whether it takes a value nobody knows. A word that could be the command is not one.
      if (inline === undefined && command !== undefined && words[index + 1] !== undefined) {
        if (!isFlag(words[index + 1] ?? "")) index++
      }
    }
  }
  if (command === undefined) return { _tag: "Other" }
  const { listen = "stdio://", ...rest } = found
  return { _tag: "AppServer", arguments: { listen, options: rest, config, ignored, unknown, clash } }
}

/** Somebody who asks what there is would wait for a server on stdio in vain. */
export const asksForHelp = (parsed: Parsed): boolean =>
  parsed._tag === "AppServer" && parsed.arguments.unknown.some((flag) => flag === "--help" || flag === "-h")
