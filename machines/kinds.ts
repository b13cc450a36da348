// Every kind of record: its machine, the version its snapshots are stored under, and the way from older versions.
// The engine wakes, tells and stores records through this table alone.
//
// Context shapes (all JSON, no undefined members, raw amounts as decimal strings):
//   account       Holding + tokenDecimals
//   position      Holding + owner, mint, program, decimals, tokens
//   instrument    Holding + version, decimals, supply, authorities, onchainData, offchainData, paused and the other extensions
//   lookupTable   Holding + authority, addresses, slots of the last extension and of the deactivation
//   nonce         Holding + authority, value, valueSlot, lease
//   dataSource    Holding + definition (kind, instrument, jobs), authority, latest value on chain, sequences given out
//   transaction   fixed (what the message decides, stored as a row of its own) + its fate and history
//   countersignature  what this tenant signed for another's transaction, and set aside for it
//   plan          the steps of a request that takes several transactions, and with whose rights they are made
//   organization  externalId, name, parent, allowed programs
//   apiKey        whose, roles, hashes, instants
//   strategy      on what terms a vault lends one instrument
//   loan          who borrowed what of whom against what, and the transaction under way
//   suspension    whose sends are stopped, by whom, since when
//   webhook       which events go where, how far that has got, the latest tries
import { accountMachine, type AccountContext, type AccountEvent, type AccountInput } from './account.ts'
import { apiKeyMachine, type ApiKeyContext, type ApiKeyEvent, type ApiKeyInput } from './api-key.ts'
import {
  countersignatureMachine,
  type CountersignatureContext,
  type CountersignatureEvent,
  type CountersignatureInput,
} from './countersignature.ts'
import { dataSourceMachine, type DataSourceContext, type DataSourceEvent, type DataSourceInput } from './data-source.ts'
import { instrumentMachine, type InstrumentEvent, type InstrumentInput } from './instrument.ts'
import type { InstrumentContext } from './instrument-record.ts'
import { ACCOUNT_V1, POSITION_V1, TRANSACTION_V1, type LeftOut } from './left-out.ts'
import { loanMachine, type LoanContext, type LoanEvent, type LoanInput } from './loan.ts'
import { lookupTableMachine, type LookupTableContext, type LookupTableEvent, type LookupTableInput } from './lookup-table.ts'
import { nonceMachine, type NonceContext, type NonceEvent, type NonceInput } from './nonce.ts'
import { organizationMachine, type OrganizationContext, type OrganizationEvent, type OrganizationInput } from './organization.ts'
import { planMachine, type PlanContext, type PlanEvent, type PlanInput } from './plan.ts'
import { positionMachine, type PositionContext, type PositionEvent, type PositionInput } from './position.ts'
import { strategyMachine, type StrategyContext, type StrategyEvent, type StrategyInput } from './strategy.ts'
import { suspensionMachine, type SuspensionContext, type SuspensionEvent, type SuspensionInput } from './suspension.ts'
import { transactionMachine, type TransactionInput } from './transaction.ts'
import type { TransactionEvent } from './transaction-events.ts'
import type { TransactionContext } from './transaction-record.ts'
import { webhookMachine, type WebhookContext, type WebhookEvent, type WebhookInput } from './webhook.ts'

/** What is stored of an actor: its state value and its context. */
export interface StoredSnapshot {
  readonly value: string
  readonly context: unknown
}

/** From the version it stands under to the next. Pure, and never deleted. */
export type Migration = (snapshot: StoredSnapshot) => StoredSnapshot

interface Rulebook<M> {
  readonly machine: M
  readonly version: number
  readonly migrate: Readonly<Record<number, Migration>>
  /** What rows of a version leave out; versions that leave out nothing are absent. */
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
