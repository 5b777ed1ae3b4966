import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import * as FuzzyMatch from "../../../src/bridge/workspace/FuzzyMatch.ts"

const match = (query: string, path: string, type: FuzzyMatch.MatchType = "file") =>
  FuzzyMatch.match(FuzzyMatch.query(query), FuzzyMatch.candidate(path, type))

const step = 65_536

/** A few letters, so that much fits. */
const letter = Schema.Literals(["a", "b", "B", "c", "/", "_", ".", "1", "é", " "])
const text = Schema.Array(letter)
const path = (letters: ReadonlyArray<string>) => letters.join("")
const wordLetter = Schema.Literals(["a", "b", "c", "1", "_", "."])
const word = Schema.Array(wordLetter)

describe("FuzzyMatch", () => {
  it("scores as the real server does", () => {
    assert.deepStrictEqual(match("index", "src/index.ts"), { score: step + 134, indices: [4, 5, 6, 7, 8] })
    assert.deepStrictEqual(match("foobar", "src/foo_bar.ts"), { score: step + 153, indices: [4, 5, 6, 8, 9, 10] })
    assert.deepStrictEqual(match("fb", "src/fooBar.ts"), { score: step + 51, indices: [4, 7] })
    assert.deepStrictEqual(match("fb", "src/foo_bar.ts"), { score: step + 53, indices: [4, 8] })
    assert.deepStrictEqual(match("src/ind", "src/index.ts"), { score: 184, indices: [0, 1, 2, 3, 4, 5, 6] })
    assert.deepStrictEqual(match("button", "src/components/button", "directory")?.score, 2 * step + 159)
    assert.deepStrictEqual(match("readme.md", "sub/README.md")?.score, 3 * step + 234)
    assert.deepStrictEqual(match("'bar", "src/foo_bar.ts"), { score: 80, indices: [8, 9, 10] })
    assert.deepStrictEqual(match("^src ts$", "src/main.ts"), { score: 140, indices: [0, 1, 2, 9, 10] })
  })

  it("reads signs as what they mean, and a backslash in front takes that away", () => {
    assert.isDefined(match("^src", "src/a"))
    assert.isUndefined(match("^rc", "src/a"))
    assert.isDefined(match("ts$", "src/a.ts"))
    assert.isUndefined(match("ts$", "src/a.tsx"))
    assert.isDefined(match("^a.ts$", "a.ts"))
    assert.isUndefined(match("^a.ts$", "ba.ts"))
    assert.isUndefined(match("'fb", "foobar"))
    assert.isUndefined(match("a !foo", "foo/a"))
    assert.isDefined(match("a !foo", "fo/a"))
    assert.isDefined(match("\\!foo", "!foo"))
    assert.isDefined(match("a\\ b", "a b"))
    assert.isUndefined(match("a\\ b", "ab"))
    assert.isDefined(match("a\\$", "a$"))
  })

  it("counts accents in a word that has some", () => {
    assert.isDefined(match("uni", "Ünï"))
    assert.isDefined(match("ünï", "Ünï"))
    assert.isUndefined(match("ünï", "uni"))
  })

  it("fits nothing with nothing", () => {
    for (const query of ["", "  ", "!", "^", "$", "'"]) assert.isUndefined(match(query, "a"))
  })

  it.prop("names letters of the query, in order, where they are", [word, text], ([letters, of]) => {
    const found = match(letters.join(""), path(of))
    if (found === undefined) return
    assert.strictEqual(found.indices.length, letters.length)
    const characters = Array.from(path(of))
    let before = -1
    for (const [position, index] of found.indices.entries()) {
      assert.isAbove(index, before)
      before = index
      assert.strictEqual(characters[index]?.normalize("NFD").charAt(0).toLowerCase(), letters[position])
    }
  })

  it.prop("fits exactly the paths that have the letters in order", [word, text], ([letters, of]) => {
    let rest = Array.from(path(of)).map((letter) => letter.normalize("NFD").charAt(0).toLowerCase())
    const fits = letters.length > 0 && letters.every((letter) => {
      const at = rest.indexOf(letter)
      rest = rest.slice(at + 1)
      return at >= 0
    })
    assert.strictEqual(match(letters.join(""), path(of)) !== undefined, fits)
  })

  it.prop("scores no worse than letters at any one place would", [word, text], ([letters, of]) => {
    // A run is one of the ways to place the letters.
    const query = letters.join("")
    const run = match(`'${query}`, path(of))
    const found = match(query, path(of))
    if (run === undefined) return
    assert.isDefined(found)
    if (found !== undefined && found.score < step) assert.isAtLeast(found.score, run.score)
  })

  it.prop("does not care for case", [text, text], ([letters, of]) => {
    const query = path(letters).replaceAll("é", "e")
    assert.deepStrictEqual(match(query.toUpperCase(), path(of)), match(query.toLowerCase(), path(of)))
  })

  it.prop("never scores a query better for one more word", [word, word, text], ([one, other, of]) => {
    const [a, b] = [one.join(""), other.join("")]
    if (a === "" || b === "") return
    const together = match(`${a} ${b}`, path(of))
    assert.strictEqual(
      together !== undefined,
      match(a, path(of)) !== undefined && match(b, path(of)) !== undefined
    )
  })

  it.prop("keeps the best, whatever the order and the pieces", [word, Schema.Array(text)], ([letters, all]) => {
    const query = FuzzyMatch.query(letters.join(""))
    const entries = all.map((of): FuzzyMatch.Entry => ({ path: path(of), matchType: "file" }))
    const rank = (pieces: ReadonlyArray<ReadonlyArray<FuzzyMatch.Entry>>, limit: number) => {
      const ranking = FuzzyMatch.ranking(query, limit)
      for (const piece of pieces) ranking.add(piece)
      return ranking.best().map(({ entry, score }) => [score, entry.path] as const)
    }
    const whole = rank([entries], 1000)
    assert.deepStrictEqual(rank(entries.map((entry) => [entry]).toReversed(), 1000), whole)
    assert.deepStrictEqual(rank([entries], 2), whole.slice(0, 2))
    for (const [index, [score, name]] of whole.entries()) {
      const next = whole[index + 1]
      if (next === undefined) continue
      assert.isTrue(score > next[0] || (score === next[0] && name <= next[1]))
    }
  })

  it("keeps the best of very many", () => {
    const ranking = FuzzyMatch.ranking(FuzzyMatch.query("x"), 3)
    for (let index = 0; index < 5000; index++) {
      ranking.add([{ path: `axe${String(index).padStart(4, "0")}`, matchType: "file" }])
    }
    ranking.add([{ path: "x", matchType: "file" }])
    assert.deepStrictEqual(ranking.best().map(({ entry }) => entry.path), ["x", "axe0000", "axe0001"])
  })
})
