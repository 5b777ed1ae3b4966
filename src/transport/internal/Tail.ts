import { redact, stripAnsi } from "../Redaction.ts"

/** The last bytes of a stream of diagnostics, made presentable when it is asked for. */
export interface Tail {
  readonly push: (chunk: Uint8Array) => void
  readonly text: () => string
}

/** Keeps at least the last `size` bytes while holding on to no more than a few chunks beyond them. */
export const make = (size: number): Tail => {
  // What is cut off in front may be the first half of a secret, so more is kept than is shown.
  const kept = size * 2
  let chunks: Array<Uint8Array> = []
  let length = 0
  let cut = false

  const compact = (): Uint8Array => {
    const all = Buffer.concat(chunks, length)
    cut ||= all.length > kept
    // A copy, so that the chunk it was cut from can be collected.
    const rest = all.length > kept ? Uint8Array.from(all.subarray(all.length - kept)) : all
    chunks = [rest]
    length = rest.length
    return rest
  }

  return {
    push: (chunk) => {
      chunks.push(chunk)
      length += chunk.length
      // Amortised: each byte is copied a bounded number of times.
      if (length > kept * 4) compact()
    },
    text: () => {
      let text = new TextDecoder().decode(compact())
      if (cut) {
        // Start at a whole line, where there is one, so that no half of a secret survives redaction.
        const lineStart = text.indexOf("\n") + 1
        text = text.slice(lineStart)
      }
      text = redact(stripAnsi(text)).trim()
      if (text.length <= size) return text
      const shown = text.slice(-size)
      const lineStart = shown.indexOf("\n") + 1
      return shown.slice(lineStart).trimStart()
    }
  }
}
