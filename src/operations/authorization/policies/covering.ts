// Decides which approval policies cover an operation. Policies of an organization cover its own operations and those of
// the organizations below it. Every policy that covers an operation must be satisfied.
import { hash } from 'node:crypto'
import type { ApprovalEntry } from '../../../../machines/approval.ts'
import { isInForce, type ApprovalPolicyContext, type CoveredOperation } from '../../../../machines/approval-policy.ts'
import { amountJson, floorUnits } from '../../../../machines/amount.ts'
import type { Effect } from '../../../solana/table/effect.ts'
import type { RecordIndex } from '../../../engine/index/record-index.ts'
import { organizationKey, policiesKey } from '../../../engine/index/index-keys.ts'
import { isHolding, ofKind, type RecordState } from '../../../engine/records/record.ts'
import type { JsonObject } from '../../../contract/call.ts'
import { bindsOwner } from '../../lookup/governing.ts'
import { mintIn, tokenAccountIn } from '../../lookup/on-chain.ts'
import { ownRecordsAt } from '../../lookup/whose-records.ts'
import type { LimitInputs } from '../limits/assess.ts'
import { operationsOf, type MessageOperation } from './operations-of.ts'

type Policy = RecordState<'approvalPolicy'>
type Directory = Pick<RecordIndex, 'find' | 'firstOwn'>

export interface CoverageScope {
  readonly tenant: string
  /** External ids of the organizations that the operation concerns. */
  readonly organizations: Iterable<string>
  /** Unix milliseconds. */
  readonly now: number
}

/**
 * The policies in force for operations of these organizations. A policy without an instrument covers them in every
 * cluster.
 */
export function policiesFor(directory: Directory, { tenant, organizations, now }: CoverageScope): Policy[] {
  const entries = directory.find(policiesKey(tenant))
  if (entries.length === 0) return []
  const concerned = new Set([...organizations].flatMap((organization) => withAncestors(directory, organization)))
  return entries.flatMap(({ head }) => {
    const policy = ofKind(head, 'approvalPolicy')
    if (policy === undefined || !isInForce(policy.value, policy.context, now)) return []
    return concerned.has(policy.context.organization) ? [policy] : []
  })
}

/** An organization and those above it. */
function withAncestors(directory: Directory, organization: string): string[] {
  const all: string[] = []
  for (let each: string | null = organization; each !== null && !all.includes(each);) {
    all.push(each)
    each = ofKind(directory.firstOwn(organizationKey(each))?.head, 'organization')?.context.parentExternalId ?? null
  }
  return all
}

/** The approvals required before this service signs the message; empty: no policy covers it. */
export function policiesOfMessage(inputs: LimitInputs): ApprovalEntry[] {
  const { directory, tenant, now } = inputs
  if (directory.find(policiesKey(tenant)).length === 0) return []
  const covered = new Map<Policy, MessageOperation[]>()
  const opened = new Set(inputs.effects.flatMap(openedBy))
  for (const operation of operationsOf(inputs.effects, (address) => !opened.has(address) && isMint(inputs, address))) {
    // The operator of the service configures the programs that a lending provider calls; `loans/` checks their effects.
    if (operation.operation === null && inputs.isProvided === true) continue
    const organizations = concernedBy(inputs, operation)
    for (const policy of policiesFor(directory, { tenant, organizations, now }))
      if (names(policy, inputs.cluster, operation)) covered.set(policy, [...(covered.get(policy) ?? []), operation])
  }
  return [...covered].flatMap(([policy, operations]) => entryForMessage(inputs, policy, operations) ?? [])
}

/**
 * An entry for a change of records. `shown`: members that name the changed record. `resolved`: what else the approval
 * is given for; another value is another entry.
 */
export function entryOf(
  { id, tenant, context }: Policy,
  operations: readonly CoveredOperation[],
  shown: JsonObject,
  resolved?: unknown,
): ApprovalEntry {
  const { organization, approvers, requiredApproversCount, approversNamedAt } = context
  const summary = { approvalPolicy: { offchainId: id }, operations, ...shown }
  return {
    limit: JSON.stringify(resolved === undefined ? summary : { ...summary, resolved: digestOf(resolved) }),
    approvers,
    required: requiredApproversCount,
    shown: summary,
    policy: { id, tenant, organization, namedAt: approversNamedAt },
  }
}

function digestOf(resolved: unknown): string {
  return hash('sha256', JSON.stringify(resolved), 'hex')
}

/**
 * Organizations whose policies count: for the tenant's own transactions the requesting one, and those that own the
 * authority, the instrument or the burnt tokens. For a transaction of another tenant only records that consent count.
 */
