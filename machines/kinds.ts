// Table of all record kinds: machine, snapshot version, migrations and row packing. The engine activates, drives and
// stores records through this table only.
// Context shapes (JSON, no undefined members, raw amounts as decimal strings):
//   account       Holding + tokenDecimals
//   position      Holding + owner, mint, program, decimals, tokens
//   instrument    Holding + version, decimals, supply, authorities, onchainData, offchainData, paused, other extensions
//   lookupTable   Holding + authority, addresses, slots of the last extension and of the deactivation
//   nonce         Holding + authority, value, valueSlot, lease
//   dataSource    Holding + definition (kind, instrument, jobs), authority, latest value on chain, sequences reserved
//   transaction   fixed (determined by the message, stored as a row of its own) + outcome and history
//   countersignature  what this tenant signed and reserved for another tenant's transaction
//   plan          the steps of a request that takes several transactions, and the key that authorizes them
//   batch         one request of many items: the operation, the key that authorizes it, and the number of items in each
// state
//   approvalPolicy  operations that need approvals, and who may give them
//   pendingChange  a change that waits for approvals, as data
//   batchItem     one item of a batch: its data, its transaction, its outcome
//   schedule      one operation at planned instants: when, with whose key, the next occurrence
//   occurrence    one occurrence of a schedule: its transaction, its outcome
//   counterparty  the name, addresses and status of a party outside the tenant
//   paymentRequest  an amount asked for by a Solana Pay URL, and what arrived with its reference
//   distribution  an amount paid to the holders of an instrument: record instant, payout, parts, batches
//   organization  externalId, name, parent, allowed programs
//   apiKey        tenant, roles, hashes, timestamps
//   strategy      the terms on which a vault lends one instrument
//   loan          borrower, lender, debts, collateral, and the transaction in flight
//   suspension    the scope whose sends are suspended, by whom, since when
//   webhook       selected events, delivery progress, latest attempts
import { accountMachine, type AccountContext, type AccountEvent, type AccountInput } from './account.ts'
import { apiKeyMachine, type ApiKeyContext, type ApiKeyEvent, type ApiKeyInput } from './api-key.ts'
import {
  approvalPolicyMachine,
  type ApprovalPolicyContext,
  type ApprovalPolicyEvent,
  type ApprovalPolicyInput,
} from './approval-policy.ts'
import { batchItemMachine, type BatchItemContext, type BatchItemEvent, type BatchItemInput } from './batch-item.ts'
import { batchMachine, type BatchContext, type BatchEvent, type BatchInput } from './batch.ts'
import {
  counterpartyMachine,
  type CounterpartyContext,
  type CounterpartyEvent,
  type CounterpartyInput,
} from './counterparty.ts'
import {
  countersignatureMachine,
  type CountersignatureContext,
  type CountersignatureEvent,
  type CountersignatureInput,
} from './transactions/countersignature.ts'
import { dataSourceMachine, type DataSourceContext, type DataSourceEvent, type DataSourceInput } from './data-source.ts'
import {
  distributionMachine,
  type DistributionContext,
  type DistributionEvent,
  type DistributionInput,
} from './distribution.ts'
import { instrumentMachine, type InstrumentEvent, type InstrumentInput } from './instrument.ts'
import type { InstrumentContext } from './instrument-record.ts'
import { ACCOUNT_V1, POSITION_V1, TRANSACTION_V1, type LeftOut } from './left-out.ts'
import { loanMachine, type LoanContext, type LoanEvent, type LoanInput } from './lending/loan.ts'
import {
  lookupTableMachine,
  type LookupTableContext,
  type LookupTableEvent,
  type LookupTableInput,
} from './lookup-table.ts'
import { nonceMachine, type NonceContext, type NonceEvent, type NonceInput } from './nonce.ts'
import { occurrenceMachine, type OccurrenceContext, type OccurrenceEvent, type OccurrenceInput } from './occurrence.ts'
import {
  organizationMachine,
  type OrganizationContext,
  type OrganizationEvent,
  type OrganizationInput,
} from './organization.ts'
import {
  pendingChangeMachine,
  type PendingChangeContext,
  type PendingChangeEvent,
  type PendingChangeInput,
} from './pending-change.ts'
import {
  paymentRequestMachine,
  type PaymentRequestContext,
  type PaymentRequestEvent,
  type PaymentRequestInput,
} from './payment-request.ts'
import { planMachine, type PlanContext, type PlanEvent, type PlanInput } from './transactions/plan.ts'
import { positionMachine, type PositionContext, type PositionEvent, type PositionInput } from './position.ts'
import { scheduleMachine, type ScheduleContext, type ScheduleEvent, type ScheduleInput } from './schedule.ts'
import { strategyMachine, type StrategyContext, type StrategyEvent, type StrategyInput } from './lending/strategy.ts'
import { suspensionMachine, type SuspensionContext, type SuspensionEvent, type SuspensionInput } from './suspension.ts'
import { transactionMachine, type TransactionInput } from './transactions/transaction.ts'
import type { TransactionEvent } from './transactions/transaction-events.ts'
import type { TransactionContext } from './transactions/transaction-record.ts'
import { webhookMachine, type WebhookContext, type WebhookEvent, type WebhookInput } from './webhook.ts'

