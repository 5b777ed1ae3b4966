/**
 * The lists that clients ask for when they start, of what the agent can do or of what there is none of.
 */
import * as Effect from "effect/Effect"
import * as Path from "effect/Path"
import { AgentBackend } from "../../agent/AgentBackend.ts"
import type * as Strict from "../../protocol/generated/StrictTypes.ts"
import type { HandlersOf } from "../MethodTable.ts"
import * as Features from "./Features.ts"
import { page } from "./Paging.ts"

const modes = (plan: boolean): ReadonlyArray<Strict.CollaborationModeMask> => [
  ...(plan ? [{ name: "Plan", mode: "plan", model: null, reasoning_effort: null } as const] : []),
  { name: "Default", mode: "default", model: null, reasoning_effort: null }
]

/** The profiles that stand for the three sandbox modes. */
export const permissionProfiles: ReadonlyArray<Strict.PermissionProfileSummary> = [
  ":read-only",
  ":workspace",
  ":danger-full-access"
].map((id) => ({ id, description: null, allowed: true }))

type Served =
  | "collaborationMode/list"
  | "experimentalFeature/enablement/set"
  | "experimentalFeature/list"
  | "hooks/list"
  | "mcpServerStatus/list"
  | "permissionProfile/list"
  | "skills/list"

export const handlers = Effect.gen(function*() {
  const { capabilities } = yield* AgentBackend
  const path = yield* Path.Path
  const features = Features.list(capabilities)

  /** One entry a directory, of the server's own if none is named. */
  const directories = (cwds: ReadonlyArray<string> | null | undefined): ReadonlyArray<string> =>
    cwds === null || cwds === undefined || cwds.length === 0 ? [path.resolve(".")] : cwds

  const served: Pick<HandlersOf<"catalog">, Served> = {
    "collaborationMode/list": () => Effect.succeed({ data: modes(capabilities.plan) }),
    // What was set is answered. Nothing can be: a feature is on if the agent has it.
    "experimentalFeature/enablement/set": () => Effect.succeed({ enablement: {} }),
    "experimentalFeature/list": (params) => page(features, params, "feature flags"),
    "hooks/list": ({ cwds }) =>
      Effect.succeed({ data: directories(cwds).map((cwd) => ({ cwd, hooks: [], warnings: [], errors: [] })) }),
    "mcpServerStatus/list": (params) => page([], params, "MCP servers"),
    "permissionProfile/list": (params) => page(permissionProfiles, params, "permission profiles"),
    "skills/list": ({ cwds }) =>
      Effect.succeed({ data: directories(cwds).map((cwd) => ({ cwd, skills: [], errors: [] })) })
  }
  return served
})
