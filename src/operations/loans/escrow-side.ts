// The escrow of a loan: an account with a key of the service's own making, and its positions.
import { associatedTokenAddress } from '../../solana/derive.ts'
import type { RecordState } from '../../engine/records/record.ts'
import type { UnitOfWork } from '../../engine/records/unit-of-work.ts'
import type { Entry as BookEntry } from '../../../machines/transaction-record.ts'
import type { Call } from '../../contract/call.ts'
import { keepKey, newAddress, type AccountKey } from '../holdings/keys.ts'
import { checkUnique, newHolding } from '../holdings/new-holding.ts'
import type { NewAccountInput } from '../../contract/input.ts'
import type { Platform } from '../context/platform.ts'
import { badRequest } from '../../contract/refusal.ts'
import { tokenProgramOf } from '../lookup/instrument.ts'
import type { Party } from '../lookup/party.ts'
import { createPositionRecord, derivedPosition, positionSize, TO_BE_MADE } from '../holdings/position-record.ts'
import { clusterOf } from '../transactions/transact.ts'
import type { End } from './board.ts'

const POINTER = '/itemData/escrow'

export interface NewEscrow {
  readonly id: string
  readonly address: string
  readonly key: AccountKey
  readonly input: NewAccountInput
}

/** Members that an escrow has no use for: nobody but the adapter acts on it. */
const REFUSED = [
  'onchainId',
  'privateKeyDetails',
  'alreadyOnchain',
  'seedAmount',
  'seedLamports',
  'dataLength',
  'canPayFees',
  'globalFeePayerForOrgs',
  'orgsAllowedToSignWithPrivateKey',
  'shareAcrossTenants',
  'isDerived',
] as const

/** Throws 400 `ESCROW_NOT_ACCEPTED`. */
export async function newEscrow(platform: Platform, call: Call, input: NewAccountInput = {}): Promise<NewEscrow> {
  const refused = REFUSED.find((member) => input[member] !== undefined && input[member] !== false)
  if (refused !== undefined || input.managed === false)
    throw badRequest(
      'ESCROW_NOT_ACCEPTED',
      'the key of an escrow is made by the service and used by the loan alone',
      `${POINTER}/${refused ?? 'managed'}`,
    )
  const { address, key } = await newAddress(platform, call, {}, POINTER)
  if (key === null) throw new Error('an escrow without a key')
  return { id: platform.ids(), address, key, input }
}

/** In the stretch, before its positions: they name it as their owner. */
export function createEscrowRecord(platform: Platform, call: Call, unit: UnitOfWork, { id, address, key, input }: NewEscrow): void {
  const holding = newHolding(platform, call, input, { address, key, type: input.offchainReferences?.type ?? 'WALLET' }, POINTER)
  checkUnique(platform, call, holding, POINTER, badRequest)
  const place = { tenant: call.tenant, cluster: call.cluster, id }
  keepKey(unit, { ...place, address }, key.fresh)
  unit.create('account', place, { holding: { ...holding, tokenDecimals: null }, state: 'pending' })
}

/** It is there as soon as something lies in it, and is given up with the loan. */
export function escrowIsThere(tenant: string, id: string, by: string): BookEntry {
  const fact = { event: { type: 'chain.created' }, undo: { type: 'chain.uncreated', by }, abandon: { type: 'chain.abandoned' } } as const
  return { tenant, record: id, movements: [], charge: [], facts: [fact] }
}

export function escrowIsGone(tenant: string, id: string): BookEntry {
  const fact = { event: { type: 'chain.closed' }, undo: { type: 'chain.reopened', as: 'active' } } as const
  return { tenant, record: id, movements: [], charge: [], facts: [fact] }
}

/** Lamports of rent of an escrow's position in each of the instruments, by mint. */
export async function escrowRents(
  platform: Platform,
  call: Call,
  instruments: readonly RecordState<'instrument'>[],
): Promise<ReadonlyMap<string, bigint>> {
  const cluster = clusterOf(platform, call)
  const rents = instruments.map(
    async (instrument) => [instrument.context.address, await cluster.rentExemptLamports(positionSize(instrument, true))] as const,
  )
  return new Map(await Promise.all(rents))
}

/** A position of an escrow whose address nobody knows yet. */
export function newEscrowEnd(
  platform: Platform,
  call: Call,
  escrow: Party & { readonly id: string },
  instrument: RecordState<'instrument'>,
  rentLamports: bigint,
  payer: Party,
): End & { readonly recordId: string } {
  const address = associatedTokenAddress(escrow.address, instrument.context.address, tokenProgramOf(instrument))
  const record = derivedPosition(platform, address, escrow, instrument, TO_BE_MADE)
  return {
    address,
    owner: escrow,
    instrument,
    frozen: instrument.context.defaultPositionState === 'FROZEN',
    opens: true,
    rents: new Map([[address, rentLamports]]),
    prepare: (unit) => {
      const owner = { ...escrow, entry: platform.engine.directory.byId(escrow.id) ?? null }
      createPositionRecord(platform, call, unit, { ...record, owner }, POINTER, payer, badRequest)
    },
    freezeAuthority: null,
    recordId: record.id,
  }
}
