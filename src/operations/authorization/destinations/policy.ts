// Destination policies: decides from the compiled message whether every destination
// may be paid now. An address that is BLOCKED is never paid. Under an allow list every controller of the destination is
// an account held here or a counterparty. A counterparty under REVIEW needs an approval.
//
// The decision is made for the tenant whose keys would sign, before each of its signatures.
import { isHolding } from '../../../engine/records/record.ts'
import type { LoanDebits } from '../../../../machines/lending/loan-debits.ts'
import { forbidden } from '../../../contract/refusal.ts'
import {
  counterpartyAt,
  hasRestricted,
  organizationContext,
  servesOrganization,
  type Counterparty,
} from '../../lookup/counterparty.ts'
import { ownRecordsAt } from '../../lookup/whose-records.ts'
import { Control, type ControlDependencies } from '../control.ts'
import { type Controller } from '../account-shape.ts'
import { openLoanAt } from '../../lookup/escrows.ts'
import { outflowsOf, type Outflow } from './outflows.ts'

export interface DestinationInputs extends ControlDependencies {
  /** The organization that owns the transaction; null: another tenant owns it. */
  readonly organization: string | null
  /** Unix milliseconds, on the clock of the limit windows. */
  readonly now: number
  readonly loan?: LoanDebits | undefined
  /** Lamports paid into accounts whose instruction does not state the amount. */
  readonly rents?: ReadonlyMap<string, bigint>
  /** Every account of the message; a program outside the instruction table may pay any of them, and so its owner. */
  readonly keys?: readonly string[] | undefined
  /** Limits the decision to payments by these addresses, or with their consent; absent: all payments of the message. */
  readonly consenting?: readonly string[] | undefined
  /** True if the programs outside the table receive no account of the change that a lending provider built. */
  readonly isProvided?: boolean | undefined
}

/** A payment to a counterparty under review, and the organization whose approvers decide about it. */
export interface Review {
  readonly organization: string
  readonly address: string
  readonly counterparty: Counterparty
}

export interface DestinationVerdict {
  readonly address: string
  readonly counterparty: Counterparty | null
  readonly verdict: 'PASSED' | 'REVIEW'
}

export interface DestinationDecision {
  readonly reviews: readonly Review[]
  /** Empty if no policy applies. */
  readonly destinations: readonly DestinationVerdict[]
}

const HOUR_MS = 3_600_000
const UNRESTRICTED: DestinationDecision = { reviews: [], destinations: [] }

/** Throws 403 `DESTINATION_NOT_ALLOWED`. `chain.get` of the inputs may throw to have an account read first. */
export function decideDestinations(inputs: DestinationInputs): DestinationDecision {
  const outflows = outflowsOf(inputs).map((outflow) => ({ outflow, rules: rulesOf(inputs, outflow) }))
  const applying = outflows.filter(({ rules }) => rules !== null) as readonly { outflow: Outflow; rules: Rules }[]
  const isRestricted = hasRestricted(inputs.directory, inputs.tenant, inputs.cluster)
  if (!isRestricted && applying.every(({ rules }) => rules.allowLists.size === 0)) return UNRESTRICTED
  const reader = new Reader(inputs)
  return reader.decision(applying)
}

/** The organizations that an outflow concerns, and those of them whose allow list applies. */
interface Rules {
  readonly involved: ReadonlySet<string>
  readonly allowLists: ReadonlySet<string>
}

/**
 * null: an outflow of another tenant's transaction that takes nothing from this tenant. The strictest policy applies
 * among those of the paying accounts, of their organizations and of the organization that owns the transaction.
 */
function rulesOf(
  { directory, tenant, cluster, organization, consenting }: DestinationInputs,
  { payers }: Outflow,
): Rules | null {
  if (consenting !== undefined && !payers.some((payer) => consenting.includes(payer))) return null
  const involved = new Set(organization === null ? [] : [organization])
  const allowLists = new Set<string>()
  for (const payer of payers) {
    for (const { head } of ownRecordsAt(directory, tenant, cluster, payer)) {
      if (!isHolding(head)) continue
      involved.add(head.context.organization)
      if (head.context.destinationPolicy === 'ALLOW_LIST') allowLists.add(head.context.organization)
    }
  }
  if (involved.size === 0) return null
  for (const each of involved)
    if (organizationContext(directory, each)?.destinationPolicy === 'ALLOW_LIST') allowLists.add(each)
  return { involved, allowLists }
}

class Reader {
  readonly #inputs: DestinationInputs
  readonly #control: Control
  readonly #reviews = new Map<string, Review>()
  readonly #verdicts = new Map<string, DestinationVerdict>()

  constructor(inputs: DestinationInputs) {
    this.#inputs = inputs
    this.#control = new Control(inputs)
  }

