/**
 * The real Codex TUI in a terminal of its own, by way of tmux: keys go in, and the screen is read.
 */
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import * as ChildProcess from "node:child_process"
import * as Fs from "node:fs"
import * as Paths from "node:path"
import type { World } from "./kit.ts"

/** Why the TUI cannot be run here, if it cannot. */
export const missing: string | undefined = ((): string | undefined => {
  const { error, status } = ChildProcess.spawnSync("tmux", ["-V"])
  if (error !== undefined) return `tmux does not start: ${error.message}`
  return status === 0 ? undefined : `tmux -V ends with ${status}`
})()

/** What the screen was waited for, and what was on it in the end. */
export class NotShown extends Data.TaggedError("NotShown")<{ readonly what: string; readonly screen: string }> {
  override get message() {
    return `the screen never showed ${this.what}. It is:\n${this.screen}`
  }
}

export interface Tui {
  readonly screen: Effect.Effect<string>
  /** Waits until the screen is as described. */
  readonly until: (what: string, holds: (screen: string) => boolean) => Effect.Effect<string, NotShown>
  /** Waits until a text is on the screen. */
  readonly shows: (text: string) => Effect.Effect<string, NotShown>
  /** Presses keys, in the words of tmux: `Enter`, `Escape`, `y`. */
  readonly press: (...keys: ReadonlyArray<string>) => Effect.Effect<void>
  /** Types into the composer, and submits what it then shows. */
  readonly submit: (text: string, shown?: string) => Effect.Effect<void, NotShown>
  /** Waits until it has ended by itself; gives its exit code. */
  readonly left: Effect.Effect<number, NotShown>
}

const ended = /^Ended with (\d+)\.$/m

const polling = (times: number) => Schedule.max([Schedule.spaced("50 millis"), Schedule.recurs(times)])

const long = polling(600)

const brief = polling(60)

/** The composer is empty, and of a thread whose settings are known. */
export const isReady = (screen: string): boolean =>
  screen.includes("Ask Codex to do anything") && /^ {2}(?:GPT-|scripted|small|large|Fake)/mi.test(screen) &&
  screen.includes("? for shortcuts")

/** A screen as it is whatever the time and the place. */
export const normal = ({ home }: World, screen: string): string =>
  screen.replaceAll(home.work, "WORK").replaceAll(/\d\d:\d\d|\d+s\b/g, "TIME")
    // Blinks.
    .replaceAll("◦", "•")

/** Starts `codex` with these arguments in the directory of the world's client. The scope ends it. */
export const start = Effect.fnUntraced(function*({ client, home }: World, ...args: ReadonlyArray<string>) {
  const socket = Paths.join(Paths.dirname(client.home), "tmux")
  const tmux = (...words: ReadonlyArray<string>) =>
    Effect.callback<string>((resume) => {
      // Its server keeps the environment that it was started with: none of the developer's.
      const env = { PATH: client.env["PATH"], LANG: "C.UTF-8" }
      ChildProcess.execFile("tmux", ["-u", "-S", socket, ...words], { env }, (error, stdout) =>
        resume(error === null ? Effect.succeed(stdout) : Effect.die(error)))
    })
  const read = (format: string) => Effect.map(tmux("display-message", "-p", format), (text) => text.trim())

  yield* Effect.acquireRelease(
    Effect.gen(function*() {
      const environment = Object.entries(client.env).map(([name, value]) => `${name}=${value}`)
      const session = ["new-session", "-d", "-x", "110", "-y", "45", "-c", home.work, "--"]
      // Its exit code is on the screen: tmux itself does not always know the one of a program that has ended.
      const shell = ["sh", "-c", "\"$@\"; echo \"Ended with $?.\"; read -r line", "sh"]
      const codex = ["env", ...environment, "COLORTERM=", client.codexBin, ...args]
      yield* tmux("-f", "/dev/null", ...session, ...shell, ...codex)
      return { server: Number(yield* read("#{pid}")), pane: Number(yield* read("#{pane_pid}")) }
    }),
    ({ pane, server }) =>
      Effect.sync(() => {
        const running = Fs.readFileSync(`/proc/${pane}/task/${pane}/children`, "utf8").split(" ").filter((pid) =>
          pid !== ""
        )
        for (const pid of [...running.map(Number), pane]) process.kill(pid, "SIGKILL")
        try {
          process.kill(server, "SIGTERM")
        } catch {
          // It has ended with its last pane.
        }
      })
  )

  const screen = tmux("capture-pane", "-p")
  const until = (what: string, holds: (screen: string) => boolean, patience = long) =>
    screen.pipe(
      Effect.filterOrFail(holds, (screen) => new NotShown({ what, screen })),
      Effect.retry(patience)
    )
  const press: Tui["press"] = (...keys) => tmux("send-keys", ...keys)
  const tui: Tui = {
    screen,
    until: (what, holds) => until(what, holds),
    shows: (text) => until(JSON.stringify(text), (screen) => screen.includes(text)),
    press: (...keys) => Effect.asVoid(press(...keys)),
    submit: (text, shown = `› ${text}`) =>
      tmux("send-keys", "-l", text).pipe(
        Effect.andThen(until(`${shown} in the composer`, (screen) => screen.includes(shown), brief)),
        // A key that comes while the client is busy with something else may be lost: the line is typed once more.
        Effect.tapError(() => tmux("send-keys", "C-u")),
        Effect.retry({ times: 3 }),
        // The composer takes an Enter within a moment of fast keys for a part of a paste.
        Effect.andThen(Effect.sleep("200 millis")),
        Effect.andThen(press("Enter")),
        Effect.asVoid
      ),
    left: until("its end", (screen) => ended.test(screen)).pipe(
      Effect.map((screen) => Number(ended.exec(screen)?.[1]))
    )
  }
  return tui
})

/** The TUI on a server, ready for a prompt. */
export const ready = Effect.fnUntraced(function*(world: World, url: string, ...args: ReadonlyArray<string>) {
  const tui = yield* start(world, "--remote", url, ...args)
  yield* tui.until("a composer for a new thread", isReady)
  return tui
})
