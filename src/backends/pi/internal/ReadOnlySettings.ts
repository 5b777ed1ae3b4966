/**
 * Pi's settings as the user has them. What a session changes stays with it.
 */
import type { SettingsManager } from "@mariozechner/pi-coding-agent"
import * as Fs from "node:fs"
import * as Paths from "node:path"

type Storage = Parameters<typeof SettingsManager.fromStorage>[0]
type Scope = Parameters<Storage["withLock"]>[0]

const read = (file: string): string | undefined => {
  try {
    return Fs.readFileSync(file, "utf8")
  } catch (cause) {
    if (cause instanceof Error && "code" in cause && cause.code === "ENOENT") return undefined
    throw cause
  }
}

export const readOnlySettings = (cwd: string, agentDirectory: string): Storage => {
  const files: Record<Scope, string> = {
    global: Paths.join(agentDirectory, "settings.json"),
    project: Paths.join(cwd, ".pi", "settings.json")
  }
  const changed = new Map<Scope, string>()
  return {
    withLock: (scope, change) => {
      const next = change(changed.get(scope) ?? read(files[scope]))
      if (next !== undefined) changed.set(scope, next)
    }
  }
}
