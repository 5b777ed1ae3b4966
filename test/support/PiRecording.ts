/**
 * Recorded sessions of real agents (omp 18.2.3, pi 0.73.1), shortened to what their turns need, and their replay as a
 * session would do it: turn by turn, each through a projector of its own.
 */
import * as Result from "effect/Result"
import { readdirSync, readFileSync } from "node:fs"
import { AgentDied } from "../../src/agent/AgentError.ts"
import type { AgentEvent } from "../../src/agent/AgentEvent.ts"
import { type AgentFrame, decode } from "../../src/backends/pi-family/AgentFrame.ts"
import { type HostFact, TurnProjector, type TurnProjectorOptions } from "../../src/backends/pi-family/TurnProjector.ts"

type Json = Readonly<Record<string, unknown>>

export interface RecordedLine {
  readonly dir: "in" | "out"
  readonly msg: Json
}

export interface PiRecording {
  readonly name: string
  readonly agent: "omp" | "pi"
  readonly lines: ReadonlyArray<RecordedLine>
}

const directory = new URL("../fixtures/", import.meta.url)

export const recordingsOf = (agent: "omp" | "pi"): ReadonlyArray<PiRecording> =>
  readdirSync(new URL(`${agent}/`, directory)).toSorted().map((file) => ({
    name: `${agent}/${file.replace(".jsonl", "")}`,
    agent,
    lines: readFileSync(new URL(`${agent}/${file}`, directory), "utf8").split("\n")
      .flatMap((line) => line === "" ? [] : [JSON.parse(line) as RecordedLine])
  }))

/** A frame as the reader of omp's RPC leaves it: without the unfinished message. */
const cut = (msg: Json): Json => {
  if (msg["type"] !== "message_update") return msg
  const { partial: _, ...event } = msg["assistantMessageEvent"] as Json
  return { type: "message_update", assistantMessageEvent: event }
}

export interface ReplayedTurn {
  readonly turnId: string
  readonly events: ReadonlyArray<AgentEvent>
  /** The messages that the agent sent while the turn ran. */
  readonly frames: ReadonlyArray<Json>
  /** The agent said that the run was the last one of the turn. */
  readonly wasEnded: boolean
}

export interface ReplayOptions {
  /** Whether the agent runs in process, and lends its unfinished messages. */
  readonly inProcess?: boolean
  readonly options?: Partial<TurnProjectorOptions>
  /** What the host knew, when a call starts. */
  readonly facts?: (call: { readonly toolCallId: string; readonly args: Json }) => ReadonlyArray<HostFact>
}

const continues = new Set(["auto_retry_start", "auto_retry_end", "compaction_start"])

const decisionOf = (title: unknown, value: unknown): HostFact | undefined => {
  if (typeof title !== "string" || !title.startsWith("{")) return undefined
  const { toolCallId } = JSON.parse(title) as { readonly toolCallId: string }
  const decision = value === "accept" || value === "acceptForSession" || value === "cancel" ? value : "decline"
  return { _tag: "Decision", toolCallId, decision }
}

export const replay = (
  { agent, lines, name }: PiRecording,
  { facts, inProcess = false, options }: ReplayOptions = {}
): ReadonlyArray<ReplayedTurn> => {
  const turns: Array<ReplayedTurn> = []
  let running: { readonly projector: TurnProjector; readonly frames: Array<Json> } | undefined
  let promptId: unknown
  const questions = new Map<unknown, unknown>()
  const start = (own: boolean) => {
    const turnId = `turn-${turns.length + 1}`
    const events: Array<AgentEvent> = []
    const frames: Array<Json> = []
    const projector = new TurnProjector({
      agent,
      backend: agent,
      turnId,
      cwd: "/workspace",
      emit: (event) => events.push(event),
      contextWindow: 200_000,
      mcpServers: ["lab"],
      own,
      ...options
    })
    turns.push({
      turnId,
      events,
      frames,
      get wasEnded() {
        const last = frames.findLast(({ type }) => type === "agent_end")
        return last !== undefined && last["isTerminal"] !== false
      }
    })
    return running = { projector, frames }
  }
  const current = () => running === undefined || running.projector.ended ? undefined : running

  lines.forEach(({ dir, msg }, at) => {
    if (dir === "in") {
      switch (msg["type"]) {
        case "prompt":
          // What the bridge's own extension is told is no prompt.
          if (current() !== undefined || String(msg["message"]).startsWith("/codex-ctl")) return
          promptId = msg["id"]
          start(false)
          return
        case "abort":
          return current()?.projector.interruptRequested()
        case "extension_ui_response": {
          const fact = decisionOf(questions.get(msg["id"]), msg["value"])
          if (fact !== undefined) current()?.projector.fact(fact)
          return
        }
        default:
          return
      }
    }
    if (msg["type"] === "extension_ui_request") questions.set(msg["id"], msg["title"])
    const decoded = decode(inProcess ? msg : cut(msg))
    if (Result.isFailure(decoded)) throw new Error(`${name}: ${decoded.failure.message}`)
    const frame: AgentFrame = decoded.success
    if (frame.type === "agent_start" && current() === undefined) start(!name.includes("sdk"))
    const turn = current()
    if (turn === undefined) return
    if (frame.type === "tool_execution_start" && facts !== undefined) {
      const args = (frame.args ?? {}) as Json
      for (const fact of facts({ toolCallId: frame.toolCallId, args })) turn.projector.fact(fact)
    }
    if (frame.type !== "aside") turn.frames.push(msg)
    if (turn.projector.apply(frame) === "over") throw new Error(`${name}: #${at} came after the end`)
    const isDropped = msg["type"] === "response" && msg["command"] === "abort" && !turn.projector.began
    const isLocal = msg["type"] === "prompt_result" && msg["id"] === promptId && msg["agentInvoked"] === false
    const next = lines.slice(at + 1).find(({ dir }) => dir === "out")?.msg["type"]
    const isAtRest = turn.projector.resting && !(typeof next === "string" && continues.has(next))
    if (isDropped || isLocal || isAtRest) turn.projector.settled()
  })
  current()?.projector.fail(
    new AgentDied({ detail: "the recording ended", stderrTail: "", mayHaveReached: true })
  )
  return turns
}
