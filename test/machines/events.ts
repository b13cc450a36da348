// Events of every kind, as arbitraries for the properties and as one list per kind for visiting all reachable states.
import fc from 'fast-check'
import { type Kind, KINDS } from '../../machines/kinds.ts'
import { tenantMachine } from '../../machines/tenant.ts'
import { APPROVAL_SUBJECTS } from './approval-subjects.ts'
import { BATCH_SUBJECTS } from './batch-subjects.ts'
import { PAYMENT_SUBJECTS } from './payment-subjects.ts'
import { SCHEDULE_SUBJECTS } from './schedule-subjects.ts'
import { COUNTERPARTY_SUBJECTS } from './counterparty-subjects.ts'
import { DISTRIBUTION_SUBJECTS } from './distribution-subjects.ts'
import {
  account,
  apiKey,
  approval,
  AT,
  countersignature,
  dataSource,
  fixed,
  instrument,
  lender,
  loan,
  lookupTable,
  nonce,
  organization,
  origination,
  plan,
  position,
  strategy,
  suspension,
  TOUCH,
  webhook,
} from './records.ts'
import type { AnyEvent } from './tested-actor.ts'
import {
  asset,
  attempt,
  holdingAlphabet,
  instrumentAlphabet,
  lookupTableAlphabet,
  movements,
  nonceAlphabet,
  positionAlphabet,
  raw,
} from './holding-events.ts'

export interface Subject {
  readonly name: string
  readonly machine: unknown
  readonly inputs: readonly unknown[]
  /** One of each relevant kind: together they reach every state and every branch. */
  readonly alphabet: readonly AnyEvent[]
  /** The number of events of the alphabet that reaches each state; default: 2. */
  readonly depth?: number
  readonly states: readonly string[]
}

const run = { at: AT, value: '2', jobs: [{ succeeded: true, value: '2', error: null }] }
const publication = { value: '2', asOf: 1_795_000_060, slot: 20, sequence: 2 }

const dataSourceAlphabet: AnyEvent[] = [
  ...holdingAlphabet,
  { type: 'command.define', changes: { dataKind: 'RATING', ratingProvider: 'Agency' } },
  { type: 'command.define', changes: { jobHash: '00' } },
  { type: 'command.define', changes: { latest: null } },
  { type: 'command.publish', sequence: 2, run },
  { type: 'command.publish', sequence: 7, run },
  { type: 'command.run', run: { ...run, value: null } },
  { type: 'chain.published', publication, slot: 21, touch: TOUCH },
  { type: 'chain.published', publication: { ...publication, sequence: 3 }, slot: 9, touch: TOUCH },
  { type: 'chain.published', publication },
  { type: 'chain.unpublished', sequence: 2, latest: dataSource.latest, landedSlot: 11 },
  { type: 'chain.unpublished', sequence: 9, latest: null, landedSlot: null },
  { type: 'chain.handedOver', authority: { address: 'Other111', id: null }, touch: TOUCH },
  { type: 'chain.handedOver', authority: dataSource.authority },
  { type: 'chain.feedRead', latest: { ...publication, sequence: 5 }, authority: dataSource.authority, slot: 30 },
  { type: 'chain.feedRead', latest: publication, authority: dataSource.authority, slot: 1 },
  { type: 'chain.feedRead', latest: null, authority: dataSource.authority, slot: 30 },
]

const seenEvent = (commitment: string, error: string | null, slot = 20): AnyEvent => ({
  type: 'chain.seen',
  commitment,
  slot,
  blockTime: null,
  error,
  computeUnits: 100,
  at: AT,
})
const sign = (signatures: number, complete: boolean, ourSignature: boolean): AnyEvent => ({
  type: 'command.sign',
  signatures,
  complete,
  ourSignature,
  signature: complete ? 'sig' : null,
  at: AT,
})

