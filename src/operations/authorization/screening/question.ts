// Screening: before a key signs, the movements of the message are sent to the service that the
// organization names. The unit of work is synchronous and cannot ask: it throws `Needs` with the question, the service
// is asked outside of the unit of work, and the attempt is repeated with the answer.
//
// An answer belongs to one organization and one intent: the fee payer and every instruction with its accounts and data.
import type { Effect } from '../../../solana/table/effect.ts'
import { isHolding } from '../../../engine/records/record.ts'
import type { Approval, ApprovalEntry } from '../../../../machines/approval.ts'
import type { Screening } from '../../../../machines/organization.ts'
import type { JsonObject } from '../../../contract/call.ts'
import { forbidden, Refusal } from '../../../contract/refusal.ts'
import { counterpartyAt, organizationContext, servesOrganization } from '../../lookup/counterparty.ts'
import { ownRecordsAt } from '../../lookup/whose-records.ts'
import { Control } from '../control.ts'
import type { DestinationInputs } from '../destinations/policy.ts'
import { Reviewers } from '../destinations/review.ts'
import { outflowsOf, type Outflow } from '../destinations/outflows.ts'

export const DECISIONS = ['ALLOW', 'REVIEW', 'DENY'] as const

export interface ScreeningAnswer {
  readonly decision: (typeof DECISIONS)[number]
  readonly reason: string | null
  /** True if the service gave no usable answer, and the organization requires an approval for such payments. */
  readonly unavailable?: true
  /** Id of the request to the service. */
  readonly id: string
  readonly at: string
}

export interface ScreeningQuestion {
  readonly tenant: string
  readonly cluster: string
  /** External id. */
  readonly organization: string
  readonly screening: Screening
  /** SHA-256 of the message, without lifetime and compute budget. */
  readonly intent: string
  readonly movements: readonly JsonObject[]
}

/** The answers that an attempt has. */
export interface ScreeningAnswers {
  /** Throws `Needs` for a question that was not asked yet. */
  screened(question: ScreeningQuestion): ScreeningAnswer
}

export interface OrganizationScreening {
  readonly organization: string
  readonly answer: ScreeningAnswer
}

/** The intent of the message, and the keys whose own approvals do not count. */
export type ScreenedRequest = Pick<Approval, 'intent' | 'requesters'>

export interface ScreeningDecision {
  readonly screened: readonly OrganizationScreening[]
  /** Approvals that the answers require. */
  readonly entries: readonly ApprovalEntry[]
}

/** Throws 403 `SCREENING_DENIED`, 503 `SCREENING_UNAVAILABLE`, and `Needs` for an answer that is missing. */
export function decideScreening(inputs: DestinationInputs, request: ScreenedRequest): ScreeningDecision {
  const { intent } = request
  const screened = screeningAnswers(inputs, intent)
  for (const { organization, answer } of screened) checkNotDenied(organization, answer)
  const reviews = screened.filter(({ answer }) => answer.decision === 'REVIEW')
  return { screened, entries: reviews.map((review) => screeningEntry(inputs, review, request)) }
}

/** The answers of the services, also denials. Throws 503 `SCREENING_UNAVAILABLE`, and `Needs` for a missing answer. */
export function screeningAnswers(inputs: DestinationInputs, intent: string): readonly OrganizationScreening[] {
  const { directory, tenant, cluster } = inputs
  const outflows = outflowsOf(inputs)
  const screenings = [...involvedIn(inputs, outflows)].flatMap((organization) => {
    const screening = organizationContext(directory, organization)?.screening ?? null
    return screening === null ? [] : [{ organization, screening }]
  })
  if (screenings.length === 0) return []
  return screenings.flatMap(({ organization, screening }) => {
    const movements = movementsOf(inputs, outflows, organization)
    if (movements.length === 0) return []
    const question = { tenant, cluster, organization, screening, intent, movements }
    return [{ organization, answer: answersOf(inputs).screened(question) }]
  })
}

/** Throws 503 if the attempt cannot receive answers, so that nothing is signed without screening. */
function answersOf({ chain }: DestinationInputs): ScreeningAnswers {
  const { screened } = chain as Partial<ScreeningAnswers>
  if (screened === undefined) throw screeningUnavailable('the request cannot be screened')
  return chain as unknown as ScreeningAnswers
}

