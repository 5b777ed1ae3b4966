/**
 * What a thread of codex works with that names none of it, by codex's effective configuration. Pure.
 */
import * as Predicate from "effect/Predicate"
import { dirname } from "node:path"
import { ApprovalPolicy, type Confinement, SandboxMode, type SessionDefaults } from "../../../agent/AgentBackend.ts"
import type * as Open from "../../../protocol/generated/OpenTypes.ts"

/** Codex's profiles that need no configuration. */
const profiles: Readonly<Record<string, SandboxMode>> = {
  ":read-only": "read-only",
  ":workspace": "workspace-write",
  ":danger-full-access": "danger-full-access"
}

const isMode = (mode: unknown): mode is SandboxMode => SandboxMode.literals.some((known) => known === mode)

const text = (value: unknown): string | undefined => typeof value === "string" ? value : undefined

const trustIn = ({ projects }: Open.Config, directory: string): string | undefined => {
  if (!Predicate.isObject(projects) || !Object.hasOwn(projects, directory)) return undefined
  const project = Predicate.hasProperty(projects, directory) ? projects[directory] : undefined
  return Predicate.hasProperty(project, "trust_level") ? text(project.trust_level) : undefined
}

/** This directory and those that it is in, the innermost first. */
const upwards = (directory: string): ReadonlyArray<string> => {
  const parent = dirname(directory)
  return parent === directory ? [directory] : [directory, ...upwards(parent)]
}

/**
 * The directories of which one may be the root of a repository that codex has been told whether to trust, in the order
 * to look in. None where that is known for `cwd` itself, or for none of them.
 */
export const possibleRoots = (config: Open.Config, cwd: string): ReadonlyArray<string> => {
  const directories = upwards(cwd)
  if (trustIn(config, cwd) !== undefined) return []
  return directories.slice(0, 1 + directories.findLastIndex((directory) => trustIn(config, directory) !== undefined))
}

const policyOf = (policy: Open.Config["approval_policy"], trust: string | undefined): ApprovalPolicy => {
  // Which of its questions are asked is not told apart here.
  if (Predicate.isObject(policy)) return "on-request"
  const named = ApprovalPolicy.literals.find((known) => known === policy)
  return named ?? (trust === "untrusted" ? "untrusted" : "on-request")
}

/** `undefined` for a profile of the configuration's own: what it allows is more than can be told of it here. */
const confinementOf = (config: Open.Config, trust: string | undefined): Confinement | undefined => {
  const { default_permissions: configured, sandbox_mode: mode, sandbox_workspace_write: more } = config
  const beyond = {
    writableRoots: more?.writable_roots ?? [],
    networkAccess: more?.network_access ?? false,
    excludeTmpdirEnvVar: more?.exclude_tmpdir_env_var ?? false,
    excludeSlashTmp: more?.exclude_slash_tmp ?? false
  }
  if (isMode(mode)) return { ...beyond, mode }
  const profile = text(configured) ?? (trust === undefined ? ":read-only" : ":workspace")
  const sandbox = Object.hasOwn(profiles, profile) ? profiles[profile] : undefined
  return sandbox === undefined ? undefined : { ...beyond, mode: sandbox, profile }
}

/** @param root the repository that `cwd` is in, if that counts */
export const sessionDefaults = (
  config: Open.Config,
  { cwd, root }: { readonly cwd: string | undefined; readonly root: string | undefined }
): SessionDefaults => {
  const trust = (cwd === undefined ? undefined : trustIn(config, cwd)) ??
    (root === undefined ? undefined : trustIn(config, root))
  return {
    effort: config.model_reasoning_effort ?? undefined,
    approvalPolicy: policyOf(config.approval_policy, trust),
    confinement: confinementOf(config, trust),
    summary: text(config.model_reasoning_summary),
    personality: text(config["personality"])
  }
}
