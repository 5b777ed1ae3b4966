/**
 * The MCP server behind `McpServer.ts`: one JSON-RPC message a line on stdio. A plain program without dependencies, so
 * that it starts fast and depends on nothing that is under test.
 */
import * as Readline from "node:readline"

type Id = string | number

interface Message {
  readonly id?: Id
  readonly method?: string
  readonly params?: {
    readonly protocolVersion?: string
    readonly name?: string
    readonly arguments?: { readonly text?: string }
    readonly _meta?: { readonly progressToken?: Id }
  }
  readonly result?: unknown
  readonly error?: unknown
}

const send = (message: object) => process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`)
const reply = (id: Id, result: object) => send({ id, result })
const text = (text: string) => ({ content: [{ type: "text", text }] })

const noArguments = { type: "object", properties: {} }
const oneText = (name: string) => ({ type: "object", properties: { [name]: { type: "string" } }, required: [name] })
const readOnly = { readOnlyHint: true }
const tools = [
  { name: "echo", description: "Says a text again", inputSchema: oneText("text"), annotations: readOnly },
  { name: "fail", description: "Always fails", inputSchema: noArguments, annotations: readOnly },
  {
    name: "write",
    description: "Counts as destructive",
    inputSchema: noArguments,
    annotations: { readOnlyHint: false, destructiveHint: true }
  },
  { name: "elicit", description: "Asks the user for a name", inputSchema: noArguments, annotations: readOnly }
]

/** Our requests to the client, by id. */
const asked = new Map<Id, (answer: Message) => void>()
let lastAsked = 1000

const call = (id: Id, params: NonNullable<Message["params"]>) => {
  switch (params.name) {
    case "echo": {
      const progressToken = params._meta?.progressToken
      if (progressToken !== undefined) {
        send({
          method: "notifications/progress",
          params: { progressToken, progress: 1, total: 2, message: "half" }
        })
      }
      return reply(id, { ...text(`echo: ${params.arguments?.text}`), structuredContent: { ok: true } })
    }
    case "fail":
      return reply(id, { ...text("it failed"), isError: true })
    case "write":
      return reply(id, text("wrote"))
    case "elicit": {
      const question = ++lastAsked
      asked.set(question, (answer) => reply(id, text(`elicited ${JSON.stringify(answer.result ?? answer.error)}`)))
      return send({
        id: question,
        method: "elicitation/create",
        params: { mode: "form", message: "Your name?", requestedSchema: oneText("name") }
      })
    }
    default:
      return send({ id, error: { code: -32602, message: `unknown tool ${params.name}` } })
  }
}

const receive = (message: Message) => {
  const { id, method, params = {} } = message
  // A notification: nothing to answer.
  if (id === undefined) return
  switch (method) {
    case undefined: {
      const answered = asked.get(id)
      asked.delete(id)
      return answered?.(message)
    }
    case "initialize":
      return reply(id, {
        protocolVersion: params.protocolVersion ?? "2025-06-18",
        capabilities: { tools: { listChanged: false }, resources: {} },
        serverInfo: { name: "tiny", version: "0.0.1" }
      })
    case "ping":
      return reply(id, {})
    case "tools/list":
      return reply(id, { tools })
    case "resources/list":
      return reply(id, { resources: [] })
    case "resources/templates/list":
      return reply(id, { resourceTemplates: [] })
    case "tools/call":
      return call(id, params)
    default:
      return send({ id, error: { code: -32601, message: `unknown method ${method}` } })
  }
}

Readline.createInterface({ input: process.stdin }).on("line", (line) => receive(JSON.parse(line)))
