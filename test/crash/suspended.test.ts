// SIGKILL while the lanes are suspended and full: after the start they are still suspended, and nothing was dropped or
// sent; once resumed, everything takes effect exactly once.
import { describe, expect, it } from 'vitest'
import { expectDiskAtRest, expectOnceEach, signaturesSoFar } from './audit.ts'
import { randomOf } from './random.ts'
import { newDataDir, startService, type Service } from './service.ts'
import { idOf, settle } from './setup.ts'
import { until } from './until.ts'
import { anyTransfer, ask, finalStatus, pause, transactionOf, transferOf, type Transfer } from './transfer.ts'

const SIZE = 60
/** A blockhash outlives two restarts on a busy machine. */
const settings = { EMBEDDED_SLOT_MS: '1000' }
const ASYNC = { prefer: 'respond-async' }

async function turn(service: Service, which: 'suspend' | 'resume', itemData: object = {}): Promise<number> {
  return (await service.api.send('PATCH', `/admin/lanes/${which}`, itemData)).status
}

async function statuses(service: Service, transfers: readonly Transfer[]): Promise<Set<unknown>> {
  const results = await Promise.all(
    transfers.map((transfer) => service.api.get('/transactions/status', idOf(transactionOf(transfer)))),
  )
  return new Set(results.map((result) => result['status']))
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
})
