/**
 * The agent's models, as clients list them.
 */
import * as Effect from "effect/Effect"
import { AgentBackend, type Capabilities, type ModelInfo } from "../../agent/AgentBackend.ts"
import type * as Strict from "../../protocol/generated/StrictTypes.ts"
import { BridgeConfig, type Settings } from "../BridgeConfig.ts"
import { InvalidRequest, refuse } from "../BridgeError.ts"
import type { HandlersOf } from "../MethodTable.ts"
import { CodexConfig, providerOf } from "./CodexConfig.ts"
import { page } from "./Paging.ts"

/** The effort of a model that has none to choose from. */
export const noEffort = "none"

const descriptions: Readonly<Record<string, string>> = {
  [noEffort]: "Does not reason before it answers",
  minimal: "Barely reasons before it answers",
  low: "Reasons a little; the quickest answers",
  medium: "Reasons as long as most tasks need",
  high: "Reasons at length, for hard problems",
  xhigh: "Reasons at great length, for very hard problems",
  max: "Reasons as long as it can"
}

const defaultEffort = (
  efforts: ReadonlyArray<string>,
  preferred: ReadonlyArray<string | undefined>
): string => {
  const wanted = [...preferred, "medium"].find((effort) => effort !== undefined && efforts.includes(effort))
  return wanted ?? efforts[Math.floor((efforts.length - 1) / 2)] ?? noEffort
}

const toModel = (model: ModelInfo, isDefault: boolean, options: ListOptions): Strict.Model => {
  const efforts = model.efforts.length === 0 ? [noEffort] : [...new Set(model.efforts)]
  return {
    id: model.id,
    model: model.id,
    upgrade: null,
    upgradeInfo: null,
    availabilityNux: null,
    displayName: model.name === "" ? model.id : model.name,
    description: model.description,
    modelSpecialty: null,
    hidden: false,
    supportedReasoningEfforts: efforts.map((reasoningEffort) => ({
      reasoningEffort,
      description: descriptions[reasoningEffort] ?? ""
    })),
    defaultReasoningEffort: defaultEffort(efforts, [options.effort, model.defaultEffort]),
    inputModalities: options.images ? ["text", "image"] : ["text"],
    supportsPersonality: false,
    multiAgentVersion: null,
    additionalSpeedTiers: [],
    serviceTiers: [],
    defaultServiceTier: null,
    availableAccessPrograms: null,
    isDefault
  }
}

export interface ListOptions {
  /** The model that is preferred to the agent's own default. */
  readonly model: string | undefined
  /** The effort that is preferred where a model has it. */
  readonly effort: string | undefined
  readonly images: boolean
  /** The name of a model that stands for the agent's own choice, where it lists none. */
  readonly standIn: string
}

const unlisted = (id: string, description: string): ModelInfo => ({
  id,
  name: id,
  description,
  isDefault: false,
  efforts: []
})

/** The models in the order that clients show them: one default, which is first. Never empty. */
export const list = (models: ReadonlyArray<ModelInfo>, options: ListOptions): ReadonlyArray<Strict.Model> => {
  const named = new Map<string, ModelInfo>()
  for (const model of models) if (model.id !== "" && !named.has(model.id)) named.set(model.id, model)
  const preferred = options.model ?? models.find(({ isDefault }) => isDefault)?.id ?? named.keys().next().value ??
    options.standIn
  const first = named.get(preferred) ?? unlisted(preferred, "The model that this server was set up with")
  named.delete(preferred)
  return [first, ...named.values()].map((model, index) => toModel(model, index === 0, options))
}

/**
 * The models that the agent lists; none if it cannot tell. Without a list clients do not start at all, and could not
 * show why the agent does not.
 */
export const ofAgent = (backend: AgentBackend["Service"]): Effect.Effect<ReadonlyArray<ModelInfo>> =>
  backend.capabilities.models
    ? backend.listModels.pipe(
      // Clients give up a request after 30 seconds.
      Effect.timeout("25 seconds"),
      Effect.catch((error) =>
        Effect.as(Effect.logWarning(`The models of ${backend.id} are not known: ${error.message}`), [])
      )
    )
    : Effect.succeed([])

const listOptions = (settings: Settings, backend: string, capabilities: Capabilities): ListOptions => ({
  model: settings.model,
  effort: settings.effort,
  images: capabilities.images,
  standIn: backend
})

type Served =
  | "model/list"
  | "modelProvider/default/set"
  | "modelProvider/list"
  | "account/gatewayOAuth/read"

export const handlers = Effect.gen(function*() {
  const settings = yield* BridgeConfig
  const backend = yield* AgentBackend
  const config = yield* CodexConfig
  const provider = providerOf(settings, backend)

  const models = ofAgent(backend)

  const served: Pick<HandlersOf<"catalog">, Served> = {
    "model/list": Effect.fnUntraced(function*(params) {
      const asked = params.modelProvider ?? provider
      if (asked !== provider) {
        return yield* refuse(
          new InvalidRequest({
            message: `This chat uses model provider “${asked}”, and this server has “${provider}” alone. ` +
              "Choose one of its models to go on.",
            data: { type: "modelProviderNotConfigured", modelProvider: asked }
          })
        )
      }
      const all = list(yield* models, listOptions(settings, backend.id, backend.capabilities))
      return yield* page(all, params, "models")
    }),
    "modelProvider/list": () =>
      Effect.succeed({
        data: [{
          id: provider,
          name: provider,
          canEdit: false,
          baseUrl: null,
          settings: { type: "customGateway", auth: { mode: "externallyConfigured", envKey: null } }
        }],
        defaultProviderId: provider,
        canChangeDefault: false
      }),
    "modelProvider/default/set": ({ providerId }) =>
      providerId === provider
        ? config.write([{ keyPath: "model_provider", value: provider, mergeStrategy: "replace" }])
        : Effect.fail(refuse(new InvalidRequest({ message: `Model provider \`${providerId}\` is not configured.` }))),
    "account/gatewayOAuth/read": () =>
      Effect.succeed({
        providerId: provider,
        providerName: provider,
        required: false,
        supportsDeviceAuth: false,
        status: null,
        error: null
      })
  }
  return served
})