export const transactionAlphabet: AnyEvent[] = [
  sign(1, false, false),
  sign(1, false, true),
  sign(0, false, true),
  sign(2, true, true),
  sign(2, true, false),
  sign(0, false, false),
  { ...sign(2, true, true), signature: null },
  { ...sign(1, false, true), debits: countersignature.debits },
  { type: 'command.hold', approval, at: AT },
  ...['key1', 'key2', 'key3', 'key4'].map((keyId) => ({ type: 'command.approve', keyId, at: AT })),
  { type: 'command.approve', keyId: 'key3', at: approval.expiresAt },
  { type: 'command.rebuild', fixed: { ...fixed, blockhash: 'Hash2222' } },
  { type: 'command.cancel', at: AT },
  { type: 'command.withdraw', at: AT },
  { type: 'command.withhold', at: AT, detail: 'a signer is frozen' },
  { type: 'command.fail', at: AT, reason: 'no signer' },
  ...['FINALIZED', 'BLOCKCHAIN_ERROR', 'EXPIRED', 'NONSENSE'].flatMap((outcome) =>
    ['key1', 'key2'].map((keyId) => ({ type: 'command.attest', outcome, evidence: 'e', keyId, at: AT })),
  ),
  { type: 'chain.sent', at: AT, endpoint: 'node' },
  ...['processed', 'confirmed', 'finalized'].flatMap((level) => [
    seenEvent(level, null),
    seenEvent(level, 'boom'),
    seenEvent(level, null, 21),
  ]),
  { type: 'chain.measured', slot: 20, blockTime: null, computeUnits: 5 },
  { type: 'chain.forgotten', at: AT },
  { type: 'chain.expired', at: AT, proof: { height: 200 } },
  { type: 'chain.voided', at: AT, proof: null },
  { type: 'clock.lapsed', at: AT, reason: 'APPROVAL_LAPSED' },
]

const noChange = { id: 'tx-2', at: 2_000_000, deposits: [], withdrawals: [], payments: [], lending: null }

