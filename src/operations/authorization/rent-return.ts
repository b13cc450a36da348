// Rent that a fee payer of another organization paid returns to that payer when the account is closed. Decided from the
// compiled message and the tenant's own records, so that no request can take the rent out another way.
import type { Effect } from '../../solana/table/effect.ts'
import type { RecordIndex } from '../../engine/index/record-index.ts'
import type { HoldingState } from '../../engine/records/record.ts'
import { badRequest } from '../../contract/refusal.ts'
import { ownStateAt } from '../lookup/whose-records.ts'

export interface OwedRent {
  readonly payer: string
  /**
   * null: everything may be rent. Records of earlier releases do not contain the amount paid. Where another account
   * has paid first, the record contains the amount of that one alone, which is all rent of a position, but not of an
   * account that grows.
   */
  readonly lamports: bigint | null
}

/** null: the rent is owed to no other organization. */
export function owedRent({ kind, context: { rentPayer, rentPaid } }: HoldingState): OwedRent | null {
  if (rentPayer === null) return null
  const payer = rentPayer.address
  const isWhole = rentPaid !== undefined && (rentPaid.by === payer || kind === 'position')
  return { payer, lamports: isWhole ? BigInt(rentPaid.lamports) : null }
}

export interface RentReturnInputs {
  readonly directory: RecordIndex
  /** The tenant whose records decide. */
  readonly tenant: string
  readonly cluster: string
  readonly effects: readonly Effect[]
  /** true: the records already reserve what the message takes. */
  readonly isReserved?: boolean
}

/**
 * The caller learns who paid the rent only from records of its own tenant. Throws 400 `RENT_OWED`.
 *
 * @param pointer of the member that names the receiver
 */
export function checkRentReturned(
  inputs: RentReturnInputs,
  { asker, pointer }: { readonly asker: string; readonly pointer: string },
): void {
  const kept = rentKept(inputs)
  if (kept === null) return
  const rule =
    asker === inputs.tenant
      ? `the rent was paid by ${kept.payer} and must be refunded to it`
      : 'the transaction closes an account of another tenant and does not return the rent to the account that paid it'
  throw badRequest('RENT_OWED', rule, pointer)
}

/** The first rent that the message takes out and does not return to its payer. */
function rentKept(inputs: RentReturnInputs): OwedRent | null {
  const { directory, tenant, cluster, effects } = inputs
  const returns = new Returns(effects)
  const nonces = new Set<string>()
  for (const effect of effects) {
    const taken = takenOut(effect)
    if (taken === null || nonces.has(taken.account)) continue
    const state = ownStateAt(directory, tenant, cluster, taken.account)
    const owed = state === undefined ? null : owedRent(state)
    if (state === undefined || owed === null || owed.payer === taken.to) continue
    if (effect.kind === 'lamports') {
      if (!isEmptied(state, owed, inputs)) continue
      nonces.add(taken.account)
    }
    if (owed.lamports === null) return owed
    const missing = owed.lamports - returns.take(taken.account, owed.payer, owed.lamports)
    if (returns.take(taken.to, owed.payer, missing) < missing) return owed
  }
  return null
}

/** What the message transfers, each lamport counted for one closed account only. */
class Returns {
  readonly #effects: readonly Effect[]
  readonly #left = new Map<string, bigint>()

  constructor(effects: readonly Effect[]) {
    this.#effects = effects
  }

  /** The part of `lamports` that `from` transfers to `to`. */
  take(from: string, to: string, lamports: bigint): bigint {
    const key = `${from} ${to}`
    const left = this.#left.get(key) ?? paid(this.#effects, from, to)
    const taken = left < lamports ? left : lamports
    this.#left.set(key, left - taken)
    return taken
  }
}

/** The account whose rent the effect may take out. Of `lamports`, only a withdrawal from a nonce account can. */
function takenOut(effect: Effect): { readonly account: string; readonly to: string } | null {
  switch (effect.kind) {
    case 'close':
      return { account: effect.account, to: effect.destination }
    case 'table':
      return effect.action === 'close' ? { account: effect.table, to: effect.recipient ?? '' } : null
    case 'lamports':
      return effect.type === 'WITHDRAW_NONCE' ? { account: effect.from, to: effect.to } : null
    default:
      return null
  }
}

/**
 * A withdrawal leaves the rent in the nonce account, or takes everything. What open transactions take counts as gone:
 * otherwise the second of two withdrawals could empty the account.
 */
function isEmptied(
  { context }: HoldingState,
  { lamports }: OwedRent,
  { effects, isReserved = false }: RentReturnInputs,
): boolean {
  const { balance, reserved } = context.lamports
  const left = BigInt(balance) - BigInt(reserved) - (isReserved ? 0n : paid(effects, context.address))
  return lamports === null || left < lamports
}

/** What `from` pays in the message, to one address or to all. */
function paid(effects: readonly Effect[], from: string, to?: string): bigint {
  return effects.reduce(
    (sum, effect) =>
      effect.kind === 'lamports' && effect.from === from && (to === undefined || effect.to === to)
        ? sum + effect.lamports
        : sum,
    0n,
  )
}
