/**
 * The end of an attempt in a few lines. Pure.
 */
import type { AttemptResult, AttemptStatus } from "../../host/AttemptResult.ts"
import { type Chunk, type Line, line, lines, span, type Style, wholeLines } from "./Chunk.ts"
import type { RendererState } from "./Renderer.ts"
import { count, duration, harmlessPiece, oneLine } from "./Text.ts"
import { diffView, planLines } from "./ToolLines.ts"

const marks: Readonly<Record<AttemptStatus, readonly [glyph: string, style: Style]>> = {
  completed: ["✓", "green"],
  interrupted: ["■", "yellow"],
  failed: ["✗", "red"],
  timeout: ["✗", "red"],
  incomplete: ["✗", "yellow"],
  unavailable: ["✗", "red"]
}

const replayReasons: Readonly<Record<AttemptResult["replay"]["reason"], string>> = {
  not_accepted: "the agent never took the prompt",
  maybe_accepted: "the agent may have taken the prompt",
  accepted: "the agent took the prompt",
  assistant_output: "the agent has answered in part",
  tool_activity: "the agent has run tools",
  active_item: "work of the agent's was cut off"
}

const usageText = ({ usage }: AttemptResult): string => {
  if (!usage.fresh && usage.total === 0) return "tokens not reported"
  const parts = [
    `${count(usage.input)} tokens in${usage.cachedInput > 0 ? ` (${count(usage.cachedInput)} cached)` : ""}`,
    `${count(usage.output)} out${usage.reasoningOutput > 0 ? ` (${count(usage.reasoningOutput)} reasoning)` : ""}`
  ]
  const context = usage.context
  if (context?.window !== undefined && context.window > 0) {
    parts.push(`context ${Math.round(context.used / context.window * 100)}% of ${count(context.window)}`)
  }
  return `${parts.join(", ")}${usage.fresh ? "" : " (incomplete)"}`
}

const stateLines = (result: AttemptResult, millis: number): ReadonlyArray<Line> => {
  const { error, interruptConfirmed, replay, status } = result
  const [glyph, style] = marks[status]
  const took = `in ${duration(millis)}`
  if (status === "completed") {
    return [line(span(`${glyph} `, style), span(`${took} · ${usageText(result)}`, "dim"))]
  }
  const confirmed = interruptConfirmed === undefined
    ? ""
    : interruptConfirmed
    ? "; the agent confirmed that it stopped"
    : "; the agent did not confirm that it stopped, and may still be running"
  const detail = error === undefined
    ? status === "incomplete" ? "the agent came to rest without saying how the turn ended" : result.stopReason
    : error._tag === "AgentError"
    ? `${error.reason._tag}: ${error.message}`
    : `${error._tag}: ${error.message}`
  const told = status === "interrupted" && error === undefined ? "" : `: ${oneLine(detail)}`
  return [
    line(span(`${glyph} ${status}`, style), span(`${told}${confirmed}`)),
    line(span(
      replay.safe
        ? `  The same prompt can be sent again: ${replayReasons[replay.reason]}.`
        : `  Sending the same prompt again may repeat what was done: ${replayReasons[replay.reason]}.`,
      "dim"
    )),
    line(span(`  ${took} · ${usageText(result)}`, "dim"))
  ]
}

/** What is told when an attempt is over, after the events of `state`. */
export const summary = (state: RendererState, result: AttemptResult, millis: number): ReadonlyArray<Chunk> => {
  const chunks: Array<Chunk> = []
  const answer = result.assistantTexts.join("\n\n") || result.planText
  // Where there is nothing but commentary, that is the answer. At a terminal it was read already.
  const wasRead = state.answered || (state.live && state.commentary.size > 0)
  if (!wasRead && answer !== undefined && answer !== "") {
    chunks.push({ _tag: "Text", channel: "answer", block: "result", style: "plain", text: harmlessPiece(answer) })
  }
  if (state.live && state.plan.length > 0) chunks.push(lines(...planLines(state.plan)))
  if (state.diff !== "") chunks.push(lines(...diffView(state.diff)))
  for (const told of result.diagnostics) {
    const said = state.told.has(told.replace(/ \(\d+ times\)$/u, ""))
    if (!said) chunks.push(wholeLines(line(span("! ", "yellow"), span(oneLine(told), "dim"))))
  }
  chunks.push(wholeLines(...stateLines(result, millis)))
  return chunks
}
