// The real service, killed with SIGKILL at each stage of a transaction that `test/crash/between.test.ts` does not keep
// open. After each nothing moved twice, nothing stays reserved, the records equal the chain, and every accepted request
// ends.
import { describe, expect, it } from 'vitest'
import { booksOf, expectDiskAtRest, expectOnceEach, recordsOnDisk, signaturesSoFar } from '../crash/audit.ts'
import { startOutsideChain } from '../crash/chain.ts'
import { ALWAYS, setFaults } from '../chain-faults.ts'
import { newDataDir, startService, type Service } from '../crash/service.ts'
import { settle, type Setup } from '../crash/setup.ts'
import { ask, insistAll, pause, transactionOf, transferOf, type Transfer } from '../crash/transfer.ts'
import { isBusy } from '../crash/api.ts'
import { until } from '../crash/until.ts'
import { sendAccepted } from './accepted.ts'

/** Nothing expires while a stage is kept open and the service starts again, even on a busy machine. */
const FAULTS = { EMBEDDED_FAULTS: 'on', EMBEDDED_SLOT_MS: '1000' }

async function statusOf(service: Service, transfer: Transfer): Promise<string> {
  return String(
    (await service.api.get('/transactions/status', { offchainId: transactionOf(transfer).offchainId }))['status'],
  )
}

async function expectRest(
  service: Service,
  dataDir: string,
  setup: Setup,
  transfers: readonly Transfer[],
  before: ReadonlySet<string>,
): Promise<void> {
  await insistAll(service, transfers)
  await expectOnceEach(service, setup, transfers, before)
  expect(await service.stop()).toBe(0)
  await expectDiskAtRest(dataDir, transfers)
}

describe.concurrent('the service is killed', () => {
  it('before 1, the first durable write: the request leaves no trace, and its key is free', async () => {
    const chain = await startOutsideChain()
    const dataDir = newDataDir()
    const options = { dataDir, settings: chain.settings }
    let service = await startService(options, chain.rpcUrl)
    const setup = await settle(service, { owners: 2 })
    const before = await signaturesSoFar(service, setup)
    expect(await service.stop()).toBe(0)
    const records = await recordsOnDisk(dataDir)
    // A service that has just started has no blockhash yet, and the request waits for one.
    await setFaults(chain.rpcUrl, { delayMs: { getLatestBlockhash: 60_000 } })
    service = await startService(options, chain.rpcUrl)
    const payment = transferOf(setup, {
      key: 'before 1',
      from: 0,
      instrument: 0,
      feePayer: 0,
      to: setup.owners[1]!,
      amount: 5,
    })
    const outcome = ask(service, payment).then(
      () => 'answered',
      () => 'lost',
    )
    await pause(500)
    expect((await booksOf(service, payment.from)).reserved).toBe(0)
    await service.kill()
    expect(await outcome).toBe('lost')
    expect((await recordsOnDisk(dataDir)).length).toBe(records.length)

    await setFaults(chain.rpcUrl, {})
    service = await startService(options, chain.rpcUrl)
    // It has no blockhash yet either: until it has one, it decides nothing.
    const answer = await until(async () => {
      const reply = await ask(service, payment)
      return isBusy(reply) ? undefined : reply
    }, 'it is accepted')
    expect(answer).toMatchObject({ status: 201, replayed: false })
    await expectRest(service, dataDir, setup, [payment], before)
  })

  it('after the reply and before its write: the same bytes are looked up, without a second signature', async () => {
    const dataDir = newDataDir()
    let service = await startService({ dataDir, settings: FAULTS })
    const setup = await settle(service, { owners: 2 })
    const before = await signaturesSoFar(service, setup)
    const all: Transfer[] = []
    let unwritten = 0
    // The reply is in memory at once and written within a second: the kill nearly always comes first, on a busy machine
    // less often.
    for (let round = 0; round < 20 && unwritten === 0; round += 1) {
      await setFaults(service.rpcUrl, { dropRequests: { getSignatureStatuses: ALWAYS } })
      const transfers = await sendAccepted(service, setup, `replied, ${round}`, 10)
      all.push(...transfers)
      await until(async () => (await statusOf(service, transfers[0]!)) === 'SUBMITTED' || undefined, 'a reply came')
      await service.killBoth()
      unwritten = (await recordsOnDisk(dataDir)).filter(
        ({ kind, value }) => kind === 'transaction' && value === 'signed',
      ).length
      service = await startService({ dataDir, settings: FAULTS })
    }
    expect(unwritten).toBeGreaterThan(0)
    await expectRest(service, dataDir, setup, all, before)
  })

  it('while rebroadcasting a landed transaction: it stays landed once', async () => {
    const dataDir = newDataDir()
    let service = await startService({ dataDir, settings: FAULTS })
    const setup = await settle(service, { owners: 2 })
    const before = await signaturesSoFar(service, setup)
    await setFaults(service.rpcUrl, {
      dropReplies: { sendTransaction: ALWAYS },
      answerNull: { getSignatureStatuses: ALWAYS },
    })
    const transfers = await sendAccepted(service, setup, 'sent again', 10)
    await until(async () => {
      const explanation = await service.api.get('/transactions/explain', {
        offchainId: transactionOf(transfers[0]!).offchainId,
      })
      return (explanation['attempts'] as unknown[]).length >= 3 || undefined
    }, 'it was sent three times')
    await service.kill()
    service = await startService({ dataDir, settings: FAULTS })
    await expectRest(service, dataDir, setup, transfers, before)
  })

  it('while settling: settled effects persist, and the next start settles the rest', async () => {
    const dataDir = newDataDir()
    let service = await startService({ dataDir, settings: FAULTS })
    const setup = await settle(service, { owners: 2 })
    const before = await signaturesSoFar(service, setup)
    await setFaults(service.rpcUrl, { dropRequests: { getSignatureStatuses: ALWAYS } })
    const transfers = await sendAccepted(service, setup, 'settled', 60)
    await until(
      async () => (await signaturesSoFar(service, setup)).size === before.size + 60 || undefined,
      'all of them landed',
    )
    await setFaults(service.rpcUrl, {})
    const open = ['SIGNED', 'SUBMITTED', 'PROCESSED']
    await until(
      async () => !open.includes(await statusOf(service, transfers[0]!)) || undefined,
      'the first one is settled',
    )
    await service.killBoth()
    service = await startService({ dataDir, settings: FAULTS })
    await expectRest(service, dataDir, setup, transfers, before)
  })
})
