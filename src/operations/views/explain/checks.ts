// The rules that a transaction passed, in the order of their evaluation. A refused request leaves no record, so an
// explained transaction has passed each rule, or will be checked with the first signature of this service unless it
// ends before. To add a rule, add a function to `RULES`.
import type { Effect } from '../../../solana/table/effect.ts'
import { laneOf } from '../../../engine/settlement/submission.ts'
import type { JsonObject, JsonValue } from '../../../contract/call.ts'
import { networkAmountOf, rawJson } from '../read-models/amounts.ts'
import { idsOf } from '../read-models/transaction.ts'
import { passedCheck, type Case, type ExplainedCheck, type Rule } from './check.ts'
import { reservationsOf } from './reservations.ts'

export function checksOf(facts: Case): ExplainedCheck[] {
  const checks = RULES.map((rule) => rule(facts)).filter((check) => check !== null)
  return facts.transaction.context.finalAt === null ? checks : checks.map(asEnded)
}

/** Nothing is decided about a transaction that has ended. */
function asEnded(check: ExplainedCheck): ExplainedCheck {
  if (check.verdict !== 'PENDING') return check
  return { ...check, verdict: 'NOT_REACHED', detail: 'the transaction ended before this service signed it' }
}

const instructionTable: Rule = ({ effects, judged: evaluated }) => {
  const instructions = effects.map((effect) => ({
    index: effect.index,
    programId: effect.programId,
    type: effect.type,
    verdict: effect.kind === 'refused' ? 'ALLOWED_BY_ORGANIZATION' : 'ALLOWED',
    effect: effectOf(effect),
  }))
  const { allowedPrograms = [] } = evaluated ?? {}
  return passedCheck('INSTRUCTION_TABLE', effects.map(({ type }) => type).join(', '), { instructions, allowedPrograms })
}

const debitKeys: Rule = ({ transaction, judged: evaluated }) => {
  const { requestedBy } = transaction.context.fixed
  const lists = evaluated?.debitLists ?? []
  const why = lists.length === 0 ? 'no account that pays lists API keys' : `it is listed on ${lists.join(', ')}`
  return passedCheck('DEBIT_KEYS', `key ${requestedBy} may debit every account that pays: ${why}`, {
    keyId: requestedBy,
    lists,
  })
}

/**
 * Every finite limit that applies. Without a signature of this service, or while an approval is missing, the limits are
 * evaluated again later.
 */
const debitLimits: Rule = ({ transaction, judged: evaluated }) => {
  const { approval, ourSignature, fixed } = transaction.context
  const limits = (evaluated?.limits ?? []) as JsonValue
  const debits = (fixed.debits ?? []) as unknown as JsonValue
  const judgedOn = { limits, debits, ...(approval === null ? {} : { approval: approval as unknown as JsonValue }) }
  if (!ourSignature)
    return {
      rule: 'DEBIT_LIMITS',
      verdict: 'PENDING',
      detail: 'limits are evaluated when this service first signs',
      judgedOn,
    }
  const by =
    approval === null ? 'within every limit' : `approved by keys ${approval.given.map(({ keyId }) => keyId).join(', ')}`
  return passedCheck('DEBIT_LIMITS', by, judgedOn)
}

/** Applies to transactions that a policy covers. */
const approvalPolicies: Rule = ({ transaction }) => {
  const { approval, ourSignature } = transaction.context
  const policies = (approval?.entries ?? [])
    .filter(({ policy }) => policy !== undefined)
    .map(({ shown }) => shown as JsonValue)
  if (approval === null || policies.length === 0) return null
  const judgedOn = { policies, given: approval.given as unknown as JsonValue, requesters: approval.requesters }
  if (!ourSignature)
    return {
      rule: 'APPROVAL_POLICIES',
      verdict: 'PENDING',
      detail: 'approval policies cover it: approvals are missing',
      judgedOn,
    }
  return passedCheck(
    'APPROVAL_POLICIES',
    `approved by keys ${approval.given.map(({ keyId }) => keyId).join(', ')}`,
    judgedOn,
  )
}

/** Applies if a destination policy, or a counterparty that is not allowed, affects the decision. */
const destinations: Rule = ({ transaction, judged: evaluated }) => {
  const verdicts = (evaluated?.destinations ?? []) as readonly {
    readonly onchainId: string
    readonly verdict: string
    readonly counterparty: { readonly offchainId: string; readonly name: string } | null
  }[]
  if (verdicts.length === 0) return null
  const reviewed = verdicts.filter(({ verdict }) => verdict === 'REVIEW').map(({ onchainId }) => onchainId)
  const detail = reviewed.length === 0 ? 'every destination may be paid' : `under review: ${reviewed.join(', ')}`
  const judgedOn = { destinations: verdicts }
  return reviewed.length > 0 && !transaction.context.ourSignature
    ? { rule: 'DESTINATIONS', verdict: 'PENDING', detail, judgedOn }
    : passedCheck('DESTINATIONS', detail, judgedOn)
}

