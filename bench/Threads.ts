/**
 * Threads for a store, as many as are asked for.
 */
import * as Effect from "effect/Effect"
import type { ItemRecord, ThreadStoreService } from "../src/bridge/store/index.ts"

export const uuid = (n: number): string => `01a229b5-f445-78b3-a1e3-${n.toString(16).padStart(12, "0")}`

const said: ItemRecord["item"] = {
  type: "userMessage",
  id: "q",
  clientId: null,
  content: [{ type: "text", text: "What does this do?", text_elements: [] }]
}

export const answered = (id: string): ItemRecord["item"] => ({
  type: "agentMessage",
  id,
  text: "word ".repeat(100),
  phase: null,
  memoryCitation: null
})

/** A thread with so many items in so many turns. */
export const create = Effect.fnUntraced(function*(store: ThreadStoreService, n: number, items: number, turns = 1) {
  yield* store.create({
    id: uuid(n),
    createdAt: 1_000 + n,
    cwd: `/work/${n % 50}`,
    model: "m",
    modelProvider: "p",
    source: "vscode",
    settings: { approvalPolicy: "on-request", sandboxPolicy: { type: "readOnly", networkAccess: false } }
  })
  for (let turn = 0; turn < turns; turn++) {
    const id = `t${turn}`
    yield* store.startTurn(uuid(n), { id, startedAt: 1_000 + n })
    for (let k = 0; k < items / turns; k++) {
      const item = k === 0 ? said : answered(`i${k}`)
      yield* store.putItem(uuid(n), id, { item, startedAtMs: n, completedAtMs: n })
    }
    yield* store.endTurn(uuid(n), id, { status: "completed", completedAt: 1_000 + n })
  }
})
