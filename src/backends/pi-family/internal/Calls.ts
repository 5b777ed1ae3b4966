/**
 * The calls of tools in a turn: from the moment the model writes one until it ends, with what the host knows of it.
 */
import type { AgentEvent } from "../../../agent/AgentEvent.ts"
import type { AgentItem } from "../../../agent/AgentItem.ts"
import type { ApprovalDecision } from "../../../agent/TurnHost.ts"
import type { FrameOf, MessageUpdate, ToolOutput } from "../AgentFrame.ts"
import { type Content, TurnFiles } from "../FileEdits.ts"
import { isRecord, joined, member } from "../Reading.ts"
import * as ToolItems from "../ToolItems.ts"
import type { ItemBook } from "./ItemBook.ts"

/** A call that is not at its end. */
interface Call {
  /** The agent's. */
  readonly id: string
  readonly itemId: string
  tool: ToolItems.Tool
  /** The agent has started it; before that the model writes it. */
  isExecuting: boolean
  /** How long the content it writes was when it was last shown. */
  shown: number
}

export class Calls {
  readonly #context: ToolItems.ToolContext
  readonly #items: ItemBook
  readonly #emit: (event: AgentEvent) => void
  readonly #calls = new Map<string, Call>()
  /** How many calls of an id have ended: some models number their calls anew in each answer. */
  readonly #ended = new Map<string, number>()
  readonly #snapshots = new Map<string, Map<string, Content>>()
  readonly #decisions = new Map<string, ApprovalDecision>()
  readonly #files: TurnFiles
  #diff = ""

  constructor(context: ToolItems.ToolContext, items: ItemBook, emit: (event: AgentEvent) => void) {
    this.#context = context
    this.#items = items
    this.#emit = emit
    this.#files = new TurnFiles(context.cwd)
  }

