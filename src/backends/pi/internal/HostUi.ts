/**
 * What extensions and models of Pi's ask of people and of the host, in the host's own terms.
 */
import type { ExtensionUIContext, ToolDefinition } from "@mariozechner/pi-coding-agent"
import { uuidV7Unsafe } from "effect/crypto/SecureRandom"
import type { Question, ToolResult, ToolSpec } from "../../../agent/TurnHost.ts"
import { contentOf } from "../../pi-family/HostToolContent.ts"
import type { PortHandlers } from "../../pi-family/Port.ts"
import { json } from "../../pi-family/Reading.ts"

type Ask = (
  questions: ReadonlyArray<Question>,
  signal: AbortSignal | undefined
) => Promise<Readonly<Record<string, ReadonlyArray<string>>> | undefined>

const question = (title: string, options: ReadonlyArray<string>, text = title): Question => ({
  id: uuidV7Unsafe(),
  header: title,
  question: text,
  isSecret: false,
  allowsOther: options.length === 0,
  options: options.map((label) => ({ label, description: "" }))
})

/** The dialogs of extensions, as questions. Nobody's answer is that of a dialog that was closed. */
export const questions = (
  ask: Ask,
  notify: (message: string) => void
): Pick<ExtensionUIContext, "confirm" | "editor" | "input" | "notify" | "select"> => {
  const answer = async (asked: Question, signal: AbortSignal | undefined) =>
    (await ask([asked], signal))?.[asked.id]?.[0]
  return {
    select: (title, options, given) => answer(question(title, options), given?.signal),
    confirm: async (title, message, given) =>
      await answer(question(title, ["Yes", "No"], message), given?.signal) === "Yes",
    input: (title, _placeholder, given) => answer(question(title, []), given?.signal),
    editor: (title) => answer(question(title, []), undefined),
    notify
  }
}

type HostTool = Parameters<PortHandlers["hostTool"]>[0]

/** The host's tools as Pi's. */
export const customTools = (
  tools: ReadonlyArray<ToolSpec>,
  run: (call: HostTool, signal: AbortSignal | undefined) => Promise<ToolResult>
): Array<ToolDefinition> =>
  tools.map(({ description, inputSchema, name }) => ({
    name,
    label: name,
    description,
    // Pi makes its schemas with a library whose values are JSON Schema, as this is.
    parameters: inputSchema as unknown as ToolDefinition["parameters"],
    execute: async (callId, params, signal) => {
      const { content, success } = await run({ callId, tool: name, arguments: json(params) }, signal)
      const parts = content.map(contentOf)
      // A tool fails by throwing.
      if (!success) throw new Error(parts.map((part) => part.type === "text" ? part.text : "").join("\n"))
      return { content: parts, details: undefined }
    }
  }))
