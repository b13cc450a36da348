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
import type { ContextFrom, EventFromLogic, InputFrom } from 'xstate'
import { accountMachine } from './account.ts'
import { apiKeyMachine } from './api-key.ts'
import { approvalPolicyMachine } from './approval-policy.ts'
import { batchItemMachine } from './batch-item.ts'
import { batchMachine } from './batch.ts'
import { counterpartyMachine } from './counterparty.ts'
import { countersignatureMachine } from './transactions/countersignature.ts'
import { dataSourceMachine } from './data-source.ts'
import { distributionMachine } from './distribution.ts'
import { instrumentMachine } from './instrument.ts'
import { ACCOUNT_V1, POSITION_V1, TRANSACTION_V1, type LeftOut } from './left-out.ts'
import { loanMachine } from './lending/loan.ts'
import { lookupTableMachine } from './lookup-table.ts'
import { nonceMachine } from './nonce.ts'
import { occurrenceMachine } from './occurrence.ts'
import { organizationMachine } from './organization.ts'
import { pendingChangeMachine } from './pending-change.ts'
import { paymentRequestMachine } from './payment-request.ts'
import { planMachine } from './transactions/plan.ts'
import { positionMachine } from './position.ts'
import { scheduleMachine } from './schedule.ts'
import { strategyMachine } from './lending/strategy.ts'
import { suspensionMachine } from './suspension.ts'
import { transactionMachine } from './transactions/transaction.ts'
import { webhookMachine } from './webhook.ts'

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

type Machines = { readonly [K in Kind]: (typeof KINDS)[K]['machine'] }
type Contexts = { readonly [K in Kind]: ContextFrom<Machines[K]> }
type Events = { readonly [K in Kind]: EventFromLogic<Machines[K]> }
type Inputs = { readonly [K in Kind]: InputFrom<Machines[K]> }

export type ContextOf<K extends Kind> = Contexts[K]
export type EventOf<K extends Kind> = Events[K]
export type InputOf<K extends Kind> = Inputs[K]