  get ids(): ReadonlyArray<string> {
    return Array.from(this.#calls.keys())
  }

  get size(): number {
    return this.#calls.size
  }

  /** The item that shows a call. */
  itemId(toolCallId: string): string {
    const ended = this.#ended.get(toolCallId) ?? 0
    return ended === 0 ? toolCallId : `${toolCallId}:${ended}`
  }

  decided(toolCallId: string, decision: ApprovalDecision): void {
    this.#decisions.set(toolCallId, decision)
  }

  /** What was at a path before a call; may come before the call does. */
  snapshot(toolCallId: string, path: string, before: string | null): void {
    const absolute = ToolItems.absolutePath(path, this.#context.cwd)
    const known = this.#snapshots.get(toolCallId) ?? new Map<string, Content>()
    this.#snapshots.set(toolCallId, known.set(absolute, before))
    const call = this.#calls.get(toolCallId)
    if (call === undefined) return
    call.tool = ToolItems.withSnapshot(call.tool, absolute, before, this.#context)
    this.#show(call)
  }

  /**
   * While the model writes a call, only changes of files are shown: what they will come to is worth seeing early. The
   * last member of the arguments may be half written, so that a path counts when another member has followed.
   */
  written({ call, phase }: MessageUpdate): void {
    if (call === undefined || (call.name !== "edit" && call.name !== "write")) return
    if (this.#context.hostTools.has(call.name)) return
    const isTold = phase === "end" || (isRecord(call.arguments) && Object.keys(call.arguments).length > 1)
    const known = this.#calls.get(call.id)
    if (!isTold || known?.isExecuting === true) return
    const content = member(call.arguments, "content")
    const length = typeof content === "string" ? content.length : 0
    // Each time all of it is shown: rarely enough for the sum to stay in proportion.
    if (known !== undefined && phase !== "end" && length < known.shown * 1.25 + 256) return
    const written = this.#call(call.id, call.name, call.arguments, false)
    written.shown = length
    this.#show(written)
  }

  previewed({ toolCallId, toolName, update }: FrameOf<"tool_stream_update">): void {
    // The last preview may come after the end of the call.
    if (this.#isOver(toolCallId)) return
    const files = update.files ?? []
    if (files.length === 0) return
    const call = this.#calls.get(toolCallId) ?? this.#call(toolCallId, toolName, {}, false)
    const { item, tool } = ToolItems.preview(call.tool, files, this.#context)
    call.tool = tool
    if (item !== undefined) this.#items.show(this.#drafted(call, item))
  }

  started({ args, toolCallId, toolName }: FrameOf<"tool_execution_start">): void {
    this.#show(this.#call(toolCallId, toolName, args, true))
  }

  updated({ args, partialResult, toolCallId, toolName }: FrameOf<"tool_execution_update">): void {
    if (this.#isOver(toolCallId)) return
    let call = this.#calls.get(toolCallId)
    if (call?.isExecuting !== true) {
      call = this.#call(toolCallId, toolName, args, true)
      this.#show(call)
    }
    const { item, output, tool } = ToolItems.update(call.tool, partialResult, this.#context)
    call.tool = tool
    if (item !== undefined) this.#items.show(item)
    if (output !== "") this.#items.delta(call.itemId, "output", output)
  }

  /** `isInterrupted`: this side has asked for the end of the turn. */
  finished({ isError, result, toolCallId, toolName }: FrameOf<"tool_execution_end">, isInterrupted: boolean): void {
    if (this.#isOver(toolCallId)) return
    const call = this.#calls.get(toolCallId) ?? this.#call(toolCallId, toolName, {}, true)
    const output: ToolOutput = result ?? {}
    const failed = isError ?? output.isError ?? member(output.details, "isError") === true
    const status = failed ? whyFailed(this.#decisions.get(toolCallId), output, isInterrupted) : "completed"
    this.#finish(toolCallId, call, { status, output }, false)
  }

  /** Closes the calls that were written and are never executed. */
  abandonUnexecuted(status: "interrupted" | "failed"): void {
    for (const [id, call] of this.#calls) if (!call.isExecuting) this.#abandon(id, call, status)
  }

  abandonAll(status: "interrupted" | "failed"): void {
    for (const [id, call] of this.#calls) this.#abandon(id, call, status)
  }

  #isOver(toolCallId: string): boolean {
    return this.#ended.has(toolCallId) && !this.#calls.has(toolCallId)
  }

  /** Takes a call as it is known now. */
  #call(id: string, name: string, args: unknown, isExecuting: boolean): Call {
    const known = this.#calls.get(id)
    const itemId = known?.itemId ?? this.itemId(id)
    const before = this.#snapshots.get(id) ?? new Map<string, Content>()
    const tool = ToolItems.begin({ id: itemId, name, args }, this.#context, before)
    if (known === undefined) {
      const call: Call = { id, itemId, tool, isExecuting, shown: 0 }
      this.#calls.set(id, call)
      return call
    }
    known.isExecuting ||= isExecuting
    // Another kind of call than what was shown of it cannot be: an item keeps its kind.
    if (known.tool.kind === tool.kind) known.tool = ToolItems.refined(known.tool, tool)
    return known
  }

  #show(call: Call): void {
    const item = ToolItems.runningItem(call.tool, this.#context)
    if (item !== undefined) this.#items.show(this.#drafted(call, item))
  }

  /** What is known of the files tells that the call is written to its end. */
  #drafted(call: Call, item: AgentItem): AgentItem {
    const isDraft = item._tag === "FileChange" && !call.isExecuting && !this.#snapshots.has(call.id)
    return isDraft ? { ...item, draft: true } : item
  }

  #abandon(id: string, call: Call, status: "interrupted" | "failed"): void {
    this.#finish(id, call, { status, output: ToolItems.lastOutput(call.tool) }, true)
  }

  #finish(id: string, call: Call, ending: ToolItems.Ending, closed: boolean): void {
    const { changes, item, output, plan } = ToolItems.finish(call.tool, ending, this.#context)
    this.#calls.delete(id)
    this.#ended.set(id, (this.#ended.get(id) ?? 0) + 1)
    this.#snapshots.delete(id)
    this.#decisions.delete(id)
    if (output !== "" && !closed) {
      this.#show(call)
      this.#items.delta(call.itemId, "output", output)
    }
    if (item !== undefined && !(closed && call.tool.kind === "plan")) this.#items.complete(item, closed)
    if (plan !== undefined) this.#emit({ _tag: "PlanUpdated", steps: plan })
    if (changes.length > 0) this.#changed(changes)
  }

  #changed(changes: ToolItems.Finished["changes"]): void {
    for (const change of changes) this.#files.add(change)
    const diff = this.#files.render()
    if (diff === this.#diff) return
    this.#diff = diff
    this.#emit({ _tag: "DiffUpdated", diff })
  }
}

/** What omp says when its own settings or its own dialogue have refused a call. */
const refused = /^Tool call (?:denied|rejected) by user/

const whyFailed = (
  decision: ApprovalDecision | undefined,
  output: ToolOutput,
  isInterrupted: boolean
): "declined" | "failed" | "interrupted" => {
  const text = joined(output.content)
  if (isInterrupted) {
    const hasExited = typeof member(output.details, "exitCode") === "number" ||
      /Command exited with code \d+$/.test(text)
    if (!hasExited && decision !== "decline") return decision === "cancel" ? "declined" : "interrupted"
  }
  return decision === "decline" || decision === "cancel" || refused.test(text) ? "declined" : "failed"
}
