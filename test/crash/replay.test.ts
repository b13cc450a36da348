// The same key is the same request, over a clean restart, a kill, and while the first request is open.
import { describe, expect, it } from 'vitest'
import { booksOf, expectOnceEach, signaturesSoFar } from './audit.ts'
import { refOf, type Answer } from './api.ts'
import { ALWAYS, setFaults } from '../chain-faults.ts'
import { newDataDir, startService } from './service.ts'
import { settle, type Setup } from './setup.ts'
import { ask, insist, transactionOf, transferOf, type Transfer } from './transfer.ts'
import { until } from './until.ts'

function pay(setup: Setup, key: string, amount: number): Transfer {
  return transferOf(setup, { key, from: 0, instrument: 1, feePayer: 1, to: setup.owners[1]!, amount })
}

describe.concurrent('a replay', () => {
  it('returns the same transaction after a restart, and the same account if none was needed', async () => {
    const dataDir = newDataDir()
    let service = await startService({ dataDir })
    const setup = await settle(service, { owners: 2 })
    const before = await signaturesSoFar(service, setup)
    const headers = { 'idempotency-key': 'account' }
    const make = (): Promise<Answer> => service.api.send('POST', '/accounts', { comments: 'twice' }, { headers })
    const payment = pay(setup, 'paid', 5)
    const first = await insist(service, payment)
    const account = await make()
    expect([first.replayed, account.replayed, account.status]).toEqual([false, false, 201])

    for (const end of ['SIGTERM', 'SIGKILL'] as const) {
      if (end === 'SIGTERM') expect(await service.stop()).toBe(0)
      else await service.kill()
      service = await startService({ dataDir })
      const replay = await ask(service, payment)
      const { onchainId, offchainId } = first.body
      expect(replay).toMatchObject({ status: 201, replayed: true, body: { success: true, onchainId, offchainId } })
      const sameAccount = await make()
      expect(sameAccount).toMatchObject({ status: 201, replayed: true })
      expect(refOf(sameAccount.body, 'newAccount')).toEqual(refOf(account.body, 'newAccount'))
      // The key is used: another body under it is refused, and moves nothing.
      const other = await ask(service, { ...payment, itemData: { ...payment.itemData, lamports: 6 }, answers: [] })
      expect(other.status).toBe(400)
      expect(JSON.stringify(other.body)).toContain('IDEMPOTENCY_KEY_REUSED')
    }
    await expectOnceEach(service, setup, [payment], before)
  })

  it('joins the first request if it was open at the kill, and if it is still open', async () => {
    const dataDir = newDataDir()
    const settings = { EMBEDDED_FAULTS: 'on' }
    let service = await startService({ dataDir, settings })
    const setup = await settle(service, { owners: 2 })
    const before = await signaturesSoFar(service, setup)
    await setFaults(service.rpcUrl, { dropRequests: { sendTransaction: ALWAYS } })
    const payment = pay(setup, 'in flight', 11)
    const answers = Promise.allSettled([ask(service, payment), ask(service, payment)])
    await until(async () => (await booksOf(service, payment.from)).reserved === 11 || undefined, 'it is durable')
    await service.kill()
    expect((await answers).map(({ status }) => status)).toEqual(['rejected', 'rejected'])

    service = await startService({ dataDir, settings })
    const [one, two] = await Promise.all([insist(service, payment), insist(service, payment)])
    expect([one.replayed, two.replayed]).toEqual([true, true])
    transactionOf(payment)
    await expectOnceEach(service, setup, [payment], before)
  })
})