  decision(outflows: readonly { readonly outflow: Outflow; readonly rules: Rules }[]): DestinationDecision {
    for (const { outflow, rules } of outflows) {
      if (outflow.address === null) this.#decideProgram(rules)
      else this.#decide(outflow, outflow.address, rules)
    }
    return { reviews: [...this.#reviews.values()], destinations: [...this.#verdicts.values()] }
  }

  #decideProgram({ involved, allowLists }: Rules): void {
    const { keys = [], isProvided = false } = this.#inputs
    if (allowLists.size > 0 && !isProvided)
      throw refusal(
        `${joinNames(allowLists)} pays allowed destinations only and signs for no program beside the instruction table`,
      )
    const { directory, tenant, cluster, chain } = this.#inputs
    if (!hasRestricted(directory, tenant, cluster)) return
    chain.all?.(keys)
    for (const address of keys)
      for (const each of new Set([address, ...this.#holdersOf(address)]))
        this.#checkStatus(each, this.#at(each), involved)
  }

  /** Who can take tokens and network currency out of the account: of a token account, not a permanent delegate. */
  #holdersOf(address: string): readonly string[] {
    const [tokens, lamports] = (['TOKENS', 'LAMPORTS'] as const).map((held) => this.#control.controllers(address, held))
    return (tokens ?? []).filter((each) => lamports?.includes(each)).flatMap((each) => this.#behindEscrow(each) ?? [])
  }

  #decide(outflow: Outflow, address: string, { involved, allowLists }: Rules): void {
    const controllers = outflow.controllers(this.#control).map((each) => this.#behindEscrow(each))
    const known = controllers.filter((each): each is string => each !== null)
    // A blocked token account is not paid, whatever its owner; a blocked owner is not paid, whatever the account.
    for (const each of new Set([address, ...known])) this.#checkStatus(each, this.#at(each), involved)
    if (allowLists.size === 0 || outflow.self.includes(address)) return
    // If there is no controller, or an unknown one, only the address itself can be listed.
    const takers = controllers.length === 0 ? [address] : known
    const isUnknown = controllers.includes(null)
    for (const organization of allowLists) {
      for (const taker of takers) {
        if (outflow.self.includes(taker)) continue
        if (this.#control.isHeldHere(taker)) this.#pass(taker)
        else this.#checkListed(taker, address, organization)
      }
      // The key of the address may be held here, and yet another party takes what arrives.
      if (isUnknown) this.#checkListed(address, address, organization)
    }
  }

  #pass(taker: string): void {
    if (this.#verdicts.has(taker)) return
    this.#verdicts.set(taker, { address: taker, counterparty: null, verdict: 'PASSED' })
  }

  /**
   * The borrower, to whom an escrow returns what it holds. The lender, who can liquidate it, counts among the
   * controllers of the escrow's assets.
   */
  #behindEscrow(controller: Controller): Controller {
    if (controller === null) return null
    const loan = openLoanAt(this.#inputs.directory, this.#inputs, controller)
    return loan?.context.borrower.address ?? controller
  }

  #checkStatus(address: string, counterparty: Counterparty | undefined, involved: ReadonlySet<string>): void {
    const status = counterparty?.context.status
    if (counterparty === undefined || status === undefined) return
    if (status === 'BLOCKED') throw refusal(`${address}${this.#ofNamed(counterparty)} is blocked`)
    this.#verdicts.set(address, { address, counterparty, verdict: status === 'REVIEW' ? 'REVIEW' : 'PASSED' })
    if (status !== 'REVIEW') return
    for (const organization of involved)
      this.#reviews.set(`${organization} ${address} ${counterparty.id}`, { organization, address, counterparty })
  }

  /** A counterparty holds for every organization of the tenant, and only some of them may read it. */
  #ofNamed(counterparty: Counterparty): string {
    const { organization } = this.#inputs
    const isNamed = organization !== null && servesOrganization(counterparty, organization)
    return isNamed ? ` of the counterparty ${counterparty.context.name}` : ''
  }

  #checkListed(taker: string, address: string, organization: string): void {
    const what = taker === address ? address : `${taker}, which controls ${address},`
    const counterparty = this.#at(taker)
    if (counterparty === undefined || !servesOrganization(counterparty, organization))
      throw refusal(`${what} is neither an own managed account nor an allowed counterparty of ${organization}`)
    const since =
      counterparty.context.addresses.find((each) => each.address === taker)?.since ?? counterparty.context.updatedAt
    const hours = organizationContext(this.#inputs.directory, organization)?.coolingOffHours ?? 0
    const from = Date.parse(since) + hours * HOUR_MS
    if (this.#inputs.now < from)
      throw refusal(
        `${what} was listed or changed lately: ${organization} may pay it from ${new Date(from).toISOString()} on`,
      )
  }

  #at(address: string): Counterparty | undefined {
    return counterpartyAt(this.#inputs.directory, this.#inputs.tenant, this.#inputs.cluster, address)
  }
}

function joinNames(organizations: ReadonlySet<string>): string {
  return [...organizations].join(', ')
}

function refusal(rule: string): Error {
  return forbidden('DESTINATION_NOT_ALLOWED', rule, '/itemData')
}
