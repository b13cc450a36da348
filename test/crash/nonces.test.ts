// The lease of a nonce and its transaction are one write: after a kill the same bytes land once, or the advance that
// voids them does, and the nonce stays leased until the chain shows another value. The service is down for longer than
// the range of status caches.
import { NonceAccount, PublicKey } from '@solana/web3.js'
import { describe, expect, it } from 'vitest'
import { refOf, type Body, type Ref } from './api.ts'
import { recordsOnDisk, reservations } from './audit.ts'
import { startOutsideChain, type OutsideChain } from './chain.ts'
import { ALWAYS, passSlots, setFaults } from '../chain-faults.ts'
import { newDataDir, startService, type Service } from './service.ts'
import { until } from './until.ts'

const LAMPORTS = 1_000_000
const DURABLE = { chainTransactionConfig: { messageLifetimeStrategy: 'DURABLE_NONCE' } }
const PAY = '/positions/transfer-network-currency'
/** A blockhash lasts fifteen seconds: long enough for the transactions of a setup on a busy machine. */
const SLOT_MS = 100
/** More than the capacity of a status cache. */
const LONG_SLOTS = 320

interface EngineFixture {
  readonly dataDir: string
  readonly chain: OutsideChain
  readonly nonce: Ref
  readonly itemData: object
  readonly to: Ref
}

const start = (dataDir: string, chain: OutsideChain): Promise<Service> =>
  startService({ dataDir, settings: chain.settings }, chain.rpcUrl)

async function prepare(): Promise<{ fixture: EngineFixture; service: Service }> {
  const chain = await startOutsideChain(SLOT_MS)
  const dataDir = newDataDir()
  const service = await start(dataDir, chain)
  const { api, connection } = service
  const [payer, from, to] = await Promise.all(
    [{ canPayFees: true }, {}, {}].map(async (itemData) => refOf(await api.make('/accounts', itemData), 'newAccount')),
  )
  for (const { onchainId, offchainId } of [payer!, from!, to!]) {
    await connection.requestAirdrop(new PublicKey(onchainId), 1_000_000_000)
    const checkFunded = async (): Promise<true | undefined> => {
      const { offchain } = (await api.get('/accounts/single/balance', { offchainId })) as {
        offchain: { lamports: number }
      }
      return offchain.lamports === 1_000_000_000 ? true : undefined
    }
    await until(checkFunded, 'the airdrop is in the books')
  }
  const creation = await api.make('/durable-nonce-accounts', {
    nonceAuthority: { offchainId: from!.offchainId },
    count: 1,
  })
  const [nonce] = creation['newDurableNonceAccounts'] as [Ref]
  await until(async () => (await nonceOf(service, nonce)).nonceHash ?? undefined, 'the value is known')
  const itemData = {
    source: { offchainId: from!.offchainId },
    destination: { offchainId: to!.offchainId },
    lamports: LAMPORTS,
  }
  return { fixture: { dataDir, chain, nonce, itemData, to: to! }, service }
}

interface NonceRecord {
  readonly nonceHash: string | null
  readonly inUse: { readonly transactionOffchainId: string } | null
}

async function nonceOf({ api }: Service, { offchainId }: Ref): Promise<NonceRecord> {
  const filter = [
    { fieldName: 'nonceAccountOffchainId', filterValues: [{ filterType: 'EQUALS', valueString: offchainId }] },
  ]
  const { items } = (await api.query('/durable-nonce-accounts/bulk', { itemQuery: { filter } })) as {
    items: NonceRecord[]
  }
  return items[0]!
}

async function valueOnChain({ connection }: Service, { onchainId }: Ref): Promise<string> {
  const info = await connection.getAccountInfo(new PublicKey(onchainId), 'finalized')
  return NonceAccount.fromAccountData(info!.data).nonce
}

async function statusOf({ api }: Service, offchainId: string): Promise<Body> {
  return await api.get('/transactions/single', { offchainId })
}

const ends = (service: Service, offchainId: string, status: string): Promise<Body> =>
  until(async () => {
    const record = await statusOf(service, offchainId)
    return record['status'] === status ? record : undefined
  }, `${offchainId} ends ${status}`)

async function longPause({ connection, rpcUrl }: Service): Promise<void> {
  const from = await connection.getSlot('finalized')
  await passSlots(rpcUrl, LONG_SLOTS)
  await until(async () => (await connection.getSlot('finalized')) > from + LONG_SLOTS || undefined, 'many slots pass')
}

