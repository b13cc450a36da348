// The same key is the same request, over a clean restart, a kill, and while the first request is open.
import { describe, expect, it } from 'vitest'
import { booksOf, expectOnceEach, signaturesSoFar } from './audit.ts'
import { refOf, type Answer } from './api.ts'
import { ALWAYS, newDataDir, setFaults, startService } from './service.ts'
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
    const paid = pay(setup, 'paid', 5)
    const first = await insist(service, paid)
    const account = await make()
    expect([first.replayed, account.replayed, account.status]).toEqual([false, false, 201])

    for (const end of ['SIGTERM', 'SIGKILL'] as const) {
      if (end === 'SIGTERM') expect(await service.stop()).toBe(0)
      else await service.kill()
      service = await startService({ dataDir })
      const again = await ask(service, paid)
      const { onchainId, offchainId } = first.body
      expect(again).toMatchObject({ status: 201, replayed: true, body: { success: true, onchainId, offchainId } })
      const sameAccount = await make()
      expect(sameAccount).toMatchObject({ status: 201, replayed: true })
      expect(refOf(sameAccount.body, 'newAccount')).toEqual(refOf(account.body, 'newAccount'))
      // The key is used: another body under it is refused, and moves nothing.
      const other = await ask(service, { ...paid, itemData: { ...paid.itemData, lamports: 6 }, answers: [] })
      expect(other.status).toBe(400)
      expect(JSON.stringify(other.body)).toContain('IDEMPOTENCY_KEY_REUSED')
    }
    await expectOnceEach(service, setup, [paid], before)
  })

  it('joins the first request if it was open at the kill, and if it is still open', async () => {
    const dataDir = newDataDir()
    const settings = { EMBEDDED_FAULTS: 'on' }
    let service = await startService({ dataDir, settings })
    const setup = await settle(service, { owners: 2 })
    const before = await signaturesSoFar(service, setup)
    await setFaults(service.rpcUrl, { dropRequests: { sendTransaction: ALWAYS } })
    const paid = pay(setup, 'in flight', 11)
    const waiting = Promise.allSettled([ask(service, paid), ask(service, paid)])
    await until(async () => (await booksOf(service, paid.from)).reserved === 11 || undefined, 'it is durable')
    await service.kill()
    expect((await waiting).map(({ status }) => status)).toEqual(['rejected', 'rejected'])

    service = await startService({ dataDir, settings })
    const [one, two] = await Promise.all([insist(service, paid), insist(service, paid)])
    expect([one.replayed, two.replayed]).toEqual([true, true])
    transactionOf(paid)
    await expectOnceEach(service, setup, [paid], before)
  })
})
