import { configDefaults, defineConfig } from "vitest/config"
import all from "./vitest.config.ts"
import { slow } from "./vitest.e2e.config.ts"

/** All but the slow files; turns on the real codex are among them. */
export default defineConfig({ test: { ...all.test, exclude: [...configDefaults.exclude, ...slow] } })
