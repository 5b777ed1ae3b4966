/**
 * Versions of codex, as its `userAgent` names them. Pure.
 */

export interface Version {
  readonly major: number
  readonly minor: number
  readonly patch: number
  /** `alpha.3` of `0.171.0-alpha.3`; empty for a release. */
  readonly pre: string
}

/** The oldest release that this library works with. */
export const minimum: Version = { major: 0, minor: 171, patch: 0, pre: "" }

/** The newest release that the tests ran against. */
export const tested: Version = { major: 0, minor: 171, patch: 0, pre: "" }

/**
 * Reads the version of `<originator>/<version> (…)`. The originator is the name of the first client and may hold
 * anything, slashes and digits included; the version is what stands before the first parenthesis.
 */
export const fromUserAgent = (userAgent: string): Version | undefined => {
  const match = /\/(\d+)\.(\d+)\.(\d+)(?:-([0-9A-Za-z.-]+))?(?:\+\S*)?(?: \(|$)/.exec(userAgent)
  if (match === null) return undefined
  const [, major, minor, patch, pre] = match
  return { major: Number(major), minor: Number(minor), patch: Number(patch), pre: pre ?? "" }
}

/** Negative when `a` is older. A pre-release is older than its release, and not told apart from another one. */
export const compare = (a: Version, b: Version): number =>
  a.major - b.major || a.minor - b.minor || a.patch - b.patch ||
  Number(a.pre === "") - Number(b.pre === "")

export const format = ({ major, minor, patch, pre }: Version): string =>
  `${major}.${minor}.${patch}${pre === "" ? "" : `-${pre}`}`
