// Drafts one transaction of the creation or extension of a lookup table from stored data, so that a plan can continue
// after a restart.
import { createTable, extendTable } from '../../solana/instructions/lookup-table.ts'
import { ofKind, type RecordState } from '../../engine/records/record.ts'
import { tableBytes } from '../../../machines/lookup-table.ts'
import type { JsonObject } from '../../contract/call.ts'
import type { AccountLookup } from '../../contract/values/lookup.ts'
import type { ChainTransactionConfig } from '../../contract/values/chain-config.ts'
import { ownRecordsAt } from '../lookup/whose-records.ts'
import type { Context } from '../context/platform.ts'
import { resolveParty } from '../lookup/account.ts'
import type { Draft } from '../transactions/draft.ts'
import { feePayerOf } from '../transactions/fee-payer.ts'
import { checkRentSide } from '../transactions/rent-side.ts'
import { clusterOf } from '../transactions/transact.ts'

/** Measured on the embedded chain: 24 000 for a creation with 25 addresses, 14 000 for an extension by 29. */
const COMPUTE_UNITS = 60_000

export interface TableStep {
  /** Address of the table. */
  readonly table: string
  readonly authority: AccountLookup
  /** Decimal slot from which the address was derived: the step creates the table. null: the table exists. */
  readonly recentSlot: string | null
  readonly addresses: readonly string[]
}

export function stepData(step: TableStep): JsonObject {
  return { ...step, authority: JSON.parse(JSON.stringify(step.authority)) as JsonObject }
}

export async function buildTableStepDraft(
  context: Context,
  config: ChainTransactionConfig | undefined,
  data: JsonObject,
): Promise<() => Draft> {
  const { call } = context
  const { table, authority: lookup, recentSlot, addresses } = data as unknown as TableStep
  const rent = await rentOf(context, table, addresses.length)
  return () => {
    const feePayer = feePayerOf(context, config)
    const authority = resolveParty(context, lookup, '/itemData/authority')
    const by = { table, authority: authority.address, payer: feePayer.address }
    if (recentSlot === null)
      checkRentSide(call, tableAt(context, table)?.context.rentPayer ?? null, feePayer, 'this table')
    return {
      instructions: [
        ...(recentSlot === null ? [] : [createTable({ ...by, recentSlot: BigInt(recentSlot) }).instruction]),
        ...(addresses.length === 0 ? [] : [extendTable({ ...by, addresses })]),
      ],
      feePayer,
      parties: [authority],
      rents: new Map([[table, rent]]),
      computeUnits: COMPUTE_UNITS,
      shape: 'members',
    }
  }
}

/** Lamports the program takes from the payer: the rent of the extended table less the lamports it holds. */
async function rentOf(context: Context, table: string, count: number): Promise<bigint> {
  const state = tableAt(context, table)
  const there = state === undefined || state.value === 'pending' ? null : state
  const bytes = tableBytes((there?.context.addresses.length ?? 0) + count)
  const rent = await clusterOf(context).rentExemptLamports(bytes)
  const held = BigInt(there?.context.lamports.balance ?? '0')
  return rent > held ? rent - held : 0n
}

function tableAt({ platform, call }: Context, address: string): RecordState<'lookupTable'> | undefined {
  for (const { head } of ownRecordsAt(platform.engine.directory, call.tenant, call.cluster, address)) {
    const state = ofKind(head, 'lookupTable')
    if (state !== undefined) return state
  }
  return undefined
}
