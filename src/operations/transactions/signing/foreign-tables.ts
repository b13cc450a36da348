// Lookup tables of transactions made elsewhere: those the message reads its accounts from, and those its instructions
// extend.
import { FormatError } from '../../../solana/format-error.ts'
import { accountKeys, type CompiledMessage } from '../../../solana/message.ts'
import { decodeLookupTable } from '../../../solana/system-layout.ts'
import type { Effect, EffectOf } from '../../../solana/table/effect.ts'
import type { ChainAccount, PlatformCluster } from '../../context/platform.ts'
import { forbidden } from '../../../contract/refusal.ts'

/**
 * Every account of the message, resolved with the current contents of its tables.
 *
 * Throws 403 `INSTRUCTION_NOT_ALLOWED` for an index that no table resolves: it is unknown what would be signed.
 */
export async function resolvedKeys(
  cluster: PlatformCluster,
  message: CompiledMessage,
  pointer: string,
): Promise<readonly string[]> {
  if (message.lookups.length === 0) return message.staticKeys
  const accounts = await cluster.accounts(message.lookups.map(({ table }) => table))
  try {
    return accountKeys(
      message,
      new Map(message.lookups.map(({ table }, index) => [table, addressesIn(table, accounts[index] ?? null)])),
    )
  } catch (error) {
    if (error instanceof FormatError) throw forbidden('INSTRUCTION_NOT_ALLOWED', error.message, pointer)
    throw error
  }
}

function addressesIn(table: string, account: ChainAccount | null): readonly string[] {
  if (account === null) throw new FormatError('LOOKUP_UNRESOLVED', `there is no lookup table ${table}`)
  return decodeLookupTable(account.data, account.owner).addresses
}

/** Lamports the payers would put into each table: the rent of its new size, less the lamports it holds. */
export async function tableRents(cluster: PlatformCluster, effects: readonly Effect[]): Promise<[string, bigint][]> {
  const growing = effects.filter(
    (effect): effect is EffectOf<'table'> => effect.kind === 'table' && effect.payer !== null,
  )
  const tables = [...new Set(growing.map(({ table }) => table))]
  if (tables.length === 0) return []
  const present = await cluster.accounts(tables)
  return await Promise.all(
    tables.map(async (table, index): Promise<[string, bigint]> => {
      const account = present[index] ?? null
      const growth = growing
        .filter((effect) => effect.table === table)
        .reduce((bytes, effect) => bytes + effect.growthBytes, 0)
      const rent = await cluster.rentExemptLamports((account?.data.length ?? 0) + growth)
      const lamports = account?.lamports ?? 0n
      return [table, rent > lamports ? rent - lamports : 0n]
    }),
  )
}
