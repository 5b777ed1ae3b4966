/**
 * What the codex backend makes of recorded turns, projected back: clients must see what the real server showed them.
 */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { fromClient, type Output, type UserInput } from "../../../src/bridge/projection/index.ts"
import type * as Open from "../../../src/protocol/generated/OpenTypes.ts"
import type { ServerNotification } from "../../../src/protocol/Methods.ts"
import { recordings } from "../../protocol/support/recordings.ts"
import { type RecordedTurn, recordedTurns } from "./support/replay.ts"
import { broken, notifications, run } from "./support/wire.ts"

/** What is compared of a notification. */
interface Line {
  readonly what: string
  readonly item?: string | undefined
  /** Of a delta. */
  readonly text?: string
}

type Message = Pick<ServerNotification, "method" | "params">

const lineOf = (message: Message): Line => {
  const { method, params } = message as ServerNotification
  switch (method) {
    case "item/started":
    case "item/completed": {
      const { item } = params
      const status = "status" in item ? ` ${String(item.status)}` : ""
      const text = item.type === "agentMessage" || item.type === "plan" ? ` ${JSON.stringify(item.text)}` : ""
      return { what: `${method} ${String(item.type)}${status}${text}`, item: String(item.id) }
    }
    case "item/agentMessage/delta":
    case "item/plan/delta":
    case "item/commandExecution/outputDelta":
      return { what: method, item: params.itemId, text: params.delta }
    case "item/reasoning/summaryTextDelta":
      return { what: `${method} ${params.summaryIndex}`, item: params.itemId, text: params.delta }
    case "item/reasoning/textDelta":
      return { what: `${method} ${params.contentIndex}`, item: params.itemId, text: params.delta }
    case "thread/status/changed": {
      const { status } = params
      const flags = status.type === "active" ? [...status.activeFlags] : []
      return { what: [method, status.type, ...flags].join(" ") }
    }
    case "error":
      return { what: `${method} ${params.willRetry} ${params.willRetry ? apart(params.error) : errorOf(params.error)}` }
    case "turn/completed": {
      const { error, items, itemsView, status } = params.turn
      const shown = items.map(({ id }) => String(id)).join()
      return { what: `${method} ${status} ${String(itemsView)} ${shown} ${errorOf(error)}` }
    }
    case "turn/diff/updated":
      return { what: `${method} ${params.diff}` }
    case "thread/tokenUsage/updated": {
      const { last, modelContextWindow, total } = params.tokenUsage
      return { what: `${method} ${JSON.stringify([entries(total), entries(last), modelContextWindow])}` }
    }
    default:
      return { what: method }
  }
}

const entries = (usage: Open.TokenUsageBreakdown) =>
  Object.entries({ cacheWriteInputTokens: 0, ...usage }).toSorted(([a], [b]) => a < b ? -1 : 1)

/** Of a retry the count and the cause come apart. */
const apart = ({ additionalDetails, codexErrorInfo, message }: Open.TurnError): string =>
  JSON.stringify([message, additionalDetails, codexErrorInfo])

/** The waist has one sentence for what codex tells in two. */
const errorOf = (error: Open.TurnError | null | undefined): string => {
  if (error == null) return "-"
  const { additionalDetails, codexErrorInfo, message } = error
  return `${message}${additionalDetails == null ? "" : ` (${additionalDetails})`} ${JSON.stringify(codexErrorInfo)}`
}

/** Deltas in one piece. */
const joined = (lines: ReadonlyArray<Line>): ReadonlyArray<Line> => {
  const result: Array<Line> = []
  for (const line of lines) {
    const last = result.at(-1)
    if (line.text !== undefined && last?.what === line.what && last.item === line.item) {
      result[result.length - 1] = { ...line, text: `${last.text ?? ""}${line.text}` }
    } else result.push(line)
  }
  return result
}

const isAboutFlags = ({ what }: Line): boolean => what.startsWith("thread/status/changed active")

/** What the real server says and the bridge does not, and why. */
const unsaid: ReadonlySet<string> = new Set<ServerNotification["method"]>([
  // Quota of an account that the bridge does not know. Each one pops up a banner in the desktop app.
  "account/rateLimits/updated",
  // Belongs to the list of threads, and is said by whoever keeps it.
  "thread/name/updated",
  "thread/settings/updated",
  // Follows the answer of a client, and is said by whoever asked it.
  "serverRequest/resolved",
  // What an agent types into its own terminal is not an event of the waist.
  "item/commandExecution/terminalInteraction",
  // Of the server's MCP servers, not of the turn; a failure becomes a warning.
  "mcpServer/startupStatus/updated"
])

