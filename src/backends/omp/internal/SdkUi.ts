/**
 * What tools and extensions of omp ask of people and of the host, in this process.
 */
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type { Question, ToolResult, ToolSpec } from "../../../agent/TurnHost.ts"
import { contentOf } from "../../pi-family/HostToolContent.ts"
import type { PortHandlers } from "../../pi-family/Port.ts"
import { json } from "../../pi-family/Reading.ts"
import { Dialogs, unanswered } from "./Dialogs.ts"
import type { Dialog, DialogAnswer } from "./RpcHandlers.ts"
import type * as Sdk from "./Sdk.ts"

/** Runs on a fiber of its own, which the signal interrupts. */
export type Run = <A>(effect: Effect.Effect<A>, signal: AbortSignal | undefined) => Promise<Exit.Exit<A>>

type WithoutId = Dialog extends infer D ? D extends Dialog ? Omit<D, "id"> : never : never

const nothing = () => undefined

const questionOf = ({ header, id, options, question }: Sdk.AskQuestion): Question => ({
  id,
  header: header ?? id,
  question,
  isSecret: false,
  allowsOther: true,
  options: options.map(({ description = "", label }) => ({ label, description }))
})

const answerOf = (asked: Sdk.AskQuestion, answers: ReadonlyArray<string>, timedOut: boolean): Sdk.AskAnswer => {
  const options = asked.options.map(({ label }) => label)
  const others = answers.filter((answer) => !options.includes(answer))
  const recommended = timedOut ? options[asked.recommended ?? 0] : undefined
  const selectedOptions = recommended === undefined
    ? answers.filter((answer) => options.includes(answer))
    : [recommended]
  return {
    id: asked.id,
    question: asked.question,
    options,
    multi: asked.multi === true,
    selectedOptions,
    ...(others.length > 0 ? { customInput: others.join("\n") } : {}),
    ...(others.length === 0 && selectedOptions.length === 0 ? { customInput: unanswered } : {}),
    ...(timedOut ? { timedOut } : {})
  }
}

/** Dialogs are put to a person; whatever else there is, is about a terminal's screen. */
export const uiContext = (
  put: PortHandlers["ask"],
  run: Run,
  notify: (message: string) => void,
  theme: () => unknown
): Sdk.UiContext => {
  const dialogs = new Dialogs(put)
  /** `undefined`: nobody wants to know any longer, or the time was up. */
  const waiting = async <A>(asked: Effect.Effect<A>, given: Sdk.DialogOptions | undefined): Promise<A | undefined> => {
    if (given?.signal?.aborted === true) return undefined
    const limited: Effect.Effect<A | undefined> = given?.timeout === undefined ? asked : Effect.timeoutOrElse(asked, {
      duration: given.timeout,
      orElse: () => Effect.as(Effect.sync(() => given.onTimeout?.()), undefined)
    })
    const exit = await run(limited, given?.signal)
    return Exit.isSuccess(exit) ? exit.value : undefined
  }
  const ask = (dialog: WithoutId, given: Sdk.DialogOptions | undefined): Promise<DialogAnswer | undefined> =>
    waiting(dialogs.answer({ id: "", ...dialog }), given)
  const value = async (dialog: WithoutId, given: Sdk.DialogOptions | undefined) => {
    const answer = await ask(dialog, given)
    return answer?._tag === "Value" ? answer.value : undefined
  }
  const ui: Sdk.UiContext = {
    askDialog: async (questions, given) => {
      let timedOut = false
      const onTimeout = () => {
        timedOut = true
      }
      const asked = Effect.map(put(questions.map(questionOf)), (answers) => answers ?? {})
      const answers = await waiting(asked, { ...given, onTimeout })
      if (answers === undefined && !timedOut) return undefined
      return {
        kind: "submit",
        results: questions.map((question) => answerOf(question, answers?.[question.id] ?? [], timedOut))
      }
    },
    select: (title, options, given) =>
      value({
        method: "select",
        title,
        options: options.map((option) => typeof option === "string" ? option : option.label),
        optionDetails: options.map((option) =>
          typeof option === "string" || option.description === undefined ? {} : { description: option.description }
        )
      }, given),
    confirm: async (title, message, given) => {
      const answer = await ask({ method: "confirm", title, message }, given)
      return answer?._tag === "Confirmed" && answer.confirmed
    },
    input: (title, _placeholder, given) => value({ method: "input", title }, given),
    editor: (title, _prefill, given) => value({ method: "editor", title }, given),
    notify,
    get theme() {
      return theme()
    }
  }
  const screen: Readonly<Record<string, () => unknown>> = {
    addAutocompleteProvider: nothing,
    custom: () => Promise.resolve(undefined),
    getAllThemes: () => Promise.resolve([]),
    getEditorText: () => "",
    getTheme: () => Promise.resolve(undefined),
    getToolsExpanded: () => false,
    onTerminalInput: () => nothing,
    pasteToEditor: nothing,
    setEditorComponent: nothing,
    setEditorText: nothing,
    setFooter: nothing,
    setHeader: nothing,
    setStatus: nothing,
    setTheme: () => Promise.resolve({ success: false, error: "there is no screen" }),
    setTitle: nothing,
    setToolsExpanded: nothing,
    setWidget: nothing,
    setWorkingMessage: nothing
  }
  return Object.defineProperties(screen, Object.getOwnPropertyDescriptors(ui)) as unknown as Sdk.UiContext
}

type HostTool = Parameters<PortHandlers["hostTool"]>[0]

/** The host's tools as omp's. */
export const customTools = (
  tools: ReadonlyArray<ToolSpec>,
  call: (call: HostTool) => Effect.Effect<ToolResult>,
  run: Run
): ReadonlyArray<Sdk.CustomTool> =>
  tools.map(({ description, inputSchema, name }) => ({
    name,
    label: name,
    description,
    parameters: inputSchema,
    // Others are behind a tool that the model has to ask for first.
    loadMode: "essential",
    // The host's own; it asks itself where it wants to.
    approval: "read",
    execute: async (callId, params, _onUpdate, _context, signal) => {
      const exit = await run(call({ callId, tool: name, arguments: json(params) }), signal)
      if (Exit.isFailure(exit)) throw new Error(`${name} was cancelled.`)
      const content = exit.value.content.map(contentOf)
      if (exit.value.success) return { content }
      // A tool fails by throwing.
      throw new Error(content.map((part) => part.type === "text" ? part.text : "").join("\n"))
    }
  }))
