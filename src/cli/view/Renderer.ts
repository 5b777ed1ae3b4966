/**
 * Folds the events of a turn into what a person reads. Pure: the time comes in with the event.
 *
 * What stays is given as chunks; what is only true for now (running work, the plan, that nothing arrives) is drawn from
 * the state by {@link region}, for views that can take it back.
 */
import type { AgentEvent, EventOf, PlanStep } from "../../agent/AgentEvent.ts"
import { type AgentItem, isToolItem } from "../../agent/AgentItem.ts"
import { type Channel, type Chunk, type Line, line, lines, span, type Style, wholeLines } from "./Chunk.ts"
import { duration, harmlessPiece, oneLine } from "./Text.ts"
import { keepEnd, planLines, tail, toolDetails, toolLine } from "./ToolLines.ts"

interface Running {
  readonly item: AgentItem
  readonly since: number
  /** The end of what it has put out. */
  readonly output: string
}

/** A text that has begun to be shown. */
interface Shown {
  readonly channel: Channel
  readonly style: Style
  readonly text: string
  /** The part of a text that comes in parts. */
  readonly part: string
}

export interface RendererState {
  /** Whether the view has a {@link region}: what is shown there is not told as chunks while it changes. */
  readonly live: boolean
  /** Whether the view asks somebody what the agent asks, and so tells it itself. */
  readonly asks: boolean
  /** The directory that is worked in. */
  readonly cwd: string
  /** Milliseconds since the epoch, as all times here. */
  readonly startedAt: number
  readonly lastAt: number
  /** Whether the agent has taken the prompt. */
  readonly accepted: boolean
  /** Whether the agent was asked to stop. */
  readonly interrupting: boolean
  readonly running: ReadonlyMap<string, Running>
  readonly shown: ReadonlyMap<string, Shown>
  /** Messages that are said on the way. */
  readonly commentary: ReadonlySet<string>
  readonly plan: ReadonlyArray<PlanStep>
  readonly diff: string
  /** Whether anything went to the answer's channel. */
  readonly answered: boolean
  /** How many requests of the agent's wait for somebody. */
  readonly asking: number
  /** What was told, or is not worth telling, in the words in which a result's diagnostics repeat it. */
  readonly told: ReadonlySet<string>
}

export interface RendererOptions extends Pick<RendererState, "live" | "asks" | "cwd"> {
  /** Now. */
  readonly at: number
}

export const make = (options: RendererOptions): RendererState => ({
  live: options.live,
  asks: options.asks,
  cwd: options.cwd,
  startedAt: options.at,
  lastAt: options.at,
  accepted: false,
  interrupting: false,
  running: new Map(),
  shown: new Map(),
  commentary: new Set(),
  plan: [],
  diff: "",
  answered: false,
  asking: 0,
  told: new Set()
})

export type Step = readonly [state: RendererState, chunks: ReadonlyArray<Chunk>]

const nothing: ReadonlyArray<Chunk> = []

const withEntry = <K, V>(map: ReadonlyMap<K, V>, key: K, value: V): ReadonlyMap<K, V> => new Map(map).set(key, value)

const without = <K, V>(map: ReadonlyMap<K, V>, key: K): ReadonlyMap<K, V> => {
  const next = new Map(map)
  next.delete(key)
  return next
}

const note = (glyph: string, style: Style, text: string): Chunk =>
  wholeLines(line(span(`${glyph} `, style), span(oneLine(text), style)))

/** The next state, and what to show. */
export const render = (state: RendererState, event: AgentEvent, at: number): Step =>
  step({ ...state, lastAt: at }, event, at)

