// Types of requests and answers, inferred from their schemas.
import type { z } from 'zod'

export type DeepReadonly<Value> = Value extends object
  ? { readonly [Member in keyof Value]: DeepReadonly<Value[Member]> }
  : Value

/** The output of a schema. No operation changes it. */
export type OutputOf<Schema extends z.ZodType> = DeepReadonly<z.output<Schema>>

/** What the schema of an answer allows. */
export type ModelOf<Schema extends z.ZodType> = DeepReadonly<z.input<Schema>>
