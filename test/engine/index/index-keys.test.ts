// The directory derives the keys of a record again only if `sameKeys` reports that a change affects them. Every change
// of one member is tested here: if the keys differ, `sameKeys` must report it, or the record stays listed under its
// former keys.
import { describe, expect, it } from 'vitest'
import type { Kind } from '../../../machines/kinds.ts'
import { freshTransaction } from '../../../machines/transactions/transaction-record.ts'
import * as keys from '../../../src/engine/index/index-keys.ts'
import { keysOf, sameKeys } from '../../../src/engine/index/record-keys.ts'
import type { RecordState } from '../../../src/engine/records/record.ts'
import {
  account,
  apiKey,
  approval,
  countersignature,
  dataSource,
  debt,
  fixed,
  instrument,
  loan,
  lookupTable,
  nonce,
  organization,
  plan,
  position,
  strategy,
  suspension,
  webhook,
} from '../../machines/records.ts'

interface Variant {
  readonly value?: string
  readonly context?: object
}

const ref = (address: string) => ({ address, id: null })
const state = (kind: Kind, value: string, context: object): RecordState =>
  ({ kind, tenant: 'ACME', cluster: 'C', id: 'r', revision: 1, value, context }) as unknown as RecordState

const ofHolding: readonly Variant[] = [
  { value: 'closed' },
  ...(['code', 'alId', 'accountNumber', 'name'] as const).map((member) => {
    return { context: { references: { ...account.references, [member]: 'other' } } }
  }),
  { context: { references: { ...account.references, type: 'ASSETS_WALLET' } } },
  { context: { organization: 'BRANCH' } },
  { context: { canPayFees: !account.canPayFees } },
  { context: { canPayFees: account.canPayFees } },
  { context: { shared: true } },
  { context: { globalFeePayerForOrgs: ['BANK'] } },
  { context: { orgsAllowedToSignWithPrivateKey: ['BANK'] } },
  { context: { frozenByOperator: true } },
]

const entry = { tenant: 'ACME', record: 'wallet', movements: [], charge: [], facts: [] }
const transacted = freshTransaction({
  ...fixed,
  entries: [entry],
  debits: [
    { tenant: 'ACME', record: 'wallet', mint: null, operation: 'TRANSFER', destination: 'MANAGED', amount: '1' },
  ],
  waitsFor: [{ tenant: 'BANK', organization: 'BANK' }],
})
const waitingContext = { ...transacted, approval }

/** A record of each kind, and others that differ from it in one member. */
const RECORDS: readonly (readonly [
  name: string,
  kind: Kind,
  value: string,
  context: object,
  variants: readonly Variant[],
])[] = [
  ['an account', 'account', 'active', account, ofHolding],
  [
    'a position',
    'position',
    'initialized',
    position,
    [...ofHolding, { context: { owner: ref('Other111') } }, { value: 'frozen' }],
  ],
  [
    'an instrument',
    'instrument',
    'initialized',
    instrument,
    [
      ...ofHolding,
      { context: { authorities: { ...instrument.authorities, mintAuthority: ref('Other111') } } },
      { context: { authorities: { ...instrument.authorities, freezeAuthority: null } } },
    ],
  ],
  [
    'a lookup table',
    'lookupTable',
    'active',
    lookupTable,
    [...ofHolding, { value: 'frozen' }, { value: 'deactivating' }, { value: 'pending' }],
  ],
  [
    'a nonce',
    'nonce',
    'active',
    nonce,
    [...ofHolding, { context: { value: null } }, { value: 'leased' }, { value: 'pending' }],
  ],
  [
    'a data source',
    'dataSource',
    'active',
    dataSource,
    [...ofHolding, { context: { financialInstrument: ref('Bond1111') } }],
  ],
  [
    'a transaction',
    'transaction',
    'prepared',
    transacted,
    [
      { context: { signature: 's1' } },
      { value: 'partiallySigned' },
      { value: 'partiallySigned', context: { ourSignature: true } },
      ...['signed', 'submitted', 'processed', 'confirmed', 'finalized', 'cancelled'].map((value) => ({ value })),
      { value: 'confirmed', context: { error: 'boom' } },
      { context: { approval } },
    ],
  ],
  [
    'a transaction that waits',
    'transaction',
    'prepared',
    waitingContext,
    [{ context: { ourSignature: true } }, { context: { finalAt: 'now' } }, { context: { approval: null } }],
  ],
  [
    'a confirmed transaction',
    'transaction',
    'confirmed',
    transacted,
    [{ context: { error: 'boom' } }, { value: 'finalized' }, { value: 'submitted' }],
  ],
  [
    'a countersignature',
    'countersignature',
    'given',
    { ...countersignature, entries: [entry] },
    ['landed', 'settled', 'released'].map((value) => ({ value })),
  ],
  ['a key', 'apiKey', 'active', apiKey, [{ value: 'disabled' }, { context: { name: 'other' } }]],
  [
    'a plan',
    'plan',
    'running',
    plan,
    [{ context: { steps: plan.steps.with(0, { ...plan.steps[0]!, transactionId: 't1' }) } }, { value: 'failed' }],
  ],
  [
    'a loan',
    'loan',
    'active',
    { ...loan, debts: [debt] },
    [
      { value: 'closed' },
      { context: { debts: [] } },
      { context: { debts: [{ ...debt, strategy: 'other' }] } },
      { context: { debts: [{ ...debt, source: ref('Feed3333') }] } },
      { context: { lender: { ...loan.lender, account: ref('Vault222') } } },
    ],
  ],
  [
    'a strategy',
    'strategy',
    'active',
    strategy,
    [{ context: { source: ref('Feed3333') } }, { context: { collateral: [] } }, { context: { borrowers: [] } }],
  ],
  ['an organization', 'organization', 'active', organization, [{ value: 'frozen' }]],
  ['a suspension', 'suspension', 'active', suspension, [{ value: 'lifted' }]],
  ['a webhook', 'webhook', 'active', webhook, [{ value: 'disabled' }]],
]