const subjects: Record<Kind, Omit<Subject, 'name' | 'machine'>> = {
  account: {
    inputs: ['pending', 'active'].map((state) => ({ holding: account, state })),
    alphabet: holdingAlphabet,
    states: ['pending', 'active', 'closed'],
  },
  position: {
    inputs: ['pending', 'initialized', 'frozen'].map((state) => ({ holding: position, state })),
    alphabet: positionAlphabet,
    states: ['pending', 'initialized', 'frozen', 'closed'],
  },
  instrument: {
    inputs: ['pending', 'active', 'paused'].map((state) => ({ holding: instrument, state })),
    alphabet: instrumentAlphabet,
    states: ['pending', 'active', 'paused', 'closed'],
  },
  lookupTable: {
    inputs: ['pending', 'active', 'deactivating', 'frozen'].map((state) => ({ holding: lookupTable, state })),
    alphabet: lookupTableAlphabet,
    states: ['pending', 'active', 'deactivating', 'frozen', 'closed'],
  },
  nonce: {
    inputs: ['pending', 'active'].map((state) => ({ holding: nonce, state })),
    alphabet: nonceAlphabet,
    states: ['pending', 'active', 'leased', 'closed'],
  },
  dataSource: {
    inputs: ['pending', 'active'].map((state) => ({ holding: dataSource, state })),
    alphabet: dataSourceAlphabet,
    states: ['pending', 'active', 'closed'],
  },
  transaction: {
    inputs: [{ fixed }],
    alphabet: transactionAlphabet,
    states: [
      'prepared',
      'partiallySigned',
      'signed',
      'submitted',
      'processed',
      'confirmed',
      'finalized',
      'blockchainError',
      'nonBlockchainError',
      'cancelled',
      'expired',
    ],
  },
  countersignature: {
    inputs: [
      { countersignature },
      { countersignature: { ...countersignature, feePayer: 'Owner111', signature: null } },
    ],
    states: ['given', 'landed', 'settled', 'released'],
    alphabet: [
      { type: 'command.sign', messageHash: '00', signatures: [{ address: 'Owner111', signature: 'sig2' }] },
      { type: 'command.sign', messageHash: '00', signatures: [{ address: 'Other111', signature: 'sig3' }] },
      { type: 'command.sign', messageHash: '11', signatures: [{ address: 'Owner111', signature: 'sig2' }] },
      { type: 'command.sign', messageHash: '00', signatures: [] },
      ...[true, false].map((final) => ({ type: 'chain.landed', signature: 'sig1', slot: 20, final, at: AT })),
      { type: 'chain.undone' },
      { type: 'chain.failed', signature: 'sig1', slot: 20, at: AT },
      { type: 'chain.expired', at: AT, proof: { height: 200 } },
    ],
  },
  plan: {
    inputs: [{ plan }, { plan: { ...plan, steps: plan.steps.slice(0, 1) } }],
    states: ['running', 'finished', 'failed'],
    alphabet: [
      { type: 'command.begin', step: 0, transactionId: 't0' },
      { type: 'command.begin', step: 1, transactionId: 't1' },
      { type: 'command.begin', step: 7, transactionId: 't7' },
      { type: 'chain.done', transactionId: 't0', at: AT },
      { type: 'chain.done', transactionId: 't1', at: AT },
      { type: 'command.fail', reason: 'no room', at: AT },
    ],
  },
  ...BATCH_SUBJECTS,
  ...DISTRIBUTION_SUBJECTS,
  ...APPROVAL_SUBJECTS,
  ...SCHEDULE_SUBJECTS,
  ...COUNTERPARTY_SUBJECTS,
  ...PAYMENT_SUBJECTS,
  organization: {
    inputs: [{ organization }],
    states: ['active', 'frozen'],
    alphabet: [
      { type: 'command.update', changes: { name: 'n' } },
      { type: 'command.update', changes: { name: '' } },
      { type: 'command.freeze' },
      { type: 'command.unfreeze' },
    ],
  },
  suspension: {
    inputs: [{ suspension }],
    states: ['suspended', 'resumed'],
    alphabet: [
      { type: 'command.suspend', by: 'key2', at: AT },
      { type: 'command.resume', by: 'key3', at: AT },
    ],
  },
  strategy: {
    inputs: [{ strategy }],
    states: ['active'],
    alphabet: [
      { type: 'command.update', changes: { originationsEnabled: false, borrowers: ['ACME'] }, at: AT },
      {
        type: 'command.update',
        changes: { borrowers: [{ organization: 'ACME', cap: '100' }], exemptFromDebitLimits: true },
        at: AT,
      },
      { type: 'command.update', changes: { collateral: [] }, at: AT },
      {
        type: 'command.update',
        changes: { collateral: [{ ...strategy.collateral[0], loanToValueRatio: 900_000 }] },
        at: AT,
      },
      { type: 'command.update', changes: { vault: null }, at: AT },
    ],
  },
  loan: {
    inputs: [{ loan }],
    states: ['pending', 'active', 'closed'],
    alphabet: [
      { type: 'command.begin', transactionId: 'tx-2', plan: null },
      { type: 'command.begin', transactionId: 'tx-3', plan: 'plan-1' },
      { type: 'command.change', change: { ...noChange, id: 'r-1', at: 1_500_000 } },
      { type: 'chain.changed', change: origination, closes: false, touch: TOUCH },
      {
        type: 'chain.changed',
        change: { ...noChange, payments: [{ instrument: 'Cash1111', amount: '900' }] },
        closes: false,
        touch: TOUCH,
      },
      {
        type: 'chain.changed',
        change: { ...noChange, withdrawals: [{ instrument: 'Bond1111', amount: '100' }] },
        closes: true,
        touch: TOUCH,
      },
      { type: 'chain.unchanged', id: 'tx-1', before: { lender, pledged: [], debts: [], lastChange: null } },
      {
        type: 'chain.unchanged',
        id: 'tx-2',
        before: { lender, pledged: origination.deposits, debts: [], lastChange: 'tx-1' },
      },
      { type: 'chain.abandoned', id: 'tx-1' },
      { type: 'chain.abandoned', id: 'tx-2' },
      { type: 'chain.settled', touch: TOUCH, movements: [] },
      { type: 'chain.undone', movements: [] },
      { type: 'chain.released', movements: [] },
    ],
  },
  apiKey: {
    inputs: [{ apiKey }],
    states: ['active', 'disabled'],
    alphabet: [
      { type: 'command.rotate', secretHash: 'bb', graceUntil: AT, at: AT, byItself: false },
      { type: 'command.disable' },
      { type: 'clock.used', at: AT },
      { type: 'command.rotate', secretHash: 'cc', graceUntil: null, at: 'yesterday', byItself: true },
    ],
  },
  webhook: {
    inputs: [{ webhook }],
    states: ['enabled', 'disabled'],
    alphabet: [
      { type: 'command.rotate', at: AT, graceUntil: AT },
      { type: 'command.disable', at: AT },
      { type: 'command.redeliver', at: AT, after: null },
      { type: 'command.redeliver', at: AT, after: 6 },
      { type: 'command.redeliver', at: AT, after: 1_000 },
      { type: 'clock.progressed', round: 0, cursor: 12, waiting: [], attempts: [attempt] },
      {
        type: 'clock.progressed',
        round: 1,
        cursor: 12,
        waiting: webhook.waiting,
        attempts: [{ ...attempt, status: 500, error: 'it answers 500' }],
      },
      { type: 'clock.progressed', round: 0, cursor: 1, waiting: [], attempts: [] },
      { type: 'clock.ended', round: 0, cursor: 12, waiting: webhook.waiting, attempts: [], at: AT, because: 'GONE' },
    ],
  },
}

