/**
 * The account that clients are told of. There is none: the agent signs in by itself.
 *
 * The desktop app shows the models of a server only if it knows them, unless the account is one of a kind whose models
 * it cannot know. `amazonBedrock` is for such clients.
 */
import * as Effect from "effect/Effect"
import type * as Strict from "../../protocol/generated/StrictTypes.ts"
import { type AccountKind, BridgeConfig } from "../BridgeConfig.ts"
import type { HandlersOf } from "../MethodTable.ts"

/** What `account/read` answers, and what `account/updated` is about. */
export const account = (kind: AccountKind): Strict.GetAccountResponse => ({
  account: kind === "amazonBedrock" ? { type: "amazonBedrock", usesCodexManagedCredentials: false } : null,
  userId: null,
  requiresOpenaiAuth: false,
  workspaceRouting: null
})

export const handlers = Effect.gen(function*() {
  const settings = yield* BridgeConfig
  const served: Pick<HandlersOf<"catalog">, "account/read"> = {
    "account/read": () => Effect.succeed(account(settings.account))
  }
  return served
})
