// Reads the address in a stored row of an account or position without the engine, which otherwise reads these rows
// (`holding-row.ts`): the rotation of the master key binds each key to the address of its record.

/** Place of the address in a row by position. */
const ADDRESS_PLACE = 1

/** The address in the context of a stored record, with names or by position; undefined: it has none. */
export function addressInRow(context: unknown): string | undefined {
  const address: unknown = Array.isArray(context)
    ? context[ADDRESS_PLACE]
    : (context as { readonly address?: unknown }).address
  return typeof address === 'string' ? address : undefined
}
