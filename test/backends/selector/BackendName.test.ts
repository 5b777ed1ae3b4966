import { assert, describe, it } from "@effect/vitest"
import * as Result from "effect/Result"
import { backendNames, fromEnvironment } from "../../../src/backends/selector/BackendName.ts"

const nameIn = (environment: Readonly<Record<string, string>>) =>
  Result.match(fromEnvironment(environment), {
    onSuccess: (found) => found === undefined ? undefined : `${found.name} by ${found.variable}`,
    onFailure: ({ detail, value, variable }) => `${variable} = ${value}: ${detail}`
  })

describe("BackendName", () => {
  it("the program's own variable is stronger than the shared one, which has two names", () => {
    assert.isUndefined(nameIn({}))
    assert.isUndefined(nameIn({ AGENT_RUNTIME: "", OPENCLAW_AGENT_RUNTIME: "" }))
    assert.strictEqual(nameIn({ OPENCLAW_AGENT_RUNTIME: "pi" }), "pi by OPENCLAW_AGENT_RUNTIME")
    assert.strictEqual(nameIn({ AGENT_RUNTIME: "omp-rpc" }), "omp-rpc by AGENT_RUNTIME")
    assert.strictEqual(nameIn({ AGENT_RUNTIME: "pi", OPENCLAW_AGENT_RUNTIME: "pi" }), "pi by AGENT_RUNTIME")
    assert.strictEqual(
      nameIn({ CODEX_BRIDGE_BACKEND: "auto", AGENT_RUNTIME: "nobody", OPENCLAW_AGENT_RUNTIME: "pi" }),
      "auto by CODEX_BRIDGE_BACKEND"
    )
  })

  it("two values for the shared one are a mistake, which names both", () => {
    assert.strictEqual(
      nameIn({ AGENT_RUNTIME: "omp-rpc", OPENCLAW_AGENT_RUNTIME: "pi" }),
      "AGENT_RUNTIME = omp-rpc: OPENCLAW_AGENT_RUNTIME, another name for the same setting, is \"pi\"; unset one of them"
    )
  })

  it("a name of nobody is told where it stands, with the names that there are", () => {
    for (const variable of ["CODEX_BRIDGE_BACKEND", "AGENT_RUNTIME", "OPENCLAW_AGENT_RUNTIME"]) {
      assert.strictEqual(
        nameIn({ [variable]: "Codex" }),
        `${variable} = Codex: there is no such agent; there are ${backendNames.join(", ")}`
      )
    }
  })
})
