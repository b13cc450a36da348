// Counterparties and destination policies: which addresses may be paid.
import { z } from 'zod'
import { COUNTERPARTY_STATUSES, MAX_COUNTERPARTY_ADDRESSES } from '../../../machines/counterparty.ts'
import { alsoAt } from '../values/aliases.ts'
import { externalReference } from '../values/external-reference.ts'
import { address, keyId, uuid } from '../values/identity.ts'
import { acrossMembers, atMostOne, changesSomething, exactlyOne } from '../values/rule.ts'
import { calledUrl, comment, name } from '../values/text.ts'
import type { ModelOf, OutputOf } from '../values/validated.ts'

const MAX_APPROVERS = 100
/** One year. */
const MAX_COOLING_OFF_HOURS = 8760

export const destinationPolicy = z.enum(['OPEN', 'ALLOW_LIST'])

const reviewApproval = z
  .strictObject({
    approvers: z.array(keyId).min(1).max(MAX_APPROVERS),
    requiredApproversCount: z.int().min(1).max(MAX_APPROVERS).optional(),
  })
  .meta({ id: 'ReviewApproval' })
export type ReviewApprovalInput = OutputOf<typeof reviewApproval>

/** `whsec_` and the base64 of 24 to 64 bytes, as of a webhook. */
const SECRET = /^whsec_[A-Za-z0-9+/]{32,86}={0,2}$/

const SECRET_EXAMPLE = 'whsec_c2hvd24gb25jZSwgc28ga2VlcCBpdCBzb21ld2hlcmU='

const screening = z
  .strictObject({
    url: calledUrl.meta({ examples: ['https://screening.example.org/payments'] }),
    secret: z
      .string()
      .regex(SECRET)
      .meta({ examples: [SECRET_EXAMPLE] })
      .optional(),
    timeoutMs: z.int().min(100).max(10_000).optional(),
    onUnavailable: z.enum(['REFUSE', 'REVIEW']).optional(),
  })
  .meta({ id: 'NewScreening' })
export type ScreeningInput = OutputOf<typeof screening>

/** Members of an organization. null restores the default. */
export const destinationRules = {
  destinationPolicy: destinationPolicy.nullable().optional(),
  coolingOffHours: z.int().min(0).max(MAX_COOLING_OFF_HOURS).nullable().optional(),
  reviewApproval: reviewApproval.nullable().optional(),
  screening: screening.nullable().optional(),
}

export type DestinationRulesInput = OutputOf<z.ZodObject<typeof destinationRules>>

const listed = z.strictObject({ onchainId: address, label: name.optional() }).meta({ id: 'NewCounterpartyAddress' })
export type AddressInput = OutputOf<typeof listed>

const reference = externalReference.meta({
  description: 'Reference of the counterparty in another system. Several counterparties may have the same one.',
  examples: ['CRM-7'],
})

const members = {
  externalReference: reference.optional(),
  name,
  status: z.enum(COUNTERPARTY_STATUSES),
  addresses: z.array(listed).max(MAX_COUNTERPARTY_ADDRESSES),
  note: comment.optional(),
}

export const newCounterparty = z.strictObject(members).meta({ id: 'NewCounterparty' })
export type NewCounterpartyInput = OutputOf<typeof newCounterparty>

const counterpartyReference = z.strictObject({ offchainId: uuid }).meta({ id: 'CounterpartyReference' })

export const counterpartyLookup = z
  .strictObject({ offchainId: uuid.optional(), externalReference: reference.optional() })
  .check(exactlyOne(['offchainId', 'externalReference']))
  .meta({ id: 'CounterpartyLookup' })
/** Exactly one of the two. */
export type CounterpartyLookup = OutputOf<typeof counterpartyLookup>

const changes = {
  externalReference: reference.nullable().optional(),
  name: members.name.optional(),
  status: members.status.optional(),
  addresses: members.addresses.optional(),
  note: comment.nullable().optional(),
}

