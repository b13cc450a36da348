// The line of a statement for one movement: its transaction, if the caller may see it, both parties, fee and rent.
import type { BookedMovement } from '../../engine/movements/history.ts'
import type { TransactionGlance } from '../../engine/records/glance.ts'
import { parseOwnMessage } from '../../solana/parse.ts'
import { classify } from '../../solana/table/classify.ts'
import type { Balance } from './balances.ts'
import { counterparts, createdAccountOwners, type Parties, type NamedParty } from './parties.ts'

/**
 * `TRANSACTION`: a transaction of this service that the tenant made or signed. `OUTSIDE`: any other change on chain.
 * `ONBOARDED`: the record was created with this balance.
 */
export type MovementKind = 'TRANSACTION' | 'OUTSIDE' | 'ONBOARDED'

export interface MovementLine {
  readonly atMs: number
  readonly kind: MovementKind
  readonly amount: bigint
  readonly after: bigint
  readonly from: readonly NamedParty[]
  readonly to: readonly NamedParty[]
  /** Lamports, contained in the amount; 0 for tokens and for accounts that paid none. */
  readonly fee: bigint
  readonly rent: bigint
  readonly externalReference: string | null
  /** References of the items of a batch. */
  readonly itemReferences: readonly string[]
  /** Path of the endpoint that made the transaction; null: the caller may not read it. */
  readonly operation: string | null
  /** null: not a transaction of the caller's tenant. */
  readonly transaction: MovementTransaction | null
}

export interface MovementTransaction {
  /** null: the caller may not read the transaction. */
  readonly offchainId: string | null
  readonly onchainId: string | null
  readonly blockTime: string | null
  readonly slot: number | null
}

/** Ids of the transactions that the lines of these movements show. */
export function shownTransactionIds(movements: readonly BookedMovement[]): string[] {
  return movements.flatMap((movement) => (isShown(movement) ? (movement.transactionId ?? []) : []))
}

const isShown = ({ cause }: BookedMovement): boolean => cause === 'own' || cause === 'countersigned'

/** What the reader of a statement may know. */
export interface StatementReader {
  readonly parties: Parties
  /** For a transaction of the reader's tenant. */
  readonly maySee: (transaction: TransactionGlance) => boolean
}

export function movementLine(
  reader: StatementReader,
  transactions: ReadonlyMap<string, TransactionGlance>,
  balance: Balance,
  movement: BookedMovement,
): MovementLine {
  const { atMs, delta, after, cause } = movement
  const self = reader.parties.of(balance.state.context.address)
  const glance = isShown(movement) ? transactions.get(movement.transactionId ?? '') : undefined
  // Members are named one by one, because an object spread takes longer than the rest of the line.
  const { others, fee, rent, externalReference, itemReferences, operation, transaction } =
    glance === undefined ? WITHOUT_TRANSACTION : ofTransaction(reader, balance, glance, movement)
  return {
    atMs,
    kind: glance !== undefined ? 'TRANSACTION' : cause === 'onboarded' ? 'ONBOARDED' : 'OUTSIDE',
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
  readonly others: readonly NamedParty[]
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
  { parties, maySee }: StatementReader,
  { state, asset }: Balance,
  transaction: TransactionGlance,
  { delta, cause }: BookedMovement,
): OfTransaction {
  const { id, signature, blockTime, slot, error, feePayer, fee } = transaction
  const { address } = state.context
  const isVisible = cause === 'own' && maySee(transaction)
  const isNetwork = asset === 'lamports'
  return {
    others: error === null ? partiesOf(parties, transaction, { address, asset, isDebit: delta < 0n }) : [],
    fee: isNetwork && feePayer === address ? BigInt(fee) : 0n,
    rent: isNetwork && error === null ? rentPaidBy(transaction, address) : 0n,
    externalReference: isVisible ? transaction.externalReference : null,
    itemReferences: isVisible ? transaction.itemReferences : [],
    operation: isVisible ? transaction.endpoint : null,
    transaction: {
      offchainId: isVisible ? id : null,
      onchainId: signature,
      blockTime: blockTime === null ? null : new Date(blockTime * 1_000).toISOString(),
      slot,
    },
  }
}

interface Side {
  readonly address: string
  readonly asset: Balance['asset']
  readonly isDebit: boolean
}

function partiesOf(
  parties: Parties,
  { message, addresses }: TransactionGlance,
  { address, asset, isDebit }: Side,
): readonly NamedParty[] {
  const effects = classify(parseOwnMessage(message, addresses), addresses)
  const { givers, takers } = counterparts(effects, address, asset)
  const newOwners = createdAccountOwners(effects)
  return (isDebit ? takers : givers).map((each) => parties.of(each, newOwners.get(each)))
}

/** Lamports that the address paid as rent of accounts that the transaction created or extended. */
function rentPaidBy({ rents }: TransactionGlance, address: string): bigint {
  return rents.reduce((sum, { by, lamports }) => (by === address ? sum + BigInt(lamports) : sum), 0n)
}
