// The client's own reference of a transaction: a member of the item data of every request that makes a
// transaction.
import { z } from 'zod'
import { line } from './text.ts'

const MAX_LENGTH = 128

/** 1 to 128 characters on one line; not unique. */
export const externalReference = line(MAX_LENGTH)
  .min(1)
  .meta({
    description: 'A reference of your own, kept on the transaction. Several transactions may have the same one.',
    examples: ['INV-2026-0042'],
  })

export interface WithExternalReference {
  readonly externalReference?: string | undefined
}

/** One for each schema: two of the same name would be ambiguous in the document. */
const extended = new WeakMap<z.ZodType, z.ZodType>()

/** The schema with the additional member `externalReference`, under the same name. */
export function withExternalReference<Item extends z.ZodType>(
  item: Item,
): z.ZodType<z.output<Item> & WithExternalReference> {
  let schema = extended.get(item)
  if (schema === undefined) {
    const meta = item.meta()
    schema = meta === undefined ? extend(item) : extend(item).meta(meta)
    extended.set(item, schema)
  }
  return schema as never
}

/** For a schema that transforms an object, extends the input object. */
function extend(schema: z.core.$ZodType): z.ZodType {
  if (schema instanceof z.ZodObject) return schema.safeExtend({ externalReference: externalReference.optional() })
  if (schema instanceof z.ZodPipe) return z.core.clone(schema, { ...schema.def, in: extend(schema.def.in) })
  throw new Error(`item data of a transaction is an object, not ${schema._zod.def.type}`)
}
