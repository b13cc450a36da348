// Values at the edge of the allowed range, with which a request is neither refused nor mistaken for another one.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startWorld, type World } from './harness.ts'
import type { Balance, Ids, NewAccount, NewPosition } from './models.ts'

let world: World
let owner: Ids
let instrument: Ids

beforeAll(async () => {
  world = await startWorld()
  await world.records.feePayer()
  owner = await world.records.account()
  instrument = await world.records.instrument('SPL', owner, { onchainData: { decimals: 9 } })
})
afterAll(() => world.stop())

async function page(path: string, body: string): Promise<{ status: number; body: unknown }> {
  const headers = { authorization: world.api.bearer, 'content-type': 'application/json' }
  const response = await fetch(`${world.url}/api/v1${path}`, { method: 'POST', headers, body })
  return { status: response.status, body: await response.json() }
}

describe('skip', () => {
  it.each(['9007199254740991', '9007199254740993', '18446744073709551616', '1e21', '1e300', `1${'0'.repeat(40)}`])(
    'may be %s: the page is empty, and the count is that of all records',
    async (skip) => {
      for (const name of ['itemQuery', 'itemsQuery']) {
        const answer = await page('/accounts/bulk/compact', `{"${name}":{"skip":${skip},"limit":1000}}`)
        expect(answer).toEqual({ status: 200, body: { count: 3, items: [] } })
      }
      for (const path of ['/transactions/bulk/compact', '/audit/bulk', '/admin/organizations/bulk'])
        expect(await page(path, `{"itemQuery":{"skip":${skip}}}`)).toMatchObject({ status: 200, body: { items: [] } })
    },
  )

  it.each(['-1', '-9007199254740993', '1.5', '9007199254740992.5', '"1"', '1e400', '[9007199254740993]'])(
    'may not be %s',
    async (skip) => {
      const { status, body } = await page('/accounts/bulk/compact', `{"itemQuery":{"skip":${skip}}}`)
      expect(status).toBe(400)
      expect(JSON.stringify(body)).toContain('"pointer":"/itemQuery/skip')
    },
  )

  it('makes no other member lose digits', async () => {
    const body = '{"itemQuery":{"skip":9007199254740993,"limit":9007199254740993}}'
    expect(await page('/accounts/bulk/compact', body)).toMatchObject({
      status: 400,
      body: { errors: [{ code: 'TOO_PRECISE', pointer: '/itemQuery/limit' }] },
    })
  })
})

it('an amount of few digits is a number, however small it is', async () => {
  const position = await world.records.position(owner, instrument, 1n)
  const lookup = { position: { offchainId: position.offchainId } }
  const { onchain, available } = await world.api.read<Balance>('/positions/single/balance', lookup)
  expect([onchain, available]).toEqual([
    { amount: 0.000000001, lamports: 1 },
    { amount: 0.000000001, lamports: 1 },
  ])
})

describe('an account with dataLength 0', () => {
  it('is created on chain with the minimum balance, as with any other dataLength', async () => {
    const { newAccount, chainTransaction } = await world.api.ok<NewAccount>(201, 'POST', '/accounts', { dataLength: 0 })
    expect(chainTransaction).toMatchObject({ success: true })
    expect(await world.chain.lamports(newAccount.onchainId)).toBe(await world.chain.rent(0))
  })
})

describe('a position that is described without isDerived', () => {
  it('has a key and an address of its own', async () => {
    const associated = world.records.associated(owner, instrument, 'SPL')
    for (const position of [{}, { offchainReferences: { code: 'OWN' } }, { comments: 'own' }]) {
      const body = { owner, financialInstrument: instrument, position }
      const { newPosition } = await world.api.ok<NewPosition>(201, 'POST', '/positions', body)
      expect(newPosition.onchainId).not.toBe(associated)
      expect(await world.records.positionRecord(newPosition)).toMatchObject({ managed: true, isDerived: false })
    }
  })
})

describe('a key without the role for a member', () => {
  const create = async (bundle: string) => {
    const body = { organizationExternalId: 'SYSTEM', name: bundle, bundle }
    return world.api.as((await world.api.ok<{ apiKey: string }>(201, 'POST', '/admin/api-keys', body)).apiKey)
  }

  it('is refused for that, whatever the member holds', async () => {
    const operator = await create('OPERATOR')
    const position = await world.records.position(await world.records.account(), instrument)
    for (const member of ['solDebitApiKeys', 'networkCurrencyDebitApiKeys', 'tokenDebitApiKeys']) {
      for (const list of [['no key id'], ['AAAAAAAAAAAA']]) {
        await operator.refuses(403, 'ROLE_REQUIRED', 'POST', '/accounts', { [member]: list })
        await operator.refuses(403, 'ROLE_REQUIRED', 'PATCH', '/accounts', { account: owner, [member]: list })
      }
    }
    const update = { position: { position }, tokenDebitApiKeys: ['no key id'] }
    await operator.refuses(403, 'ROLE_REQUIRED', 'PATCH', '/positions', update)
    for (const member of ['globalFeePayerForOrgs', 'orgsAllowedToSignWithPrivateKey']) {
      await operator.refuses(403, 'ROLE_REQUIRED', 'POST', '/accounts', { [member]: ['NOBODY'] })
      await operator.refuses(403, 'ROLE_REQUIRED', 'PATCH', '/accounts', { account: owner, [member]: ['NOBODY'] })
    }
    await operator.refuses(403, 'ROLE_REQUIRED', 'POST', '/accounts', { canPayFees: true, dataLength: 8 })
  })

  it('differs from one with the role, which learns what is wrong', async () => {
    for (const list of [['no key id'], ['AAAAAAAAAAAA']]) {
      const problem = await world.api.refuses(400, 'API_KEY_NOT_FOUND', 'POST', '/accounts', { solDebitApiKeys: list })
      expect(problem.pointer).toBe('/itemData/solDebitApiKeys/0')
    }
    await world.api.refuses(400, 'ORGANIZATION_NOT_FOUND', 'POST', '/accounts', { globalFeePayerForOrgs: ['NOBODY'] })
  })
})
