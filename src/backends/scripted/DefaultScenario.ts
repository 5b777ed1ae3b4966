/**
 * What the scripted agent says when nobody wrote a script for it.
 */
import type { Scenario, Step } from "./Scenario.ts"

const words = (text: string): ReadonlyArray<string> => text.match(/\s*\S+\s*$|\s*\S+/g) ?? []

/** An introduction: reasoning, a plan of two steps, and how to get a real agent. It touches nothing. */
export const introduction: ReadonlyArray<Step> = [
  {
    _tag: "Reason",
    summary: [words("Nobody configured an agent, so I introduce myself and say how to get one.")],
    millis: 12
  },
  {
    _tag: "UpdatePlan",
    steps: [
      { step: "Say who is speaking", status: "inProgress" },
      { step: "Say how to use a real agent", status: "pending" }
    ]
  },
  {
    _tag: "Say",
    phase: "commentary",
    deltas: words("You said: {{prompt}}"),
    millis: 18
  },
  {
    _tag: "UpdatePlan",
    steps: [
      { step: "Say who is speaking", status: "completed" },
      { step: "Say how to use a real agent", status: "inProgress" }
    ]
  },
  {
    _tag: "Say",
    phase: "final",
    deltas: words(
      "Hello! I am the built-in scripted agent. I call no model, run no command and change no file. " +
        "To have the work done, give a real agent what it needs and run this again: codex a login (`codex login`) or a " +
        "model provider in its `config.toml`, Oh My Pi (`omp`) or Pi (`pi`) a login or a model. It is chosen by itself then."
    ),
    millis: 18
  },
  {
    _tag: "UpdatePlan",
    steps: [
      { step: "Say who is speaking", status: "completed" },
      { step: "Say how to use a real agent", status: "completed" }
    ]
  }
]

/** The scenario of `layerDefault`. It claims no more than it does: its sessions end with the process. */
export const defaultScenario: Scenario = {
  durable: false,
  capabilities: {
    compact: false,
    goals: false,
    approvals: false,
    hostTools: false,
    images: false,
    outputSchema: false
  },
  fallback: introduction
}
