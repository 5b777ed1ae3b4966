/**
 * Puts the command line into a few files in `dist/cli`, or in the directory that is named: `node scripts/bundle-cli.ts`,
 * after the compiler has written `dist`.
 *
 * Clients wait for `codex-bridge app-server` to start, and most of that time would go into finding and reading some
 * hundred modules. The library in `dist` stays as it is: who imports it shares its `effect` with it.
 */
import { execFileSync } from "node:child_process"
import * as Fs from "node:fs"
import * as Path from "node:path"

const root = Path.resolve(import.meta.dirname, "..")
const out = Path.resolve(process.argv[2] ?? Path.join(root, "dist/cli"))

Fs.rmSync(out, { recursive: true, force: true })
execFileSync(Path.join(root, "node_modules/.bin/bun"), [
  "build",
  Path.join(root, "src/cli/main.ts"),
  "--target=node",
  "--splitting",
  // Agents that the user has installed, or has not.
  "--external=@mariozechner/*",
  "--external=@oh-my-pi/*",
  "--sourcemap=external",
  `--outdir=${out}`,
  // All in one directory: the command line finds its package.json from where it is.
  "--chunk-naming=[name]-[hash].[ext]"
], { stdio: ["ignore", "ignore", "inherit"] })

/** The directories of the packages whose code is in the files. */
const bundled = new Set<string>()
for (const name of Fs.readdirSync(out).filter((file) => file.endsWith(".map"))) {
  const map: { readonly sources: ReadonlyArray<string> } = JSON.parse(Fs.readFileSync(Path.join(out, name), "utf8"))
  for (const source of map.sources) {
    const found = /^(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(Path.resolve(out, source))?.[1]
    if (found !== undefined) bundled.add(found)
  }
  Fs.rmSync(Path.join(out, name))
}

const notices = [...bundled].toSorted().map((directory) => {
  const license = Fs.readdirSync(directory).find((file) => /^licen[cs]e/i.test(file))
  if (license === undefined) throw new Error(`${directory} is bundled and has no license`)
  const { name, version } = JSON.parse(Fs.readFileSync(Path.join(directory, "package.json"), "utf8"))
  return `${name} ${version}\n\n${Fs.readFileSync(Path.join(directory, license), "utf8").trim()}\n`
})
Fs.writeFileSync(Path.join(out, "THIRD-PARTY-NOTICES.txt"), notices.join(`\n${"-".repeat(80)}\n\n`))
