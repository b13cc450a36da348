// SIGKILL while the lanes are suspended and full: after the start they are still suspended, and nothing was dropped or
// sent; once resumed, everything takes effect exactly once.
import { Keypair, type PublicKey } from '@solana/web3.js'
import { describe, expect, it } from 'vitest'
import { ALWAYS, setFaults } from '../chain-faults.ts'
import type { Ref } from './api.ts'
import { expectDiskAtRest, expectOnceEach, recordsOnDisk, signaturesSoFar } from './audit.ts'
import { randomOf } from './random.ts'
import { newDataDir, startService, type Service } from './service.ts'
import { idOf, settle, type Setup } from './setup.ts'
import { until } from './until.ts'
import { anyTransfer, ask, finalStatus, pause, transactionOf, transferOf, type Transfer } from './transfer.ts'

const SIZE = 60
/** A blockhash outlives two restarts on a busy machine. */
const settings = { EMBEDDED_SLOT_MS: '1000' }
const ASYNC = { prefer: 'respond-async' }
const PAID = 2_000_000

async function turn(service: Service, which: 'suspend' | 'resume', itemData: object = {}): Promise<number> {
  return (await service.api.send('PATCH', `/admin/lanes/${which}`, itemData)).status
}

async function statuses(service: Service, transfers: readonly Transfer[]): Promise<Set<unknown>> {
  const results = await Promise.all(
    transfers.map((transfer) => service.api.get('/transactions/status', idOf(transactionOf(transfer)))),
  )
  return new Set(results.map((result) => result['status']))
}

async function payOutside(service: Service, { feePayers }: Setup, to: PublicKey): Promise<Ref> {
  const itemData = { source: idOf(feePayers[1]!), destination: { onchainId: to.toBase58() }, lamports: PAID }
  const body = { chainTransactionConfig: { feePayer: idOf(feePayers[0]!) } }
  const sending = { body, headers: ASYNC }
  const answer = await service.api.send('POST', '/positions/transfer-network-currency', itemData, sending)
  expect(answer, JSON.stringify(answer.body)).toMatchObject({ status: 201 })
  return answer.body as unknown as Ref
}

async function detailOf(service: Service, transaction: Ref): Promise<string> {
  const { history } = await service.api.get('/transactions/single', idOf(transaction))
  return String((history as { detail: string | null }[]).at(-1)?.detail)
}

