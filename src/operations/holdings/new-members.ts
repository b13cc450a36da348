// Members of a new account that do not apply to an account whose kind decides its size, rent and type:
// a token account, a mint, a nonce account, a lookup table.
import type { AccountType } from '../../../machines/holding.ts'
import { LIMIT_LISTS } from '../../contract/holding-types.ts'
import type { NewAccountInput } from '../../contract/schemas/new-account.ts'
import { refuseAll } from '../../contract/refusal.ts'

export const MINT_TYPES: readonly AccountType[] = ['ASSET_TOKEN', 'FUNDS_TOKEN']
export const POSITION_TYPES: readonly AccountType[] = ['ASSET_TOKEN_ACCOUNT', 'FUNDS_TOKEN_ACCOUNT']

const SIZE_AND_SEED = ['seedAmount', 'seedLamports', 'dataLength'] as const

/**
 * Throws 400 `TYPE_MISMATCH`, `NOT_APPLICABLE`, `LIMITS_NOT_APPLICABLE`. Limits of tokens apply to a token account
 * only; each may have none of network currency.
 *
 * @param types the first is the default
 */
export function checkNewMembers(input: NewAccountInput, types: readonly AccountType[], pointer: string): void {
  const found = [...typeProblems(input, types, pointer)]
  for (const member of SIZE_AND_SEED) {
    if (input[member] === undefined || input[member] === 0) continue
    const message = 'the kind of the account decides its size and rent'
    found.push({ code: 'NOT_APPLICABLE', message, pointer: `${pointer}/${member}` })
  }
  for (const member of LIMIT_LISTS) {
    const limits = input[member] ?? null
    const isEmpty = member === 'networkCurrencyDebitLimits' && limits?.length === 0
    const applies = isEmpty || (member === 'tokenDebitLimits' && types === POSITION_TYPES)
    if (applies || limits === null) continue
    const message = `${member} does not apply to an account of type ${types.join(' or ')}`
    found.push({ code: 'LIMITS_NOT_APPLICABLE', message, pointer: `${pointer}/${member}` })
  }
  refuseAll(found)
}

/** `TYPE_MISMATCH` if the request gives a type that is not among `types`. */
export function typeProblems(
  { offchainReferences }: NewAccountInput,
  types: readonly AccountType[],
  pointer: string,
): Parameters<typeof refuseAll>[0] {
  const type = offchainReferences?.type
  if (type === undefined || types.includes(type)) return []
  const message = `type must be ${types.join(' or ')}`
  return [{ code: 'TYPE_MISMATCH', message, pointer: `${pointer}/offchainReferences/type` }]
}
