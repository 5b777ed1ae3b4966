/**
 * How well a path fits what somebody typed, and where.
 *
 * Scores are those of the real server: letters in order, more for those at the start of a part, after a separator or
 * behind one another; less for gaps. A file whose name alone fits comes before one that only fits with its
 * directories, and one whose name is what was typed before all others. Pure.
 *
 * What is typed is one or more words, each of which has to fit. A word that begins with `'` must be there as it is,
 * with `^` at the start, one that ends with `$` at the end, and with `!` in front it must not be there; a backslash
 * takes away what the sign means. Case does not count; accents count in a word that has some.
 */

export type MatchType = "file" | "directory"

/** Where a query fits. */
export interface Match {
  readonly score: number
  /** Offsets of the characters that fit, in characters of the path, ascending. */
  readonly indices: ReadonlyArray<number>
}

type Kind = "fuzzy" | "substring" | "prefix" | "postfix" | "exact"

interface Word {
  readonly kind: Kind
  readonly negated: boolean
  readonly letters: ReadonlyArray<string>
  /** Whether accents count. */
  readonly accented: boolean
}

/** What was typed. */
export interface Query {
  readonly words: ReadonlyArray<Word>
  /** The text, if it is a plain one that a file name as a whole may fit. */
  readonly plain: string | undefined
}

/** A path, prepared to be compared. */
export interface Candidate {
  readonly path: string
  readonly matchType: MatchType
  /** Without case and accents. */
  readonly letters: ReadonlyArray<string>
  /** Without case. */
  readonly accented: ReadonlyArray<string>
  readonly bonuses: ReadonlyArray<number>
  /** Where the last part of the path begins. */
  readonly nameStart: number
}

/** How much better than by its letters alone. Each step is more than any letters can make up for. */
const step = 65_536
const nameFits = 1
const isDirectoryName = 2
const isFileName = 3

const letterScore = 16
const gapStart = 3
const gapExtension = 1
const boundary = 8
const afterSlash = boundary + 1
const camel = 5
const consecutive = 4

// Ordered: everything from `lower` on is part of a word.
const classes = { space: 0, sign: 1, slash: 2, lower: 3, upper: 4, letter: 5, digit: 6 } as const

const classOf = (letter: string): number => {
  if (letter === "/") return classes.slash
  if (/\p{Ll}/u.test(letter)) return classes.lower
  if (/\p{Lu}/u.test(letter)) return classes.upper
  if (/\p{N}/u.test(letter)) return classes.digit
  if (/\p{L}/u.test(letter)) return classes.letter
  return /\s/u.test(letter) ? classes.space : classes.sign
}

const bonusOf = (before: number, letter: number): number => {
  if (letter > classes.slash) {
    if (before === classes.space || before === classes.sign) return boundary
    if (before === classes.slash) return afterSlash
  }
  if (
    (before === classes.lower && letter === classes.upper) || (before !== classes.digit && letter === classes.digit)
  ) {
    return camel
  }
  return letter === classes.space || letter === classes.sign ? boundary : 0
}

/** A letter without its case. Some have two in lower case; the first stands for both. */
const lower = (letter: string): string =>
  letter < "\u0080" ? letter.toLowerCase() : Array.from(letter.toLowerCase())[0] ?? letter

/** A lower case letter without its accents. */
const plain = (letter: string): string => letter < "\u0080" ? letter : Array.from(letter.normalize("NFD"))[0] ?? letter

export const candidate = (path: string, matchType: MatchType): Candidate => {
  const letters = Array.from(path)
  // The path begins as if behind a slash.
  let before: number = classes.slash
  const bonuses = letters.map((letter) => {
    const kind = classOf(letter)
    const bonus = bonusOf(before, kind)
    before = kind
    return bonus
  })
  const accented = letters.map(lower)
  return {
    path,
    matchType,
    letters: accented.map(plain),
    accented,
    bonuses,
    nameStart: letters.lastIndexOf("/") + 1
  }
}

