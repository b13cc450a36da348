// Selects the lookup tables a transaction may use: those of the organization, with their finalized contents on chain.
import type { LookupTable } from '../../solana/message.ts'
import type { Entry } from '../../engine/records/entry.ts'
import { lookupTableKey } from '../../engine/index/index-keys.ts'
import { isHolding, ofKind, type RecordState } from '../../engine/records/record.ts'
import type { ChainTransactionConfig } from '../../contract/values/chain-config.ts'
import type { Context } from '../context/platform.ts'

/**
 * Sorted by address. A table for which the cluster does not answer is omitted, because the transaction does not depend
 * on it.
 */
export async function tablesAtHand(
  context: Context,
  config: ChainTransactionConfig | undefined,
): Promise<readonly LookupTable[]> {
  const { platform, call } = context
  const cluster = platform.clusters.get(call.cluster)
  const entries = config?.transactionVersion === 'LEGACY' ? [] : candidates(context, config)
  if (entries.length === 0 || cluster === undefined) return []
  // The usable part of a table depends on the slot of the latest blockhash.
  if (cluster.currentBlockhash() === null) await cluster.freshBlockhash()
  const requests = entries.map((entry) => ({
    address: tableOf(entry).context.address,
    count: tableOf(entry).context.addresses.length,
  }))
  const contents = await cluster.lookupTables(requests)
  return entries.flatMap((entry) => {
    const { address, addresses: known } = tableOf(entry).context
    const addresses = contents.get(address)
    if (addresses === undefined) return []
    if (addresses.at(-1) !== known[addresses.length - 1]) platform.engine.noticed(entry)
    return [{ address, addresses }]
  })
}

function candidates(context: Context, config: ChainTransactionConfig | undefined): Entry[] {
  const { platform, call } = context
  return platform.engine.directory
    .find(lookupTableKey(call.cluster, call.organization))
    .filter(({ head }) => head.tenant === call.tenant)
    .filter((entry) => tableOf(entry).context.addresses.length > 0)
    .filter((entry) => config?.messageLifetimeStrategy !== 'DURABLE_NONCE' || isOwnAuthority(context, tableOf(entry)))
    .sort((a, b) => (tableOf(a).context.address < tableOf(b).context.address ? -1 : 1))
}

/** A message under a nonce may land at any time, so no other party may be able to deactivate its tables. */
function isOwnAuthority({ platform, call }: Context, { context }: RecordState<'lookupTable'>): boolean {
  const head =
    context.authority?.id == null ? undefined : platform.engine.directory.resident(context.authority.id)?.head
  return (
    head !== undefined &&
    head.tenant === call.tenant &&
    isHolding(head) &&
    head.context.organization === call.organization
  )
}

function tableOf({ head }: Entry): RecordState<'lookupTable'> {
  const table = ofKind(head, 'lookupTable')
  if (table === undefined) throw new Error(`record ${head.id} is no lookup table`)
  return table
}
