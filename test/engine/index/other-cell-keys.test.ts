// The names under which other cells find a transaction with pending signatures of other tenants follow its requests and
// signatures.
import { describe, expect, it } from 'vitest'
import {
  listBeginning,
  requestIdKey,
  requestMessageKey,
  requestSignatureKey,
  requestsToKey,
  tenantSuspensionsKey,
} from '../../../src/engine/index/other-cell-keys.ts'
import { nameOps, namesOf } from '../../../src/engine/index/names.ts'
import type { RecordState } from '../../../src/engine/records/record.ts'
import { feedUsersKey } from '../../../src/engine/index/index-keys.ts'
import { apiKey, AT, debt, fixed, loan, organization, strategy, suspension } from '../../machines/records.ts'

const CLUSTER = 'CHAIN_DEVNET'
const BANK = { tenant: 'BANK', organization: 'BANK', addresses: ['b'] }
const SHOP = { tenant: 'SHOP', organization: 'SHOP-1', addresses: ['s'] }
const OWN = { tenant: 'ACME', organization: 'ACME-2', addresses: ['o'] }

type Transaction = RecordState<'transaction'>

function transaction(value: string, context: object = {}, more: object = {}): Transaction {
  const place = { kind: 'transaction', tenant: 'ACME', cluster: CLUSTER, id: 't1', revision: 1, value }
  const contents = { signature: null, approval: null, ourSignature: false, finalAt: null, error: null, ...context }
  return {
    ...place,
    context: { ...contents, fixed: { ...fixed, waitsFor: [BANK, SHOP, OWN], ...more } },
  } as unknown as Transaction
}

const signedBy = (...signers: readonly (typeof BANK)[]) => ({
  countersigners: signers.map(({ tenant, addresses }) => ({ tenant, addresses, givenAt: AT })),
})
const seenKeys = [requestIdKey('t1'), requestMessageKey(CLUSTER, fixed.messageHash)]
/** The names that a change adds and removes. */
const changesOf = (previous: Transaction, next: Transaction): readonly string[] =>
  nameOps(previous, next).map((op) => (op.type === 'name' ? `${op.held ? '+' : '-'}${op.name}` : op.type))

it('a strategy and an open loan are named by the feeds that they use, which may be of another cell', () => {
  const place = { tenant: 'ACME', cluster: CLUSTER, id: 's1', revision: 1 }
  const used = { kind: 'strategy', value: 'active', ...place, context: strategy } as unknown as RecordState
  expect(namesOf(used)).toContain(feedUsersKey(CLUSTER, strategy.source.address))
  const context = { ...loan, debts: [debt] }
  const open = { kind: 'loan', value: 'active', ...place, context } as unknown as RecordState
  expect(namesOf(open)).toContain(feedUsersKey(CLUSTER, debt.source.address))
})

describe('the index keys of a transaction with keys of other tenants', () => {
  it('are its id, its message, and each organization whose signature is pending', () => {
    expect(namesOf(transaction('prepared'))).toEqual([
      ...seenKeys,
      requestsToKey(CLUSTER, BANK),
      requestsToKey(CLUSTER, SHOP),
    ])
    expect(namesOf(transaction('prepared', {}, { waitsFor: [OWN] }))).toEqual([])
    expect(namesOf(transaction('prepared', {}, { waitsFor: undefined }))).toEqual([])
  })

  it('change with each signature, and with a rebuilt message', () => {
    const [first, second] = [
      transaction('partiallySigned', signedBy(BANK)),
      transaction('partiallySigned', signedBy(BANK, SHOP)),
    ]
    expect(changesOf(transaction('prepared'), first)).toEqual([`-${requestsToKey(CLUSTER, BANK)}`])
    expect(changesOf(first, second)).toEqual([`-${requestsToKey(CLUSTER, SHOP)}`])
    const rebuilt = transaction('prepared', {}, { messageHash: 'f'.repeat(64) })
    expect(changesOf(transaction('prepared'), rebuilt)).toEqual([
      `-${requestMessageKey(CLUSTER, fixed.messageHash)}`,
      `+${requestMessageKey(CLUSTER, 'f'.repeat(64))}`,
    ])
  })

  it('remain, with the signature, for the organizations that have signed, and for no other', () => {
    const endedContext = { ...signedBy(BANK), signature: '5ig' }
    expect(namesOf(transaction('confirmed', endedContext))).toEqual([...seenKeys, requestSignatureKey(CLUSTER, '5ig')])
    expect(namesOf(transaction('cancelled'))).toEqual([])
    expect(changesOf(transaction('prepared'), transaction('cancelled'))).toEqual(
      [...seenKeys, requestsToKey(CLUSTER, BANK), requestsToKey(CLUSTER, SHOP)].map((name) => `-${name}`),
    )
  })
})

it('of organizations, keys and suspensions exist for lists, and are short', () => {
  const long = 'é'.repeat(2_000)
  const place = { tenant: long, cluster: '*', id: 'r1', revision: 1, value: 'active' }
  const state = (kind: string, context: object) => ({ ...place, kind, context }) as unknown as RecordState
  expect(namesOf(state('organization', { ...organization, externalId: long }))).toContain(
    `${listBeginning('organization')}r1`,
  )
  expect(namesOf(state('apiKey', { ...apiKey, keyId: `jwt:${long}` }))).toEqual([`${listBeginning('apiKey')}r1`])
  const ofTenant = { ...suspension, scope: { tenant: long, organization: null, lane: null } }
  expect(namesOf(state('suspension', ofTenant))).toEqual([tenantSuspensionsKey(long)])
  expect(tenantSuspensionsKey(long).length).toBeLessThan(100)
  const ofAll = { ...suspension, scope: { tenant: null, organization: null, lane: null } }
  expect(namesOf(state('suspension', ofAll))).toEqual([])
})
