// A batch whose service is killed repeatedly: every item takes effect exactly once, and the batch ends by itself.
import { PublicKey } from '@solana/web3.js'
import { describe, expect, it } from 'vitest'
import { apiOf, type Ref } from './api.ts'
import { setFaults } from '../chain-faults.ts'
import { fundWallet } from './fund-wallet.ts'
import { newDataDir, startService, type Service } from './service.ts'
import { until } from './until.ts'

const SOL = 1_000_000_000
const ITEMS = 240
const KILLS = 5

interface Shown {
  readonly status: string
  readonly itemsCount: number
  readonly doneCount: number
  readonly failedCount: number
  readonly waitingCount: number
}

interface Item {
  readonly index: number
  readonly status: string
  readonly chainTransaction: { readonly offchainId: string; readonly onchainId: string } | null
}

const readBatch = async ({ api }: Service, offchainId: string): Promise<Shown> =>
  (await api.get('/batches/single', { offchainId })) as unknown as Shown

async function itemsOf({ api }: Service, offchainId: string): Promise<readonly Item[]> {
  const filter = [{ fieldName: 'batchOffchainId', filterValues: [{ filterType: 'EQUALS', valueString: offchainId }] }]
  const { items } = (await api.query('/batches/items/bulk', { itemQuery: { filter, limit: ITEMS } })) as unknown as {
    items: readonly Item[]
  }
  return items
}

