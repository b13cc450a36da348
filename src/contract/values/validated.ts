// Types of requests: what the schemas make of a body, as operations read it.
import type { z } from 'zod'

export type Unchanging<Value> = Value extends object
  ? { readonly [Member in keyof Value]: Unchanging<Value[Member]> }
  : Value

/** The output of a schema. No operation changes it. */
export type Validated<Schema extends z.ZodType> = Unchanging<z.output<Schema>>
