/**
 * A server that answers the handshake, and says a turn of so many deltas as fast as its pipe takes them.
 *
 * Plain code, so that what is measured is the reader: `bun flood.ts DELTAS`.
 */
import { createInterface } from "node:readline"
import { deltaLines, linesOfTurn, roundDigits, roundMark } from "../lines.ts"

const deltas = Number(process.argv[2])

const answer = (id: unknown, result: unknown): void => {
  process.stdout.write(`${JSON.stringify({ id, result })}\n`)
}

const template = Buffer.from(`${deltaLines.join("\n")}\n`)

/** Where the template counts its rounds. */
const marks: Array<number> = []
for (let at = template.indexOf(roundMark); at >= 0; at = template.indexOf(roundMark, at + 1)) {
  marks.push(at + roundMark.indexOf("0"))
}

const block = (round: number): Uint8Array => {
  const bytes = Buffer.from(template)
  const digits = Buffer.from(String(round).padStart(roundDigits, "0"))
  for (const mark of marks) bytes.set(digits, mark)
  return bytes
}

const flood = (): void => {
  const { after, before } = linesOfTurn
  process.stdout.write(`${before.join("\n")}\n`)
  const rounds = deltas / deltaLines.length
  let round = 0
  const pump = (): void => {
    while (round < rounds) {
      if (!process.stdout.write(block(round++))) {
        process.stdout.once("drain", pump)
        return
      }
    }
    process.stdout.write(`${after.join("\n")}\n`)
  }
  pump()
}

createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method }: { readonly id?: unknown; readonly method: string } = JSON.parse(line)
  const result = linesOfTurn.answers[method]
  if (result !== undefined) answer(id, result)
  if (method === "turn/start") flood()
})