export const SUBJECTS: readonly Subject[] = [
  ...Object.entries(subjects).map(([name, subject]) => ({ name, machine: KINDS[name as Kind].machine, ...subject })),
  {
    name: 'tenant',
    machine: tenantMachine,
    inputs: [{ capacity: 2 }],
    states: ['healthy', 'impaired'],
    depth: 3,
    alphabet: [
      { type: 'command.activate' },
      { type: 'command.activate', count: 3 },
      { type: 'command.passivate' },
      { type: 'actor.threw', id: 'a', atMs: 1 },
      { type: 'actor.threw', id: 'b', atMs: 70_000 },
    ],
  },
]

/** Any event of the subject, with random amounts, and sometimes an unknown one. */
export function eventOf(subject: Subject): fc.Arbitrary<AnyEvent> {
  const knownEvents = fc.constantFrom(...subject.alphabet)
  const strangeEvents = fc.constantFrom<AnyEvent>({ type: 'command.nothing' }, { type: 'chain.unheard' })
  const books = fc.oneof<fc.Arbitrary<AnyEvent>[]>(
    fc.record({
      type: fc.constant('command.reserve'),
      asset,
      amount: fc.oneof(raw, fc.constantFrom('-1', '1.5', '', '0x1')),
      covered: fc.boolean(),
    }),
    fc.record({ type: fc.constantFrom('chain.undone', 'chain.released'), movements }),
    fc.record({ type: fc.constant('chain.settled'), touch: fc.constant(TOUCH), movements }),
  )
  const keepsBooks = subject.alphabet.some(({ type }) => type === 'command.reserve')
  return fc.oneof(
    { arbitrary: knownEvents, weight: 8 },
    { arbitrary: strangeEvents, weight: 1 },
    ...(keepsBooks ? [{ arbitrary: books, weight: 4 }] : []),
  )
}

export function storyOf(subject: Subject): fc.Arbitrary<{ input: unknown; events: AnyEvent[] }> {
  return fc.record({ input: fc.constantFrom(...subject.inputs), events: fc.array(eventOf(subject), { maxLength: 25 }) })
}
