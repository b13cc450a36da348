// A distribution whose service is killed repeatedly: every part is paid exactly once, by the holdings of the record
// instant, and the service answers for that instant as before.
import { PublicKey } from '@solana/web3.js'
import { describe, expect, it } from 'vitest'
import { refOf, type Ref } from './api.ts'
import { setFaults } from '../chain-faults.ts'
import { fundWallet } from './fund-wallet.ts'
import { newDataDir, startService, type Service } from './service.ts'
import { until } from './until.ts'

const SOL = 1_000_000_000
const HOLDERS = 40
const KILLS = 5
const TOTAL = 400_000_007n

const stateOf = async (
  { api }: Service,
  offchainId: string,
): Promise<{ status: string; batchOffchainIds: readonly string[]; remainderLamports: number }> =>
  (await api.get('/distributions/single', { offchainId })) as never

describe('a distribution', () => {
  it('pays each part once, wherever its service is killed', async () => {
    const options = { dataDir: newDataDir(), settings: { EMBEDDED_FAULTS: 'on' } }
    let service = await startService(options)
    await fundWallet(service, { canPayFees: true }, 10 * SOL)
    const source = await fundWallet(service, {}, 10 * SOL)
    const issuer = await fundWallet(service, {}, SOL)
    const instrument = refOf(
      await service.api.make('/financial-instruments', {
        mintAccount: {},
        version: 'TOKEN_2022',
        mintAuthority: issuer,
        onchainData: { decimals: 0 },
      }),
      'newFinancialInstrument',
    )
    const owners: Ref[] = []
    const holdings: bigint[] = []
    for (let index = 0; index < HOLDERS; index += 1) {
      const owner = await fundWallet(service, {}, SOL)
      const position = refOf(
        await service.api.make('/positions', { owner, financialInstrument: instrument }),
        'newPosition',
      )
      await service.api.make('/positions/mint', { destination: { position }, lamports: 100 + 3 * index })
      owners.push(owner)
      holdings.push(BigInt(100 + 3 * index))
    }
    const { asOf } = await service.api.query('/financial-instruments/holders/bulk', {
      itemData: { financialInstrument: instrument },
    })
    const holders = async (): Promise<unknown> => {
      const { items } = await service.api.query('/financial-instruments/holders/bulk', {
        itemData: { financialInstrument: instrument, asOf },
        itemQuery: { limit: 1_000 },
      })
      return items
    }
    const before = await holders()
    const body = {
      financialInstrument: instrument,
      recordAt: asOf,
      source: { owner: source },
      payout: { total: '0.400000007' },
    }
    const make = () => service.api.send('POST', '/distributions', body, { headers: { 'idempotency-key': 'coupon' } })
    const first = await make()
    expect(first.status, JSON.stringify(first.body)).toBe(201)
    const { offchainId } = first.body['newDistribution'] as Ref
    for (let kills = 0; kills < KILLS; kills += 1) {
      // In half of the rounds the chain drops sent transactions, so that a kill finds some under way.
      await setFaults(service.rpcUrl, kills % 2 === 0 ? { dropRequests: { sendTransaction: 2 } } : {})
      const { batchOffchainIds } = await stateOf(service, offchainId)
      if (kills > 1)
        await until(
          async () => (await stateOf(service, offchainId)).batchOffchainIds.length > 0 || undefined,
          'it pays',
        )
      expect(batchOffchainIds.length).toBeLessThanOrEqual(1)
      await service.kill()
      service = await startService(options)
    }
    const end = await until(async () => {
      const now = await stateOf(service, offchainId)
      return now.status === 'WAITING' || now.status === 'PAYING' ? undefined : now
    }, 'it ends')
    expect(end.status).toBe('DONE')
    const all = holdings.reduce((sum, each) => sum + each, 0n)
    const parts = holdings.map((each) => (TOTAL * each) / all)
    for (const [index, owner] of owners.entries())
      expect(await service.connection.getBalance(new PublicKey(owner.onchainId))).toBe(SOL + Number(parts[index]))
    const paidLamports = parts.reduce((sum, each) => sum + each, 0n)
    expect(await service.connection.getBalance(new PublicKey(source.onchainId))).toBe(10 * SOL - Number(paidLamports))
    expect(BigInt(end.remainderLamports)).toBe(TOTAL - paidLamports)
    expect(await make()).toMatchObject({ status: 201, replayed: true, body: { newDistribution: { offchainId } } })
    expect(await holders()).toEqual(before)
    expect(await service.stop()).toBe(0)
  })
})
