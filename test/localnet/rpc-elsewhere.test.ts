// The interface that tools expect of any chain: pages of any origin may call it, and web3.js finds the methods about
// supply, leaders and slots.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Connection, SlotUpdate } from '@solana/web3.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { eventually, serveChain, type ServedChain } from './rpc-chain.ts'

const ROOT = join(import.meta.dirname, '..', '..')
let chain: ServedChain
let connection: Connection

beforeAll(async () => {
  chain = await serveChain()
  connection = chain.connection()
})
afterAll(async () => {
  expect(chain.unexpected).toEqual([])
  await chain.close()
})

describe('a web page of any origin', () => {
  const origin = 'https://wallet.example'

  it('may send a preflight request, and is allowed to call', async () => {
    const response = await fetch(chain.url, {
      method: 'OPTIONS',
      headers: {
        origin,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'content-type,solana-client',
        'access-control-request-private-network': 'true',
      },
    })
    expect(response.status).toBe(204)
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'access-control-allow-origin': '*',
      'access-control-allow-methods': 'POST, GET, OPTIONS',
      'access-control-allow-headers': 'content-type,solana-client',
      'access-control-allow-private-network': 'true',
    })
    const odd = await fetch(chain.url, {
      method: 'OPTIONS',
      headers: { origin, 'access-control-request-headers': 'a b; c' },
    })
    expect(odd.headers.get('access-control-allow-headers')).toBe('content-type')
  })

  it('reads answers and refusals, unless it reaches the chain by a name of another host', async () => {
    const post = (body: string, headers: Record<string, string>) =>
      fetch(chain.url, { method: 'POST', headers: { origin, ...headers }, body })
    const response = await post('{"jsonrpc":"2.0","id":1,"method":"getHealth"}', { 'content-type': 'application/json' })
    const refusal = await post('x', { 'content-type': 'text/plain' })
    expect([response.status, response.headers.get('access-control-allow-origin')]).toEqual([200, '*'])
    expect([refusal.status, refusal.headers.get('access-control-allow-origin')]).toEqual([415, '*'])
  })
})

describe('web3.js', () => {
  it('reads the supply, and the largest accounts', async () => {
    const { value: supply } = await connection.getSupply()
    const { value: largest } = await connection.getLargestAccounts()
    expect(supply.total).toBe(supply.circulating + supply.nonCirculating)
    expect(largest.length).toBe(20)
    expect(largest.map(({ lamports }) => lamports)).toEqual(
      largest.map(({ lamports }) => lamports).sort((a, b) => b - a),
    )
    const payer = await chain.payer(5_000_000_000_000)
    const after = await connection.getLargestAccounts({ filter: 'circulating' })
    expect(after.value.find(({ address }) => address.equals(payer.publicKey))?.lamports).toBe(5_000_000_000_000)
    expect((await connection.getLargestAccounts({ filter: 'nonCirculating' })).value).toEqual([])
    // Fees are burnt; no lamports are created.
    expect((await connection.getSupply()).value.total).toBeLessThanOrEqual(supply.total)
  })

  it('reads the leaders of slots, and the blocks they produced', async () => {
    const { identity } = (await chain.result('getIdentity')) as { identity: string }
    const schedule = await connection.getLeaderSchedule()
    const { slotsInEpoch } = await connection.getEpochInfo()
    expect(Object.entries(schedule).map(([leader, slots]) => [leader, slots.length])).toEqual([
      [identity, slotsInEpoch],
    ])
    expect(await chain.result('getLeaderSchedule', [null, { identity: '1'.repeat(32) }])).toEqual({})
    expect(await chain.result('getLeaderSchedule', [2 ** 40])).toBeNull()
    await eventually(async () => (await connection.getSlot('finalized')) > 5)
    const { value } = await connection.getBlockProduction({
      range: { firstSlot: 1, lastSlot: 4 },
      commitment: 'finalized',
    })
    expect(value).toEqual({ byIdentity: { [identity]: [4, 4] }, range: { firstSlot: 1, lastSlot: 4 } })
    expect((await chain.call('getBlockProduction', [{ range: { firstSlot: 4, lastSlot: 2 } }])).error?.code).toBe(
      -32602,
    )
    expect((await chain.call('getBlockProduction', [{ range: { lastSlot: 2 ** 40 } }])).error?.code).toBe(-32602)
    expect(await chain.result('getBlockCommitment', [1])).toEqual({ commitment: null, totalStake: 0 })
  })

  it('receives slot updates in order', async () => {
    const updates: SlotUpdate[] = []
    const id = connection.onSlotUpdate((update) => void updates.push(update))
    await eventually(() => updates.filter(({ type }) => type === 'root').length >= 2)
    await connection.removeSlotUpdateListener(id)
    expect(new Set(updates.map(({ type }) => type))).toEqual(
      new Set(['frozen', 'optimisticConfirmation', 'createdBank', 'root']),
    )
    const createdSlots = updates.filter(({ type }) => type === 'createdBank').map(({ slot }) => slot)
    expect(createdSlots).toEqual(createdSlots.map((_, index) => createdSlots[0]! + index))
  })
})

it('is pinned, with a build for each platform and the hash of each', () => {
  const { dependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    dependencies: Record<string, string>
  }
  const lock = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { version: string; integrity: string; optional?: boolean }>
  }
  const version = dependencies.litesvm
  expect(version).toMatch(/^\d+\.\d+\.\d+$/)
  for (const platform of [
    'darwin-arm64',
    'darwin-x64',
    'linux-arm64-gnu',
    'linux-arm64-musl',
    'linux-x64-gnu',
    'linux-x64-musl',
  ]) {
    const entry = lock.packages[`node_modules/litesvm-${platform}`]
    expect(entry, platform).toMatchObject({ version, optional: true })
    expect(entry?.integrity).toMatch(/^sha512-/)
  }
})
