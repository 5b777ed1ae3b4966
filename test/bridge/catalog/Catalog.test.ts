import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Schema from "effect/Schema"
import * as TestClock from "effect/testing/TestClock"
import { AgentError, everyCapability, NotConfigured } from "../../../src/agent/index.ts"
import { BridgeConfig } from "../../../src/bridge/BridgeConfig.ts"
import * as Models from "../../../src/bridge/catalog/Models.ts"
import { installationId } from "../../../src/bridge/catalog/Server.ts"
import { answer, layer, refusal } from "./support/bridge.ts"

const model = (id: string, isDefault = false, efforts: ReadonlyArray<string> = ["low", "medium", "high"]) => ({
  id,
  name: `The ${id}`,
  description: "A model",
  isDefault,
  efforts
})

const options = { model: undefined, effort: undefined, images: true, standIn: "agent" }

const ModelInfo = Schema.Struct({
  id: Schema.String,
  name: Schema.String,
  description: Schema.String,
  isDefault: Schema.Boolean,
  efforts: Schema.Array(Schema.String)
})

describe("models", () => {
  it("the default comes first, whatever the order of the agent", () => {
    const models = Models.list([model("a"), model("b", true), model("c")], options)
    assert.deepStrictEqual(models.map(({ id, isDefault }) => [id, isDefault]), [["b", true], ["a", false], [
      "c",
      false
    ]])
  })

  it("a model that was set up is the default, also one that the agent does not list", () => {
    const models = [model("a", true), model("b")]
    assert.strictEqual(Models.list(models, { ...options, model: "b" })[0]?.id, "b")
    const [first, ...rest] = Models.list(models, { ...options, model: "z" })
    assert.strictEqual(first?.id, "z")
    assert.deepStrictEqual(rest.map(({ id }) => id), ["a", "b"])
  })

  it("the default effort is the one set up, where the model has it", () => {
    const [a, b] = Models.list([model("a"), model("b", false, ["minimal", "high"])], { ...options, effort: "high" })
    assert.strictEqual(a?.defaultReasoningEffort, "high")
    assert.strictEqual(b?.defaultReasoningEffort, "high")
    const [c, d] = Models.list([model("c"), model("d", false, ["minimal", "low", "max"])], { ...options, effort: "zz" })
    assert.strictEqual(c?.defaultReasoningEffort, "medium")
    assert.strictEqual(d?.defaultReasoningEffort, "low")
  })

  it("a model without efforts has one that says so", () => {
    const [only] = Models.list([model("a", true, [])], options)
    assert.deepStrictEqual(only?.supportedReasoningEfforts.map(({ reasoningEffort }) => reasoningEffort), ["none"])
    assert.strictEqual(only?.defaultReasoningEffort, "none")
  })

  it.prop("one default, first; ids once; never empty", [Schema.Array(ModelInfo)], ([models]) => {
    const listed = Models.list(models, options)
    assert.isNotEmpty(listed)
    assert.deepStrictEqual(listed.map(({ isDefault }) => isDefault), listed.map((_, index) => index === 0))
    assert.strictEqual(new Set(listed.map(({ id }) => id)).size, listed.length)
    for (const { defaultReasoningEffort, supportedReasoningEfforts } of listed) {
      const efforts = supportedReasoningEfforts.map(({ reasoningEffort }) => reasoningEffort)
      assert.include(efforts, defaultReasoningEffort)
    }
  })

  const three = { listModels: Effect.succeed([model("a", true), model("b"), model("c")]) }

  it.effect("pages go on where the last one ended", () =>
    Effect.gen(function*() {
      const ids: Array<string> = []
      let cursor: string | null = null
      do {
        const page: { readonly data: ReadonlyArray<{ readonly id: string }>; readonly nextCursor?: string | null } =
          yield* answer("model/list", { limit: 2, cursor })
        ids.push(...page.data.map(({ id }) => id))
        cursor = page.nextCursor ?? null
      } while (cursor !== null)
      assert.deepStrictEqual(ids, ["a", "b", "c"])
      assert.strictEqual(yield* refusal("model/list", { cursor: "nope" }), "invalid cursor: nope")
      assert.strictEqual(yield* refusal("model/list", { cursor: "99" }), "cursor 99 exceeds total models 3")
      assert.strictEqual((yield* answer("model/list", { limit: 0 })).data.length, 1)
      assert.strictEqual((yield* answer("model/list", { cursor: "3" })).data.length, 0)
    }).pipe(Effect.provide(layer({ backend: three }))))

  it.effect("a provider that this server has not is refused", () =>
    Effect.gen(function*() {
      assert.include(yield* refusal("model/list", { modelProvider: "openai" }), "“openai”")
      assert.strictEqual((yield* answer("model/list", { modelProvider: "mine" })).data.length, 3)
      const providers = yield* answer("modelProvider/list", {})
      assert.strictEqual(providers.defaultProviderId, "mine")
      assert.deepStrictEqual(providers.data.map(({ id }) => id), ["mine"])
    }).pipe(Effect.provide(layer({ backend: three, settings: { provider: "mine" } }))))

  const failing = {
    listModels: Effect.fail(new AgentError({ backend: "x", reason: new NotConfigured({ detail: "no login" }) }))
  }

  it.effect("a client starts also when the agent cannot say its models", () =>
    Effect.gen(function*() {
      const { data } = yield* answer("model/list", { includeHidden: true })
      assert.deepStrictEqual(data.map(({ id, isDefault }) => [id, isDefault]), [["set-up", true]])
    }).pipe(Effect.provide(layer({ backend: failing, settings: { model: "set-up" } }))))

  it.effect("an agent that has no list of models is not asked for one", () =>
    Effect.gen(function*() {
      const { data } = yield* answer("model/list", {})
      assert.deepStrictEqual(data.map(({ id }) => id), ["scripted"])
    }).pipe(Effect.provide(layer({
      backend: { capabilities: { ...everyCapability, models: false }, listModels: Effect.die("was asked") }
    }))))

  it.effect("an agent that never answers is given up before the client gives up", () =>
    Effect.gen(function*() {
      const asked = yield* Effect.forkChild(answer("model/list", {}))
      yield* TestClock.adjust("29 seconds")
      const exit = asked.pollUnsafe()
      assert.strictEqual(exit?._tag, "Success")
    }).pipe(Effect.provide(layer({ backend: { listModels: Effect.never } }))))
})

