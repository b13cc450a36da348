// What a statement says of one movement: its transaction, if the caller may know it, both parties, fee and rent.
import type { BookedMovement } from '../../engine/movements/history.ts'
import { ofKind, type RecordState } from '../../engine/records/record.ts'
import type { TransactionFixed } from '../../../machines/transaction-record.ts'
import { parseMessage } from '../../solana/parse.ts'
import { classify } from '../../solana/table/classify.ts'
import type { Platform } from '../context/platform.ts'
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

export function movementLine(
  platform: Platform,
  parties: Parties,
  balance: Balance,
  movement: BookedMovement,
): MovementLine {
  const { atMs, delta, after, cause } = movement
  const self = parties.of(balance.state.context.address)
  const bare: MovementLine = {
    atMs,
    kind: cause === 'onboarded' ? 'ONBOARDED' : 'OUTSIDE',
    amount: delta,
    after,
    from: delta < 0n ? [self] : [],
    to: delta < 0n ? [] : [self],
    fee: 0n,
    rent: 0n,
    externalReference: null,
    itemReferences: [],
    operation: null,
    transaction: null,
  }
  const transaction =
    cause === 'own' || cause === 'countersigned' ? transactionOf(platform, movement.transactionId) : undefined
  return transaction === undefined ? bare : { ...bare, ...ofTransaction(parties, balance, transaction, movement) }
}

function transactionOf({ engine }: Platform, id: string | null): RecordState<'transaction'> | undefined {
  return id === null ? undefined : ofKind(engine.directory.byId(id)?.committed, 'transaction')
}

function ofTransaction(
  parties: Parties,
  { state, asset }: Balance,
  { id, context }: RecordState<'transaction'>,
  { delta, cause }: BookedMovement,
): Partial<MovementLine> {
  const { fixed, signature, blockTime, slot, error } = context
  const { address } = state.context
  const isOwn = cause === 'own'
  const isNetwork = asset === 'lamports'
  const others = error === null ? partiesOf(parties, fixed, { address, asset, isGiven: delta < 0n }) : []
  return {
    kind: 'TRANSACTION',
    ...(delta < 0n ? { to: others } : { from: others }),
    fee: isNetwork && fixed.feePayer.address === address ? BigInt(fixed.fee) : 0n,
    rent: isNetwork && error === null ? rentPaidBy(fixed, address) : 0n,
    externalReference: isOwn ? (fixed.externalReference ?? null) : null,
    itemReferences: isOwn ? (fixed.itemReferences ?? []) : [],
    operation: isOwn ? fixed.endpoint : null,
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

function partiesOf(parties: Parties, fixed: TransactionFixed, { address, asset, isGiven }: Side): readonly Party[] {
  const effects = classify(
    parseMessage(Buffer.from(fixed.message, 'base64')),
    fixed.accounts.map((each) => each.address),
  )
  const { givers, takers } = counterparts(effects, address, asset)
  const made = ownersMade(effects)
  return (isGiven ? takers : givers).map((each) => parties.of(each, made.get(each)))
}

/** The rent of accounts that the transaction created or extended, as their records took it. */
function rentPaidBy(fixed: TransactionFixed, address: string): bigint {
  const paid = fixed.entries
    .flatMap(({ facts }) => facts.map(({ event }) => event))
    .filter(({ type }) => type === 'chain.rentPaid')
  return paid.reduce((sum, event) => (event['by'] === address ? sum + BigInt(String(event['lamports'])) : sum), 0n)
}