const screening: Rule = ({ judged: evaluated }) => {
  const answers = (evaluated?.screening ?? []) as readonly {
    readonly organization: string
    readonly answer: JsonObject & { readonly decision: string }
  }[]
  if (answers.length === 0) return null
  const detail = answers.map(({ organization, answer }) => `${organization}: ${answer.decision}`).join('; ')
  const shown = answers.map(({ organization, answer }) => ({ organizationExternalId: organization, ...answer }))
  return passedCheck('SCREENING', detail, { answers: shown })
}

const computeLimit: Rule = ({ transaction, judged: evaluated }) => {
  const { computeUnitsLimit, computeUnitPrice } = transaction.context.fixed
  const { limit, raised = 0 } = evaluated ?? {}
  const by = limit?.by ?? 'OPERATION'
  const origin = {
    REQUEST: 'as the request says',
    SIMULATION: 'from a simulation, with room',
    OPERATION: "the operation's own bound",
  }[by]
  const price = computeUnitPrice === null ? null : rawJson(computeUnitPrice)
  const raise = raised > 0 ? `, raised by ${raised} for the message to be new` : ''
  return passedCheck('COMPUTE_LIMIT', `${computeUnitsLimit ?? 'no'} units, ${origin}${raise}`, {
    units: computeUnitsLimit,
    by,
    raised,
    price,
  })
}

const feeCap: Rule = ({ transaction, judged: evaluated }) => {
  const { fee, feePayer } = transaction.context.fixed
  const cap = evaluated === undefined ? null : networkAmountOf(evaluated.maxFee)
  const detail = `${networkAmountOf(fee)} of the network currency${cap === null ? '' : `, ${cap} at most`}`
  return passedCheck('FEE_CAP', detail, {
    feeLamports: rawJson(fee),
    maxFeeLamports: evaluated === undefined ? null : rawJson(evaluated.maxFee),
    feePayer: idsOf(feePayer),
  })
}

const uniqueMessage: Rule = ({ transaction }) => {
  const { messageHash } = transaction.context.fixed
  return passedCheck('UNIQUE_MESSAGE', `no other transaction has the message ${messageHash}`, { messageHash })
}

const lifetime: Rule = ({ transaction }) => {
  const { lifetime: strategy, blockhash, blockhashSlot, lastValidBlockHeight, nonceAccount } = transaction.context.fixed
  const detail =
    nonceAccount === null
      ? `blockhash ${blockhash} of slot ${blockhashSlot} or before, good up to block height ${lastValidBlockHeight ?? 'unknown'}`
      : `nonce ${nonceAccount.address} with the value ${blockhash}, held at slot ${blockhashSlot}, good until somebody uses it`
  return passedCheck('LIFETIME', detail, {
    strategy,
    blockhash,
    slot: blockhashSlot,
    lastValidBlockHeight,
    nonceAccount: nonceAccount === null ? null : idsOf(nonceAccount),
  })
}

const freeze: Rule = ({ transaction }) => {
  const signers = transaction.context.fixed.signers.map(({ address }) => address)
  return ours('FREEZE', transaction, 'no account that signs for us, nor its organization or tenant, was frozen', {
    signers,
  })
}

const balance: Rule = ({ transaction, judged: evaluated }) => {
  const reserved = reservationsOf(transaction)
  const check = ours(
    'BALANCE',
    transaction,
    'the funds were available, and were reserved with the first signature of this service, or of their organization',
    { reserved },
  )
  if (evaluated?.uncovered !== true || check.verdict === 'PENDING') return check
  return {
    ...check,
    verdict: 'LEFT_TO_CHAIN',
    detail: 'the chain decides whether the funds are available; they were reserved',
  }
}

const admission: Rule = ({ transaction }) => {
  const lane = laneOf(transaction.context.fixed)
  return ours('ADMISSION', transaction, `there was room for it in the lane of ${lane}`, { lane })
}

/** Signatures of other tenants' keys. Each tenant decides for itself, and its reasons are not shown. */
const countersigned: Rule = ({ transaction }) => {
  const owners = (transaction.context.countersigners ?? []).map(({ tenant, addresses, givenAt }) => ({
    tenantOrganizationId: tenant,
    addresses,
    givenAt,
  }))
  return owners.length === 0
    ? null
    : passedCheck('COUNTERSIGNED', owners.map((owner) => owner.tenantOrganizationId).join(', '), { owners })
}

const RULES: readonly Rule[] = [
  instructionTable,
  debitKeys,
  debitLimits,
  approvalPolicies,
  destinations,
  screening,
  computeLimit,
  feeCap,
  uniqueMessage,
  lifetime,
  freeze,
  balance,
  admission,
  countersigned,
]

/** A rule that is evaluated only before a key of this service is used. */
function ours(rule: string, { context }: Case['transaction'], detail: string, judgedOn: JsonObject): ExplainedCheck {
  return context.ourSignature
    ? passedCheck(rule, detail, judgedOn)
    : { rule, verdict: 'PENDING', detail: 'nothing of ours is signed', judgedOn }
}

function effectOf(effect: Effect): JsonObject {
  const { index: _index, type: _type, programId: _programId, foreign: _foreign, ...members } = effect
  return Object.fromEntries(
    Object.entries(members).map(([name, value]) => [
      name,
      typeof value === 'bigint' ? rawJson(value) : (value as JsonValue),
    ]),
  )
}
