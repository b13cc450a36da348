// The lines of a statement for one movement: its transaction, if the caller may see it, both parties, fee and rent.
import type { BookedMovement } from '../../engine/movements/history.ts'
import type { TransactionGlance } from '../../engine/records/glance.ts'
import { SYSTEM_PROGRAM } from '../../solana/address.ts'
import { parseOwnMessage } from '../../solana/parse.ts'
import { classify } from '../../solana/table/classify.ts'
import type { Effect } from '../../solana/table/effect.ts'
import type { Balance } from './balances.ts'
import { createdAccountOwners, flowsOf, divideMovement, type MovementPart } from './flows.ts'
import type { Parties, NamedParty } from './parties.ts'

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
  /** References of the items of a batch that the line belongs to. */
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

/**
 * The lines of one movement: one for each payment of its transaction, and one for the rest. Their amounts add up to the
 * movement.
 */
export function movementLines(
  reader: StatementReader,
  transactions: ReadonlyMap<string, TransactionGlance>,
  balance: Balance,
  movement: BookedMovement,
): readonly MovementLine[] {
  const { atMs, delta, after, cause } = movement
  const { address } = balance.state.context
  const self = reader.parties.of(address)
  const glance = isShown(movement) ? transactions.get(movement.transactionId ?? '') : undefined
  const { parts, newOwners, fee, rent, externalReference, itemReferences, operation, transaction } =
    glance === undefined ? withoutTransaction(movement) : ofTransaction(reader, balance, glance, movement)
  let shown = after - delta
  // Members are named one by one, because an object spread takes longer than the rest of the line.
  return parts.map((part) => {
    const { amount } = part
    const others = part.others.map((each) => reader.parties.of(each, newOwners.get(each)))
    shown += amount
    return {
      atMs,
      kind: glance !== undefined ? 'TRANSACTION' : cause === 'onboarded' ? 'ONBOARDED' : 'OUTSIDE',
      amount,
      after: shown,
      from: amount < 0n ? [self] : others,
      to: amount < 0n ? others : [self],
      fee: part.hasCosts ? fee : 0n,
      rent: part.hasCosts ? rent : 0n,
      externalReference,
      itemReferences: itemReferences === null ? [] : (part.itemReferences ?? itemReferences),
      operation,
      transaction,
    }
  })
}

interface OfTransaction extends Pick<MovementLine, 'fee' | 'rent' | 'externalReference' | 'operation' | 'transaction'> {
  readonly parts: readonly MovementPart[]
  readonly newOwners: ReadonlyMap<string, string>
  /** Those of all items; null: the caller may not read them. */
  readonly itemReferences: readonly string[] | null
}

const NO_OWNERS: ReadonlyMap<string, string> = new Map()

function withoutTransaction({ delta }: BookedMovement): OfTransaction {
  return {
    parts: divideMovement(delta, [], '', 0n),
    newOwners: NO_OWNERS,
    fee: 0n,
    rent: 0n,
    externalReference: null,
    itemReferences: null,
    operation: null,
    transaction: null,
  }
}

function ofTransaction(
  { maySee }: StatementReader,
  { state, asset }: Balance,
  transaction: TransactionGlance,
  { delta, cause }: BookedMovement,
): OfTransaction {
  const { id, signature, blockTime, slot, error, feePayer, fee: charged, message, addresses } = transaction
  const { address } = state.context
  const isVisible = cause === 'own' && maySee(transaction)
  const isNetwork = asset === 'lamports'
  const fee = isNetwork && feePayer === address ? BigInt(charged) : 0n
  // A transaction that failed has no other effect than its fee.
  const effects = error === null ? classify(parseOwnMessage(message, addresses), addresses) : []
  const rent = isNetwork && error === null ? rentPaidBy(transaction, effects, address) : 0n
  return {
    parts: divideMovement(delta, flowsOf(transaction, effects, { address, asset }), address, fee + rent),
    newOwners: createdAccountOwners(effects),
    fee,
    rent,
    externalReference: isVisible ? transaction.externalReference : null,
    itemReferences: isVisible ? transaction.itemReferences : null,
    operation: isVisible ? transaction.endpoint : null,
    transaction: {
      offchainId: isVisible ? id : null,
      onchainId: signature,
      blockTime: blockTime === null ? null : new Date(blockTime * 1_000).toISOString(),
      slot,
    },
  }
}

/**
 * Lamports that the address paid as rent of accounts that the transaction created or extended. That of reserved space
 * is owed to nobody, so it is in no record, but in the message. What is in both, as that of nonces, counts once.
 */
function rentPaidBy({ rents }: TransactionGlance, effects: readonly Effect[], address: string): bigint {
  const paid = rents.flatMap(({ by, lamports }) => (by === address ? [BigInt(lamports)] : []))
  const recorded = [...paid]
  for (const effect of effects) {
    if (effect.kind !== 'create' || effect.payer !== address || effect.owner !== SYSTEM_PROGRAM) continue
    const at = recorded.indexOf(effect.lamports)
    if (at === -1) paid.push(effect.lamports)
    else recorded.splice(at, 1)
  }
  return paid.reduce((sum, lamports) => sum + lamports, 0n)
}
