// Lists every debit of a compiled message as legs: the payer that consents, the amount, the asset, and the class of the
// destination. The fee follows from the whole message and has legs of its own (`feeLegs`).
import type { Effect, EffectOf } from '../../../solana/table/effect.ts'
import type { RecordIndex } from '../../../engine/index/record-index.ts'
import { ofKind, type HoldingState } from '../../../engine/records/record.ts'
import type { DebitClass, DebitOperation, DestinationClass } from '../../../../machines/debit-limits.ts'
import type { LoanDebits } from '../../../../machines/lending/loan-debits.ts'
import type { ChainAccount } from '../../context/platform.ts'
import { Control } from '../control.ts'
import { ownStateAt } from '../../lookup/whose-records.ts'
import { mintIn, tokenAccountIn } from '../../lookup/on-chain.ts'
import { associatedRent, closingAmount, mostRent, nativeMintOf, rentMinimum } from './closing-amounts.ts'
import type { TransactionFixed } from '../../../../machines/transactions/transaction-record.ts'
import { priorityFee } from '../../../solana/fee.ts'

export interface Leg {
  /** Address that consents, and whose limits count. */
  readonly payer: string
  /** Token account that the tokens leave; null: network currency. */
  readonly position: string | null
  readonly mint: string | null
  readonly decimals: number
  readonly operation: DebitOperation
  readonly destination: DebitClass | null
  /** For fees: external id of the organization that they are paid for. */
  readonly beneficiary?: string
  /** Raw units, more than 0. */
  readonly amount: bigint
}

export interface LegInputs {
  readonly directory: RecordIndex
  /** Tenant that owns the limits; destinations are classified for this tenant. */
  readonly tenant: string
  readonly cluster: string
  readonly effects: readonly Effect[]
  /** Tenant of the caller, if it is another tenant. */
  readonly asker?: string
  /** True if the record of the address is created with the message. */
  readonly isMade: (address: string, associated?: boolean) => boolean
  /** Lamports paid into accounts whose instruction does not state the amount. */
  readonly rents: ReadonlyMap<string, bigint>
  /** Set for a change of a loan. */
  readonly loan?: LoanDebits | undefined
  /** Accounts without a record, at `confirmed`. `get` may throw to have the account read first. */
  readonly chain: { get(address: string): ChainAccount | null }
}

/**
 * False: no limit of the tenant can cover a payment by this payer. Such a leg is omitted before its destination is
 * classified, because the classification may have to read the chain.
 */
type Counts = (payer: string, position: string | null) => boolean

const NETWORK_DECIMALS = 9

/** The legs that count. Legs with an amount of 0 are omitted. */
export function legsOf(inputs: LegInputs, counts: Counts): Leg[] {
  const reader = new Reader(inputs, counts)
  return [...inputs.effects.flatMap((effect) => reader.legs(effect)), ...reader.pledgeLegs()]
}

class Reader {
  readonly #inputs: LegInputs
  readonly #counts: Counts
  readonly #control: Control
  /** Tables whose rent is already counted: several instructions of one message can extend one table. */
  readonly #paidTables = new Set<string>()
  readonly #closedBefore = new Set<string>()
  /**
   * Lamports of rent that a closing sent to an account other than the payer, keyed by the current holder and the payer
   * that is owed.
   */
  readonly #owed = new Map<string, bigint>()

  constructor(inputs: LegInputs, counts: Counts) {
    this.#inputs = inputs
    this.#counts = counts
    this.#control = new Control(inputs)
  }

  legs(effect: Effect): Leg[] {
    switch (effect.kind) {
      case 'lamports':
        return this.#lamportLegs(effect)
      case 'create':
        return this.#network(effect.payer, effect.lamports, () => this.#classOf(effect.account))
      case 'createAssociated':
        return this.#associatedLegs(effect)
      case 'close':
        return this.#closeLegs(effect, effect.account, effect.authority, effect.destination)
      case 'table':
        return this.#tableLegs(effect)
      case 'tokens':
        return effect.from === effect.to ? [] : this.#transferLegs(effect)
      case 'burn':
        return this.#tokens(effect, effect.authority, 'BURN', () => null)
      case 'authority':
        return this.#handOverLegs(effect)
      default:
        return []
    }
  }