/** Without an id, the reference names the counterparty, and is no change. */
function namedByReference(value: {
  readonly [Name in keyof typeof changes | 'counterparty' | 'offchainId']?: unknown
}) {
  if (value.counterparty !== undefined || value.offchainId !== undefined) return undefined
  if (typeof value.externalReference !== 'string')
    return {
      code: 'REQUIRED',
      message: 'one of counterparty, offchainId, externalReference is needed',
      path: ['counterparty'],
    }
  const others = Object.keys(changes).filter((name) => name !== 'externalReference')
  return others.some((name) => name in value)
    ? undefined
    : { code: 'REQUIRED', message: `without an id, at least one of ${others.join(', ')} is needed` }
}

alsoAt('offchainId', 'counterparty/offchainId')
export const counterpartyChanges = z
  .strictObject({ counterparty: counterpartyReference.optional(), offchainId: uuid.optional(), ...changes })
  .check(
    atMostOne(['counterparty', 'offchainId']),
    changesSomething(Object.keys(changes)),
    acrossMembers(namedByReference),
  )
  .transform(({ offchainId, counterparty, externalReference: given, ...value }) => {
    const id = counterparty?.offchainId ?? offchainId
    const named: CounterpartyLookup = id === undefined ? { externalReference: given! } : { offchainId: id }
    // A member that the request does not have is absent: a change that waits is shown as it was requested.
    const changed: { externalReference?: typeof given } =
      id === undefined || given === undefined ? {} : { externalReference: given }
    return { ...value, ...changed, counterparty: named }
  })
  .meta({ id: 'CounterpartyChanges' })
export type CounterpartyChangesInput = OutputOf<typeof counterpartyChanges>

export type CounterpartyMembers = Partial<Omit<CounterpartyChangesInput, 'counterparty'>>

const text = z.string().nullable()
const id = z.object({ offchainId: z.uuid() })

export const createdCounterparty = z.object({ newCounterparty: id })
export const updatedCounterparty = z.object({ updatedCounterparty: id })

export const counterparty = z
  .object({
    offchainId: z.uuid(),
    externalReference: text,
    name: z.string(),
    status: z.enum(COUNTERPARTY_STATUSES),
    addresses: z.array(
      z.object({ onchainId: z.string(), label: text, listedAt: z.iso.datetime() }).meta({ id: 'CounterpartyAddress' }),
    ),
    note: text,
    tenantOrganizationId: z.string(),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
  })
  .meta({ id: 'Counterparty' })
export type CounterpartyModel = ModelOf<typeof counterparty>

export const counterpartyName = z.object({ offchainId: z.uuid(), name: z.string() }).meta({ id: 'CounterpartyName' })

/** A payment that waits for approval because of its recipient. */
export const paymentReview = z
  .object({
    onchainId: z.string(),
    organizationExternalId: z.string(),
    counterparty: counterpartyName,
  })
  .meta({ id: 'PaymentReview' })
export type PaymentReviewModel = ModelOf<typeof paymentReview>

/** A payment that waits for approval because of the answer of a screening service. */
export const screeningReview = z
  .object({
    screening: z.object({ organizationExternalId: z.string(), reason: text }),
  })
  .meta({ id: 'ScreeningReview' })
export type ScreeningReviewModel = ModelOf<typeof screeningReview>

export const organization = z
  .object({
    externalId: z.string(),
    name: z.string(),
    parentExternalId: text,
    allowedPrograms: z.array(z.string()).meta({ description: 'Programs that transactions made elsewhere may call.' }),
    acceptedFeePayers: z.array(z.string()).meta({ description: "Other tenants' accounts that may pay its fees." }),
    acceptsSigningRequests: z
      .boolean()
      .meta({ description: 'Other tenants may ask its keys to sign without a grant.' }),
    destinationPolicy,
    coolingOffHours: z.int(),
    reviewApproval: z.object({ approvers: z.array(z.string()), requiredApproversCount: z.int() }).nullable(),
    screening: z
      .object({ url: z.string(), timeoutMs: z.int(), onUnavailable: z.enum(['REFUSE', 'REVIEW']) })
      .meta({ id: 'Screening' })
      .nullable(),
    status: z.enum(['ACTIVE', 'FROZEN']),
    suspendedOnClusters: z.array(z.string()),
  })
  .meta({ id: 'Organization' })
export type OrganizationModel = ModelOf<typeof organization>
