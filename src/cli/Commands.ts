/**
 * Which command a list of arguments asks for.
 */
import { attempt } from "./attempt/Definition.ts"
import { type Command, type Invocation, program } from "./Command.ts"
import { nearest } from "./Flags.ts"
import { check } from "./protocol/Definition.ts"

export const commands: ReadonlyArray<Command> = [attempt, check]

const overview = (): string => {
  const width = Math.max(...commands.map(({ name }) => name.length))
  return [
    "Run Codex and other agents from a terminal or a script.",
    "",
    `Usage: ${program} COMMAND [flags]`,
    "",
    "Commands:",
    ...commands.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`),
    "",
    `\`${program} COMMAND --help\` tells more. \`${program} --version\` tells the version.`,
    ""
  ].join("\n")
}

const startsWith = (words: ReadonlyArray<string>, name: ReadonlyArray<string>): boolean =>
  name.every((part, index) => words[index] === part)

const help = `${program} --help`

/** Finds the command and reads its arguments. */
export const read = (words: ReadonlyArray<string>): Invocation => {
  const [first] = words
  if (first === undefined || first === "--help" || first === "-h" || first === "help") {
    return { _tag: "Help", text: overview() }
  }
  for (const command of commands) {
    const name = command.name.split(" ")
    if (startsWith(words, name)) return command.read(words.slice(name.length))
  }
  const group = commands.filter(({ name }) => name.startsWith(`${first} `))
  if (group.length > 0) {
    const names = group.map(({ name }) => name).join(", ")
    if (words.includes("--help") || words.includes("-h")) return { _tag: "Help", text: overview() }
    return { _tag: "Invalid", message: `${first}: needs one of its commands: ${names}`, help }
  }
  const meant = nearest(first, commands.map(({ name }) => name))
  const hint = meant === undefined ? "" : `; did you mean ${meant}?`
  const kind = first.startsWith("-") ? "flag" : "command"
  return { _tag: "Invalid", message: `has no ${kind} ${first}${hint}`, help }
}
