// Types of requests and answers, inferred from their schemas.
import type { z } from 'zod'

export type Unchanging<Value> = Value extends object
  ? { readonly [Member in keyof Value]: Unchanging<Value[Member]> }
  : Value

/** The output of a schema. No operation changes it. */
export type Validated<Schema extends z.ZodType> = Unchanging<z.output<Schema>>

/** What the schema of an answer allows. */
export type ModelOf<Schema extends z.ZodType> = Unchanging<z.input<Schema>>
