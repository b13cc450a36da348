// A lookup table that needs several transactions, and a process that is killed between them: every address is on chain
// once and in order.
import { randomBytes } from 'node:crypto'
import { PublicKey } from '@solana/web3.js'
import { describe, expect, it } from 'vitest'
import { refOf, type Ref } from './api.ts'
import { newDataDir, startService, type Service } from './service.ts'
import { until } from './until.ts'

const PATH = '/address-lookup-tables'
const LAMPORTS = 5_000_000_000

interface Shown {
  readonly state: string
  readonly addresses: readonly { readonly onchainId: string }[]
}

async function settle({ api, connection }: Service): Promise<{ payer: Ref; authority: Ref }> {
  const payer = refOf(await api.make('/accounts', { canPayFees: true }), 'newAccount')
  const authority = refOf(await api.make('/accounts', {}), 'newAccount')
  await connection.requestAirdrop(new PublicKey(payer.onchainId), LAMPORTS)
  await until(
    async () => (await connection.getBalance(new PublicKey(payer.onchainId))) === LAMPORTS || undefined,
    'it is funded',
  )
  await api.get('/accounts/single/balance', { offchainId: payer.offchainId })
  return { payer, authority }
}

const readTable = async ({ api }: Service, table: Ref): Promise<Shown> =>
  (await api.get(`${PATH}/single`, { offchainId: table.offchainId })) as unknown as Shown

describe('a table created in several transactions', () => {
  it('continues after a kill, and its idempotency key covers all transactions', async () => {
    const dataDir = newDataDir()
    let service = await startService({ dataDir })
    const { payer, authority } = await settle(service)
    const addresses = Array.from({ length: 240 }, () => new PublicKey(randomBytes(32)).toBase58())
    const itemData = {
      addressLookupTable: { comments: 'whole' },
      authority,
      componentAddresses: addresses.map((onchainId) => ({ onchainId, offPlatform: true })),
    }
    const make = (prefer: string) =>
      service.api.send('POST', PATH, itemData, { headers: { 'idempotency-key': 'table', prefer } })
    const first = await make('respond-async')
    expect(first.status).toBe(201)
    const table = refOf(first.body, 'newAddressLookupTable')

    // Killed repeatedly, each time after a little more progress.
    for (let kills = 0, seen = 0; kills < 4 && seen < addresses.length; kills += 1) {
      seen = await until(async () => {
        const { length } = (await readTable(service, table)).addresses
        return length > seen ? length : undefined
      }, 'it continues')
      await service.kill()
      service = await startService({ dataDir })
    }

    const answer = await until(async () => {
      const reply = await make('wait=5')
      return (await readTable(service, table)).addresses.length === addresses.length ? reply : undefined
    }, 'it is whole')
    expect(answer).toMatchObject({
      status: 201,
      replayed: true,
      body: { newAddressLookupTable: table, chainTransaction: { success: true } },
    })
    const results = answer.body['chainTransactions'] as readonly {
      readonly success: boolean
      readonly onchainId: string
    }[]
    expect(results.every(({ success }) => success)).toBe(true)

    const { connection } = service
    const { value } = await connection.getAddressLookupTable(new PublicKey(table.onchainId))
    expect(value?.state.addresses.map((key) => key.toBase58())).toEqual(addresses)
    expect((await readTable(service, table)).addresses.map(({ onchainId }) => onchainId)).toEqual(addresses)
    // Every transaction that touched it belongs to the plan.
    const signatures = await connection.getSignaturesForAddress(new PublicKey(table.onchainId), {}, 'confirmed')
    expect(signatures.map(({ signature }) => signature).sort()).toEqual(
      results.map(({ onchainId }) => onchainId).sort(),
    )
    const book = (await service.api.get('/accounts/single', { offchainId: payer.offchainId }))['offchain'] as {
      lamportsBalance: number
    }
    expect(book.lamportsBalance).toBe(await connection.getBalance(new PublicKey(payer.onchainId)))
    expect(await service.stop()).toBe(0)
  })
})
