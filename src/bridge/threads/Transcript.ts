/**
 * What was said and done in a thread as text, for an agent that was not there. Pure.
 */
import type * as Strict from "../../protocol/generated/StrictTypes.ts"

/** Characters of one text that are told: the first ones. */
const textLimit = 8_192

/** Characters of the output of one command that are told: the last ones. */
const outputLimit = 1_024

/** Characters that are told in all: those of the newest turns. About a tenth of what a model can hold. */
const wholeLimit = 100_000

const beginningOf = (text: string): string => text.length > textLimit ? `${text.slice(0, textLimit)}…` : text

const endOf = (text: string): string => text.length > outputLimit ? `…${text.slice(-outputLimit)}` : text

const said = (content: ReadonlyArray<Strict.UserInput>): string =>
  content.flatMap((part) => part.type === "text" ? [part.text] : [`[${part.type}]`]).join("\n")

/** What an item comes to; `undefined` for those that matter to people alone. */
const lineOf = (item: Strict.ThreadItem): string | undefined => {
  switch (item.type) {
    case "userMessage":
      return `User: ${beginningOf(said(item.content))}`
    case "agentMessage":
      return item.text === "" ? undefined : `You: ${beginningOf(item.text)}`
    case "plan":
      return `You, planning: ${beginningOf(item.text)}`
    case "commandExecution": {
      const who = item.source === "userShell" ? "The user ran" : "You ran"
      const output = item.aggregatedOutput ?? ""
      const result = item.exitCode == null ? item.status : `exit code ${item.exitCode}`
      return `${who}: ${beginningOf(item.command)} (${result})${output === "" ? "" : `\n${endOf(output)}`}`
    }
    case "fileChange":
      return `You changed (${item.status}): ${
        item.changes.map(({ kind, path }) => `${path} (${kind.type})`).join(", ")
      }`
    case "mcpToolCall":
      return `You called: ${item.server}/${item.tool} (${item.status})`
    case "dynamicToolCall":
      return `You called: ${item.tool} (${item.status})`
    case "webSearch":
      return `You searched the web: ${beginningOf(item.query)}`
    default:
      return undefined
  }
}

const turnText = (turn: Pick<Strict.Turn, "items" | "status">): string => {
  const lines = turn.items.flatMap((item) => lineOf(item) ?? [])
  const end = turn.status === "interrupted" || turn.status === "failed" ? [`(This turn was ${turn.status}.)`] : []
  return lines.length === 0 ? "" : [...lines, ...end].join("\n")
}

/** What is told of the turns up to now; the newest come first. */
export interface Transcript {
  readonly texts: ReadonlyArray<string>
  readonly length: number
  /** Whether nothing that comes now is told. */
  readonly full: boolean
}

export const empty: Transcript = { texts: [], length: 0, full: false }

/** Adds the turn before those up to now. */
export const add = (transcript: Transcript, turn: Pick<Strict.Turn, "items" | "status">): Transcript => {
  const text = turnText(turn)
  const length = transcript.length + text.length
  if (transcript.full || length > wholeLimit) return { ...transcript, full: true }
  return text === "" ? transcript : { texts: [text, ...transcript.texts], length, full: false }
}

/** What the agent is told; `undefined` when there is nothing. */
export const textOf = ({ full, texts }: Transcript): string | undefined =>
  texts.length === 0 ? undefined : `What was said and done in this conversation up to now, which you do not remember:
<conversation>
${[...full ? ["(What came before is left out.)"] : [], ...texts].join("\n\n")}
</conversation>`
