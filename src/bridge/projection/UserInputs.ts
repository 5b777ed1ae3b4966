/**
 * What clients said in a turn, and what of it has been shown.
 *
 * Clients show a message at once and wait for an item with its `clientId`. Agents repeat a message or not, in its own
 * words or in others, with its `clientId` or without: whatever they do, each message is shown once, as its client sent
 * it.
 */
import type { UserMessage } from "../../agent/AgentItem.ts"
import type * as Open from "../../protocol/generated/OpenTypes.ts"
import type * as Strict from "../../protocol/generated/StrictTypes.ts"

/** A message on its way to the agent. */
export interface UserInput {
  /** Id of the item that shows it. An agent that repeats a `clientId` may be given this in place of one. */
  readonly itemId: string
  readonly clientId: string | null
  readonly content: ReadonlyArray<Strict.UserInput>
}

const details: ReadonlySet<string> = new Set(
  ["auto", "low", "high", "original"] satisfies ReadonlyArray<Strict.ImageDetail>
)

const isDetail = (value: string): value is Strict.ImageDetail => details.has(value)

/**
 * A part of a message as clients show it: what the protocol knows of what a client sent, with null for what it left
 * out. `undefined` for a kind of part that the protocol does not know.
 */
export const fromClient = (part: Open.UserInput): Strict.UserInput | undefined => {
  switch (part.type) {
    case "text":
      return {
        type: part.type,
        text: part.text,
        text_elements: (part.text_elements ?? []).map(({ byteRange, placeholder }) => ({
          byteRange: { start: byteRange.start, end: byteRange.end },
          placeholder: placeholder ?? null
        }))
      }
    case "image":
      return "url" in part
        ? { type: part.type, url: part.url, detail: detailOf(part.detail) }
        : { type: part.type, fileId: part.fileId, detail: detailOf(part.detail) }
    case "localImage":
      return { type: part.type, detail: detailOf(part.detail), path: part.path }
    case "audio":
      return "url" in part ? { type: part.type, url: part.url } : { type: part.type, fileId: part.fileId }
    case "localAudio":
      return { type: part.type, path: part.path }
    case "skill":
      return { type: part.type, name: part.name, path: part.path }
    case "mention":
      return { type: part.type, name: part.name, path: part.path }
    default:
      return undefined
  }
}

const detailOf = (detail: string | null | undefined): Strict.ImageDetail | null =>
  detail != null && isDetail(detail) ? detail : null

interface Entry {
  readonly input: UserInput
  readonly text: string
  /** `sent`: the agent has not answered yet. `accepted`: it is in, and not shown. */
  state: "sent" | "accepted" | "shown"
  repeated: boolean
}

const textOf = (content: ReadonlyArray<Strict.UserInput>): string =>
  content.flatMap((part) => part.type === "text" ? [part.text] : []).join("\n")

export class UserInputs {
  #entries: ReadonlyArray<Entry> = []

  /** Nothing is shown of a message without content. */
  add(input: UserInput, state: "sent" | "accepted"): void {
    if (input.content.length === 0) return
    this.#entries = [...this.#entries, { input, text: textOf(input.content), state, repeated: false }]
  }

  /** The agent has taken the message, or refused it. */
  settle(itemId: string, accepted: boolean): void {
    const entry = this.#entries.find(({ input }) => input.itemId === itemId)
    if (entry?.state !== "sent") return
    if (accepted) entry.state = "accepted"
    else this.#entries = this.#entries.filter((other) => other !== entry)
  }

  /** Messages that are in and not shown. They count as shown from now on. */
  due(): ReadonlyArray<UserInput> {
    const due: Array<UserInput> = []
    for (const entry of this.#entries) {
      if (entry.state !== "accepted") continue
      entry.state = "shown"
      due.push(entry.input)
    }
    return due
  }

  /**
   * Which message this item of the agent repeats, and whether it is shown already; `undefined` if it is none of ours.
   */
  repeatedBy(item: UserMessage): { readonly input: UserInput; readonly shown: boolean } | undefined {
    const open = this.#entries.filter(({ repeated }) => !repeated)
    const entry = item.clientId === undefined
      // An agent may have put more around what it was told.
      ? open.find(({ text }) => text === item.text) ?? open[0]
      : open.find(({ input }) => input.clientId === item.clientId || input.itemId === item.clientId)
    if (entry === undefined) return undefined
    const shown = entry.state === "shown"
    entry.repeated = true
    entry.state = "shown"
    return { input: entry.input, shown }
  }
}
