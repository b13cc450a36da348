// The amounts of limits, caps and policies: what they may be, and what a refusal says.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startWorld, type World } from '../harness.ts'
import type { Ids, Problems } from '../models.ts'
import { LimitFixture, perTransaction, to, type Person } from './limit-fixture.ts'

const POLICIES = '/approval-policies'
/** 2^64 units of 9 decimals. */
const OVER_U64 = '18446744073.709551616'

let world: World
let fixture: LimitFixture
let admin: Person
let approver: Person
let issuer: Ids
let bond: Ids

beforeAll(async () => {
  world = await startWorld()
  fixture = new LimitFixture(world)
  const organization = await fixture.organization()
  ;[admin, approver] = await Promise.all([
    fixture.person(organization, 'ADMIN'),
    fixture.person(organization, ['DEBIT_LIMIT_APPROVE']),
  ])
  const records = world.records.with(admin.api)
  issuer = await records.feePayer()
  bond = await records.instrument('SPL', issuer, { onchainData: { decimals: 2 } })
})
afterAll(() => world.stop())

async function problems(method: 'POST' | 'PATCH', path: string, itemData: object): Promise<unknown> {
  const { status, body } = await admin.api.send<Problems>(method, path, itemData)
  return status < 300 ? status : body.errors!.map(({ code, pointer }) => [code, pointer])
}

describe('above', () => {
  const terms = (more: object) => ({
    operations: ['MINT'],
    approvers: [approver.keyId],
    requiredApproversCount: 1,
    ...more,
  })
  const make = (more: object) => problems('POST', POLICIES, terms(more))
  const made = async (more: object): Promise<string> =>
    (await admin.api.ok<{ newApprovalPolicy: { offchainId: string } }>(201, 'POST', POLICIES, terms(more)))
      .newApprovalPolicy.offchainId

  it('fits the instrument that a new policy names', async () => {
    expect(await make({ financialInstrument: bond, above: '1.001' })).toEqual([['TOO_PRECISE', '/itemData/above']])
    expect(await make({ financialInstrument: bond, above: '184467440737095516.16' })).toEqual([
      ['OVER_U64', '/itemData/above'],
    ])
    for (const above of [0, '1.01', '1.010', '184467440737095516.15'])
      expect(await make({ financialInstrument: bond, above })).toBe(201)
    expect(await make({ above: '1.001' })).toBe(201)
  })

  it('fits the instrument of a policy that is changed, and is not judged anew if neither changes', async () => {
    // 202: a policy covers its own change.
    const [named, unnamed] = [await made({ financialInstrument: bond, above: 1 }), await made({ above: '1.001' })]
    const change = (offchainId: string, more: object) => problems('PATCH', POLICIES, { offchainId, ...more })
    expect(await change(named, { above: '1.001' })).toEqual([['TOO_PRECISE', '/itemData/above']])
    expect(await change(named, { above: '1.05' })).toBe(202)
    expect(await change(unnamed, { financialInstrument: bond })).toEqual([
      ['TOO_PRECISE', '/itemData/financialInstrument'],
    ])
    expect(await change(unnamed, { financialInstrument: bond, above: '1.002' })).toEqual([
      ['TOO_PRECISE', '/itemData/above'],
    ])
    expect(await change(unnamed, { financialInstrument: bond, above: 2 })).toBe(202)
    expect(await change(unnamed, { above: '1.0001', requiredApproversCount: 1 })).toBe(202)
  })
})

describe('a limit of network currency', () => {
  const pointer = '/itemData/networkCurrencyDebitLimits/1/maxAllowedDebit/limitAmount'
  const limits = (amount: string): object => ({
    networkCurrencyDebitLimits: [to('ANY', perTransaction(1)), to('FEES', perTransaction(amount))],
  })

  it('is at most 2^64 - 1 lamports, and rounded down below one', async () => {
    const account = await world.records.with(admin.api).account()
    for (const [method, members] of [
      ['POST', {}],
      ['PATCH', { account }],
    ] as const) {
      const send = (amount: string) => problems(method, '/accounts', { ...members, ...limits(amount) })
      expect(await send(OVER_U64)).toEqual([['OVER_U64', pointer]])
      const success = method === 'POST' ? 201 : 200
      expect(await send('18446744073.7095516159')).toBe(success)
      expect(await send('0.0000000001')).toBe(success)
    }
  })
})

it.each([
  ['limitAmount', 'POST', '/accounts', { networkCurrencyDebitLimits: [to('ANY', perTransaction(-1))] }],
  ['above', 'POST', POLICIES, { above: '-1' }],
  ['maxSupply', 'PATCH', '/financial-instruments', { maxSupply: -0.5 }],
  ['originationCap', 'POST', '/loans/strategies', { originationCap: -1 }],
] as const)('%s, which may be 0, is refused as negative', async (member, method, path, itemData) => {
  const { body } = await admin.api.send<Problems>(method, path, itemData)
  const problem = body.errors!.find(({ pointer }) => pointer?.endsWith(`/${member}`) === true)
  expect(problem).toMatchObject({ code: 'NOT_POSITIVE', message: 'must not be negative' })
})