const step = (state: RendererState, event: AgentEvent, at: number): Step => {
  switch (event._tag) {
    case "ItemStarted":
      return itemStarted(state, event.item, at)
    case "ItemDelta":
      return itemDelta(state, event)
    case "ItemUpdated": {
      const running = state.running.get(event.item.id)
      return running === undefined
        ? [state, nothing]
        : [{ ...state, running: withEntry(state.running, event.item.id, { ...running, item: event.item }) }, nothing]
    }
    case "ItemCompleted":
      return itemCompleted(state, event, at)
    case "PlanUpdated":
      return planUpdated(state, event.steps)
    case "DiffUpdated":
      return [{ ...state, diff: event.diff }, nothing]
    case "GoalUpdated":
      return [state, [
        event.goal === null
          ? note("◎", "dim", "goal cleared")
          : note("◎", "dim", `goal (${event.goal.status}): ${event.goal.objective}`)
      ]]
    case "Retrying":
      return [tell(state, `retried: ${event.error.message}`), [
        note("↻", "yellow", `retrying: ${event.error.message}`)
      ]]
    case "Warning":
      return [tell(state, `${event.code}: ${event.message}`), [note("!", "yellow", event.message)]]
    case "Unrecognized":
      return [tell(state, `unrecognized: ${event.method}`), nothing]
    case "RequestOpened":
      return [
        { ...state, asking: state.asking + 1 },
        event.kind === "tool" || state.asks ? nothing : [note("?", "yellow", `${event.kind}: ${event.title}`)]
      ]
    case "RequestResolved":
      return [{ ...state, asking: Math.max(0, state.asking - 1) }, [note("  →", "dim", event.resolution)]]
    case "TurnStarted":
      return [{ ...state, accepted: true }, nothing]
    case "UsageUpdated":
    case "GuardianReview":
    case "StatusChanged":
    case "TurnEnded":
      return [state, nothing]
  }
}

/** The state once the agent was asked to stop, and what to show. */
export const interrupt = (state: RendererState): Step => [{ ...state, interrupting: true }, [
  note("■", "yellow", "Interrupting the agent; once more to leave at once")
]]

const tell = (state: RendererState, line: string): RendererState => ({ ...state, told: new Set(state.told).add(line) })

const itemStarted = (state: RendererState, item: AgentItem, at: number): Step => {
  if (item._tag === "AgentMessage") {
    return item.phase === "commentary"
      ? [{ ...state, commentary: new Set(state.commentary).add(item.id) }, nothing]
      : [state, nothing]
  }
  if (!isToolItem(item)) return [state, nothing]
  const next = { ...state, running: withEntry(state.running, item.id, { item, since: at, output: "" }) }
  const started = state.live ? undefined : toolLine(item, { ended: false, closed: false, millis: undefined })
  return [next, started === undefined ? nothing : [lines(started)]]
}

const itemDelta = (state: RendererState, event: EventOf<"ItemDelta">): Step => {
  const { delta, field, itemId } = event
  switch (field) {
    case "text":
      return state.commentary.has(itemId)
        ? say(state, itemId, { channel: "note", style: "plain", part: "" }, delta)
        : say(state, itemId, { channel: "answer", style: "plain", part: "" }, delta)
    case "plan":
      return say(state, itemId, { channel: "answer", style: "plain", part: "" }, delta)
    case "summary":
    case "reasoning": {
      const shown = state.shown.get(itemId)
      // Where there is a summary, the raw reasoning would say the same at length.
      if (field === "reasoning" && shown?.part.startsWith("summary") === true) return [state, nothing]
      return say(state, itemId, { channel: "note", style: "dim", part: `${field} ${event.index}` }, delta)
    }
    case "output":
    case "progress": {
      const running = state.running.get(itemId)
      if (running === undefined) return [state, nothing]
      const output = field === "output" ? keepEnd(running.output + delta) : delta
      return [{ ...state, running: withEntry(state.running, itemId, { ...running, output }) }, nothing]
    }
  }
}

// Shows more of a text; a new part of it begins on a line of its own.
const say = (state: RendererState, block: string, how: Omit<Shown, "text">, delta: string): Step => {
  const text = harmlessPiece(delta)
  if (text === "") return [state, nothing]
  const before = state.shown.get(block)
  const apart = before !== undefined && before.part !== how.part
  const shown: Shown = { ...how, text: (apart ? "" : before?.text ?? "") + text }
  const next = {
    ...state,
    shown: withEntry(state.shown, block, shown),
    answered: state.answered || how.channel === "answer"
  }
  const chunk = (text: string): Chunk => ({ _tag: "Text", channel: how.channel, block, style: how.style, text })
  return [next, [chunk(apart ? `\n${text}` : text)]]
}

