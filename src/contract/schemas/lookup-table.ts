// Schemas of address lookup tables.
import { z } from 'zod'
import { accountLookup, referenceChanges } from '../values/lookup.ts'
import { newAccount } from './new-account.ts'
import { changesSomething } from '../values/rule.ts'
import { comment } from '../values/text.ts'
import type { OutputOf } from '../values/validated.ts'

/** More than a table holds, so that the operation can reject with the actual limit. */
const MAX_COMPONENTS = 1_000

const components = z.array(accountLookup).max(MAX_COMPONENTS)

export const newLookupTable = z
  .strictObject({
    addressLookupTable: newAccount.optional(),
    authority: accountLookup.optional(),
    componentAddresses: components
      .meta({ description: 'At most 256, none twice. They can never be removed.' })
      .optional(),
  })
  .meta({ id: 'NewAddressLookupTable', description: 'authority is needed unless the table is on chain already.' })
export type NewLookupTableInput = OutputOf<typeof newLookupTable>

export const lookupTableExtension = z
  .strictObject({ addressLookupTable: accountLookup, componentAddresses: components.min(1) })
  .meta({ id: 'AddressLookupTableExtension' })
export type ExtendLookupTableInput = OutputOf<typeof lookupTableExtension>

const changes = {
  offchainReferences: referenceChanges.nullable().optional(),
  comments: comment.nullable().optional(),
  action: z.enum(['FREEZE', 'DEACTIVATE', 'CLOSE']).optional(),
}

export const lookupTableChanges = z
  .strictObject({ addressLookupTable: accountLookup, ...changes })
  .check(changesSomething(Object.keys(changes)))
  .meta({ id: 'AddressLookupTableChanges' })
export type UpdateLookupTableInput = OutputOf<typeof lookupTableChanges>