const wordOf = (text: string): Word => {
  let rest = text
  let negated = false
  let kind: Kind = "fuzzy"
  const starts = (sign: string) => {
    if (!rest.startsWith(sign)) return false
    rest = rest.slice(1)
    return true
  }
  if (starts("!")) {
    negated = true
    kind = "substring"
  }
  if (starts("^")) kind = "prefix"
  else if (starts("'")) kind = "substring"
  else if (/^\\[!^']/u.test(rest)) rest = rest.slice(1)
  if (rest.endsWith("\\$")) rest = `${rest.slice(0, -2)}$`
  else if (rest.endsWith("$")) {
    rest = rest.slice(0, -1)
    kind = kind === "prefix" ? "exact" : "postfix"
  }
  const letters = Array.from(rest.replaceAll(/\\(\s)/gu, "$1"), lower)
  return { kind, negated, letters, accented: letters.some((letter) => plain(letter) !== letter) }
}

/** Reads what was typed. */
export const query = (text: string): Query => {
  const trimmed = text.trim()
  // A space behind a backslash belongs to its word.
  const words = (trimmed.match(/(?:\\\s|\S)+/gu) ?? []).map(wordOf).filter((word) => word.letters.length > 0)
  const isPlain = words.length === 1 && words[0]?.kind === "fuzzy" && !/[\\\s]/u.test(trimmed)
  return { words, plain: isPlain ? trimmed.toLowerCase() : undefined }
}

/** Score of letters that follow one another. */
const scoreRun = (bonuses: ReadonlyArray<number>, start: number, length: number): number => {
  let score = 0
  let run = 0
  for (let index = 0; index < length; index++) {
    const bonus = bonuses[start + index] ?? 0
    if (index === 0) {
      run = bonus
      score += letterScore + bonus * 2
    } else {
      run = Math.max(run, consecutive, bonus >= boundary ? bonus : 0)
      score += letterScore + Math.max(run, bonus)
    }
  }
  return score
}

const runAt = (start: number, length: number): ReadonlyArray<number> =>
  Array.from({ length }, (_, index) => start + index)

const fitsAt = (letters: ReadonlyArray<string>, word: ReadonlyArray<string>, start: number): boolean =>
  word.every((letter, index) => letters[start + index] === letter)

/** The word as it is, at the place that scores best. */
const matchRun = (
  { bonuses }: Candidate,
  letters: ReadonlyArray<string>,
  from: number,
  { kind, letters: word }: Word
): Match | undefined => {
  const last = letters.length - word.length
  const first = kind === "postfix" ? last : from
  const until = kind === "prefix" ? from : last
  if (first < from || (kind === "exact" && last !== from)) return undefined
  let best: Match | undefined
  for (let start = first; start <= Math.min(until, last); start++) {
    if (!fitsAt(letters, word, start)) continue
    const score = scoreRun(bonuses, start, word.length)
    if (best === undefined || score > best.score) best = { score, indices: runAt(start, word.length) }
  }
  return best
}

/** Whether the letters of a word are there in order. */
const inOrder = (letters: ReadonlyArray<string>, from: number, word: ReadonlyArray<string>): boolean => {
  let at = from
  for (const letter of word) {
    while (at < letters.length && letters[at] !== letter) at += 1
    if (at >= letters.length) return false
    at += 1
  }
  return true
}

interface Row {
  /** Best score with the letter of this row at an offset; -1 where it is not. */
  readonly scores: Array<number>
  /** What a letter that follows directly gets at least. */
  readonly runs: Array<number>
  /** Offset of the letter before, in the row before. */
  readonly previous: Array<number>
}

/** The letters of a word in order, with gaps, at the places that score best together. */
const matchFuzzy = (
  { bonuses }: Candidate,
  letters: ReadonlyArray<string>,
  from: number,
  word: ReadonlyArray<string>
): Match | undefined => {
  if (!inOrder(letters, from, word)) return undefined
  const rows: Array<Row> = []
  for (const [row, letter] of word.entries()) {
    const current: Row = { scores: [], runs: [], previous: [] }
    const above = rows[row - 1]
    // Best score of the letters above with the gap since then, and where they ended.
    let gap = -1
    let gapEnd = -1
    for (let at = from; at < letters.length; at++) {
      // From the letter two before on there is a gap.
      const ended = above === undefined || at - 2 < from ? -1 : above.scores[at - 2] ?? -1
      if (gap >= 0) gap = Math.max(0, gap - gapExtension)
      if (ended >= 0 && ended - gapStart >= gap) {
        gap = Math.max(0, ended - gapStart)
        gapEnd = at - 2
      }
      if (letters[at] !== letter) {
        current.scores[at] = -1
        continue
      }
      const bonus = bonuses[at] ?? 0
      if (above === undefined) {
        current.scores[at] = letterScore + bonus * 2
        current.runs[at] = bonus
        continue
      }
      const adjacent = at - 1 < from ? -1 : above.scores[at - 1] ?? -1
      const run = Math.max(above.runs[at - 1] ?? 0, consecutive, bonus >= boundary ? bonus : 0)
      const following = adjacent < 0 ? -1 : adjacent + Math.max(run, bonus)
      const skipping = gap < 0 ? -1 : gap + bonus
      if (following < 0 && skipping < 0) {
        current.scores[at] = -1
      } else if (following > skipping) {
        current.scores[at] = following + letterScore
        current.runs[at] = run
        current.previous[at] = at - 1
      } else {
        current.scores[at] = skipping + letterScore
        current.runs[at] = bonus
        current.previous[at] = gapEnd
      }
    }
    rows.push(current)
  }

  const final = rows[rows.length - 1]
  if (final === undefined) return undefined
  let end = -1
  for (let at = from; at < letters.length; at++) {
    const score = final.scores[at] ?? -1
    if (score >= 0 && (end < 0 || score > (final.scores[end] ?? -1))) end = at
  }
  if (end < 0) return undefined
  const indices: Array<number> = []
  for (let row = rows.length - 1, at = end; row >= 0; row--) {
    indices.unshift(at)
    at = rows[row]?.previous[at] ?? -1
  }
  return { score: final.scores[end] ?? 0, indices }
}

const matchWord = (candidate: Candidate, from: number, word: Word): Match | undefined => {
  const letters = word.accented ? candidate.accented : candidate.letters
  const match = word.kind === "fuzzy"
    ? matchFuzzy(candidate, letters, from, word.letters)
    : matchRun(candidate, letters, from, word)
  if (!word.negated) return match
  return match === undefined ? { score: 0, indices: [] } : undefined
}

/** Where the path fits, or `undefined`. An empty query fits nothing. */
export const match = (query: Query, candidate: Candidate): Match | undefined => {
  if (query.words.length === 0) return undefined
  const [word] = query.words
  if (query.plain !== undefined && word !== undefined) {
    const isName = candidate.letters.length - candidate.nameStart === word.letters.length &&
      candidate.path.toLowerCase().endsWith(query.plain)
    const tier = candidate.matchType === "directory"
      ? (isName ? isDirectoryName : 0)
      : isName
      ? isFileName
      : nameFits
    const named = tier === 0 ? undefined : matchWord(candidate, candidate.nameStart, word)
    if (named !== undefined) return { score: named.score + tier * step, indices: named.indices }
  }
  let score = 0
  const indices = new Set<number>()
  for (const word of query.words) {
    const found = matchWord(candidate, 0, word)
    if (found === undefined) return undefined
    score += found.score
    for (const index of found.indices) indices.add(index)
  }
  return { score, indices: Array.from(indices).toSorted((one, other) => one - other) }
}

/** A path to rank. */
export interface Entry {
  readonly path: string
  readonly matchType: MatchType
}

/** An entry that fits. */
export interface Ranked<E extends Entry> extends Match {
  readonly entry: E
}

/** Whether a path may fit. Says no for most paths, much faster than `match`. */
const mayMatch = ({ words }: Query, path: string): boolean => {
  // Letters with accents may stand for others.
  if (/[^\0-\x7F]/u.test(path)) return true
  const lower = path.toLowerCase()
  return words.every(({ letters, negated }) => {
    let at = 0
    return negated || letters.every((letter) => {
      at = lower.indexOf(letter, at) + 1
      return at > 0
    })
  })
}

const compare = <E extends Entry>(one: Ranked<E>, other: Ranked<E>): number =>
  other.score - one.score ||
  (one.entry.path < other.entry.path ? -1 : one.entry.path > other.entry.path ? 1 : 0)

/** The best ones so far, of entries that come in pieces. */
export interface Ranking<E extends Entry> {
  readonly add: (entries: Iterable<E>) => void
  /** Best first; equally good ones by path. */
  readonly best: () => ReadonlyArray<Ranked<E>>
}

/** Keeps the `limit` best. Entries may come in any order. */
export const ranking = <E extends Entry>(query: Query, limit: number): Ranking<E> => {
  let kept: Array<Ranked<E>> = []
  const shorten = () => {
    kept.sort(compare)
    kept = kept.slice(0, limit)
  }
  return {
    add: (entries) => {
      for (const entry of entries) {
        if (!mayMatch(query, entry.path)) continue
        const found = match(query, candidate(entry.path, entry.matchType))
        if (found === undefined) continue
        kept.push({ ...found, entry })
        // Amortised: sorted once for many.
        if (kept.length >= limit * 8 + 64) shorten()
      }
    },
    best: () => {
      shorten()
      return kept
    }
  }
}
