/**
 * The feature flags that clients look at before they show something, as far as they speak of what a server can do.
 */
import type { Capabilities } from "../../agent/AgentBackend.ts"
import type * as Strict from "../../protocol/generated/StrictTypes.ts"

type Enabled = boolean | keyof Capabilities

const flags: Readonly<Record<string, Enabled>> = {
  apps: false,
  auth_elicitation: false,
  browser_use: false,
  computer_use: false,
  fast_mode: false,
  goals: "goals",
  guardian_approval: false,
  hooks: false,
  image_generation: false,
  memories: false,
  mentions_v2: true,
  multi_agent: false,
  multi_agent_v2: false,
  plugin_sharing: false,
  plugins: false,
  remote_control: false,
  remote_plugin: false,
  shell_tool: true,
  skill_search: false,
  tool_suggest: false,
  view_image: "images"
}

const isEnabled = (capabilities: Capabilities, enabled: Enabled): boolean =>
  typeof enabled === "boolean" ? enabled : capabilities[enabled]

/** Which features are on. */
export const enablement = (capabilities: Capabilities): Readonly<Record<string, boolean>> =>
  Object.fromEntries(Object.entries(flags).map(([name, enabled]) => [name, isEnabled(capabilities, enabled)]))

/** All features, as clients list them. */
export const list = (capabilities: Capabilities): ReadonlyArray<Strict.ExperimentalFeature> =>
  Object.entries(enablement(capabilities)).map(([name, enabled]) => ({
    name,
    stage: "stable",
    displayName: null,
    description: null,
    announcement: null,
    enabled,
    defaultEnabled: enabled
  }))