describe('the service is killed', () => {
  it(`with ${SIZE} transfers queued in suspended lanes, which wait for the resumption and land once`, async () => {
    const random = randomOf(20_260_102)
    const dataDir = newDataDir()
    let service = await startService({ dataDir, settings })
    const setup = await settle(service)
    const sentTransfers = Array.from({ length: SIZE }, (_, index) => anyTransfer(setup, random, `before, ${index}`))
    const before = await signaturesSoFar(service, setup)
    await Promise.all(sentTransfers.map((transfer) => ask(service, transfer, ASYNC)))
    expect(await turn(service, 'suspend')).toBe(200)
    const queuedTransfers = Array.from({ length: SIZE }, (_, index) => anyTransfer(setup, random, `queued, ${index}`))
    await Promise.all(queuedTransfers.map((transfer) => ask(service, transfer, ASYNC)))
    const all = [...sentTransfers, ...queuedTransfers]
    expect(all.every(({ answers }) => answers[0]?.status === 201)).toBe(true)
    await service.kill()

    service = await startService({ dataDir, settings })
    expect(await turn(service, 'suspend')).toBe(400)
    await service.kill()
    service = await startService({ dataDir, settings })
    await service.program.find((line) => line.includes('lanes are suspended') || undefined)
    // Transactions that were handed over before the suspension are settled meanwhile.
    await until(
      async () => !(await statuses(service, sentTransfers)).has('SUBMITTED') || undefined,
      'what was sent is settled',
    )
    await pause(1_000)
    expect(await statuses(service, queuedTransfers)).toEqual(new Set(['SIGNED']))
    for (const transfer of queuedTransfers)
      expect(await ask(service, transfer, ASYNC)).toMatchObject({ status: 201, replayed: true })
    const soFar = await signaturesSoFar(service, setup)
    expect(queuedTransfers.filter((transfer) => soFar.has(transactionOf(transfer).onchainId))).toEqual([])

    expect(await turn(service, 'resume')).toBe(200)
    await Promise.all(all.map((transfer) => finalStatus(service, transactionOf(transfer))))
    await expectOnceEach(service, setup, all, before)
    expect(await service.stop()).toBe(0)
    await expectDiskAtRest(dataDir, all)
  })

  it('while an account is frozen whose transfer waits, which the resumption after the start does not send', async () => {
    const dataDir = newDataDir()
    let service = await startService({ dataDir, settings })
    const setup = await settle(service, { owners: 2 })
    const before = await signaturesSoFar(service, setup)
    expect(await turn(service, 'suspend')).toBe(200)
    const transfers = [0, 1].map((from) => {
      const to = setup.owners[1 - from]!
      return transferOf(setup, { key: `queued, ${from}`, from, to, instrument: 0, feePayer: 0, amount: 5 })
    })
    for (const transfer of transfers) expect(await ask(service, transfer, ASYNC)).toMatchObject({ status: 201 })
    const frozen = { account: idOf(setup.owners[0]!) }
    expect((await service.api.send('PATCH', '/admin/freeze', frozen)).status).toBe(200)
    await service.kill()

    service = await startService({ dataDir, settings })
    expect(await turn(service, 'resume')).toBe(200)
    const [kept, sent] = transfers.map(transactionOf)
    await finalStatus(service, sent!)
    const { status, history } = await service.api.get('/transactions/single', idOf(kept!))
    expect(status).toBe('SIGNED')
    expect((history as { detail: string }[]).at(-1)?.detail).toContain('it waits for Submit')
    expect((await service.api.send('PATCH', '/admin/unfreeze', frozen)).status).toBe(200)
    expect((await service.api.send('POST', '/transactions/submit', { transaction: idOf(kept!) })).status).toBe(200)
    await finalStatus(service, kept!)
    await expectOnceEach(service, setup, transfers, before)
    expect(await service.stop()).toBe(0)
  })

  it('after the resumption, before it was decided what may be sent, which is decided after the start', async () => {
    const dataDir = newDataDir()
    const options = { dataDir, settings: { ...settings, EMBEDDED_FAULTS: 'on' } }
    let service = await startService(options)
    const setup = await settle(service, { owners: 2 })
    const outside = Keypair.generate().publicKey
    await service.connection.requestAirdrop(outside, PAID)
    const account = { onchainId: outside.toBase58(), alreadyOnchain: true }
    await until(
      async () => (await service.api.send('POST', '/accounts', account)).status === 201 || undefined,
      'it is recorded',
    )
    const addresses = [{ onchainId: Keypair.generate().publicKey.toBase58() }]
    await service.api.make('/counterparties', { name: 'Doubtful', status: 'BLOCKED', addresses })
    expect(await turn(service, 'suspend')).toBe(200)
    const first = await payOutside(service, setup, outside)
    const [to, feePayer] = [setup.owners[1]!, 0]
    const transfer = transferOf(setup, { key: 'behind it', from: 0, to, instrument: 0, feePayer, amount: 5 })
    expect(await ask(service, transfer, ASYNC)).toMatchObject({ status: 201 })
    const kept = transactionOf(transfer)
    const frozen = { account: idOf(setup.owners[0]!) }
    expect((await service.api.send('PATCH', '/admin/freeze', frozen)).status).toBe(200)
    // The first is not decided before it is known who controls its destination, and the second not before the first.
    await setFaults(service.rpcUrl, { dropRequests: { getMultipleAccounts: ALWAYS } })
    expect(await turn(service, 'resume')).toBe(200)
    expect(await statuses(service, [transfer])).toEqual(new Set(['SIGNED']))
    await service.killBoth()
    const onDisk = (await recordsOnDisk(dataDir)).filter(({ kind }) => kind === 'transaction' || kind === 'suspension')
    expect(onDisk.filter(({ value }) => value === 'signed')).toHaveLength(2)
    expect(onDisk.filter(({ kind }) => kind === 'suspension').map(({ value }) => value)).toEqual(['resumed'])

    service = await startService(options)
    await finalStatus(service, first)
    expect(await service.connection.getBalance(outside)).toBe(2 * PAID)
    await until(async () => (await detailOf(service, kept)).includes('it waits for Submit') || undefined, 'it is kept')
    expect(await statuses(service, [transfer])).toEqual(new Set(['SIGNED']))
    expect((await service.connection.getSignatureStatus(kept.onchainId)).value).toBeNull()
    expect((await service.api.send('PATCH', '/admin/unfreeze', frozen)).status).toBe(200)
    expect((await service.api.send('POST', '/transactions/submit', { transaction: idOf(kept) })).status).toBe(200)
    expect(await finalStatus(service, kept)).toBe('FINALIZED')
    expect(await service.stop()).toBe(0)
  })
})