export function screeningUnavailable(why: string): Refusal {
  const message = `the payment could not be screened and was not signed: ${why}`
  return new Refusal(503, [{ code: 'SCREENING_UNAVAILABLE', message, pointer: '/itemData', retryable: true }], 5)
}

/** The organization that owns the transaction, and those whose accounts pay. */
function involvedIn(
  { directory, tenant, cluster, organization, consenting }: DestinationInputs,
  outflows: readonly Outflow[],
): Set<string> {
  const involved = new Set(organization === null ? [] : [organization])
  for (const { payers } of outflows) {
    if (consenting !== undefined && !payers.some((payer) => consenting.includes(payer))) continue
    for (const payer of payers)
      for (const { head } of ownRecordsAt(directory, tenant, cluster, payer))
        if (isHolding(head)) involved.add(head.context.organization)
  }
  return involved
}

function checkNotDenied(organization: string, { decision, reason }: ScreeningAnswer): void {
  if (decision !== 'DENY') return
  const why = reason === null ? '' : `: ${reason}`
  throw forbidden('SCREENING_DENIED', `the screening service of ${organization} denies the payment${why}`, '/itemData')
}

/** The reason may differ when the service is asked again after the approval, so it does not identify the entry. */
function screeningEntry(
  { directory, now }: DestinationInputs,
  { organization, answer }: OrganizationScreening,
  { intent, requesters }: ScreenedRequest,
): ApprovalEntry {
  const reviewers = new Reviewers({ directory, now, requesters }).of(organization)
  if (reviewers === null)
    throw forbidden(
      'SCREENING_DENIED',
      `the screening service of ${organization} has the payment reviewed, and ${organization} has no other keys that may approve`,
      '/itemData',
    )
  const shown = { screening: { organizationExternalId: organization, reason: answer.reason } }
  return { limit: JSON.stringify({ screening: organization, intent }), ...reviewers, shown }
}

/**
 * The movements of the message, with the controllers that can take out each arriving amount, and the names that the
 * organization may read of its counterparties.
 */
function movementsOf(inputs: DestinationInputs, outflows: readonly Outflow[], organization: string): JsonObject[] {
  const control = new Control(inputs)
  const { directory, tenant, cluster } = inputs
  const moving = outflows.filter(({ isRepeated }) => isRepeated !== true)
  return [
    ...moving.map(({ payers, address, controllers, effect }) => {
      const takers = address === null ? [] : controllers(control).filter((each) => each !== null)
      const names = [...new Set([address, ...takers])].flatMap((each) => {
        const counterparty = counterpartyAt(directory, tenant, cluster, each ?? '')
        const isNamed = counterparty !== undefined && servesOrganization(counterparty, organization)
        return isNamed ? [counterparty.context.name] : []
      })
      return {
        type: effect?.type ?? 'PLEDGE',
        payers: [...payers],
        destination: address,
        controllers: takers,
        counterparties: names,
        ...amountOf(inputs, effect),
      }
    }),
    ...inputs.effects.filter(({ kind }) => kind === 'burn').map((effect) => burnMovement(inputs, effect)),
  ]
}

function burnMovement(inputs: DestinationInputs, effect: Effect): JsonObject {
  const authority = effect.kind === 'burn' ? effect.authority : ''
  return {
    type: effect.type,
    payers: [authority],
    destination: null,
    controllers: [],
    counterparties: [],
    ...amountOf(inputs, effect),
  }
}

function amountOf({ rents }: DestinationInputs, effect: Effect | null): JsonObject {
  switch (effect?.kind) {
    case 'lamports':
    case 'create':
      return { lamports: effect.lamports.toString() }
    case 'createAssociated':
      return { lamports: (rents?.get(effect.account) ?? 0n).toString() }
    case 'tokens':
    case 'mint':
    case 'burn':
      return {
        financialInstrument: effect.mint,
        amount: effect.amount.toString(),
        decimals: effect.decimals,
        ...sourceOf(effect),
      }
    case 'close':
      return { closes: effect.account }
    default:
      return {}
  }
}

function sourceOf(effect: Effect): JsonObject {
  return effect.kind === 'tokens' || effect.kind === 'burn' ? { source: effect.from } : {}
}
