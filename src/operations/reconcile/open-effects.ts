// Effects of non-final transactions on the balances of a record. A reading may include effects that the record does not
// count yet, and the record may count effects that an abandoned fork has undone.
import { countersignatureFor } from '../../engine/settlement/countersigned.ts'
import type { Engine } from '../../engine/engine.ts'
import type { Entry } from '../../engine/records/entry.ts'
import { notFinalKey, underWayKey } from '../../engine/index/index-keys.ts'
import { ofKind, type HoldingState, type RecordState } from '../../engine/records/record.ts'
import type { Asset } from '../../../machines/protocol.ts'
import type { BookEntry } from '../../../machines/transactions/transaction-record.ts'

/** Raw units by asset; an absent asset does not change. */
export type Amounts = Readonly<Partial<Record<Asset, bigint>>>

export interface OpenEffect {
  readonly entry: Entry
  readonly transactionId: string
  /** null: the fee payer signs elsewhere, and its signature is not known here. */
  readonly signature: string | null
  /** The transaction cannot have landed before this slot. */
  readonly sinceSlot: number
  readonly nonce: { readonly account: string; readonly value: string } | null
  /** Slot in which it landed, according to its record. */
  readonly slot: number | null
  /** The part that the record's balances count now. */
  readonly booked: Amounts
  /** Movements if the transaction succeeds. */
  readonly landed: Amounts
  /** Movements if the transaction fails: fees. */
  readonly charged: Amounts
  /** True if the transaction closes the record. */
  readonly closes: boolean
}

/**
 * Effects of transactions, and of countersignatures for those of other tenants, that are not final and touch the
 * record. Readings of the chain cannot recognize a transaction whose signature is unknown. One of another tenant has no
 * effect here until it lands: its tenant could keep such a transaction open for any length of time.
 */
export function openEffects(engine: Engine, record: HoldingState): OpenEffect[] {
  const { directory } = engine
  const entries = new Set([...directory.find(underWayKey(record.id)), ...directory.find(notFinalKey(record.id))])
  return [...entries].flatMap((entry) => effectOf(engine, entry, record) ?? [])
}

/** null: the entry has no effect on the balances of the record. */
export function effectOf(engine: Engine, entry: Entry, record: HoldingState): OpenEffect | null {
  const transaction = ofKind(entry.head, 'transaction')
  if (transaction !== undefined) return ofTransaction(engine, entry, transaction, record)
  const countersignature = ofKind(entry.head, 'countersignature')
  return countersignature === undefined ? null : ofCountersignature(engine, entry, countersignature, record)
}

function ofTransaction(
  engine: Engine,
  entry: Entry,
  { id, tenant, value, context }: RecordState<'transaction'>,
  record: HoldingState,
): OpenEffect | null {
  const { fixed, signature, slot, error } = context
  if (tenant !== record.tenant && signature === null) return null
  // A tenant that countersigned counts the amounts by its countersignature.
  if (tenant !== record.tenant && countersignatureFor(engine, id, fixed.messageHash, record.tenant) !== undefined)
    return null
  const effects = effectsOf(fixed.entries, record.id)
  const hasSucceeded = (value === 'confirmed' || value === 'finalized') && error === null
  return {
    entry,
    transactionId: id,
    signature,
    sinceSlot: fixed.blockhashSlot,
    nonce: fixed.nonceAccount === null ? null : { account: fixed.nonceAccount.address, value: fixed.blockhash },
    slot,
    ...effects,
    booked: hasSucceeded ? effects.landed : value === 'blockchainError' ? effects.charged : {},
  }
}

function ofCountersignature(
  engine: Engine,
  entry: Entry,
  { value, context }: RecordState<'countersignature'>,
  record: HoldingState,
): OpenEffect {
  const { transactionId, entries, blockhash, blockhashSlot, nonceAccount } = context
  // The transaction stays in memory until its countersignatures have ended.
  const transaction = ofKind(engine.directory.resident(transactionId)?.head, 'transaction')?.context
  const effects = effectsOf(entries, record.id)
  return {
    entry,
    transactionId,
    signature: context.signature ?? transaction?.signature ?? null,
    sinceSlot: blockhashSlot,
    nonce: nonceAccount === null ? null : { account: nonceAccount, value: blockhash },
    slot: context.slot,
    ...effects,
    booked: value === 'landed' ? effects.landed : {},
  }
}

function effectsOf(entries: readonly BookEntry[], record: string): Pick<OpenEffect, 'landed' | 'charged' | 'closes'> {
  const own = entries.filter((each) => each.record === record)
  return {
    closes: own.some(({ facts }) => facts.some(({ event }) => event.type === 'chain.closed')),
    landed: sumOf(own.flatMap(({ movements }) => movements)),
    charged: sumOf(own.flatMap(({ charge }) => charge)),
  }
}

function sumOf(movements: BookEntry['movements']): Amounts {
  const sums: Partial<Record<Asset, bigint>> = {}
  for (const { asset, credited, debited } of movements)
    sums[asset] = (sums[asset] ?? 0n) + BigInt(credited) - BigInt(debited)
  return sums
}

const ASSETS: readonly Asset[] = ['lamports', 'tokens', 'supply']

/** `sign` 1n adds, -1n subtracts. */
export function addAmounts(one: Amounts, other: Amounts, sign: 1n | -1n = 1n): Amounts {
  const sums: Partial<Record<Asset, bigint>> = { ...one }
  for (const asset of ASSETS) {
    const amount = other[asset]
    if (amount !== undefined) sums[asset] = (sums[asset] ?? 0n) + sign * amount
  }
  return sums
}
