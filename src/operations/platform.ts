// What the operations stand on. `src/service.ts` makes the one instance; tests make their own with the real parts.
import type { Call, JsonObject, Outcome } from './call.ts'

/** A read: renders committed records. */
export type Read<Input> = (platform: Platform, call: Call, input: Input) => Promise<JsonObject> | JsonObject

/** A write: decides, signs and hands over in one synchronous stretch, and resolves once that is durable. */
export type Write<Input> = (platform: Platform, call: Call, input: Input) => Promise<Outcome>

export interface Platform {
  readonly engine: unknown
}
