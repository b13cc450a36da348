// What a statement says of one movement: its transaction, if the caller may know it, both parties, fee and rent.
import type { BookedMovement } from '../../engine/movements/history.ts'
import type { TransactionGlance } from '../../engine/records/glance.ts'
import { parseOwnMessage } from '../../solana/parse.ts'
import { classify } from '../../solana/table/classify.ts'
import type { Balance } from './balances.ts'
import { counterparts, ownersMade, type Parties, type Party } from './parties.ts'

/**
 * `TRANSACTION`: of this service, made or signed by the tenant. `OUTSIDE`: anything else that the chain shows.
 * `ONBOARDED`: the record was made with this balance.
 */
export type MovementKind = 'TRANSACTION' | 'OUTSIDE' | 'ONBOARDED'

export interface MovementLine {
  readonly atMs: number
  readonly kind: MovementKind
  readonly amount: bigint
  readonly after: bigint
  readonly from: readonly Party[]
  readonly to: readonly Party[]
  /** Lamports, contained in the amount; 0 for tokens and for accounts that paid none. */
  readonly fee: bigint
  readonly rent: bigint
  readonly externalReference: string | null
  /** References of the items of a batch. */
  readonly itemReferences: readonly string[]
  /** Path of the endpoint that made the transaction. */
  readonly operation: string | null
  /** null: not a transaction of the caller's tenant. */
  readonly transaction: MovedBy | null
}

export interface MovedBy {
  /** null: made by another tenant. */
  readonly offchainId: string | null
  readonly onchainId: string | null
  readonly blockTime: string | null
  readonly slot: number | null
}

/** Ids of the transactions that the lines of these movements show. */
export function shownIn(movements: readonly BookedMovement[]): string[] {
  return movements.flatMap((movement) => (isShown(movement) ? (movement.transactionId ?? []) : []))
}

const isShown = ({ cause }: BookedMovement): boolean => cause === 'own' || cause === 'countersigned'

export function movementLine(
  transactions: ReadonlyMap<string, TransactionGlance>,
  parties: Parties,
  balance: Balance,
  movement: BookedMovement,
): MovementLine {
  const { atMs, delta, after, cause } = movement
  const self = parties.of(balance.state.context.address)
  const found = isShown(movement) ? transactions.get(movement.transactionId ?? '') : undefined
  // Members are named one by one: spreading objects into a line costs more than all else of it.
  const { others, fee, rent, externalReference, itemReferences, operation, transaction } =
    found === undefined ? WITHOUT_TRANSACTION : ofTransaction(parties, balance, found, movement)
  return {
    atMs,
    kind: found !== undefined ? 'TRANSACTION' : cause === 'onboarded' ? 'ONBOARDED' : 'OUTSIDE',
    amount: delta,
    after,
    from: delta < 0n ? [self] : others,
    to: delta < 0n ? others : [self],
    fee,
    rent,
    externalReference,
    itemReferences,
    operation,
    transaction,
  }
}

interface OfTransaction extends Omit<MovementLine, 'atMs' | 'kind' | 'amount' | 'after' | 'from' | 'to'> {
  /** Parties on the other side. */
  readonly others: readonly Party[]
}

const WITHOUT_TRANSACTION: OfTransaction = {
  others: [],
  fee: 0n,
  rent: 0n,
  externalReference: null,
  itemReferences: [],
  operation: null,
  transaction: null,
}

function ofTransaction(
  parties: Parties,
  { state, asset }: Balance,
  transaction: TransactionGlance,
  { delta, cause }: BookedMovement,
): OfTransaction {
  const { id, signature, blockTime, slot, error, feePayer, fee } = transaction
  const { address } = state.context
  const isOwn = cause === 'own'
  const isNetwork = asset === 'lamports'
  return {
    others: error === null ? partiesOf(parties, transaction, { address, asset, isGiven: delta < 0n }) : [],
    fee: isNetwork && feePayer === address ? BigInt(fee) : 0n,
    rent: isNetwork && error === null ? rentPaidBy(transaction, address) : 0n,
    externalReference: isOwn ? transaction.externalReference : null,
    itemReferences: isOwn ? transaction.itemReferences : [],
    operation: isOwn ? transaction.endpoint : null,
    transaction: {
      offchainId: isOwn ? id : null,
      onchainId: signature,
      blockTime: blockTime === null ? null : new Date(blockTime * 1_000).toISOString(),
      slot,
    },
  }
}

interface Side {
  readonly address: string
  readonly asset: Balance['asset']
  readonly isGiven: boolean
}

function partiesOf(
  parties: Parties,
  { message, addresses }: TransactionGlance,
  { address, asset, isGiven }: Side,
): readonly Party[] {
  const effects = classify(parseOwnMessage(message, addresses), addresses)
  const { givers, takers } = counterparts(effects, address, asset)
  const made = ownersMade(effects)
  return (isGiven ? takers : givers).map((each) => parties.of(each, made.get(each)))
}

/** The rent of accounts that the transaction created or extended, as their records took it. */
function rentPaidBy({ facts }: TransactionGlance, address: string): bigint {
  const paid = facts.flatMap(({ event }) => (event.type === 'chain.rentPaid' && event['by'] === address ? event : []))
  return paid.reduce((sum, event) => sum + BigInt(String(event['lamports'])), 0n)
}
