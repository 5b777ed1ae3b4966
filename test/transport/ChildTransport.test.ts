import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, layer } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Predicate from "effect/Predicate"
import * as Scope from "effect/Scope"
import * as NodeFs from "node:fs"
import * as NodeOs from "node:os"
import * as NodePath from "node:path"
import { fileURLToPath } from "node:url"
import * as ChildTransport from "../../src/transport/ChildTransport.ts"
import type { Inbound, TransportService } from "../../src/transport/Transport.ts"
import type { TransportError } from "../../src/transport/TransportError.ts"

const fixture = fileURLToPath(new URL("./fixtures/child.mjs", import.meta.url))

const start = (mode: string, options?: Partial<ChildTransport.Options> & { readonly argument?: string }) =>
  ChildTransport.make({
    command: process.execPath,
    args: [fixture, mode, ...options?.argument === undefined ? [] : [options.argument]],
    ...options
  })

const shell = (script: string, options?: Partial<ChildTransport.Options>) =>
  ChildTransport.make({ command: "sh", args: ["-c", script], ...options })

/** Receives at least `count` frames. */
const receiveFrames = Effect.fnUntraced(function*(transport: TransportService, count: number) {
  const frames: Array<Inbound> = []
  while (frames.length < count) frames.push(...yield* transport.receive)
  return frames
})

/** Receives until the connection ends. */
const receiveToEnd = Effect.fnUntraced(function*(transport: TransportService) {
  const frames: Array<Inbound> = []
  const error: TransportError = yield* transport.receive.pipe(
    Effect.map((batch) => {
      for (const frame of batch) frames.push(frame)
    }),
    Effect.forever,
    Effect.flip
  )
  return { frames, error, reason: error.reason }
})

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    // A zombie nobody has reaped yet runs no more.
    return process.platform !== "linux" || !/^\d+ \(.*\) Z/s.test(NodeFs.readFileSync(`/proc/${pid}/stat`, "utf8"))
  } catch {
    return false
  }
}

const pidIn = (frame: Inbound | undefined): number => {
  const message: unknown = JSON.parse(Predicate.isString(frame) ? frame : "null")
  return Predicate.hasProperty(message, "pid") && Predicate.isNumber(message.pid) ? message.pid : assert.fail("no pid")
}

const openFailure = (options: ChildTransport.Options) =>
  ChildTransport.make(options).pipe(
    Effect.scoped,
    Effect.flip,
    Effect.map((error) => {
      assert.strictEqual(error.reason._tag, "OpenFailed")
      return error.message
    })
  )

const frame = (value: unknown) => JSON.stringify(value)