  /** Rent that the same message took out of a closed account and passes on to its payer is not a debit. */
  #lamportLegs({ from, signer, to, lamports }: EffectOf<'lamports'>): Leg[] {
    const key = `${from} ${to}`
    const owed = this.#owed.get(key) ?? 0n
    const returned = owed < lamports ? owed : lamports
    this.#owed.set(key, owed - returned)
    // For a nonce account, its authority pays too.
    return this.#payers(from, signer).flatMap((payer) => this.#legsTo(payer, to, lamports - returned))
  }

  #legsTo(payer: string, to: string, lamports: bigint): Leg[] {
    return to === payer ? [] : this.#network(payer, lamports, () => this.#classOf(to))
  }

  #network(payer: string, amount: bigint, classOf: () => DebitClass): Leg[] {
    return amount > 0n && this.#counts(payer, null) ? [networkLeg(payer, amount, classOf())] : []
  }

  /**
   * A record that this service creates or extends receives its rent and its intended balance (class of RENT). A message
   * built elsewhere may put in any amount (class of LAMPORTS).
   *
   * Until the second step that creates a mint in it, others could take reserved space. It counts as RENT: that class
   * bounds the loss, and lets instruments be created in two steps under default limits.
   */
  #classOf(account: string): DebitClass {
    if (!this.#inputs.isMade(account)) return this.#classOfHeld(account)
    return this.#control.isReservedHere(account) || this.#isRentOfAsker(account)
      ? 'RENT'
      : this.#control.classOf(account, 'RENT')
  }

  /**
   * Lamports that arrive before an account exists are used for its rent when it is created, and closing the account
   * returns them to the payer of the rent. The class of that payer therefore counts too.
   */
  #classOfHeld(account: string): DebitClass {
    const record = recordOf(this.#inputs, account)
    const owed = record?.value === 'pending' ? record.context.rentPayer : null
    const own = this.#control.classOf(account, 'LAMPORTS')
    return owed === null || this.#control.classOf(owed.address, 'LAMPORTS') === 'MANAGED' ? own : 'OFF_PLATFORM'
  }

  /**
   * Rent that a fee payer advances to another tenant returns to the payer: only the tenant's keys, which are held here,
   * could take it out.
   */
  #isRentOfAsker(account: string): boolean {
    const { asker, ...inputs } = this.#inputs
    return (
      asker !== undefined &&
      asker !== inputs.tenant &&
      new Control({ ...inputs, tenant: asker, isOfAnyCell: true }).isRentHeldHere(account)
    )
  }

  /**
   * The rent of an account that an operation opens for a recipient whose key is not held here has a class of its own.
   * So has that of an account that exists already, or that another transaction is to create: its owner can close it, or
   * that transaction may not land, before the message does.
   */
  #associatedLegs({ payer, account, owner, tokenProgram }: EffectOf<'createAssociated'>): Leg[] {
    const stated = this.#inputs.rents.get(account) ?? 0n
    const isOpened = this.#inputs.isMade(account, true)
    const isUnstated = stated === 0n && (!isOpened || !this.#control.isManaged(owner))
    const hasClassOfRent = (): boolean => (isOpened || isUnstated) && !this.#control.isManaged(owner)
    return this.#network(payer, isUnstated ? associatedRent(tokenProgram) : stated, () =>
      hasClassOfRent() ? 'RENT' : this.#control.classOf(account, 'LAMPORTS'),
    )
  }

  /**
   * The whole balance leaves, including what can still come in before. Rent that returns to its payer is not a debit.
   * The money belongs to the owner, whichever authority closes the account.
   */
  #closeLegs(closing: Effect, account: string, authority: string, to: string): Leg[] {
    const record = recordOf(this.#inputs, account)
    const all = closingAmount(this.#inputs, account, closing)
    const lamports = all - this.#rentOf(account, record, to)
    const owner = record === undefined ? undefined : (ofKind(record, 'position')?.context.owner.address ?? undefined)
    return this.#payers(authority, owner ?? authority).flatMap((payer) => [
      ...this.#legsTo(payer, to, lamports),
      ...this.#unwrapLegs(payer, account, to, all),
    ])
  }

  /** Wrapped network currency leaves as tokens too: limits of tokens count what a transfer would move. */
  #unwrapLegs(payer: string, account: string, to: string, all: bigint): Leg[] {
    if (to === payer || !this.#counts(payer, account)) return []
    const mint = nativeMintOf(this.#inputs, account)
    const amount = all - rentMinimum(this.#inputs, account)
    if (mint === null || amount <= 0n) return []
    const destination = this.#control.classOf(to, 'LAMPORTS')
    const decimals = NETWORK_DECIMALS
    return [{ payer, position: account, mint, decimals, operation: 'TRANSFER', destination, amount }]
  }

  /**
   * Rent that returns to its payer at once, or that may be passed on to the payer. Counted once, even if the message
   * closes the account repeatedly.
   */
  #rentOf(account: string, record: HoldingState | undefined, to: string): bigint {
    const paid = record?.context.rentPaid
    if (paid === undefined || this.#closedBefore.has(account)) return 0n
    this.#closedBefore.add(account)
    const [lamports, most] = [BigInt(paid.lamports), mostRent(this.#inputs, account)]
    const rent = lamports < most ? lamports : most
    if (paid.by === to) return rent
    const key = `${to} ${paid.by}`
    this.#owed.set(key, (this.#owed.get(key) ?? 0n) + rent)
    return 0n
  }

  /**
   * A new closing authority can take everything out of a mint, a new mint authority what exceeds the rent: the present
   * authority pays it to the new one. If a mint has no mint authority, its own key can take the excess. As for accounts
   * that are opened for others, rent that an outside party could take has a class of its own.
   */
  #handOverLegs(effect: EffectOf<'authority'>): Leg[] {
    const { account, which, authority, next } = effect
    const holder = which === 'MINT_TOKENS' ? (next ?? account) : next
    if (holder === null || holder === authority || !this.#counts(authority, null)) return []
    if (which !== 'CLOSE_MINT' && which !== 'MINT_TOKENS') return []
    const all = closingAmount(this.#inputs, account, effect)
    const minimum = rentMinimum(this.#inputs, account)
    const rent = minimum < all ? minimum : all
    const destination = this.#control.classOfKey(holder)
    const excess = this.#network(authority, all - rent, () => destination)
    if (which === 'MINT_TOKENS') return excess
    return [...excess, ...this.#network(authority, rent, () => (destination === 'MANAGED' ? destination : 'RENT'))]
  }

  #tableLegs(effect: EffectOf<'table'>): Leg[] {
    const { action, table, authority, payer, recipient } = effect
    if (action === 'close') return this.#closeLegs(effect, table, authority, recipient ?? '')
    if (payer === null || this.#paidTables.has(table)) return []
    this.#paidTables.add(table)
    return this.#network(payer, this.#inputs.rents.get(table) ?? 0n, () =>
      this.#isRentOfAsker(table) ? 'RENT' : this.#control.classOf(table, 'RENT'),
    )
  }

  /** Pledged assets that a different lender than before could take. */
  pledgeLegs(): Leg[] {
    return (this.#inputs.loan?.pledges ?? [])
      .filter(({ payer, position, amount }) => BigInt(amount) > 0n && this.#counts(payer, position))
      .map(({ lender, amount, ...pledge }) => ({
        ...pledge,
        amount: BigInt(amount),
        operation: 'TRANSFER',
        destination: this.#control.classOfLender(lender),
      }))
  }

  /** Each payer once. An escrow is replaced by the owner of its assets. */
  #payers(...consenting: readonly string[]): string[] {
    const escrow = this.#inputs.loan?.escrow
    return [...new Set(consenting.map((address) => (address === escrow?.from ? escrow.of : address)))]
  }

  /**
   * A transfer out of an escrow to its sole beneficiary is not a debit. Principal that is lent to the borrower alone is
   * not a debit of the borrower.
   */
  #transferLegs(effect: EffectOf<'tokens'>): Leg[] {
    const { escrow, lent } = this.#inputs.loan ?? {}
    const { authority, to } = effect
    const legs = (payer: string): Leg[] =>
      this.#tokens(effect, payer, 'TRANSFER', () => this.#control.classOf(to, 'TOKENS'))
    if (authority === escrow?.from) return this.#comesTo(escrow.of, effect) ? [] : legs(escrow.of)
    const further = authority === lent?.vault && !this.#comesTo(lent.borrower, effect) ? legs(lent.borrower) : []
    return [...legs(authority), ...further]
  }

  /**
   * True if the recipient account gives no one else new control. A party that controlled the source before, such as a
   * permanent delegate, is allowed.
   */
  #comesTo(owner: string, { from, to }: EffectOf<'tokens'>): boolean {
    const before = this.#control.controllers(from, 'TOKENS')
    // The address of an associated account has no key.
    const isAssociated = this.#inputs.effects.some(
      (effect) => effect.kind === 'createAssociated' && effect.account === to,
    )
    const isNobody = (each: string | null): boolean =>
      each !== null && (before.includes(each) || (isAssociated && each === to))
    return this.#control.controllers(to, 'TOKENS').every((each) => each === owner || isNobody(each))
  }

  #tokens(
    effect: EffectOf<'tokens'> | EffectOf<'burn'>,
    payer: string,
    operation: DebitOperation,
    classOf: () => DestinationClass | null,
  ): Leg[] {
    const { chain } = this.#inputs
    const { from, amount } = effect
    if (amount <= 0n || !this.#counts(payer, from)) return []
    const record = recordOf(this.#inputs, from)
    const known = record === undefined ? undefined : ofKind(record, 'position')?.context
    const mint = effect.mint ?? known?.mint.address ?? tokenAccountIn(chain.get(from))?.mint ?? ''
    const decimals = effect.decimals ?? known?.decimals ?? mintIn(chain.get(mint))?.decimals ?? 0
    return [{ payer, position: from, mint, decimals, operation, destination: classOf(), amount }]
  }
}

/** The tenant's own record of an address. */
function recordOf({ directory, tenant, cluster }: LegInputs, address: string): HoldingState | undefined {
  return ownStateAt(directory, tenant, cluster, address)
}

export function networkLeg(payer: string, amount: bigint, destination: DebitClass): Leg {
  return { payer, position: null, mint: null, decimals: NETWORK_DECIMALS, operation: 'TRANSFER', destination, amount }
}

export interface FeeCharge {
  /** Address. */
  readonly payer: string
  /** Signature fee plus priority fee. */
  readonly lamports: bigint
  /** Price times unit limit, rounded up. */
  readonly priorityLamports: bigint
  /** External id of the organization that owns the transaction. */
  readonly beneficiary: string
  /** Tenant of that organization. */
  readonly tenant: string
}

/**
 * The fee payer pays them for an organization, whether the transaction succeeds or fails. One leg for each class (FEES,
 * PRIORITY_FEES): the classes overlap; their amounts are never added.
 */
export function feeLegs({ payer, lamports, priorityLamports, beneficiary }: FeeCharge): Leg[] {
  const legs = [networkLeg(payer, lamports, 'FEES'), networkLeg(payer, priorityLamports, 'PRIORITY_FEES')]
  return legs.filter(({ amount }) => amount > 0n).map((leg) => ({ beneficiary, ...leg }))
}

/**
 * The fee of a recorded transaction.
 * @param tenant owner of the transaction
 */
export function recordedFee(
  tenant: string,
  fixed: Pick<TransactionFixed, 'feePayer' | 'fee' | 'computeUnitsLimit' | 'computeUnitPrice' | 'organization'>,
): FeeCharge {
  return {
    payer: fixed.feePayer.address,
    lamports: BigInt(fixed.fee),
    priorityLamports: priorityFee(fixed.computeUnitsLimit ?? 0, BigInt(fixed.computeUnitPrice ?? 0)),
    beneficiary: fixed.organization,
    tenant,
  }
}
