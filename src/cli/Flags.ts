/**
 * A command line as data: which flags a command has, and what a list of arguments says.
 *
 * Pure, and without a dependency: `--help` and a typing error are answered before anything else is loaded.
 */

interface Described {
  readonly help: string
  /** One letter. */
  readonly short?: string | undefined
}

/** On or off. */
export interface Toggle extends Described {
  readonly _tag: "Toggle"
}

/** One value; the last one counts. */
export interface One<A extends string = string> extends Described {
  readonly _tag: "One"
  /** Stands for the value in the help. */
  readonly placeholder: string
  readonly choices?: ReadonlyArray<A> | undefined
  /** Choices that are known by name, and that this version does not have yet. */
  readonly planned?: ReadonlyArray<string> | undefined
}

/** A value each time that it is given. */
export interface Many extends Described {
  readonly _tag: "Many"
  readonly placeholder: string
}

export type Flag = Toggle | One | Many

export const toggle = (help: string): Toggle => ({ _tag: "Toggle", help })

export const one = (placeholder: string, help: string): One => ({ _tag: "One", placeholder, help })

export const choice = <const A extends string>(
  choices: ReadonlyArray<A>,
  help: string,
  planned: ReadonlyArray<string> = []
): One<A> => ({ _tag: "One", placeholder: choices.join("|"), help, choices, planned })

export const many = (placeholder: string, help: string, short?: string): Many => ({
  _tag: "Many",
  placeholder,
  help,
  short
})

/** Flags by name, without the dashes. */
export type Flags = Readonly<Record<string, Flag>>

/** What the flags say. */
export type Values<F extends Flags> = {
  readonly [K in keyof F]: F[K] extends Toggle ? boolean
    : F[K] extends One<infer A> ? A | undefined
    : ReadonlyArray<string>
}

/** What a command takes. */
export interface Shape<F extends Flags> {
  readonly flags: F
  /** The one argument, where there is one. It is required. */
  readonly argument?: { readonly name: string; readonly help: string } | undefined
}

export type Parsed<F extends Flags> =
  | { readonly _tag: "Values"; readonly values: Values<F>; readonly argument: string }
  | { readonly _tag: "Help" }
  /** `message` names the flag or the argument. */
  | { readonly _tag: "Invalid"; readonly message: string }

/** The nearest of some names, if it is near enough to be what was meant. */
export const nearest = (word: string, names: ReadonlyArray<string>): string | undefined => {
  let best: string | undefined
  // Two letters that changed places are two changes.
  let least = Math.max(2, Math.floor(word.length / 3)) + 1
  for (const name of names) {
    const distance = editDistance(word, name)
    if (distance < least) {
      best = name
      least = distance
    }
  }
  return best
}

const editDistance = (a: string, b: string): number => {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const change = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      next.push(Math.min(change, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[b.length] ?? 0
}

type Split = { readonly name: string; readonly label: string; readonly inline: string | undefined }

// A dash before anything but a letter is text: `-` for standard input, `- a list` as a prompt, `-1` as a value.
const isFlag = (word: string): boolean => /^(?:--[^\s-]|-[a-z])/iu.test(word)

// `--name`, `--name=value`, `-c`, `-cvalue`; anything else is an argument.
const split = (flags: Flags, word: string): Split | undefined => {
  if (!isFlag(word)) return undefined
  if (word.startsWith("--")) {
    const equals = word.indexOf("=")
    return equals < 0
      ? { name: word.slice(2), label: word, inline: undefined }
      : { name: word.slice(2, equals), label: word.slice(0, equals), inline: word.slice(equals + 1) }
  }
  const label = word.slice(0, 2)
  const short = word.slice(1, 2)
  const found = Object.entries(flags).find(([, flag]) => flag.short === short)
  return { name: found?.[0] ?? short, label, inline: word.length > 2 ? word.slice(2) : undefined }
}

const invalid = (message: string) => ({ _tag: "Invalid", message }) as const

/** Reads arguments. The first thing that is wrong counts. */
export const parse = <F extends Flags>(shape: Shape<F>, words: ReadonlyArray<string>): Parsed<F> => {
  const flags: Flags = shape.flags
  const values: Record<string, boolean | string | undefined | Array<string>> = {}
  for (const [name, flag] of Object.entries(flags)) {
    values[name] = flag._tag === "Toggle" ? false : flag._tag === "Many" ? [] : undefined
  }
  const positional: Array<string> = []
  for (let index = 0; index < words.length; index++) {
    const word = words[index] ?? ""
    if (word === "--") {
      positional.push(...words.slice(index + 1))
      break
    }
    const parts = split(flags, word)
    if (parts === undefined) {
      positional.push(word)
      continue
    }
    const { inline, label, name } = parts
    if (name === "help" || label === "-h") return { _tag: "Help" }
    const flag = Object.hasOwn(flags, name) ? flags[name] : undefined
    if (flag === undefined) {
      const meant = label.startsWith("--") ? nearest(name, Object.keys(flags)) : undefined
      return invalid(`unknown flag ${label}${meant === undefined ? "" : `; did you mean --${meant}?`}`)
    }
    if (flag._tag === "Toggle") {
      if (inline !== undefined) return invalid(`${label} takes no value`)
      values[name] = true
      continue
    }
    const next = words[index + 1]
    // A flag behind a flag is a forgotten value; `--flag=--value` says it is meant.
    const value = inline ?? (next === undefined || next === "--" || isFlag(next) ? undefined : next)
    if (value === undefined) return invalid(`${label} needs a value: ${label} ${flag.placeholder}`)
    if (inline === undefined) index++
    if (value === "") return invalid(`${label} must not be empty`)
    if (flag._tag === "Many") {
      const before = values[name]
      values[name] = [...(Array.isArray(before) ? before : []), value]
      continue
    }
    const wrong = unfit(flag, label, value)
    if (wrong !== undefined) return invalid(wrong)
    values[name] = value
  }
  const { argument } = shape
  const allowed = argument === undefined ? 0 : 1
  const extra = positional[allowed]
  if (extra !== undefined) {
    const hint = argument === undefined ? "" : `; put the ${argument.name} in quotes`
    return invalid(`unexpected argument ${JSON.stringify(extra)}${hint}`)
  }
  const [first] = positional
  if (argument !== undefined && first === undefined) return invalid(`${argument.name} is missing: ${argument.help}`)
  // Each flag has got a value of its own kind above, which the compiler cannot follow through the loop.
  return { _tag: "Values", values: values as Values<F>, argument: first ?? "" }
}

const unfit = ({ choices, planned }: One, label: string, value: string): string | undefined => {
  if (choices === undefined || choices.includes(value)) return undefined
  const known = choices.join(", ")
  return planned?.includes(value) === true
    ? `${label} ${value} is not available in this version; available are ${known}`
    : `${label} ${value} is not one of ${known}`
}
