/**
 * Which tools run, which are asked for, and which do not run, by the settings of a session.
 */
import { assert, describe, it } from "@effect/vitest"
import type { Confinement } from "../../../src/agent/AgentBackend.ts"
import * as Approvals from "../../../src/backends/pi-family/Approvals.ts"

const cwd = "/work/shop"

const decide = (
  policy: Approvals.Rules["policy"],
  sandbox: Approvals.Rules["sandbox"],
  name: string,
  args: unknown,
  before: ReadonlyMap<string, string | null> = new Map()
) =>
  Approvals.decide({ id: "c", name, args }, { policy, sandbox, cwd, writable: ["/tmp"] }, {
    before,
    hostTools: new Set(["look_up"]),
    mcpServers: ["lab"]
  })

const command = { command: "make | tee log" }
const inside = { path: "a.txt", content: "new\n" }
const outside = { path: "/etc/hosts", content: "new\n" }

const tools: Readonly<Record<string, readonly [name: string, args: unknown]>> = {
  command: ["bash", command],
  inside: ["write", inside],
  temporary: ["write", { path: "/tmp/a", content: "" }],
  outside: ["write", outside],
  neighbour: ["write", { path: "../shop-2/a.txt", content: "" }],
  read: ["read", { path: "/etc/passwd" }],
  host: ["look_up", {}],
  mcp: ["mcp__lab_echo", { text: "hi" }],
  other: ["browser", { url: "x" }]
}

// Codex's own words: what each setting is about.
const table: ReadonlyArray<
  readonly [policy: Approvals.Rules["policy"], sandbox: Approvals.Rules["sandbox"], asked: string, denied: string]
> = [
  ["never", "danger-full-access", "", ""],
  ["on-request", "danger-full-access", "", ""],
  ["untrusted", "danger-full-access", "command inside temporary outside neighbour mcp other", ""],
  ["never", "workspace-write", "", "outside neighbour"],
  ["on-request", "workspace-write", "command outside neighbour mcp other", ""],
  ["untrusted", "workspace-write", "command inside temporary outside neighbour mcp other", ""],
  ["never", "read-only", "", "command inside temporary outside neighbour mcp other"],
  ["on-request", "read-only", "command inside temporary outside neighbour mcp other", ""],
  ["untrusted", "read-only", "command inside temporary outside neighbour mcp other", ""]
]

const confined = (details: Partial<Confinement>, temporary?: string) =>
  Approvals.confined({
    mode: "workspace-write",
    writableRoots: [],
    networkAccess: false,
    excludeTmpdirEnvVar: false,
    excludeSlashTmp: false,
    ...details
  }, temporary).writable

describe("Approvals", () => {
  for (const [policy, sandbox, asked, denied] of table) {
    it(`${policy} in ${sandbox}`, () => {
      const verdicts = Object.entries(tools).map(([title, [name, args]]) =>
        [title, decide(policy, sandbox, name, args)._tag] as const
      )
      const titles = Map.groupBy(verdicts, ([, tag]) => tag)
      assert.strictEqual(titles.get("Ask")?.map(([title]) => title).join(" ") ?? "", asked)
      assert.strictEqual(titles.get("Deny")?.map(([title]) => title).join(" ") ?? "", denied)
    })
  }

  it("asks about a command as a line, and remembers that very one", () => {
    const verdict = decide("untrusted", "workspace-write", "bash", { ...command, cwd: "sub" })
    assert(verdict._tag === "Ask")
    assert.deepStrictEqual(verdict.question, {
      _tag: "Command",
      command: "bash -c 'make | tee log'",
      cwd: "/work/shop/sub"
    })
    const again = decide("untrusted", "workspace-write", "bash", { command: "make | tee other" })
    assert(again._tag === "Ask")
    assert.notDeepEqual(again.grants, verdict.grants)
  })

  it("asks about a change with its diff", () => {
    const before = new Map([["/work/shop/a.txt", "old\n"]])
    const verdict = decide("untrusted", "workspace-write", "write", inside, before)
    assert(verdict._tag === "Ask" && verdict.question._tag === "FileChange")
    assert.deepStrictEqual(verdict.question.changes, [
      { path: "/work/shop/a.txt", kind: "update", diff: "@@ -1 +1 @@\n-old\n+new\n" }
    ])
  })

  it("takes a tool that is called by way of another one for what it is", () => {
    const write = { path: "xd://bash", content: JSON.stringify(command) }
    assert.strictEqual(decide("on-request", "workspace-write", "write", write)._tag, "Ask")
    assert.strictEqual(decide("on-request", "workspace-write", "Bash", command)._tag, "Ask")
  })

  it("writes where a sandbox says, and to the places for temporary files that it does not leave out", () => {
    assert.deepStrictEqual(Approvals.confined("read-only", "/var/t"), {
      sandbox: "read-only",
      writable: ["/tmp", "/var/t"]
    })
    assert.deepStrictEqual(confined({}, "/var/t"), ["/tmp", "/var/t"])
    assert.deepStrictEqual(confined({ excludeSlashTmp: true }, "/var/t"), ["/var/t"])
    assert.deepStrictEqual(confined({ excludeTmpdirEnvVar: true }, "/var/t"), ["/tmp"])
    // A relative one would be found in whatever directory this program has.
    assert.deepStrictEqual(confined({ writableRoots: ["/srv/more", "more"], excludeSlashTmp: true }, "t"), [
      "/srv/more"
    ])
    const write = (path: string) =>
      Approvals.decide({ id: "c", name: "write", args: { path, content: "" } }, {
        policy: "never",
        cwd,
        sandbox: "workspace-write",
        writable: confined({ writableRoots: ["/srv/more"], excludeSlashTmp: true, excludeTmpdirEnvVar: true })
      }, { before: new Map(), hostTools: new Set(), mcpServers: [] })._tag
    assert.deepStrictEqual(["/srv/more/a", "/srv/a", "/tmp/a"].map(write), ["Allow", "Deny", "Deny"])
  })

  it("says what it cannot enforce", () => {
    assert.isString(Approvals.unconfined({ policy: "never", sandbox: "workspace-write" }))
    assert.isUndefined(Approvals.unconfined({ policy: "on-request", sandbox: "workspace-write" }))
    assert.isUndefined(Approvals.unconfined({ policy: "never", sandbox: "danger-full-access" }))
  })
})