describe('a batch', () => {
  it('executes each item once, wherever its service is killed', async () => {
    const dataDir = newDataDir()
    const options = { dataDir, settings: { EMBEDDED_FAULTS: 'on' } }
    let service = await startService(options)
    await fundWallet(service, { canPayFees: true }, SOL)
    const source = await fundWallet(service, {}, 10 * SOL)
    const targets: Ref[] = []
    for (let index = 0; index < 12; index += 1) targets.push(await fundWallet(service, {}, SOL))
    // Every item has its own amount, so that a missing or repeated one shows in the balance.
    const items = Array.from({ length: ITEMS }, (_, index) => ({
      source,
      destination: targets[index % targets.length]!,
      lamports: 1_000_000 + index,
      externalReference: `payout ${index}`,
    }))
    const body = { operation: 'TRANSFER_NETWORK_CURRENCY', items }
    const make = () => service.api.send('POST', '/batches', body, { headers: { 'idempotency-key': 'payouts' } })
    const first = await make()
    expect(first.status, JSON.stringify(first.body)).toBe(201)
    const { offchainId } = first.body['newBatch'] as Ref

    for (let kills = 0, done = 0; kills < KILLS; kills += 1) {
      // In half of the rounds the chain drops sent transactions, so that a kill finds some under way.
      await setFaults(service.rpcUrl, kills % 2 === 0 ? { dropRequests: { sendTransaction: 3 } } : {})
      const now = await until(async () => {
        const batch = await readBatch(service, offchainId)
        return batch.doneCount > done || batch.status === 'DONE' ? batch : undefined
      }, 'it continues')
      done = now.doneCount
      await service.kill()
      service = await startService(options)
    }
    const end = await until(async () => {
      const batch = await readBatch(service, offchainId)
      return batch.status === 'UNDER_WAY' ? undefined : batch
    }, 'it ends')
    expect(end).toMatchObject({ status: 'DONE', itemsCount: ITEMS, doneCount: ITEMS, failedCount: 0, waitingCount: 0 })
    expect(await make()).toMatchObject({ status: 201, replayed: true, body: { newBatch: { offchainId } } })

    for (const [at, target] of targets.entries()) {
      const expectedBalance = items
        .filter((_, index) => index % targets.length === at)
        .reduce((sum, { lamports }) => sum + lamports, SOL)
      expect(await service.connection.getBalance(new PublicKey(target.onchainId))).toBe(expectedBalance)
    }
    const paidLamports = items.reduce((sum, { lamports }) => sum + lamports, 0)
    expect(await service.connection.getBalance(new PublicKey(source.onchainId))).toBe(10 * SOL - paidLamports)
    const all = await itemsOf(service, offchainId)
    expect(all.map(({ status }) => status)).toEqual(items.map(() => 'DONE'))
    // Every transaction that touched the source belongs to the batch.
    const own = new Set(all.map(({ chainTransaction }) => chainTransaction!.onchainId))
    const signatures = await service.connection.getSignaturesForAddress(
      new PublicKey(source.onchainId),
      {},
      'confirmed',
    )
    expect(signatures.length - 1).toBe(own.size)
    expect(signatures.filter(({ signature }) => own.has(signature))).toHaveLength(own.size)
    expect(await service.stop()).toBe(0)
  })

  it('that was approved executes each item once, wherever its service is killed after the approval', async () => {
    const dataDir = newDataDir()
    const options = { dataDir, settings: { EMBEDDED_FAULTS: 'on' } }
    let service = await startService(options)
    await fundWallet(service, { canPayFees: true }, SOL)
    const body = { organizationExternalId: 'SYSTEM', name: 'approver', roles: ['DEBIT_LIMIT_APPROVE'] }
    const { keyId, apiKey } = (await service.api.make('/admin/api-keys', body)) as { keyId: string; apiKey: string }
    const limit = { limitType: 'PER_TRANSACTION', limitAmount: '0.0005', approversForOverride: [keyId] }
    const source = await fundWallet(
      service,
      { networkCurrencyDebitLimits: [{ destination: 'ANY', maxAllowedDebit: limit }] },
      10 * SOL,
    )
    const targets = await Promise.all(Array.from({ length: 6 }, () => fundWallet(service, {}, SOL)))
    const items = Array.from({ length: 90 }, (_, index) => ({
      source,
      destination: targets[index % targets.length]!,
      lamports: 1_000_000 + index,
    }))
    const creation = await service.api.send('POST', '/batches', { operation: 'TRANSFER_NETWORK_CURRENCY', items })
    const { offchainId } = creation.body['newBatch'] as Ref
    expect((await readBatch(service, offchainId)).status).toBe('PREPARED')
    await service.kill()
    service = await startService(options)
    expect((await readBatch(service, offchainId)).status).toBe('PREPARED')
    await setFaults(service.rpcUrl, { dropRequests: { sendTransaction: 3 } })
    expect(await apiOf(service.url, apiKey).send('PATCH', '/batches/approve', { offchainId })).toMatchObject({
      status: 200,
    })
    for (let kills = 0, done = -1; kills < KILLS; kills += 1) {
      await service.kill()
      service = await startService(options)
      done = (
        await until(async () => {
          const batch = await readBatch(service, offchainId)
          return batch.doneCount > done || batch.status === 'DONE' ? batch : undefined
        }, 'it continues')
      ).doneCount
    }
    const end = await until(async () => {
      const batch = await readBatch(service, offchainId)
      return batch.status === 'UNDER_WAY' ? undefined : batch
    }, 'it ends')
    expect(end).toMatchObject({ status: 'DONE', doneCount: items.length })
    for (const [at, target] of targets.entries()) {
      const expectedBalance = items
        .filter((_, index) => index % targets.length === at)
        .reduce((sum, { lamports }) => sum + lamports, SOL)
      expect(await service.connection.getBalance(new PublicKey(target.onchainId))).toBe(expectedBalance)
    }
    const paidLamports = items.reduce((sum, { lamports }) => sum + lamports, 0)
    expect(await service.connection.getBalance(new PublicKey(source.onchainId))).toBe(10 * SOL - paidLamports)
    expect(await service.stop()).toBe(0)
  })

  it('that stops on a failure makes no item after it, wherever its service is killed', async () => {
    const dataDir = newDataDir()
    const options = { dataDir, settings: { EMBEDDED_FAULTS: 'on' } }
    let service = await startService(options)
    await fundWallet(service, { canPayFees: true }, SOL)
    const source = await fundWallet(service, {}, 2 * SOL)
    const target = await fundWallet(service, {}, SOL)
    const count = 150
    const bad = 110
    const items = Array.from({ length: count }, (_, index) => ({
      ...{ source, destination: target, lamports: index === bad ? 50 * SOL : 1_000_000 },
      offchainBalanceAvailabilityPrecheck: false,
    }))
    const body = { operation: 'TRANSFER_NETWORK_CURRENCY', items, stopOnFailure: true }
    const creation = await service.api.send('POST', '/batches', body)
    const { offchainId } = creation.body['newBatch'] as Ref
    const isOver = ({ status }: Shown): boolean => status !== 'UNDER_WAY'
    for (let kills = 0, done = -1; kills < KILLS; kills += 1) {
      await setFaults(service.rpcUrl, kills % 2 === 0 ? { dropRequests: { sendTransaction: 2 } } : {})
      const now = await until(async () => {
        const batch = await readBatch(service, offchainId)
        return batch.doneCount > done || isOver(batch) ? batch : undefined
      }, 'it continues')
      done = now.doneCount
      await service.kill()
      service = await startService(options)
    }
    await until(async () => isOver(await readBatch(service, offchainId)) || undefined, 'it ends')
    const all = await itemsOf(service, offchainId)
    expect(all.map(({ status }) => status)).toEqual(
      items.map((_, index) => (index < bad ? 'DONE' : index === bad ? 'FAILED' : 'CANCELLED')),
    )
    expect(await service.connection.getBalance(new PublicKey(target.onchainId))).toBe(SOL + bad * 1_000_000)
    expect(await service.stop()).toBe(0)
  })

  it('that was not acknowledged is not created', async () => {
    const dataDir = newDataDir()
    let service = await startService({ dataDir })
    await fundWallet(service, { canPayFees: true }, SOL)
    const source = await fundWallet(service, {}, 10 * SOL)
    const target = await fundWallet(service, {}, SOL)
    const items = Array.from({ length: 4_000 }, () => ({ source, destination: target, lamports: 1_000 }))
    const pendingStatus = service.api.send('POST', '/batches', { operation: 'TRANSFER_NETWORK_CURRENCY', items }).then(
      ({ status }) => status,
      () => null,
    )
    // It is recorded before it is acknowledged: its items are written in slices.
    await until(async () => {
      const { count } = (await service.api.query('/batches/items/bulk', { itemQuery: { limit: 0 } })) as {
        count: number
      }
      return count > 0 || undefined
    }, 'it is being written')
    await service.kill()
    const status = await pendingStatus
    service = await startService({ dataDir })
    const { items: batches } = (await service.api.query('/batches/bulk', { itemQuery: {} })) as unknown as {
      items: readonly Shown[]
    }
    if (status === null && batches[0]?.status !== 'UNDER_WAY') {
      await until(async () => {
        const now = (await service.api.query('/batches/bulk', { itemQuery: {} })) as unknown as {
          items: readonly Shown[]
        }
        return now.items.every((batch) => batch.status === 'CANCELLED') || undefined
      }, 'it is given up')
      expect(await service.connection.getBalance(new PublicKey(target.onchainId))).toBe(SOL)
    }
    expect(await service.stop()).toBe(0)
  })
})