describe('a change of one member', () => {
  it.each(RECORDS)('of %s derives all index keys that change', (_, kind, value, context, variants) => {
    const states = [
      state(kind, value, context),
      ...variants.map((each) => state(kind, each.value ?? value, { ...context, ...each.context })),
    ]
    for (const previous of states) {
      for (const next of states) {
        const isSame = [...keysOf(previous)].sort().join() === [...keysOf(next)].sort().join()
        if (sameKeys(previous, next)) expect(isSame, JSON.stringify([previous, next])).toBe(true)
      }
    }
  })

  it('of balances alone skips the derivation', () => {
    const richer = { ...account, lamports: { balance: '1', reserved: '1' } }
    expect(sameKeys(state('account', 'active', account), state('account', 'active', richer))).toBe(true)
  })
})

describe('the index keys of a record', () => {
  it('list a nonce as free only while it can be leased', () => {
    const free = (value: string, context: object): boolean =>
      keysOf(state('nonce', value, { ...nonce, ...context })).includes(keys.freeNonceKey('C', 'ACME'))
    expect(free('active', {})).toBe(true)
    expect(free('active', { frozenByOperator: true })).toBe(false)
    expect(free('active', { value: null })).toBe(false)
    for (const value of ['pending', 'leased', 'closed']) expect(free(value, {})).toBe(false)
  })

  it('of a transaction show whether it can still change its records, or be undone', () => {
    const workKeys = (value: string, context: object): readonly string[] => {
      const all = keysOf(state('transaction', value, { ...transacted, ...context }))
      return [keys.underWayKey('wallet'), keys.notFinalKey('wallet')].filter((key) => all.includes(key))
    }
    const ownSignature = { ourSignature: true }
    for (const value of ['signed', 'submitted', 'processed'])
      expect(workKeys(value, ownSignature)).toEqual([keys.underWayKey('wallet')])
    expect(workKeys('confirmed', ownSignature)).toEqual([keys.notFinalKey('wallet')])
    // A failed transaction holds its reservation until the failure is final.
    expect(workKeys('confirmed', { ...ownSignature, error: 'boom' })).toEqual([keys.underWayKey('wallet')])
    for (const value of ['prepared', 'finalized', 'blockchainError', 'expired']) expect(workKeys(value, {})).toEqual([])
    expect(workKeys('partiallySigned', {})).toEqual([])
    expect(workKeys('partiallySigned', ownSignature)).toEqual([keys.underWayKey('wallet')])
  })
})
