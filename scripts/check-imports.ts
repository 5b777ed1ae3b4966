/**
 * Checks that the rooms of `src/` import only from rooms above them, and that only `cli/` and `scripts/` are entered
 * from nowhere. Exits with 1 and a line for each import that points the wrong way.
 */
import { readdirSync, readFileSync } from "node:fs"
import { dirname, join, relative, resolve, sep } from "node:path"
import { fileURLToPath } from "node:url"

/** From the top down: a room knows those before it, and itself. */
const rooms = ["protocol", "transport", "peer", "agent", "backends", "host", "bridge", "testing", "cli"]

/** Rooms that are beside each other in that order and know nothing of one another. */
const strangers: Readonly<Record<string, ReadonlyArray<string>>> = {
  transport: ["protocol"],
  agent: ["protocol", "transport", "peer"],
  bridge: ["host"]
}

const src = resolve(dirname(fileURLToPath(import.meta.url)), "..", "src")
const importOf = /(?:from|import)\s*\(?\s*"(\.[^"]+)"/g

const problems: Array<string> = []
let files = 0

for (const entry of readdirSync(src, { recursive: true, withFileTypes: true })) {
  if (!entry.isFile() || !entry.name.endsWith(".ts")) continue
  files++
  const file = join(entry.parentPath, entry.name)
  const [room = ""] = relative(src, file).split(sep)
  const from = rooms.indexOf(room)
  if (from < 0) problems.push(`src/${relative(src, file)}: ${room} is no room`)
  for (const [, specifier = ""] of readFileSync(file, "utf8").matchAll(importOf)) {
    const target = resolve(dirname(file), specifier)
    const parts = relative(src, target).split(sep)
    const [other = ""] = parts
    const line = `src/${relative(src, file)} imports ${specifier}`
    if (other === "..") problems.push(`${line}: outside of src`)
    else if (rooms.indexOf(other) > from) problems.push(`${line}: ${room} must not know ${other}`)
    else if (strangers[room]?.includes(other)) problems.push(`${line}: ${room} knows nothing of ${other}`)
    // A folder named internal belongs to the room, or to the agent's folder, that it is in.
    const internal = parts.indexOf("internal")
    if (internal >= 0 && !file.startsWith(join(src, ...parts.slice(0, internal)) + sep)) {
      problems.push(`${line}: private to ${parts.slice(0, internal).join("/")}`)
    }
  }
}

for (const problem of problems) process.stderr.write(`${problem}\n`)
process.stdout.write(`${files} files, ${problems.length} imports in the wrong direction\n`)
process.exitCode = problems.length === 0 ? 0 : 1
