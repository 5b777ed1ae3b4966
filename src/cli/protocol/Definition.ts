/**
 * The flags of `codex-bridge protocol check`.
 */
import { command, type Input } from "../Command.ts"
import { one, toggle } from "../Flags.ts"

export const flags = {
  "codex-bin": one("PATH", "The codex to check. Default: codex on the PATH."),
  json: toggle("Print the report as JSON.")
}

export type CheckInput = Input<typeof flags>

export const check = command({
  name: "protocol check",
  summary: "Compare the protocol of an installed codex with the one this version was made for.",
  flags,
  notes: [
    "Exit codes: 0 no difference · 2 usage · 3 harmless differences · 4 breaking ones · 13 the codex cannot be asked"
  ],
  run: (input) => import("./Check.ts").then(({ run }) => run(input))
})
