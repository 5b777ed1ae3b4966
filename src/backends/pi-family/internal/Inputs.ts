/**
 * What the user says, as these agents take it.
 */
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Path from "effect/Path"
import type { InputPart } from "../../../agent/AgentBackend.ts"
import { InvalidInput } from "../../../agent/AgentError.ts"
import type { PortImage, PortInput } from "../Port.ts"

const types: Readonly<Record<string, string>> = {
  ".gif": "image/gif",
  ".jpeg": "image/jpeg",
  ".jpg": "image/jpeg",
  ".png": "image/png",
  ".webp": "image/webp"
}

const invalid = (detail: string) => new InvalidInput({ field: "input", detail })

const dataUrl = /^data:(image\/[\w.+-]+);base64,([\w+/=\s-]*)$/u

/** Agents take the bytes of images, and fetch none. */
const imageOf = Effect.fnUntraced(function*(part: Exclude<InputPart, { readonly _tag: "Text" }>) {
  if (part._tag === "ImageUrl") {
    const [, mimeType, data] = dataUrl.exec(part.url) ?? []
    if (mimeType !== undefined && data !== undefined) return { mimeType, data } satisfies PortImage
    return yield* invalid("this agent takes images as files and data URLs; it fetches none from elsewhere")
  }
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const mimeType = types[path.extname(part.path).toLowerCase()]
  if (mimeType === undefined) return yield* invalid(`${part.path} is no ${Object.keys(types).join(", ")}`)
  const bytes = yield* Effect.mapError(fs.readFile(part.path), (error) => invalid(error.message))
  return { mimeType, data: Buffer.from(bytes).toString("base64") } satisfies PortImage
})

export const toPort = Effect.fnUntraced(function*(parts: ReadonlyArray<InputPart>) {
  const text = parts.flatMap((part) => part._tag === "Text" ? [part.text] : []).join("\n")
  const images = yield* Effect.forEach(parts.filter((part) => part._tag !== "Text"), imageOf)
  return { text, images } satisfies PortInput
})