/** A client that never says that it is initialized is not told what all clients are. */
const uninitialized = "78-no-initialized.jsonl"

const expected = ({ said }: RecordedTurn): ReadonlyArray<Line> => {
  const lines = joined(said.filter(({ method }) => !unsaid.has(method)).map(lineOf))
  // The real server announces some commands after it has announced that it waits for their approval. Agents tell of
  // the command first, as codex itself does for file changes. Only the order of the others is compared.
  return lines.filter((line, at) => at === 0 || !isAboutFlags(line))
}

/** Which items a list starts or completes. */
const itemsIn = (lines: ReadonlyArray<Line>, method: "item/started" | "item/completed"): ReadonlySet<string> =>
  new Set(lines.flatMap(({ item, what }) => item !== undefined && what.startsWith(method) ? [item] : []))

/**
 * What clients see beyond what the real server showed: it leaves items open when a turn is interrupted, when a steer or
 * a retry abandons a message and when a compaction fails, and it completes an item that it never started when a model
 * changes its mind about an id. Clients of the bridge see all of these started and completed.
 */
const isExtra = (server: ReadonlyArray<Line>): (line: Line) => boolean => {
  const started = itemsIn(server, "item/started")
  const completed = itemsIn(server, "item/completed")
  return ({ item, what }) => {
    if (item === undefined) return false
    return what.startsWith("item/completed") ? !completed.has(item) : !started.has(item)
  }
}

const actual = (outputs: ReadonlyArray<Output>): ReadonlyArray<Line> =>
  joined(outputs.flatMap((output) => {
    if (output._tag === "Unread") return [{ what: "thread/readState/changed" }]
    return output._tag === "Notify" ? [lineOf(output as Message)] : []
  }))
    .filter((line, at) => at === 0 || !isAboutFlags(line))

const all = recordings()

/** The messages of people in a list of notifications, without their ids and times. */
const messagesOf = (messages: ReadonlyArray<Message>): ReadonlyArray<unknown> =>
  messages.flatMap((message) => {
    const { method, params } = message as ServerNotification
    return method === "item/completed" && params.item.type === "userMessage"
      ? [{ clientId: params.item.clientId, content: params.item.content }]
      : []
  })

describe("recorded turns, projected back", () => {
  let turns = 0
  let extra = 0
  let inputs = 0

  for (const recording of all) {
    it.live(recording.name, () =>
      Effect.gen(function*() {
        for (const turn of yield* recordedTurns(recording)) {
          turns++
          const { cwd, events, threadId, turnId, usedBefore } = turn
          const outputs = run(events, { cwd, threadId, turnId, usedBefore }).filter(({ _tag }) =>
            _tag !== "Unread" || recording.name !== uninitialized
          )
          assert.deepStrictEqual(broken(outputs), [])
          const server = expected(turn)
          const lines = actual(outputs)
          const beyond = isExtra(server)
          extra += lines.filter(beyond).length
          assert.deepStrictEqual(lines.filter((line) => !beyond(line)), server, `${turnId} of ${recording.name}`)
        }
      }))

    it.live(`${recording.name}, with what the client sent`, () =>
      Effect.gen(function*() {
        for (const turn of yield* recordedTurns(recording)) {
          const { cwd, events, said, threadId, turnId, usedBefore } = turn
          if (turn.input === undefined) continue
          inputs++
          const { clientId, content } = turn.input
          const input: UserInput = {
            itemId: `${turnId}-input`,
            clientId,
            content: content.flatMap((part) => fromClient(part) ?? [])
          }
          const outputs = run(events, { cwd, threadId, turnId, usedBefore, input })
          assert.deepStrictEqual(broken(outputs), [])
          const shown = notifications(outputs).map((output) => output as Message)
          assert.deepStrictEqual(messagesOf(shown), messagesOf(said), `${turnId} of ${recording.name}`)
        }
      }))
  }

  it("were enough to mean something, and differed where it is known that they do", () => {
    assert.isAtLeast(turns, 150)
    assert.isAtLeast(inputs, 150)
    assert.strictEqual(extra, 24)
  })
})