describe.concurrent('a kill after the lease', () => {
  it('before the send: the same bytes land once, and the nonce stays leased until its value has changed', async () => {
    const { fixture, service: first } = await prepare()
    const { dataDir, chain, nonce, itemData, to } = fixture
    await setFaults(chain.rpcUrl, { dropRequests: { sendTransaction: ALWAYS } })
    const headers = { prefer: 'respond-async', 'idempotency-key': 'once' }
    const { body: payment } = await first.api.send('POST', PAY, itemData, { body: DURABLE, headers })
    const { offchainId, onchainId } = payment as unknown as Ref
    const value = await valueOnChain(first, nonce)
    await first.kill()
    await longPause(first)

    const service = await start(dataDir, chain)
    expect(await nonceOf(service, nonce)).toMatchObject({
      nonceHash: value,
      inUse: { transactionOffchainId: offchainId },
    })
    const response = await service.api.send('POST', PAY, itemData, { body: DURABLE })
    expect(response).toMatchObject({ status: 400, body: { errors: [{ code: 'NONCE_UNAVAILABLE' }] } })
    await setFaults(chain.rpcUrl, {})
    const record = await ends(service, offchainId, 'FINALIZED')
    expect(record).toMatchObject({ onchainId, recentBlockhash: value })
    const free = async (): Promise<NonceRecord | undefined> => {
      const nonceRecord = await nonceOf(service, nonce)
      return nonceRecord.inUse === null ? nonceRecord : undefined
    }
    expect((await until(free, 'the nonce is free')).nonceHash).toBe(await valueOnChain(service, nonce))
    expect(await valueOnChain(service, nonce)).not.toBe(value)
    const retry = await service.api.send('POST', PAY, itemData, {
      body: DURABLE,
      headers: { 'idempotency-key': 'once' },
    })
    expect(retry).toMatchObject({ replayed: true, body: { onchainId } })
    expect(await service.connection.getBalance(new PublicKey(to.onchainId))).toBe(1_000_000_000 + LAMPORTS)
    await expectAtRest(service, dataDir)
  })

  it('during its cancellation: the advance lands, and the transaction is proven void even much later', async () => {
    const { fixture, service: first } = await prepare()
    const { dataDir, chain, nonce, itemData, to } = fixture
    await setFaults(chain.rpcUrl, { dropRequests: { sendTransaction: ALWAYS } })
    const headers = { prefer: 'respond-async' }
    const { body: payment } = await first.api.send('POST', PAY, itemData, { body: DURABLE, headers })
    const { offchainId } = payment as unknown as Ref
    const cancelling = await first.api.send('PATCH', '/transactions/cancel', { offchainId }, { headers })
    expect(cancelling.status).toBe(200)
    await first.kill()
    await longPause(first)

    const service = await start(dataDir, chain)
    const value = await valueOnChain(service, nonce)
    expect(await statusOf(service, offchainId)).toMatchObject({ recentBlockhash: value })
    await setFaults(chain.rpcUrl, {})
    await ends(service, offchainId, 'CANCELLED')
    expect(await valueOnChain(service, nonce)).not.toBe(value)
    expect(await service.connection.getBalance(new PublicKey(to.onchainId))).toBe(1_000_000_000)
    const next = await until(async () => {
      const answer = await service.api.send('POST', PAY, itemData, { body: DURABLE })
      return answer.status === 201 ? answer : undefined
    }, 'the nonce is free')
    expect(next.body['success']).toBe(true)
    await expectAtRest(service, dataDir)
  })
})

async function expectAtRest(service: Service, dataDir: string): Promise<void> {
  await until(async () => {
    const { items } = (await service.api.query('/transactions/bulk/compact', {})) as { items: { status: string }[] }
    return (
      items.every(({ status }) => ['FINALIZED', 'CANCELLED', 'EXPIRED', 'BLOCKCHAIN_ERROR'].includes(status)) ||
      undefined
    )
  }, 'everything ends')
  expect(await service.stop()).toBe(0)
  expect((await recordsOnDisk(dataDir)).flatMap(reservations)).toEqual([])
}

describe.concurrent('a kill after a nonce account was asked to be closed', () => {
  it('before the send: it is emptied once, and its record is closed', async () => {
    const { fixture, service: first } = await prepare()
    const { dataDir, chain, nonce, itemData: payment, to } = fixture
    await setFaults(chain.rpcUrl, { dropRequests: { sendTransaction: ALWAYS } })
    const held = await first.connection.getBalance(new PublicKey(nonce.onchainId))
    const itemData = { account: { offchainId: nonce.offchainId }, refundDestination: { offchainId: to.offchainId } }
    const headers = { prefer: 'respond-async', 'idempotency-key': 'closed' }
    const { body } = await first.api.send('PATCH', '/accounts/inactivate', itemData, { headers })
    const { offchainId } = body['chainTransaction'] as Ref
    await first.kill()

    const service = await start(dataDir, chain)
    // It is leased to nobody meanwhile.
    const refused = await service.api.send('POST', PAY, payment, { body: DURABLE })
    expect(refused).toMatchObject({ status: 400, body: { errors: [{ code: 'NONCE_UNAVAILABLE' }] } })
    await setFaults(chain.rpcUrl, {})
    await ends(service, offchainId, 'FINALIZED')
    expect(await service.connection.getAccountInfo(new PublicKey(nonce.onchainId))).toBeNull()
    expect(await service.connection.getBalance(new PublicKey(to.onchainId))).toBe(1_000_000_000 + held)
    const retry = await service.api.send('PATCH', '/accounts/inactivate', itemData, {
      headers: { 'idempotency-key': 'closed' },
    })
    expect(retry).toMatchObject({ replayed: true, body: { chainTransaction: { offchainId } } })
    expect(await service.api.get('/accounts/single', { offchainId: nonce.offchainId })).toMatchObject({
      status: 'CLOSED',
    })
    await expectAtRest(service, dataDir)
  })
})