function concernedBy(
  { directory, tenant, cluster, consenting, fee }: LimitInputs,
  { accounts, signers }: MessageOperation,
): Set<string> {
  const records = accounts.flatMap((address) =>
    ownRecordsAt(directory, tenant, cluster, address)
      .map(({ head }) => head)
      .filter(isHolding)
      .filter((state) => bindsOwner(directory, state)),
  )
  const owners = new Set(records.map(({ context }) => context.organization))
  if (consenting === undefined) return owners.add(fee.beneficiary)
  const consents = signers
    .filter((address) => consenting.includes(address))
    .flatMap((address) =>
      ownRecordsAt(directory, tenant, cluster, address)
        .map(({ head }) => head)
        .filter(isHolding),
    )
    .filter(({ context }) => context.managed)
  if (consents.length === 0) return new Set()
  return new Set([...owners, ...consents.map(({ context }) => context.organization)])
}

function names(
  { cluster: of, context: { operations, financialInstrument } }: Policy,
  cluster: string,
  { operation, mint }: Pick<MessageOperation, 'operation' | 'mint'>,
): boolean {
  const isNamed = operation === null ? operations.some(isOfMessage) : operations.includes(operation)
  if (!isNamed || financialInstrument === null) return isNamed
  return of === cluster && (mint === null || mint === financialInstrument.address)
}

/** True of a policy for minting this instrument, regardless of the amount. */
export function coversMint(policy: Policy, cluster: string, mint: string): boolean {
  return names(policy, cluster, { operation: 'MINT', mint })
}

function isOfMessage(operation: CoveredOperation): boolean {
  return (
    operation === 'MINT' ||
    operation === 'BURN' ||
    operation === 'AUTHORITY_CHANGE' ||
    operation === 'PAUSE' ||
    operation === 'CLOSE'
  )
}

interface Sum {
  readonly operation: CoveredOperation
  readonly mint: string | null
  readonly decimals: number | null
  amount: bigint | null
}

/** null: every amount is within `above`. */
function entryForMessage(
  inputs: LimitInputs,
  policy: Policy,
  operations: readonly MessageOperation[],
): ApprovalEntry | null {
  const sums = sumsOf(inputs, operations).filter((sum) => isAbove(sum, policy.context))
  const isUnknown = operations.some(({ operation }) => operation === null)
  if (sums.length === 0 && !isUnknown) return null
  const kinds = [...new Set(sums.map(({ operation }) => operation))]
  const shown = sums.map(({ operation, mint, decimals, amount }) => ({
    operation,
    ...(mint === null ? {} : { financialInstrument: { onchainId: mint } }),
    ...(amount === null || decimals === null ? {} : { amount: amountJson(amount, decimals) }),
  }))
  return entryOf(policy, isUnknown ? policy.context.operations.filter(isOfMessage) : kinds, { covered: shown })
}

/** Amounts of one operation and instrument are added, so that splitting within a message changes nothing. */
function sumsOf(inputs: LimitInputs, operations: readonly MessageOperation[]): Sum[] {
  const sums = new Map<string, Sum>()
  for (const each of operations) {
    if (each.operation === null) continue
    const key = `${each.operation} ${each.mint ?? ''}`
    const known = sums.get(key)
    if (known === undefined)
      sums.set(key, {
        operation: each.operation,
        mint: each.mint,
        amount: each.amount,
        decimals: decimalsOf(inputs, each),
      })
    else if (known.amount !== null) known.amount += each.amount ?? 0n
  }
  return [...sums.values()]
}

function isAbove({ amount, decimals }: Sum, { above }: ApprovalPolicyContext): boolean {
  if (above === null || amount === null || decimals === null) return true
  const max = floorUnits(above, decimals)
  return max === null || amount > max
}

/** null: unknown, which counts as above every amount. */
function decimalsOf(
  { directory, tenant, cluster, chain }: LimitInputs,
  { mint, decimals, amount }: MessageOperation,
): number | null {
  if (decimals !== null || mint === null || amount === null) return decimals
  const recorded = ownRecordsAt(directory, tenant, cluster, mint)
    .map(({ head }) => ofKind(head, 'instrument'))
    .find((state) => state !== undefined)
  return recorded?.context.decimals ?? mintIn(chain.get(mint))?.decimals ?? null
}

/** Token accounts that the message itself opens, for wrapped network currency. */
function openedBy(effect: Effect): string[] {
  return effect.kind === 'createAssociated' || effect.kind === 'initializeAccount' ? [effect.account] : []
}

/** An account that is neither recorded nor known on chain as a token account counts as a mint. */
function isMint({ directory, tenant, cluster, chain }: LimitInputs, address: string): boolean {
  const records = ownRecordsAt(directory, tenant, cluster, address).map(({ head }) => head)
  if (records.some(({ kind }) => kind === 'instrument')) return true
  if (records.some(({ kind }) => kind === 'position')) return false
  return tokenAccountIn(chain.get(address)) === null
}
