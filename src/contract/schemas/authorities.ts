// Authorities of a mint: as a request hands them on, and as answers show them.
import { z } from 'zod'
import { accountLookup } from '../values/lookup.ts'
import { acrossMembers, changesSomething } from '../values/rule.ts'
import type { OutputOf } from '../values/validated.ts'

/** The authorities of an instrument, at one level of detail. */
export const authorities = <Level extends z.ZodType>(authority: Level) => ({
  mintAuthority: authority,
  updateAuthority: authority,
  freezeAuthority: authority,
  permanentDelegateAuthority: authority,
  closingAuthority: authority,
  pausableAuthority: authority,
  scaledUiAmountAuthority: authority,
  transferHookProgram: authority,
  transferHookAuthority: authority,
  confidentialTransferAuthority: authority,
  confidentialMintBurnAuthority: authority,
  metadataPointerAuthority: authority,
})

const holder = accountLookup.nullable().optional()

const AUTHORITY_CHANGES = {
  mint: holder,
  freeze: holder,
  update: holder,
  permanentDelegate: holder,
  closing: holder,
  pausable: holder,
  scaledUiAmount: holder,
  transferHook: holder,
  confidentialTransfer: holder,
  metadataPointer: holder,
}

export type AuthorityMember = keyof typeof AUTHORITY_CHANGES

interface Changes {
  readonly authorities?: unknown
  readonly confirm?: unknown
}

function givesUp(authorities: unknown): boolean {
  return typeof authorities === 'object' && authorities !== null && Object.values(authorities).includes(null)
}

export const authorityChanges = z
  .strictObject({
    financialInstrument: accountLookup,
    authorities: z
      .strictObject(AUTHORITY_CHANGES)
      .check(changesSomething(Object.keys(AUTHORITY_CHANGES)))
      .meta({ id: 'AuthorityChanges' }),
    confirm: z.boolean().optional(),
  })
  .check(
    acrossMembers<Changes>(({ authorities, confirm }) =>
      givesUp(authorities) && confirm !== true
        ? {
            code: 'CONFIRMATION_REQUIRED',
            message: '`confirm` must be true to give an authority up for ever',
            path: ['confirm'],
          }
        : undefined,
    ),
  )
  .meta({ id: 'FinancialInstrumentAuthorities' })
/** For an authority, null gives it up permanently. */
export type AuthorityChangesInput = OutputOf<typeof authorityChanges>
