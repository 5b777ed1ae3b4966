/**
 * The types of what a later release may add to a value that comes towards us.
 */

/** One of the known strings, or any other that a later release sends. Known ones still complete in an editor. */
export type OpenEnum<Known extends string> = Known | (string & {})

declare const unknownTag: unique symbol

/**
 * A discriminator that this release does not know. Comparing the discriminator with a known literal leaves only the
 * known variant.
 *
 * **Gotchas**
 *
 * The template and the brand exist in the type alone, the string is whatever the server sent: TypeScript takes every
 * plain or merely branded string for one that may equal any literal, and a template with another ending not.
 */
export type UnknownTag = `${string}<unknown>` & { readonly [unknownTag]: true }

/** A variant of a tagged union that this release does not know: data, with no promise about its other members. */
export type UnknownVariant<Tag extends string> =
  & { readonly [K in Tag]: UnknownTag }
  & { readonly [key: string]: unknown }

/**
 * The unknown variant of a union of strings and one-key objects. It is opaque, so that `"key" in value` leaves only
 * the known variant; `Object.entries` reads it.
 */
export interface UnknownObject {
  readonly [unknownTag]: true
}

/** The variant of a tagged union with this discriminator, e.g. `Variant<Open.ThreadItem, "type", "agentMessage">`. */
export type Variant<Union, Tag extends string, Value extends string> = Extract<Union, { readonly [K in Tag]: Value }>
