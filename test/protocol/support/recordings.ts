/** The recorded conversations with a real server. */
import * as fs from "node:fs"
import { fileURLToPath } from "node:url"
import * as Envelope from "../../../src/protocol/Envelope.ts"

export interface Line {
  readonly dir: "c2s" | "s2c"
  readonly message: Envelope.Message
}

export interface Recording {
  readonly name: string
  readonly lines: ReadonlyArray<Line>
}

const folder = fileURLToPath(new URL("../../fixtures/codex", import.meta.url))

interface Recorded {
  readonly dir: "c2s" | "s2c" | "meta"
  readonly msg: { readonly event?: string; readonly line?: string }
}

/** Messages in both directions; a line that was sent as raw text counts if it is a message. */
export const recordings = (): ReadonlyArray<Recording> =>
  fs.readdirSync(folder).filter((name) => name.endsWith(".jsonl")).toSorted().map((name) => ({
    name,
    lines: fs.readFileSync(`${folder}/${name}`, "utf8").split("\n").flatMap((text): ReadonlyArray<Line> => {
      if (text === "") return []
      const { dir, msg }: Recorded = JSON.parse(text)
      if (dir !== "meta") return [{ dir, message: Envelope.classify(msg) }]
      if (msg.event !== "raw-line") return []
      const message = Envelope.parse(msg.line ?? "")
      return message._tag === "Malformed" ? [] : [{ dir: "c2s", message }]
    })
  }))