layer(NodeServices.layer)("ChildTransport", (it) => {
  it.effect("carries frames both ways, in order", () =>
    Effect.gen(function*() {
      const transport = yield* start("echo")
      const sent = Array.from({ length: 5000 }, (_, n) => frame({ n, text: "ä\u2028€" }))
      yield* Effect.forEach(sent, (text) => transport.send([text]), { discard: true }).pipe(Effect.forkScoped)
      assert.deepStrictEqual(yield* receiveFrames(transport, sent.length), sent)
      assert.isTrue(isAlive(transport.pid))
    }))

  it.effect("carries a frame far larger than a pipe", () =>
    Effect.gen(function*() {
      const transport = yield* start("echo")
      const large = frame({ text: "x".repeat(12 * 1024 * 1024) })
      yield* transport.send([large, frame({})])
      const frames = yield* receiveFrames(transport, 2)
      // No deep comparison: its report would hold both texts.
      assert.isTrue(frames[0] === large && frames[1] === "{}")
    }))

  it.effect("send waits when the process does not read, and goes on when it is closed", () =>
    Effect.gen(function*() {
      const scope = yield* Scope.make()
      const transport = yield* shell("exec sleep 600", { shutdown: { stdinGrace: "50 millis" } })
        .pipe(Scope.provide(scope))
      let sent = 0
      const sender = yield* transport.send([frame({ text: "x".repeat(100_000) })]).pipe(
        Effect.andThen(Effect.sync(() => sent++)),
        Effect.forever,
        Effect.flip,
        Effect.forkScoped
      )
      let before = -1
      while (sent !== before) {
        before = sent
        yield* settle("100 millis")
      }
      assert.isBelow(sent, 100)
      yield* Scope.close(scope, Exit.void)
      assert.strictEqual((yield* Fiber.join(sender)).reason._tag, "Closed")
    }))

  it.effect("delivers what was written before the exit, then says how the process ended", () =>
    Effect.gen(function*() {
      const transport = yield* start("lastWords")
      const { error, frames, reason } = yield* receiveToEnd(transport)
      assert.deepStrictEqual(frames, ["{\"n\":1}", "{\"n\":2}", "{\"n\":3}"])
      assert.deepStrictEqual(reason._tag === "Closed" ? reason.process : undefined, {
        exitCode: 3,
        stderrTail: "fatal: OPENAI_API_KEY=[redacted] is wrong"
      })
      assert.include(error.message, "exit status 3")
      assert.include(error.message, "OPENAI_API_KEY=[redacted]")
      // Every later call fails with the same error.
      assert.strictEqual(yield* Effect.flip(transport.receive), error)
      assert.strictEqual(yield* Effect.flip(transport.send(["{}"])), error)
      assert.strictEqual((yield* transport.exited).exitCode, 3)
    }))

  it.effect("does not lose the frames of a process that exited long before they are received", () =>
    Effect.gen(function*() {
      const transport = yield* start("drip", { argument: "60" })
      yield* transport.exited
      yield* settle("1 second")
      const { frames, reason } = yield* receiveToEnd(transport)
      assert.strictEqual(frames.length, 60)
      assert.strictEqual(reason._tag, "Closed")
    }))

  it.effect("waits a moment for what stderr says about the end", () =>
    Effect.gen(function*() {
      const transport = yield* start("lateWords")
      const { error } = yield* receiveToEnd(transport)
      assert.include(error.message, "too late")
    }))

  it.effect("names the signal that ended the process", () =>
    Effect.gen(function*() {
      const transport = yield* shell("echo '{}'; kill -KILL $$")
      const { error, reason } = yield* receiveToEnd(transport)
      assert.strictEqual(reason._tag === "Closed" ? reason.process?.signal : undefined, "SIGKILL")
      assert.include(error.message, "SIGKILL")
    }))

  it.effect("reads stderr all the time and keeps a bounded tail of whole lines", () =>
    Effect.gen(function*() {
      const transport = yield* start("chatty", { stderrTailBytes: 1000 })
      assert.deepStrictEqual(yield* receiveFrames(transport, 1), ["{\"done\":true}"])
      yield* eventually(transport.stderrTail, (tail) => tail.includes("line 19999 "))
      const tail = yield* transport.stderrTail
      assert.isAtMost(tail.length, 1000)
      assert.match(tail, /^line \d+ e+\n/)
    }))

  it.effect("a process that closes stdout and lives on is a closed connection at once, and is terminated", () =>
    Effect.gen(function*() {
      const transport = yield* shell("echo '{}'; exec 1>&-; trap '' HUP; while :; do sleep 1; done", {
        shutdown: { stdinGrace: "100 millis", termGrace: "1 second" }
      })
      const [duration, { frames, reason }] = yield* Effect.timed(receiveToEnd(transport))
      assert.deepStrictEqual(frames, ["{}"])
      assert.deepInclude(reason, { _tag: "Closed", detail: "stdout ended while the process was still running" })
      assert.isBelow(Duration.toMillis(duration), 5000)
      assert.strictEqual((yield* transport.exited).signal, "SIGTERM")
    }))

  it.effect("a process that closes stdin ends the connection of a sender, without an uncaught error", () =>
    Effect.gen(function*() {
      const transport = yield* shell("exec 0<&-; echo '{}'; exec sleep 600", {
        shutdown: { stdinGrace: "50 millis", termGrace: "1 second" }
      })
      assert.deepStrictEqual(yield* receiveFrames(transport, 1), ["{}"])
      const error = yield* transport.send([frame({ text: "x".repeat(100_000) })]).pipe(
        Effect.andThen(settle("1 millis")),
        Effect.forever,
        Effect.flip
      )
      assert.match(error.message, /stdin could not be written \(EPIPE|ECONNRESET/)
      assert.strictEqual((yield* transport.exited).signal, "SIGTERM")
    }))

  it.effect("too much noise is an error that quotes the beginning", () =>
    Effect.gen(function*() {
      const transport = yield* start("noise", { shutdown: { stdinGrace: "50 millis" } })
      const { error, reason } = yield* receiveToEnd(transport)
      assert.strictEqual(reason._tag, "TooMuchNoise")
      assert.include(error.message, "this is no message 0")
      yield* transport.exited
    }))

  it.effect("a frame over the limit fails alone", () =>
    Effect.gen(function*() {
      const transport = yield* start("echo", { frameLimit: 1000 })
      yield* transport.send([frame({ text: "x".repeat(100_000) }), "{}"])
      const frames = yield* receiveFrames(transport, 2)
      assert.deepInclude(frames[0], { _tag: "Unreadable", reason: "size", bytes: 100_011 })
      assert.strictEqual(frames[1], "{}")
    }))

  describe("closing the scope", () => {
    it.effect("ends stdin and lets the process go by itself", () =>
      Effect.gen(function*() {
        const scope = yield* Scope.make()
        const transport = yield* start("echo").pipe(Scope.provide(scope))
        yield* transport.send(["{}"])
        yield* receiveFrames(transport, 1)
        const waiting = yield* Effect.forkChild(Effect.flip(transport.receive), { startImmediately: true })
        yield* Scope.close(scope, Exit.void)
        assert.strictEqual((yield* transport.exited).exitCode, 0)
        assert.include((yield* Fiber.join(waiting)).message, "closed by this side")
        assert.include((yield* Effect.flip(transport.send(["{}"]))).message, "closed by this side")
      }))

    it.effect("writes what was sent before", () =>
      Effect.gen(function*() {
        const directory = NodeFs.mkdtempSync(NodePath.join(NodeOs.tmpdir(), "transport-"))
        yield* Effect.addFinalizer(() => Effect.sync(() => NodeFs.rmSync(directory, { recursive: true })))
        const file = NodePath.join(directory, "received")
        yield* Effect.scoped(Effect.gen(function*() {
          const transport = yield* shell(`exec cat > ${file}`)
          for (let n = 0; n < 20; n++) yield* transport.send([frame({ n })])
        }))
        assert.strictEqual(NodeFs.readFileSync(file, "utf8").split("\n").length, 21)
      }))

    it.effect("escalates to SIGTERM and SIGKILL", () =>
      Effect.gen(function*() {
        const scope = yield* Scope.make()
        const transport = yield* start("stubborn", { shutdown: { stdinGrace: "300 millis", termGrace: "300 millis" } })
          .pipe(Scope.provide(scope))
        yield* receiveFrames(transport, 1)
        yield* Scope.close(scope, Exit.void)
        assert.isFalse(isAlive(transport.pid))
        assert.strictEqual((yield* transport.exited).signal, "SIGKILL")
      }))

    for (const argument of ["leaderStays", "leaderExits"]) {
      it.effect(`takes grandchildren along that ignore SIGTERM (${argument})`, () =>
        Effect.gen(function*() {
          const scope = yield* Scope.make()
          const transport = yield* start("grandchild", {
            argument,
            shutdown: { stdinGrace: "200 millis", termGrace: "200 millis" }
          }).pipe(Scope.provide(scope))
          const grandchild = pidIn((yield* receiveFrames(transport, 1))[0])
          assert.isTrue(isAlive(grandchild))
          yield* Scope.close(scope, Exit.void)
          assert.isFalse(isAlive(transport.pid))
          assert.isFalse(isAlive(grandchild))
        }))
    }

    it.effect("does not wait for a reader that is gone", () =>
      Effect.gen(function*() {
        const scope = yield* Scope.make()
        const transport = yield* start("flood", { argument: "100000" }).pipe(Scope.provide(scope))
        yield* transport.receive
        yield* settle("200 millis")
        yield* Scope.close(scope, Exit.void)
        assert.isFalse(isAlive(transport.pid))
        assert.include((yield* Effect.flip(transport.receive)).message, "closed by this side")
      }))

    it.effect("by interruption works the same", () =>
      Effect.gen(function*() {
        const pids = yield* Deferred.make<readonly [number, number]>()
        const fiber = yield* Effect.gen(function*() {
          const transport = yield* start("grandchild", {
            shutdown: { stdinGrace: "50 millis", termGrace: "200 millis" }
          })
          yield* Deferred.succeed(pids, [transport.pid, pidIn((yield* receiveFrames(transport, 1))[0])])
          yield* transport.receive
        }).pipe(Effect.scoped, Effect.forkChild)
        const [child, grandchild] = yield* Deferred.await(pids)
        yield* Fiber.interrupt(fiber)
        assert.isFalse(isAlive(child))
        assert.isFalse(isAlive(grandchild))
      }))
  })

  describe("a command that cannot be started", () => {
    it.effect("because it does not exist", () =>
      Effect.gen(function*() {
        const message = yield* openFailure({ command: "/nowhere/agent", args: ["--api-key", "c0ffee"] })
        assert.include(message, "/nowhere/agent")
        assert.include(message, "ENOENT")
        assert.notInclude(message, "c0ffee")
      }))

    it.effect("because it is not executable", () =>
      Effect.gen(function*() {
        const message = yield* openFailure({ command: fixture })
        assert.include(message, fixture)
        assert.include(message, "EACCES")
      }))

    it.effect("because its working directory does not exist", () =>
      Effect.gen(function*() {
        const message = yield* openFailure({ command: "sh", cwd: "/nowhere/at/all" })
        assert.include(message, "the working directory /nowhere/at/all")
        assert.include(message, "ENOENT")
      }))

    it.effect("because its arguments are too long", () =>
      Effect.gen(function*() {
        const message = yield* openFailure({ command: "sh", args: ["-c", ":", "x".repeat(8 * 1024 * 1024)] })
        assert.include(message, "E2BIG")
      }))
  })

  it.effect("gives the process its environment and tells its pid before anything is read", () =>
    Effect.gen(function*() {
      let spawned = 0
      const transport = yield* shell("printf '{\"a\":\"%s\",\"home\":\"%s\"}\\n' \"$A\" \"$HOME\"; cat", {
        env: { A: "1", HOME: undefined },
        onSpawn: (pid) => Effect.sync(() => spawned = pid)
      })
      assert.strictEqual(spawned, transport.pid)
      assert.deepStrictEqual(yield* receiveFrames(transport, 1), ["{\"a\":\"1\",\"home\":\"\"}"])
    }))
})

/** Real time for the other side to act; `it.effect` runs on a virtual clock. */
const settle = (duration: Duration.Input) =>
  Effect.callback<void>((resume) => {
    const timer = setTimeout(() => resume(Effect.void), Duration.toMillis(duration))
    return Effect.sync(() => clearTimeout(timer))
  })

const eventually = Effect.fnUntraced(function*<A>(effect: Effect.Effect<A>, holds: (a: A) => boolean) {
  while (!holds(yield* effect)) yield* settle("10 millis")
})
