import * as Effect from "effect/Effect"
console.log(typeof Effect.gen)
