// The limit of an instrument's supply: no key of a tenant signs a mint beyond the `maxSupply` of the
// tenant's own record. Evaluated from the compiled message, and again before the first signature.
import type { Effect } from '../../solana/table/effect.ts'
import type { BookEntry } from '../../../machines/transactions/transaction-record.ts'
import { notFinalKey, underWayKey, preparedMintKey } from '../../engine/index/index-keys.ts'
import type { RecordIndex } from '../../engine/index/record-index.ts'
import { ofKind, type RecordState } from '../../engine/records/record.ts'
import { badRequest } from '../../contract/refusal.ts'
import type { Platform } from '../context/platform.ts'
import { awaitsOtherOwner } from '../lookup/awaited-owners.ts'
import { ownRecordsAt } from '../lookup/whose-records.ts'

export interface SupplyCapInputs {
  /** The tenant whose records decide. */
  readonly tenant: string
  readonly cluster: string
  /** The transaction itself does not count among the open ones. */
  readonly transactionId: string
  readonly effects: readonly Effect[]
}

/**
 * Tokens that an instruction burns do not offset tokens that another instruction of the message mints. Throws 400
 * `SUPPLY_CAP_EXCEEDED`.
 */
export function checkSupplyCaps({ engine }: Pick<Platform, 'engine'>, inputs: SupplyCapInputs): void {
  const { transactionId } = inputs
  for (const { instrument, minted } of mintingsOf(engine.directory, inputs))
    checkRoom(engine, instrument, minted, { transactionId })
}

/** True if `checkSupplyCaps` would refuse. */
export function exceedsSupplyCap({ engine }: Platform, inputs: SupplyCapInputs): boolean {
  return mintingsOf(engine.directory, inputs).some(
    ({ instrument, minted }) => excessOf(engine, instrument, minted, inputs.transactionId) !== null,
  )
}

interface Minting {
  readonly instrument: RecordState<'instrument'>
  readonly minted: bigint
}

/** What the message mints of instruments of the tenant. */
function mintingsOf(directory: RecordIndex, { tenant, cluster, effects }: SupplyCapInputs): readonly Minting[] {
  return [...mintedBy(effects)].flatMap(([mint, minted]) =>
    ownRecordsAt(directory, tenant, cluster, mint).flatMap(({ head }) => {
      const instrument = ofKind(head, 'instrument')
      return instrument === undefined ? [] : [{ instrument, minted }]
    }),
  )
}

/** Throws 400 `SUPPLY_CAP_EXCEEDED` if `minted` raw units more would exceed the limit. */
export function checkRoom(
  engine: Platform['engine'],
  instrument: RecordState<'instrument'>,
  minted: bigint,
  {
    transactionId = '',
    pointer = '/itemData',
  }: { readonly transactionId?: string | undefined; readonly pointer?: string | undefined } = {},
): void {
  const excess = excessOf(engine, instrument, minted, transactionId)
  if (excess !== null) throw badRequest('SUPPLY_CAP_EXCEEDED', excess, pointer)
}

/** Why `minted` raw units more would exceed the limit; null: they would not. */
function excessOf(
  engine: Platform['engine'],
  instrument: RecordState<'instrument'>,
  minted: bigint,
  transactionId: string,
): string | null {
  const { maxSupply = null, address } = instrument.context
  if (maxSupply === null) return null
  const supply = maxPossibleSupply(engine, instrument, transactionId)
  return supply + minted <= BigInt(maxSupply)
    ? null
    : `minting ${minted} raw units of ${address} would exceed maxSupply ${maxSupply}: ${supply} are in circulation or in open transactions`
}

/**
 * The supply if every open mint lands and no burn that is not final does. A transaction of another tenant counts by the
 * countersignature of this tenant, as the transaction alone mints nothing: it could otherwise use up the limit. So
 * could one of another organization that lacks the signature of the mint authority.
 */
function maxPossibleSupply(
  engine: Platform['engine'],
  { id, tenant, context }: RecordState<'instrument'>,
  except: string,
): bigint {
  const { directory } = engine
  const open = [...directory.find(underWayKey(id)), ...directory.find(preparedMintKey(id))]
    .map(({ head }) => head)
    .filter((head) => head.tenant === tenant && !awaitsOtherOwner(engine, head))
  const minted = sumOfTransactions(open, id, 'credited', except)
  const burned = sumOfTransactions(
    directory.find(notFinalKey(id)).map(({ head }) => head),
    id,
    'debited',
    except,
  )
  return BigInt(context.supply.balance) + minted + burned
}

function sumOfTransactions(
  heads: readonly RecordState[],
  record: string,
  side: 'credited' | 'debited',
  except: string,
): bigint {
  const sums = new Map<string, bigint>()
  for (const head of heads) {
    const [transactionId, entries] = entriesOf(head)
    if (transactionId === except) continue
    const sum = supplyIn(entries, record, side)
    if (sum > (sums.get(transactionId) ?? 0n)) sums.set(transactionId, sum)
  }
  return [...sums.values()].reduce((total, sum) => total + sum, 0n)
}

function entriesOf(head: RecordState): readonly [transactionId: string, entries: readonly BookEntry[]] {
  const transaction = ofKind(head, 'transaction')
  if (transaction !== undefined) return [transaction.id, transaction.context.fixed.entries]
  const countersignature = ofKind(head, 'countersignature')
  return countersignature === undefined
    ? [head.id, []]
    : [countersignature.context.transactionId, countersignature.context.entries]
}

function supplyIn(entries: readonly BookEntry[], id: string, side: 'credited' | 'debited'): bigint {
  const movements = entries.filter(({ record }) => record === id).flatMap((entry) => entry.movements)
  return movements.reduce((sum, movement) => (movement.asset === 'supply' ? sum + BigInt(movement[side]) : sum), 0n)
}

function mintedBy(effects: readonly Effect[]): ReadonlyMap<string, bigint> {
  const sums = new Map<string, bigint>()
  for (const effect of effects) {
    if (effect.kind === 'mint') sums.set(effect.mint, (sums.get(effect.mint) ?? 0n) + effect.amount)
  }
  return sums
}
