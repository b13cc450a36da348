// Text for persons: states, transactions in a sentence, and forms as the bodies of requests.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { wordsFor } from '../../src/console/badge.tsx'
import type { MemberType } from '../../src/console/forms/form-schema.ts'
import { fieldOfPointer, fieldsOf, itemDataOf, namedBy } from '../../src/console/forms/form-values.ts'
import { FORMS } from '../../src/console/forms/form-definitions.ts'
import { outlookOf } from '../../src/console/forms/estimate.tsx'
import { searchedFields } from '../../src/console/pages/search-page.tsx'
import { labelOf } from '../../src/console/records/details.tsx'
import { approvalWords } from '../../src/console/records/transaction.tsx'
import { nameIn } from '../../src/console/names.ts'
import { sentenceOf } from '../../src/console/sentence.tsx'
import { statesOf } from '../../src/console/states.tsx'

const NOW = Date.parse('2026-01-02T00:00:00Z')
const NONE = {
  everythingFrozen: false,
  tenantFrozen: false,
  organizationFrozen: false,
  suspendedClusters: [],
  tenantSuspendedOn: [],
  organizationSuspendedOn: [],
}

describe('labels of states', () => {
  const account = { status: 'ACTIVE', frozenByOperator: false, laneSuspended: false }

  it('never say active for a frozen or suspended record', () => {
    fc.assert(
      fc.property(
        fc.record({
          frozenByOperator: fc.boolean(),
          laneSuspended: fc.boolean(),
          everythingFrozen: fc.boolean(),
          organizationFrozen: fc.boolean(),
          disabled: fc.boolean(),
          paused: fc.boolean(),
        }),
        ({ everythingFrozen, organizationFrozen, ...members }) => {
          const states = statesOf(
            { status: 'ACTIVE', ...members },
            'status',
            { ...NONE, everythingFrozen, organizationFrozen },
            NOW,
          )
          const isStopped = [...Object.values(members), everythingFrozen, organizationFrozen].includes(true)
          expect(states.includes('ACTIVE')).toBe(!isStopped)
          expect(new Set(states).size).toBe(states.length)
        },
      ),
    )
  })

  it('say that a key is expired, or that its approvals do not count', () => {
    const key = { disabled: false, expiresAt: null, approvalsSuspendedUntil: null }
    expect(statesOf(key, 'disabled', NONE, NOW)).toEqual(['ACTIVE'])
    expect(statesOf({ ...key, disabled: true }, 'disabled', NONE, NOW)).toEqual(['DISABLED'])
    expect(statesOf({ ...key, expiresAt: '2026-01-01T00:00:00Z' }, 'disabled', NONE, NOW)).toEqual(['EXPIRED'])
    expect(statesOf({ ...key, approvalsSuspendedUntil: '2026-01-02T01:00:00Z' }, 'disabled', NONE, NOW)).toEqual([
      'APPROVALS_SUSPENDED',
    ])
  })

  it('show the states of an account inside a record, and of the record once it has ended', () => {
    expect(
      statesOf({ nonceAccount: { ...account, frozenByOperator: true } }, 'nonceAccount.status', NONE, NOW),
    ).toEqual(['FROZEN'])
    expect(statesOf({ ...account, status: 'CLOSED', frozenByOperator: true }, null, NONE, NOW)).toEqual(['CLOSED'])
    expect(statesOf({ status: 'PREPARED', approval: {} }, 'status', NONE, NOW)).toEqual(['WAITING_FOR_APPROVAL'])
    expect(statesOf({ status: 'ACTIVE', suspendedOnClusters: ['A'] }, 'status', NONE, NOW)).toEqual([
      'SENDING_SUSPENDED',
    ])
  })

  it('exist for every state', () => {
    expect(['WAITING_FOR_APPROVAL', 'PREPARED', 'NON_BLOCKCHAIN_ERROR', 'IN_USE', 'live'].map(wordsFor)).toEqual([
      'Waiting for approval',
      'Needs signature',
      'Failed',
      'In use',
      'live',
    ])
  })
})

it('describe a transaction and its outcome in one sentence', () => {
  const movement = {
    type: 'TRANSFER',
    source: { name: 'ALICE' },
    destination: { name: null, onchainId: 'So11111111111111111111111111111111111111112', ownerOnchainId: null },
    amount: '12345.6',
    symbol: 'BOND',
  }
  const sentence = (status: string, movements: readonly object[]): string =>
    sentenceOf({ status, feePayerName: 'PAYER', movements, instructions: [{ type: 'INITIALIZE_MINT' }] }, true)
  expect(sentence('FINALIZED', [movement])).toBe('ALICE sent 12\u202f345.6 BOND to So1111…111112, fee paid by PAYER')
  expect(sentence('PREPARED', [movement])).toMatch(/^ALICE sends /)
  expect(sentence('EXPIRED', [movement])).toMatch(/^ALICE was to send /)
  expect(sentence('FINALIZED', [])).toBe('New token, fee paid by PAYER')
  expect(
    sentence(
      'FINALIZED',
      Array.from({ length: 5 }, () => movement),
    ),
  ).toContain('; 2 more, fee')
})

