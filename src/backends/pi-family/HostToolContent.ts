/**
 * What the host's tools give, as these agents take it.
 */
import type { ToolResult } from "../../agent/TurnHost.ts"
import type { PortImage } from "./Port.ts"

type Content =
  | { readonly type: "text"; readonly text: string }
  | ({ readonly type: "image" } & PortImage)

const dataUrl = /^data:([\w/.+-]+);base64,(.*)$/su

/** Agents take the bytes of images, and fetch none. */
export const contentOf = (part: ToolResult["content"][number]): Content => {
  if (part._tag === "Text") return { type: "text", text: part.text }
  const [, mimeType, data] = dataUrl.exec(part.url) ?? []
  return mimeType === undefined || data === undefined
    ? { type: "text", text: `An image is at ${part.url}.` }
    : { type: "image", mimeType, data }
}
