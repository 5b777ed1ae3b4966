import { assert, describe, it } from "@effect/vitest"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { redact, redactJson, stripAnsi } from "../../src/transport/Redaction.ts"

const SecretPiece = Schema.Union([
  Schema.Literals([
    "sk-abcdefghijklmnop",
    "Bearer abcdefghijkl1",
    "authorization",
    "Authorization: Basic ",
    "token",
    "api_key",
    "\"password\":\"",
    "\\\"token\\\":\\\"x",
    "--api-key ",
    "eyJabcdefghij.abcdefghijkl.abc",
    "https://a:b@c",
    "=",
    ":",
    "\"",
    "'",
    " ",
    "[redacted]",
    "[",
    "]",
    "-----BEGIN PRIVATE KEY-----",
    "-----END",
    "null"
  ]),
  Schema.String
])

describe("Redaction", () => {
  it.prop(
    "changes nothing when applied again",
    [Schema.Array(SecretPiece)],
    ([pieces]) => {
      const once = redact(pieces.join(""))
      assert.strictEqual(redact(once), once)
    },
    { arbitrary: { runs: 2000 } }
  )

  it.prop("of JSON changes nothing when applied again", [Schema.Json], ([value]) => {
    const once = redactJson({ token: value, value })
    assert.deepStrictEqual(redactJson(once), once)
  })

  const secret = "c0ffee-Secret_42"
  const shapes: ReadonlyArray<readonly [input: string, output: string]> = [
    [`OPENAI_API_KEY=${secret} run`, "OPENAI_API_KEY=[redacted] run"],
    [`{"api_key":"${secret}","n":1}`, "{\"api_key\":\"[redacted]\",\"n\":1}"],
    [`{"accessToken": "a\\"${secret}"}`, "{\"accessToken\": \"[redacted]\"}"],
    [`"{\\"clientSecret\\":\\"${secret}\\"}"`, "\"{\\\"clientSecret\\\":\\\"[redacted]\\\"}\""],
    [`authorization: Bearer ${secret}`, "authorization: [redacted]"],
    [`Proxy-Authorization: Basic ${secret}`, "Proxy-Authorization: [redacted]"],
    [`password = '${secret} x'`, "password = '[redacted]'"],
    [`curl --token ${secret} -v`, "curl --token [redacted] -v"],
    [`got Bearer ${secret}`, "got Bearer [redacted]"],
    [`key sk-proj-${secret}, next`, "key sk-[redacted], next"],
    [`https://me:${secret}@host/path`, "https://[redacted]@host/path"],
    [`https://host/?token=${secret}&a=b`, "https://host/?token=[redacted]&a=b"],
    [`jwt eyJhbGciOi.eyJzdWIiOiIx.${secret}`, "jwt [redacted]"],
    [
      `-----BEGIN RSA PRIVATE KEY-----\n${secret}\n-----END RSA PRIVATE KEY-----`,
      "-----BEGIN RSA PRIVATE KEY-----[redacted]-----END RSA PRIVATE KEY-----"
    ]
  ]
  for (const [input, output] of shapes) {
    it(`of ${input.replaceAll("\n", "⏎")}`, () => {
      assert.strictEqual(redact(input), output)
      assert.notInclude(redact(input), secret)
    })
  }

  it("leaves text without secrets alone", () => {
    const texts = [
      "{\"totalTokens\":12,\"tokenUsage\":{\"input\":3},\"tokenizer\":\"x\"}",
      "error: unexpected token } in JSON at position 3",
      "risk-management-system, task-abcdefghijklmnop",
      "the bearer of this message understands",
      "see https://example.org/a@b and mail@example.org",
      "{\"isSecret\":true,\"token\":null}"
    ]
    for (const text of texts) assert.strictEqual(redact(text), text)
  })

  it("of JSON goes by field names, at any depth, and leaves the shape", () => {
    assert.deepStrictEqual(
      redactJson({
        params: { headers: { Authorization: `Bearer ${secret}` }, env: { MY_API_KEY: secret }, secrets: 1 },
        list: [{ password: 1234, isSecret: true, text: `token=${secret}` }],
        credentials: { user: "u", nested: [secret] }
      }),
      {
        params: { headers: { Authorization: "[redacted]" }, env: { MY_API_KEY: "[redacted]" }, secrets: 1 },
        list: [{ password: "[redacted]", isSecret: true, text: "token=[redacted]" }],
        credentials: { user: "[redacted]", nested: ["[redacted]"] }
      }
    )
  })

  it("of JSON survives nesting that would overflow the stack", () => {
    assert.doesNotThrow(() => redactJson(JSON.parse(`${"[".repeat(100_000)}${"]".repeat(100_000)}`)))
  })

  it.effect("is linear on hostile input", () =>
    Effect.gen(function*() {
      const hostile = [
        "-sk-eyJ".repeat(100_000),
        "token".repeat(100_000),
        "\u001b]".repeat(200_000),
        "\u009d".repeat(200_000),
        "a".repeat(1_000_000),
        "--a".repeat(200_000),
        "token=\"".repeat(100_000),
        "://".repeat(200_000),
        "Bearer ".repeat(100_000),
        "-----BEGIN PRIVATE KEY-----".repeat(20_000)
      ]
      for (const text of hostile) {
        const [duration] = yield* Effect.timed(Effect.sync(() => redact(stripAnsi(text))))
        // Quadratic work on these takes minutes.
        assert.isBelow(Duration.toMillis(duration), 5_000)
      }
    }))

  it("strips what only terminals read", () => {
    assert.strictEqual(
      stripAnsi(
        "\u001b[1;31mred\u001b[0m\u001b]0;title\u0007 \u001b]8;;http://x\u001b\\link\u200b\u0007\u0000\ttab\r\n"
      ),
      "red link\ttab\r\n"
    )
  })
})
