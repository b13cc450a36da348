// Members with two spellings: a refusal names the one that the body has.
import { randomUUID } from 'node:crypto'
import { Keypair } from '@solana/web3.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startWorld, type World } from './harness.ts'
import type { Problems } from './models.ts'

let world: World

beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world.stop())

const newAddress = (): string => Keypair.generate().publicKey.toBase58()

async function pointersOf(path: string, body: object, method = 'POST'): Promise<(string | undefined)[]> {
  const response = await fetch(`${world.url}/api/v1${path}`, {
    method,
    headers: { authorization: world.api.bearer, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  expect(response.status).toBe(400)
  return ((await response.json()) as Problems).errors?.map(({ pointer }) => pointer) ?? []
}

describe('the pointer of a refusal', () => {
  const query = { filter: [{ fieldName: 'unknown', filterValues: [{ filterType: 'EQUALS', valueString: 'x' }] }] }

  it.each(['itemsQuery', 'itemQuery'])('begins with %s if the query is called so', async (name) => {
    const pointers = await pointersOf('/durable-nonce-accounts/single', { [name]: query })
    expect(pointers).toEqual([`/${name}/filter/0/fieldName`])
  })

  it.each(['networkCurrencyDebitApiKeys', 'solDebitApiKeys'])('names %s', async (name) => {
    const itemData = { [name]: ['no key'] }
    expect(await pointersOf('/accounts', { itemData })).toEqual([`/itemData/${name}/0`])
  })

  it.each(['publicKey', 'publickKey'])('names %s', async (name) => {
    const itemData = { onchainId: newAddress(), privateKeyDetails: { [name]: newAddress() } }
    expect(await pointersOf('/accounts', { itemData })).toEqual([`/itemData/privateKeyDetails/${name}`])
  })

  it.each([
    ['/counterparties', 'counterparty', { name: 'x' }],
    ['/approval-policies', 'approvalPolicy', { requiredApproversCount: 2 }],
  ])('of PATCH %s names the id where the body has it', async (path, reference, changes) => {
    const offchainId = randomUUID()
    const flat = { offchainId, ...changes }
    const nested = { [reference]: { offchainId }, ...changes }
    const patched = (body: object): Promise<(string | undefined)[]> => pointersOf(path, body, 'PATCH')
    expect(await patched({ itemData: flat })).toEqual(['/itemData/offchainId'])
    expect(await patched(flat)).toEqual(['/offchainId'])
    expect(await patched({ itemData: nested })).toEqual([`/itemData/${reference}/offchainId`])
    expect(await patched(nested)).toEqual([`/${reference}/offchainId`])
  })
})
