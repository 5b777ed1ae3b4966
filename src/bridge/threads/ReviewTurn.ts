/**
 * A review: what it is of, and a turn of the agent as the turn of a review. Pure.
 *
 * What the agent says on its way is not shown; its last message is the review. Clients are shown that a review has begun
 * and, with its text, that it has ended.
 */
import * as Result from "effect/Result"
import type { AgentEvent } from "../../agent/AgentEvent.ts"
import type * as Open from "../../protocol/generated/OpenTypes.ts"
import { type BridgeError, InvalidRequest, refuse, UnknownValue } from "../BridgeError.ts"

export interface ReviewOf {
  /** For people, as the real server says it. */
  readonly hint: string
  /** For the agent. */
  readonly prompt: string
}

const instructions = `You are reviewing code that somebody else has written. Do not change any file.
Look for faults that the author would want to know of before this is merged: wrong results, lost data, security, broken callers, missing tests. Check each one in the code before you report it, and leave out matters of taste.
Answer with your findings, the gravest first: for each one its file and line, what goes wrong, and when. End with one sentence that says whether the change is right as it is. If you have found nothing, say so.`

const prompt = (task: string): string => `${task}\n\n${instructions}`

const invalid = (message: string) => Result.fail(refuse(new InvalidRequest({ message })))

/** Git's own short form of a commit. */
const short = (sha: string): string => sha.slice(0, 7)

export const reviewOf = (target: Open.ReviewTarget): Result.Result<ReviewOf, BridgeError> => {
  switch (target.type) {
    case "uncommittedChanges":
      return Result.succeed({
        hint: "current changes",
        prompt: prompt(
          "Review the changes in this repository that are not committed: those that are staged, those that are not, and new files."
        )
      })
    case "baseBranch": {
      const branch = target.branch.trim()
      if (branch === "") return invalid("branch must not be empty")
      return Result.succeed({
        hint: `changes against '${branch}'`,
        prompt: prompt(
          `Review what the current branch changes against the branch '${branch}'. Find the commit that both have in common (git merge-base HEAD ${branch}) and look at the difference from there.`
        )
      })
    }
    case "commit": {
      const sha = target.sha.trim()
      if (sha === "") return invalid("sha must not be empty")
      const title = target.title?.trim() ?? ""
      return Result.succeed({
        hint: `commit ${short(sha)}${title === "" ? "" : `: ${title}`}`,
        prompt: prompt(`Review the commit ${sha}${title === "" ? "" : ` ("${title}")`} of this repository.`)
      })
    }
    case "custom": {
      const text = target.instructions.trim()
      if (text === "") return invalid("instructions must not be empty")
      return Result.succeed({ hint: text, prompt: text })
    }
    default:
      return Result.fail(refuse(
        new UnknownValue({
          given: String(target.type),
          known: ["uncommittedChanges", "baseBranch", "commit", "custom"]
        })
      ))
  }
}

const modeItem = (type: "enteredReviewMode" | "exitedReviewMode", id: string, review: string) =>
  [
    { _tag: "ItemStarted", item: { _tag: "UnknownItem", id, type, raw: { review } } },
    { _tag: "ItemCompleted", item: { _tag: "UnknownItem", id, type, raw: { review } }, closed: false }
  ] as const satisfies ReadonlyArray<AgentEvent>

/** How a review begins. */
export const entered = (turnId: string, hint: string, itemId: string): ReadonlyArray<AgentEvent> => [
  { _tag: "TurnStarted", turnId },
  ...modeItem("enteredReviewMode", itemId, hint)
]

export class ReviewTurn {
  readonly #ids: { readonly exited: string; readonly message: string }
  readonly #hidden = new Set<string>()
  #review: string | undefined
  #over = false

  constructor(ids: { readonly exited: string; readonly message: string }) {
    this.#ids = ids
  }

  /** What is shown of the agent's events. */
  take(events: ReadonlyArray<AgentEvent>): ReadonlyArray<AgentEvent> {
    return events.flatMap((event) => this.#event(event))
  }

  /** How a review ends that the agent has not ended; empty when it has. */
  abandoned(interrupted: boolean): ReadonlyArray<AgentEvent> {
    if (this.#over) return []
    this.#over = true
    const why = interrupted ? "The review was interrupted." : "The review has failed."
    return modeItem("exitedReviewMode", this.#ids.exited, this.#review ?? why)
  }

  #event(event: AgentEvent): ReadonlyArray<AgentEvent> {
    switch (event._tag) {
      case "TurnStarted":
        return []
      case "ItemStarted":
      case "ItemUpdated":
        if (event.item._tag !== "AgentMessage") return [event]
        this.#hidden.add(event.item.id)
        return []
      case "ItemDelta":
        return this.#hidden.has(event.itemId) ? [] : [event]
      case "ItemCompleted":
        if (event.item._tag !== "AgentMessage") return [event]
        if (!event.closed && event.item.text !== "") this.#review = event.item.text
        return []
      case "TurnEnded":
        return event.outcome._tag === "Completed" && this.#review !== undefined
          ? [...this.#finished(this.#review), event]
          : [...this.abandoned(event.outcome._tag === "Interrupted"), event]
      default:
        return [event]
    }
  }

  #finished(text: string): ReadonlyArray<AgentEvent> {
    this.#over = true
    const item = { _tag: "AgentMessage", id: this.#ids.message, text } as const
    return [
      ...modeItem("exitedReviewMode", this.#ids.exited, text),
      { _tag: "ItemCompleted", item, closed: false }
    ]
  }
}
