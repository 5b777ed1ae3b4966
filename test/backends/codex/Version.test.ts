import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import * as Version from "../../../src/backends/codex/internal/Version.ts"

const Part = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 9999 }))
const AnyVersion = Schema.Struct({
  major: Part,
  minor: Part,
  patch: Part,
  pre: Schema.Literals(["", "alpha.3", "rc.1"])
})
const Originator = Schema.Literals(["codexlab", "my host", "a/b", "x/1.2.3-beta", "1.2.3", "Tool (beta)", "名前", ""])

describe("Version", () => {
  it.prop(
    "is read from a user agent, whatever the first client is called",
    [Originator, AnyVersion],
    ([originator, version]) => {
      const userAgent = `${originator}/${Version.format(version)} (Debian 12.0.0; x86_64) unknown (codexlab; 0.0.1)`
      assert.deepStrictEqual(Version.fromUserAgent(userAgent), version)
    }
  )

  it("is not invented", () => {
    for (const userAgent of ["", "codex", "codex/", "codex/1.2 (x)", "codex (1.2.3)", "codex/v1.2.3 (x)"]) {
      assert.isUndefined(Version.fromUserAgent(userAgent), userAgent)
    }
  })

  it("is read without what follows it, and with a build", () => {
    assert.deepStrictEqual(Version.fromUserAgent("codex/0.171.0"), Version.tested)
    assert.deepStrictEqual(Version.fromUserAgent("codex/0.171.0+abc (x)"), Version.tested)
  })

  it("is ordered by number, a pre-release before its release", () => {
    const ordered = ["0.9.0", "0.100.0", "0.171.0-alpha.3", "0.171.0", "0.171.1", "0.172.0", "1.0.0"]
      .map((text) => Version.fromUserAgent(`c/${text}`) ?? Version.minimum)
    const shuffled = ordered.toReversed().toSorted(Version.compare)
    assert.deepStrictEqual(shuffled.map(Version.format), ordered.map(Version.format))
  })

  it.prop("is ordered consistently", [AnyVersion, AnyVersion], ([a, b]) => {
    assert.strictEqual(Math.sign(Version.compare(a, b)) + Math.sign(Version.compare(b, a)), 0)
    assert.strictEqual(Version.compare(a, a), 0)
  })
})
