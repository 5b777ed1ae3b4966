import { assert, describe, it } from "@effect/vitest"
import * as Defaults from "../../../src/backends/codex/internal/Defaults.ts"
import type * as Open from "../../../src/protocol/generated/OpenTypes.ts"

const defaults = (config: Open.Config, root?: string) => Defaults.sessionDefaults(config, { cwd: "/w/sub", root })

const trusting = (directory: string, trust_level: string) => ({ projects: { [directory]: { trust_level } } })

/** As codex 0.171 answers `thread/start` where nothing is named. */
const shown = (config: Open.Config, root?: string) => {
  const { approvalPolicy, confinement } = defaults(config, root)
  return [approvalPolicy, confinement?.mode, confinement?.profile]
}

const roots = (config: Open.Config) => Defaults.possibleRoots(config, "/w/sub/deep")

describe("what codex's configuration makes of a thread that names nothing", () => {
  it("is what it sets", () => {
    const config: Open.Config = {
      approval_policy: "never",
      sandbox_mode: "workspace-write",
      sandbox_workspace_write: {
        writable_roots: ["/srv/more"],
        network_access: true,
        exclude_slash_tmp: true,
        exclude_tmpdir_env_var: false
      },
      model_reasoning_effort: "high",
      model_reasoning_summary: "concise",
      personality: "friendly"
    }
    assert.deepStrictEqual(defaults(config), {
      effort: "high",
      approvalPolicy: "never",
      confinement: {
        mode: "workspace-write",
        writableRoots: ["/srv/more"],
        networkAccess: true,
        excludeTmpdirEnvVar: false,
        excludeSlashTmp: true
      },
      summary: "concise",
      personality: "friendly"
    })
  })

  it("is what codex does by itself where it sets nothing", () => {
    assert.deepStrictEqual(shown({}), ["on-request", "read-only", ":read-only"])
    assert.deepStrictEqual(shown({ approval_policy: null, sandbox_mode: null }), shown({}))
    assert.deepStrictEqual(shown({ approval_policy: "on-failure" }), shown({}))
  })

  it("follows the trust in the directory or its repository, and in nothing between or above", () => {
    assert.deepStrictEqual(shown(trusting("/w/sub", "trusted")), ["on-request", "workspace-write", ":workspace"])
    assert.deepStrictEqual(shown(trusting("/w", "untrusted"), "/w"), ["untrusted", "workspace-write", ":workspace"])
    assert.deepStrictEqual(shown(trusting("/w", "trusted")), shown({}))
    const own = { ...trusting("/w/sub", "untrusted"), approval_policy: "never", sandbox_mode: "read-only" } as const
    assert.deepStrictEqual(shown(own), ["never", "read-only", undefined])
  })

  it("looks for a repository only as far up as one that is known", () => {
    assert.deepStrictEqual(roots(trusting("/w", "trusted")), ["/w/sub/deep", "/w/sub", "/w"])
    assert.deepStrictEqual(roots(trusting("/w/sub/deep", "trusted")), [])
    assert.deepStrictEqual(roots(trusting("/other", "trusted")), [])
    assert.deepStrictEqual(roots({ projects: null }), [])
    assert.deepStrictEqual(roots({}), [])
  })

  it("names codex's own profiles, and says nothing of others", () => {
    const full = { default_permissions: ":danger-full-access" }
    assert.deepStrictEqual(shown(full), ["on-request", "danger-full-access", ":danger-full-access"])
    for (const profile of ["mine", "constructor"]) {
      assert.isUndefined(defaults({ default_permissions: profile }).confinement)
    }
  })
})