/** The stored form of an actor: state value and context. */
export interface StoredSnapshot {
  readonly value: string
  readonly context: unknown
}

/** Migrates a snapshot from its version to the next. Pure; never deleted. */
type Migration = (snapshot: StoredSnapshot) => StoredSnapshot

interface Rulebook<M> {
  readonly machine: M
  readonly version: number
  readonly migrate: Readonly<Record<number, Migration>>
  /** Members that rows of a version omit; versions that omit nothing are absent. */
  readonly leftOut: Readonly<Record<number, LeftOut>>
}

function rulebook<M>(machine: M, leftOut: Rulebook<M>['leftOut'] = {}): Rulebook<M> {
  return { machine, version: 1, migrate: {}, leftOut }
}

export const KINDS = {
  account: rulebook(accountMachine, { 1: ACCOUNT_V1 }),
  position: rulebook(positionMachine, { 1: POSITION_V1 }),
  instrument: rulebook(instrumentMachine),
  lookupTable: rulebook(lookupTableMachine),
  nonce: rulebook(nonceMachine),
  dataSource: rulebook(dataSourceMachine),
  transaction: rulebook(transactionMachine, { 1: TRANSACTION_V1 }),
  countersignature: rulebook(countersignatureMachine),
  plan: rulebook(planMachine),
  batch: rulebook(batchMachine),
  batchItem: rulebook(batchItemMachine),
  approvalPolicy: rulebook(approvalPolicyMachine),
  pendingChange: rulebook(pendingChangeMachine),
  schedule: rulebook(scheduleMachine),
  occurrence: rulebook(occurrenceMachine),
  counterparty: rulebook(counterpartyMachine),
  paymentRequest: rulebook(paymentRequestMachine),
  distribution: rulebook(distributionMachine),
  organization: rulebook(organizationMachine),
  apiKey: rulebook(apiKeyMachine),
  strategy: rulebook(strategyMachine),
  loan: rulebook(loanMachine),
  suspension: rulebook(suspensionMachine),
  webhook: rulebook(webhookMachine),
} as const

export type Kind = keyof typeof KINDS

interface Contexts {
  readonly account: AccountContext
  readonly position: PositionContext
  readonly instrument: InstrumentContext
  readonly lookupTable: LookupTableContext
  readonly nonce: NonceContext
  readonly dataSource: DataSourceContext
  readonly transaction: TransactionContext
  readonly countersignature: CountersignatureContext
  readonly plan: PlanContext
  readonly batch: BatchContext
  readonly batchItem: BatchItemContext
  readonly approvalPolicy: ApprovalPolicyContext
  readonly pendingChange: PendingChangeContext
  readonly schedule: ScheduleContext
  readonly occurrence: OccurrenceContext
  readonly counterparty: CounterpartyContext
  readonly paymentRequest: PaymentRequestContext
  readonly distribution: DistributionContext
  readonly organization: OrganizationContext
  readonly apiKey: ApiKeyContext
  readonly strategy: StrategyContext
  readonly loan: LoanContext
  readonly suspension: SuspensionContext
  readonly webhook: WebhookContext
}

interface Events {
  readonly account: AccountEvent
  readonly position: PositionEvent
  readonly instrument: InstrumentEvent
  readonly lookupTable: LookupTableEvent
  readonly nonce: NonceEvent
  readonly dataSource: DataSourceEvent
  readonly transaction: TransactionEvent
  readonly countersignature: CountersignatureEvent
  readonly plan: PlanEvent
  readonly batch: BatchEvent
  readonly batchItem: BatchItemEvent
  readonly approvalPolicy: ApprovalPolicyEvent
  readonly pendingChange: PendingChangeEvent
  readonly schedule: ScheduleEvent
  readonly occurrence: OccurrenceEvent
  readonly counterparty: CounterpartyEvent
  readonly paymentRequest: PaymentRequestEvent
  readonly distribution: DistributionEvent
  readonly organization: OrganizationEvent
  readonly apiKey: ApiKeyEvent
  readonly strategy: StrategyEvent
  readonly loan: LoanEvent
  readonly suspension: SuspensionEvent
  readonly webhook: WebhookEvent
}

interface Inputs {
  readonly account: AccountInput
  readonly position: PositionInput
  readonly instrument: InstrumentInput
  readonly lookupTable: LookupTableInput
  readonly nonce: NonceInput
  readonly dataSource: DataSourceInput
  readonly transaction: TransactionInput
  readonly countersignature: CountersignatureInput
  readonly plan: PlanInput
  readonly batch: BatchInput
  readonly batchItem: BatchItemInput
  readonly approvalPolicy: ApprovalPolicyInput
  readonly pendingChange: PendingChangeInput
  readonly schedule: ScheduleInput
  readonly occurrence: OccurrenceInput
  readonly counterparty: CounterpartyInput
  readonly paymentRequest: PaymentRequestInput
  readonly distribution: DistributionInput
  readonly organization: OrganizationInput
  readonly apiKey: ApiKeyInput
  readonly strategy: StrategyInput
  readonly loan: LoanInput
  readonly suspension: SuspensionInput
  readonly webhook: WebhookInput
}

export type ContextOf<K extends Kind> = Contexts[K]
export type EventOf<K extends Kind> = Events[K]
export type InputOf<K extends Kind> = Inputs[K]
