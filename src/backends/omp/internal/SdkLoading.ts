/**
 * Loads omp's SDK into this process, once, when the first session needs it.
 */
import * as Effect from "effect/Effect"
import * as Fs from "node:fs/promises"
import { type AgentError, BinaryMissing, HandshakeFailed } from "../../../agent/AgentError.ts"
import type * as Sdk from "./Sdk.ts"
import { failed } from "./SdkErrors.ts"

// A variable, so that neither the compiler nor a bundler takes the package in.
const packageName: string = "@oh-my-pi/pi-coding-agent"

export interface Omp {
  readonly main: Sdk.Main
  readonly initializeExtensions: Sdk.RuntimeInit["initializeExtensions"]
  readonly models: Sdk.ModelResolver
  /** The user's settings, for a directory. */
  readonly settingsFor: (cwd: string) => Promise<Sdk.Settings>
  readonly auth: Sdk.AuthStorage
  /** A text of the user's that omp's command line adds to each session, and its SDK does not. */
  readonly promptFile: (name: string, cwd: string) => Promise<string | undefined>
}

/** For whoever speaks a protocol on stdout, or has no terminal to lend. omp takes these from the environment alone. */
const environment = {
  // It rings the terminal's bell on stdout.
  PI_NOTIFICATIONS: "off",
  PI_NO_PTY: "1",
  // Titles cost a request to a model, and nobody asks for them.
  PI_NO_TITLE: "1"
}

const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const

/**
 * Loading omp makes it end the process at a signal. Whoever else listens for one has an end of its own in mind, e.g.
 * to let turns come to theirs; omp's is then left to the `exit` of the process.
 */
const yieldingSignals = async <A>(load: () => Promise<A>): Promise<A> => {
  const before = new Map(signals.map((signal) => [signal, new Set<unknown>(process.listeners(signal))]))
  const loaded = await load()
  for (const signal of signals) {
    for (const listener of process.listeners(signal)) {
      // Others may have begun to listen while it was loaded.
      if (before.get(signal)?.has(listener) !== false || !String(listener).includes("runCleanup")) continue
      process.off(signal, listener)
      // In front of those that listen once, and are gone when they have heard it.
      process.prependListener(signal, (...args) => {
        if (process.listenerCount(signal) === 1) listener.apply(process, args)
      })
    }
  }
  return loaded
}

const importing = () =>
  yieldingSignals(async () => {
    const main: Sdk.Main = await import(packageName)
    const runtime: Sdk.RuntimeInit = await import(`${packageName}/modes/runtime-init`)
    const models: Sdk.ModelResolver = await import(`${packageName}/config/model-resolver`)
    const config: Sdk.Config = await import(`${packageName}/config`)
    return { config, main, models, runtime }
  })

const load = async (): Promise<Omp> => {
  for (const [name, value] of Object.entries(environment)) process.env[name] ??= value
  const { config, main, models, runtime } = await importing().catch((cause: unknown) => {
    throw failed(
      new BinaryMissing({
        command: packageName,
        detail: `bun add ${packageName} installs it (${cause instanceof Error ? cause.message : String(cause)})`
      })
    )
  })
  // Tools that ask look things up in it.
  await main.initTheme(false)
  // One for the process; sessions have copies for their directories.
  const settings = await main.Settings.init({ cwd: process.cwd() })
  return {
    main,
    initializeExtensions: runtime.initializeExtensions,
    models,
    auth: await main.discoverAuthStorage(),
    settingsFor: async (cwd) => {
      await settings.reloadFromDisk()
      return settings.cloneForCwd(cwd)
    },
    promptFile: async (name, cwd) => {
      const file = config.findConfigFile(name, { user: false, cwd }) ?? config.findConfigFile(name, { user: true, cwd })
      return file === undefined ? undefined : Fs.readFile(file, "utf8")
    }
  }
}

let loading: Promise<Omp> | undefined

/** Fails with `BinaryMissing` where omp is not installed, and on Node, where it does not run. */
export const omp: Effect.Effect<Omp, AgentError> = Effect.suspend(() => {
  if (process.versions["bun"] === undefined) {
    return Effect.fail(failed(
      new BinaryMissing({
        command: "bun",
        detail: "omp's SDK runs on Bun alone: run this program with it, or choose omp-rpc, which starts omp by itself"
      })
    ))
  }
  loading ??= load()
  const current = loading
  return Effect.tryPromise({
    try: () => current,
    catch: (cause) => {
      // Whoever mends it may try again.
      if (loading === current) loading = undefined
      return isAgentError(cause)
        ? cause
        : failed(new HandshakeFailed({ detail: `omp could not be set up: ${String(cause)}` }))
    }
  })
})

const isAgentError = (cause: unknown): cause is AgentError =>
  typeof cause === "object" && cause !== null && "_tag" in cause && cause._tag === "AgentError"
