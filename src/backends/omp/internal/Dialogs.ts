/**
 * Dialogs of omp, as questions to a person.
 */
import { uuidV7Unsafe } from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import type { Question } from "../../../agent/TurnHost.ts"
import type { PortHandlers } from "../../pi-family/Port.ts"
import { arrayOf, member, textMember } from "../../pi-family/Reading.ts"
import type { Dialog, DialogAnswer } from "./RpcHandlers.ts"

/** The option behind which omp asks for an answer in other words, by another dialog. */
const otherOption = /^Other \(type your own\)$/

const suggested = / \(Recommended\)$/

const cancelled: DialogAnswer = { _tag: "Cancelled" }

/** What the model is told where nobody answers: a dialog that is closed ends its turn. */
export const unanswered = "Nobody is there to answer. Go on as you think best, or stop."

export class Dialogs {
  readonly #ask: PortHandlers["ask"]
  /** Questions that the model is about to put by its tool `ask`, whose dialogs have no ids. */
  readonly #expected = new Map<string, { readonly id: string; readonly header: string }>()
  /** What was answered in other words already, for the dialog that asks for them. */
  #written: string | undefined

  constructor(ask: PortHandlers["ask"]) {
    this.#ask = ask
  }

  /** Notes the arguments of a call of the tool `ask`. */
  expect(args: unknown): void {
    for (const asked of arrayOf(member(args, "questions"))) {
      const id = textMember(asked, "id")
      const question = textMember(asked, "question")
      if (id === undefined || question === undefined) continue
      this.#expected.set(question, { id, header: textMember(asked, "header") ?? id })
    }
  }

  answer(dialog: Dialog): Effect.Effect<DialogAnswer> {
    switch (dialog.method) {
      case "confirm":
        return Effect.map(
          this.#put(dialog.title, dialog.message, ["Yes", "No"]),
          (answer) => answer === undefined ? cancelled : { _tag: "Confirmed", confirmed: answer === "Yes" }
        )
      case "select":
        return this.#select(dialog)
      case "input":
      case "editor": {
        const written = this.#written
        this.#written = undefined
        return written === undefined
          ? Effect.map(this.#put(dialog.title, dialog.title, []), valueOf)
          : Effect.succeed(valueOf(written))
      }
    }
  }

  #select({ optionDetails = [], options, title }: Extract<Dialog, { readonly method: "select" }>) {
    const other = options.find((option) => otherOption.test(option))
    const offered = options.filter((option) => option !== other)
    const descriptions = offered.map((_, at) => optionDetails[at]?.description ?? "")
    return Effect.map(this.#put(title, title, offered, descriptions, other !== undefined), (answer) => {
      if (answer === undefined && other === undefined) return cancelled
      const chosen = offered.find((option) => option === answer || option.replace(suggested, "") === answer)
      if (chosen !== undefined || other === undefined) return valueOf(chosen ?? answer)
      this.#written = answer ?? unanswered
      return valueOf(other)
    })
  }

  #put(
    header: string,
    text: string,
    options: ReadonlyArray<string>,
    descriptions: ReadonlyArray<string> = [],
    allowsOther = options.length === 0
  ) {
    const expected = this.#expected.get(text)
    this.#expected.delete(text)
    const question: Question = {
      id: expected?.id ?? uuidV7Unsafe(),
      header: expected?.header ?? header,
      question: text,
      isSecret: false,
      allowsOther,
      options: options.map((label, at) => ({ label, description: descriptions[at] ?? "" }))
    }
    return Effect.map(this.#ask([question]), (answers) => answers?.[question.id]?.[0])
  }
}

const valueOf = (value: string | undefined): DialogAnswer => value === undefined ? cancelled : { _tag: "Value", value }
