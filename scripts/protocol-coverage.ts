/**
 * Writes `docs/protocol-coverage.md` from the method table of the bridge.
 *
 *     node scripts/protocol-coverage.ts [--check]
 *
 * With `--check` nothing is written: exits with 1 if the file is not what it would be.
 */
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as NodeServices from "@effect/platform-node/NodeServices"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Path from "effect/Path"
import * as Schema from "effect/Schema"
import { fileURLToPath } from "node:url"
import type { ClientMethod } from "../src/bridge/ClientConnection.ts"
import * as MethodTable from "../src/bridge/MethodTable.ts"
import { codexVersion } from "../src/protocol/generated/Shapes.ts"
import { experimentalMethods, legacyMethods } from "../src/protocol/Methods.ts"

class OutOfDate extends Schema.TaggedError<OutOfDate>()("OutOfDate", { file: Schema.String }) {
  override get message(): string {
    return `${this.file} is out of date: run node scripts/protocol-coverage.ts`
  }
}

type Kind = "implemented" | "neutral" | "refused"

interface Row {
  readonly kind: Kind
  readonly detail: string
}

const row = (method: ClientMethod): Row => {
  const handling = MethodTable.methodTable[method]
  if ("by" in handling) return { kind: "implemented", detail: handling.by }
  return "neutral" in handling ? { kind: "neutral", detail: "" } : { kind: "refused", detail: handling.refused }
}

const clientMethods = MethodTable.clientMethods.toSorted()

const kinds: ReadonlyArray<Kind> = ["implemented", "neutral", "refused"]

const groupOf = (method: string): string => method.split("/")[0] ?? method

const counts = (methods: ReadonlyArray<ClientMethod>): ReadonlyArray<number> =>
  kinds.map((kind) => methods.filter((method) => row(method).kind === kind).length)

const line = (cells: ReadonlyArray<string | number>): string => `| ${cells.join(" | ")} |`

const methodLine = (method: ClientMethod): string => {
  const { detail, kind } = row(method)
  return line([`\`${method}\``, experimentalMethods.has(method) ? "experimental" : "", kind, detail])
}

const document = (): string => {
  const groups = [...new Set(clientMethods.map(groupOf))].map((group) => ({
    group,
    methods: clientMethods.filter((method) => groupOf(method) === group)
  }))
  const [implemented, neutral, refused] = counts(clientMethods)
  return [
    "<!-- Written by scripts/protocol-coverage.ts. Do not edit. -->",
    "",
    "# Protocol coverage of the bridge",
    "",
    `Codex ${codexVersion} has ${clientMethods.length} client requests, the experimental ones included. The bridge ` +
    `answers all of them: ${implemented} are implemented, ${neutral} have a neutral answer, ${refused} are refused.`,
    "",
    "- **implemented**: served by the named part of the bridge.",
    "- **neutral**: this server has nothing of the kind, and says so in the shape that clients expect: an empty list, a " +
    "status of “not there”, an acknowledgement of what has no effect.",
    "- **refused**: an error with the sentence shown.",
    "",
    "A method that no version knows is refused as codex does, with the list of all methods. Besides these, requests " +
    `that codex still answers without naming them in its schema are answered: ${
      legacyMethods.map((name) => `\`${name}\``).join(", ")
    }.`,
    "",
    line(["group", "methods", ...kinds]),
    line(["---", "---:", ...kinds.map(() => "---:")]),
    ...groups.map(({ group, methods }) => line([`\`${group}\``, methods.length, ...counts(methods)])),
    line(["**all**", clientMethods.length, ...counts(clientMethods)]),
    ...groups.flatMap(({ group, methods }) => [
      "",
      `## ${group}`,
      "",
      line(["method", "", "answer", "by, or the refusal"]),
      line(["---", "---", "---", "---"]),
      ...methods.map(methodLine)
    ]),
    ""
  ].join("\n")
}

const program = Effect.gen(function*() {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const root = fileURLToPath(new URL("..", import.meta.url))
  const name = path.join("docs", "protocol-coverage.md")
  const file = path.join(root, name)
  const text = document()
  if (process.argv.includes("--check")) {
    const found = (yield* fs.exists(file)) ? yield* fs.readFileString(file) : ""
    if (found !== text) return yield* new OutOfDate({ file: name })
    return yield* Console.error(`${name} is up to date`)
  }
  yield* fs.makeDirectory(path.dirname(file), { recursive: true })
  yield* fs.writeFileString(file, text)
  yield* Console.error(`${name}: ${clientMethods.length} methods`)
})

NodeRuntime.runMain(Effect.provide(program, NodeServices.layer))
