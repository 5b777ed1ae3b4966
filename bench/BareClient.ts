/**
 * The least that a client of an app-server can be, so that what is measured is the server.
 */
import { setTimeout } from "node:timers/promises"
import { WebSocket } from "ws"

interface Message {
  readonly id?: number
  readonly method?: string
  readonly result?: unknown
  readonly error?: { readonly message: string }
}

interface Started {
  readonly thread: { readonly id: string }
}

export class BareClient {
  readonly #socket: WebSocket
  readonly #waiting = new Map<number, (message: Message) => void>()
  readonly #expected: Array<{ readonly method: string; left: number; readonly done: () => void }> = []
  #nextId = 0

  constructor(socket: WebSocket) {
    this.#socket = socket
    socket.on("message", (data) => this.#arrived(JSON.parse(String(data))))
  }

  call(method: string, params: unknown): Promise<unknown> {
    const id = this.#nextId++
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, ({ error, result }) => {
        this.#waiting.delete(id)
        if (error === undefined) resolve(result)
        else reject(new Error(`${method}: ${error.message}`))
      })
      this.#socket.send(JSON.stringify({ id, method, params }))
    })
  }

  async startThread(): Promise<string> {
    // The answer of a server that knows the method.
    return ((await this.call("thread/start", { cwd: "/" })) as Started).thread.id
  }

  /** Starts a turn, and waits for its end. */
  async turn(threadId: string, text: string): Promise<void> {
    const ended = this.expect("turn/completed")
    await this.call("turn/start", { threadId, input: [{ type: "text", text, text_elements: [] }] })
    await ended
  }

  /** Waits for so many notifications of a kind. */
  expect(method: string, count = 1): Promise<void> {
    return new Promise((done) => this.#expected.push({ method, left: count, done }))
  }

  close(): void {
    this.#socket.close()
  }

  #arrived(message: Message): void {
    if (message.method === undefined) {
      if (message.id !== undefined) this.#waiting.get(message.id)?.(message)
      return
    }
    const index = this.#expected.findIndex(({ method }) => method === message.method)
    const expected = this.#expected[index]
    if (expected === undefined || --expected.left > 0) return
    this.#expected.splice(index, 1)
    expected.done()
  }
}

const open = (url: string): Promise<WebSocket | undefined> =>
  new Promise((resolve) => {
    const socket = new WebSocket(url, { perMessageDeflate: false, maxPayload: 2 ** 30 })
    socket.on("open", () => resolve(socket)).on("error", () => resolve(undefined))
  })

/** Connects and says hello, as soon as there is somebody: how long a server takes to be there is part of what is measured. */
export const connect = async (url: string, name: string): Promise<BareClient> => {
  for (;;) {
    const socket = await open(url)
    if (socket === undefined) {
      await setTimeout(2)
      continue
    }
    const client = new BareClient(socket)
    await client.call("initialize", {
      clientInfo: { name, version: "1" },
      capabilities: { experimentalApi: true }
    })
    return client
  }
}
