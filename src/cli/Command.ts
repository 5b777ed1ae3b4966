/**
 * A command of `codex-bridge`: its flags, its help, and how it is loaded.
 */
import { type Flags, parse, type Shape, type Values } from "./Flags.ts"

/** What a command is run with. */
export interface Input<F extends Flags> {
  readonly values: Values<F>
  readonly argument: string
}

export interface CommandOptions<F extends Flags> extends Shape<F> {
  /** e.g. `protocol check`. */
  readonly name: string
  readonly summary: string
  /** Paragraphs below the flags. */
  readonly notes?: ReadonlyArray<string> | undefined
  readonly examples?: ReadonlyArray<string> | undefined
  /** Loads what does the work, and does it. Gives the exit code. */
  readonly run: (input: Input<F>) => Promise<number>
}

export type Invocation =
  | { readonly _tag: "Help"; readonly text: string }
  /** `help` is the command that tells more. */
  | { readonly _tag: "Invalid"; readonly message: string; readonly help: string }
  | { readonly _tag: "Run"; readonly run: () => Promise<number> }

export interface Command {
  readonly name: string
  readonly summary: string
  readonly read: (words: ReadonlyArray<string>) => Invocation
}

export const program = "codex-bridge"

export const command = <const F extends Flags>(options: CommandOptions<F>): Command => ({
  name: options.name,
  summary: options.summary,
  read: (words) => {
    const parsed = parse(options, words)
    switch (parsed._tag) {
      case "Help":
        return { _tag: "Help", text: help(options) }
      case "Invalid":
        return {
          _tag: "Invalid",
          message: `${options.name}: ${parsed.message}`,
          help: `${program} ${options.name} --help`
        }
      case "Values":
        return { _tag: "Run", run: () => options.run(parsed) }
    }
  }
})

const indent = "      "
const width = 100

const wrap = (text: string, prefix: string): string => {
  const lines: Array<string> = []
  let line = ""
  for (const word of text.split(" ")) {
    if (line !== "" && prefix.length + line.length + 1 + word.length > width) {
      lines.push(prefix + line)
      line = word
    } else line = line === "" ? word : `${line} ${word}`
  }
  return [...lines, prefix + line].join("\n")
}

const help = <F extends Flags>(options: CommandOptions<F>): string => {
  const { argument, examples = [], flags, name, notes = [], summary } = options
  const usage = `${program} ${name} [flags]${argument === undefined ? "" : ` ${argument.name}`}`
  const blocks = [`${summary}\n\nUsage: ${usage}`]
  if (argument !== undefined) blocks.push(`  ${argument.name}\n${wrap(argument.help, indent)}`)
  const entries: ReadonlyArray<readonly [string, Flags[string]]> = Object.entries(flags)
  blocks.push([
    "Flags:",
    ...entries.map(([flagName, flag]) => {
      const short = flag.short === undefined ? "" : `-${flag.short}, `
      const value = flag._tag === "Toggle" ? "" : ` ${flag.placeholder}`
      const again = flag._tag === "Many" ? " …" : ""
      return `  ${short}--${flagName}${value}${again}\n${wrap(flag.help, indent)}`
    }),
    `  -h, --help\n${indent}Show this help.`
  ].join("\n"))
  if (examples.length > 0) blocks.push(["Examples:", ...examples.map((example) => `  ${example}`)].join("\n"))
  return `${[...blocks, ...notes.map((note) => wrap(note, ""))].join("\n\n")}\n`
}
