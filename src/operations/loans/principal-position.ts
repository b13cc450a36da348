// Finds the position that a strategy lends from, among the records of the lender.
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../../solana/address.ts'
import { associatedTokenAddress } from '../../solana/derive.ts'
import { ofKind, type RecordState } from '../../engine/records/record.ts'
import type { Platform } from '../context/platform.ts'
import { stateAt } from '../lookup/whose-records.ts'

type Strategy = RecordState<'strategy'>
type Position = RecordState<'position'>

/**
 * The vault's position in the principal: the one that the strategy was created with if it is open (or was reopened),
 * otherwise the associated one. undefined: the vault has neither.
 */
export function principalPosition({ engine }: Platform, strategy: Strategy): Position | undefined {
  const { tenant, cluster, context } = strategy
  const { organization, position, vault, instrument } = context
  const known = position.id === null ? undefined : ofKind(engine.directory.resident(position.id)?.head, 'position')
  if (known !== undefined && known.value !== 'closed') return known
  const liveAt = (address: string): Position | undefined => {
    const state = stateAt(engine.directory, { tenant, organization }, cluster, { address, kind: 'position' })
    const isOfVault =
      state?.context.owner.address === vault.address && state.context.mint.address === instrument.address
    return isOfVault && state.value !== 'closed' ? state : undefined
  }
  const again = liveAt(position.address)
  if (again !== undefined || known === undefined) return again
  const program = known.context.program === 'SPL' ? TOKEN_PROGRAM : TOKEN_2022_PROGRAM
  return liveAt(associatedTokenAddress(vault.address, instrument.address, program))
}

/** Ids of the records of the position, also of the one that the strategy was created with. */
export function principalPositionIds(platform: Platform, strategy: Strategy): readonly string[] {
  const ids = [strategy.context.position.id, principalPosition(platform, strategy)?.id ?? null]
  return [...new Set(ids)].filter((id) => id !== null)
}
