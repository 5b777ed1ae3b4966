import { fileURLToPath } from "node:url"

/** The pinned binary. */
export const codexBin = fileURLToPath(new URL("../../../node_modules/.bin/codex", import.meta.url))
