import * as Schema from "effect/Schema"
console.log(typeof Schema.String)
