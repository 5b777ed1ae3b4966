import { assert, describe, it } from "@effect/vitest"
import * as Arguments from "../../../src/cli/app-server/Arguments.ts"

const parsed = (...words: ReadonlyArray<string>) => {
  const result = Arguments.parse(words)
  assert(result._tag === "AppServer", result._tag)
  return result.arguments
}

const clash = (...words: ReadonlyArray<string>) => parsed("app-server", ...words).clash

describe("the command line of app-server", () => {
  it("is that of stdio where nothing is said", () => {
    assert.deepStrictEqual(parsed("app-server"), {
      listen: "stdio://",
      options: {},
      config: [],
      ignored: [],
      unknown: [],
      clash: undefined
    })
  })

  it("is taken as the desktop app and the remote bootstrap write it", () => {
    assert.deepInclude(parsed("-c", "features.code_mode_host=true", "app-server", "--analytics-default-enabled"), {
      config: ["features.code_mode_host=true"],
      ignored: ["--analytics-default-enabled"],
      unknown: []
    })
    assert.strictEqual(
      parsed("-c", "features.code_mode_host=true", "app-server", "--listen", "unix://").listen,
      "unix://"
    )
    assert.strictEqual(parsed("app-server", "--stdio").listen, "stdio://")
  })

  it("takes codex's flags on both sides of the command, in every way of writing", () => {
    const { config, options } = parsed(
      "--config=a=1",
      "-cb=2",
      "--enable",
      "goals",
      "app-server",
      "--disable=apps",
      "--backend",
      "scripted",
      "--ws-token-file=/t"
    )
    assert.deepStrictEqual(config, ["a=1", "b=2", "features.goals=true", "features.apps=false"])
    assert.deepStrictEqual(options, { backend: "scripted", "ws-token-file": "/t" })
  })

  it("notes what nobody knows, and goes on", () => {
    const { listen, unknown } = parsed("--new-thing", "app-server", "--newer", "7", "--listen", "off", "-Z")
    assert.deepStrictEqual(unknown, ["--new-thing", "--newer", "-Z"])
    assert.strictEqual(listen, "off")
  })

  it("says a thing once", () => {
    assert.deepStrictEqual(clash("--listen", "unix://", "--listen=unix://"), { flag: "listen", other: "listen" })
    assert.deepStrictEqual(clash("--stdio", "--listen", "unix://"), { flag: "listen", other: "stdio" })
    assert.deepStrictEqual(clash("--ws-auth", "a", "--ws-auth", "b"), { flag: "ws-auth", other: "ws-auth" })
    assert.isUndefined(clash("-c", "a=1", "-c", "a=2", "--listen", "unix://"))
  })

  it("leaves other commands alone", () => {
    assert.strictEqual(Arguments.parse(["attempt", "--json", "app-server"])._tag, "Other")
    assert.strictEqual(Arguments.parse(["--help"])._tag, "Other")
    assert.strictEqual(Arguments.parse([])._tag, "Other")
    assert.deepStrictEqual(Arguments.parse(["app-server", "proxy", "--sock", "/s"]), {
      _tag: "Subcommand",
      name: "proxy",
      rest: ["--sock", "/s"]
    })
  })
})