describe('forms', () => {
  const schema = {
    typeOf: () => 'text' as const,
    lookupOf: (_field: unknown, typed: string) => namedBy(typed),
  }
  const form = (name: string) => FORMS.find((each) => each.name === name)!

  it('put each value at the path of its member, and omit empty values', () => {
    const formValues = {
      'source.owner': 'ALICE',
      'source.financialInstrument': '7c9e6679-7425-40de-944b-e07fc1f90ae7',
      'destination.owner': 'So11111111111111111111111111111111111111112',
      amount: ' 25.00 ',
      memo: '',
    }
    const instrument = { offchainId: '7c9e6679-7425-40de-944b-e07fc1f90ae7' }
    expect(itemDataOf(fieldsOf(form('transfer'), 0), formValues, schema)).toEqual({
      source: { owner: { offchainReferences: { code: 'ALICE' } }, financialInstrument: instrument },
      destination: {
        owner: { onchainId: 'So11111111111111111111111111111111111111112' },
        financialInstrument: instrument,
      },
      amount: '25.00',
    })
    const legs = { 'legs.0.amount': '1', 'legs.1.amount': '2' }
    expect(itemDataOf(fieldsOf(form('trade'), 2), legs, schema)).toEqual({ legs: [{ amount: '1' }, { amount: '2' }] })
  })

  it('say of a dry run what the service would do', () => {
    const limit = (verdict: string, approversForOverride: readonly string[] = []): object => ({
      verdict,
      maxAllowedDebit: { approversForOverride },
    })
    const words = (limits: readonly object[], error: string | null = null): string =>
      outlookOf({ limits, simulation: { error } }).words
    expect(words([])).toBe('It can be done')
    expect(words([limit('PASSED')])).toBe('It can be done')
    expect(words([limit('PASSED')], 'no funds')).toBe('It would fail')
    expect(words([limit('PASSED'), limit('EXCEEDED')])).toMatch('would be refused')
    expect(words([limit('EXCEEDED', ['K']), limit('EXCEEDED')])).toMatch('would be refused')
    expect(words([limit('EXCEEDED', ['K']), limit('PASSED')])).toMatch('would wait for approval')
  })

  it('convert each value to the type of its member', () => {
    const types = {
      operations: 'choices',
      approvers: 'list',
      requiredApproversCount: 'integer',
      above: 'text',
    } as const
    const typeOf = (path: string): MemberType => types[path as keyof typeof types]
    const typed = { operations: 'MINT BURN', approvers: 'K-1, K-2', requiredApproversCount: '2', above: '10' }
    expect(itemDataOf(fieldsOf(form('policy'), 0), typed, { ...schema, typeOf })).toEqual({
      operations: ['MINT', 'BURN'],
      approvers: ['K-1', 'K-2'],
      requiredApproversCount: 2,
      above: '10',
    })
  })

  it('find the field of every error by its JSON pointer', () => {
    for (const each of FORMS) {
      const fields = fieldsOf(each, each.group?.least ?? 0)
      for (const field of fields) {
        for (const path of [field.path, ...(field.also ?? [])]) {
          const pointer = `/itemData/${path.replaceAll('.', '/')}`
          expect(fieldOfPointer(fields, pointer), pointer).toBe(field)
          expect(fieldOfPointer(fields, `${pointer}/onchainId`), pointer).toBe(field)
        }
      }
      expect(fieldOfPointer(fields, '/chainTransactionConfig')).toBeUndefined()
      expect(fieldOfPointer(fields, undefined)).toBeUndefined()
    }
  })
})

it('say that a transaction waits for approval only while it does', () => {
  expect(approvalWords('PREPARED')).toMatchObject({ title: 'It waits for approval', waits: true })
  for (const status of ['PARTIALLY_SIGNED', 'SUBMITTED', 'FINALIZED', 'CANCELLED', 'EXPIRED', null])
    expect(approvalWords(status)).toEqual({ title: 'Its approval', given: 'were given', waits: false })
})

it('derives labels from member names', () => {
  expect(labelOf('lastTransactionAt')).toBe('Last transaction at')
  expect(labelOf('failuresInARow')).toBe('Failures in a row')
})

it('shows a token by its symbol, and any other account by its code or name', () => {
  const account = (type: string, offchain: object = {}): object => ({ offchain: { type, ...offchain }, symbol: 'BNDA' })
  const nameOf = (of: object): string | null => nameIn(of as Readonly<Record<string, unknown>>)
  expect(nameOf(account('ASSET_TOKEN', { code: 'BOND' }))).toBe('BNDA')
  expect(nameOf(account('ASSET_TOKEN_ACCOUNT', { code: 'SAFE' }))).toBe('SAFE')
  expect(nameOf(account('ASSET_TOKEN_ACCOUNT'))).toBe('BNDA position')
  expect(nameOf({ offchain: { type: 'WALLET', code: null, name: 'Alice Ltd' } })).toBe('Alice Ltd')
  expect(nameOf({ offchain: { type: 'WALLET', code: '', name: null } })).toBeNull()
})

it('describes what a transaction creates if it moves nothing', () => {
  const of = (...types: string[]): string =>
    sentenceOf({ status: 'FINALIZED', movements: [], instructions: types.map((type) => ({ type })) }, false)
  expect(of('SET_COMPUTE_UNIT_LIMIT', 'CREATE_ASSOCIATED_IDEMPOTENT')).toBe('New position')
  expect(of('CREATE_ACCOUNT', 'INITIALIZE_METADATA_POINTER', 'INITIALIZE_MINT_2', 'INITIALIZE_METADATA')).toBe(
    'New token',
  )
  expect(of('SET_AUTHORITY')).toBe('Set authority')
})

it('searches ids, addresses and texts in the lists that contain them', () => {
  const fields = ['offchainId', 'onchainId', 'code', 'externalReference', 'memo', 'fee'].map((name) => ({
    name,
    type: 'TEXT',
    nullable: false,
  }))
  const texts = ['code', 'externalReference', 'memo']
  expect(searchedFields('7c9e6679-7425-40de-944b-e07fc1f90ae7', fields)).toEqual(['offchainId', ...texts])
  expect(searchedFields('So11111111111111111111111111111111111111112', fields)).toEqual(['onchainId', ...texts])
  expect(searchedFields('INV-1', fields)).toEqual(texts)
})