const itemCompleted = (state: RendererState, event: EventOf<"ItemCompleted">, at: number): Step => {
  const { closed, item } = event
  switch (item._tag) {
    case "AgentMessage": {
      const isCommentary = item.phase === undefined ? state.commentary.has(item.id) : item.phase === "commentary"
      const channel = state.shown.get(item.id)?.channel ?? (isCommentary ? "note" : "answer")
      return finish(state, item.id, { channel, style: "plain", part: "" }, item.text)
    }
    case "Plan":
      return finish(state, item.id, { channel: "answer", style: "plain", part: "" }, item.text)
    case "Reasoning": {
      const texts = item.summary.length > 0 ? item.summary : item.content
      return state.shown.has(item.id)
        ? [{ ...state, shown: without(state.shown, item.id) }, nothing]
        : finish(state, item.id, { channel: "note", style: "dim", part: "" }, texts.join("\n"))
    }
    case "ContextCompaction":
      return [state, [
        note("⊙", "dim", item.status === "completed" ? "the context was compacted" : "compaction failed")
      ]]
    case "UserMessage":
      return [state, nothing]
    case "UnknownItem":
      return [state, [note("·", "dim", item.type)]]
    default: {
      const running = state.running.get(item.id)
      const head = toolLine(item, {
        ended: true,
        closed,
        millis: running === undefined ? undefined : at - running.since
      })
      if (head === undefined) return [state, nothing]
      return [
        { ...state, running: without(state.running, item.id) },
        [lines(head, ...toolDetails(item, running?.output ?? "", state.cwd))]
      ]
    }
  }
}

// The item's own text is the truth: what the deltas left out follows, and what they had otherwise is said anew.
const finish = (state: RendererState, block: string, how: Omit<Shown, "text">, full: string): Step => {
  const said = state.shown.get(block)?.text ?? ""
  const text = harmlessPiece(full)
  const rest = text.startsWith(said) ? text.slice(said.length) : text === "" ? "" : `\n${text}`
  const [next, chunks] = say(state, block, how, rest)
  return [{ ...next, shown: without(next.shown, block) }, chunks]
}

const planUpdated = (state: RendererState, steps: ReadonlyArray<PlanStep>): Step => {
  const next = { ...state, plan: steps }
  if (state.live) return [next, nothing]
  const before = new Map(state.plan.map(({ status, step }) => [step, status]))
  const fresh = steps.filter(({ status, step }) => before.get(step) !== status)
  return [next, fresh.length === 0 ? nothing : [lines(...planLines(fresh))]]
}

const frames = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"] as const

/** How long each frame of the spinner stays, in milliseconds. */
export const frameMillis = 100

const planHeight = 8
const runningHeight = 4

const doing = (state: RendererState): string => {
  if (state.interrupting) return "interrupting"
  if (!state.accepted) return "starting"
  if (state.asking > 0) return "waiting for an answer"
  if (state.running.size > 0) return "working"
  return "thinking"
}

/** What is true for now: running work with its latest output, the plan, and for how long the turn has run. */
export const region = (state: RendererState, now: number): ReadonlyArray<Line> => {
  const frame = frames[Math.floor(now / frameMillis) % frames.length] ?? frames[0]
  const running = [...state.running.values()].slice(-runningHeight)
  const work = running.flatMap(({ item, output, since }) => {
    const head = toolLine(item, { ended: false, closed: false, millis: now - since })
    return head === undefined ? [] : [head, ...tail(output, 2)]
  })
  const open = state.plan.findIndex(({ status }) => status !== "completed")
  // The steps around the first open one, where not all of them have room.
  const from = Math.max(0, Math.min(open - 2, state.plan.length - planHeight))
  const plan = open < 0 ? [] : planLines(state.plan.slice(from, from + planHeight))
  return [
    ...work,
    ...plan,
    line(span(`${frame} `, "cyan"), span(`${doing(state)} · ${duration(wholeSeconds(now - state.startedAt))}`, "dim"))
  ]
}

const wholeSeconds = (millis: number): number => Math.floor(millis / 1_000) * 1_000