describe("the rest of the catalogue", () => {
  it.effect("there is no account, and none is needed", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(yield* answer("account/read", {}), {
        account: null,
        userId: null,
        requiresOpenaiAuth: false,
        workspaceRouting: null
      })
    }).pipe(Effect.provide(layer())))

  it.effect("the account that makes the desktop show all models", () =>
    Effect.gen(function*() {
      const { account, requiresOpenaiAuth } = yield* answer("account/read", { refreshToken: true })
      assert.deepStrictEqual(account, { type: "amazonBedrock", usesCodexManagedCredentials: false })
      assert.isFalse(requiresOpenaiAuth)
    }).pipe(Effect.provide(layer({ settings: { account: "amazonBedrock" } }))))

  it.effect("plan mode and features are those of the agent", () =>
    Effect.gen(function*() {
      const modes = yield* answer("collaborationMode/list", {})
      assert.deepStrictEqual(modes.data.map(({ mode }) => mode), ["default"])
      const features = yield* answer("experimentalFeature/list", {})
      assert.isFalse(features.data.find(({ name }) => name === "goals")?.enabled)
      const { config } = yield* answer("config/read", {})
      assert.containsSubset(config, { features: { goals: false, shell_tool: true } })
    }).pipe(Effect.provide(layer({ backend: { capabilities: { ...everyCapability, plan: false, goals: false } } }))))

  it.effect("lists by directory have an entry for each, and for the server's own if none is named", () =>
    Effect.gen(function*() {
      const hooks = yield* answer("hooks/list", { cwds: ["/a", "b"] })
      assert.deepStrictEqual(hooks.data.map(({ cwd }) => cwd), ["/a", "b"])
      const skills = yield* answer("skills/list", {})
      assert.deepStrictEqual(skills.data, [{ cwd: process.cwd(), skills: [], errors: [] }])
    }).pipe(Effect.provide(layer())))

  it.effect("an installation keeps its id, also when two ask first at the same time", () =>
    Effect.gen(function*() {
      const ids = yield* Effect.all([installationId, installationId, installationId], { concurrency: "unbounded" })
      assert.strictEqual(new Set(ids).size, 1)
      const status = yield* answer("remoteControl/status/read", undefined)
      assert.strictEqual(status.installationId, ids[0])
      const fs = yield* FileSystem.FileSystem
      const { stateDirectory } = yield* BridgeConfig
      yield* fs.writeFileString(`${stateDirectory}/installation-id`, "not an id")
      assert.include(yield* refusal("remoteControl/status/read", undefined), `${stateDirectory}/installation-id`)
    }).pipe(Effect.provide(layer())))

  it.effect("an environment that is not this machine is unknown", () =>
    Effect.gen(function*() {
      const status = yield* answer("environment/status", { environmentId: "elsewhere" })
      assert.strictEqual(status.status, "unknown")
      assert.include(yield* refusal("environment/info", { environmentId: "elsewhere" }), "`elsewhere`")
      const info = yield* answer("environment/info", { environmentId: "local" })
      assert.match(info.cwd ?? "", /^file:\/\/\//u)
    }).pipe(Effect.provide(layer())))
})
