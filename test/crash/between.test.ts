// A kill between two steps of a transaction: durable and not sent, sent and not settled, landed and not noticed. The
// fault switches of the chain keep the step open, so that the kill always hits it.
import { describe, expect, it } from 'vitest'
import { expectDiskAtRest, expectOnceEach, recordsOnDisk, signaturesSoFar } from './audit.ts'
import { startOutsideChain } from './chain.ts'
import { randomOf } from './random.ts'
import { ALWAYS, setFaults } from '../chain-faults.ts'
import { newDataDir, startService, type Service } from './service.ts'
import { settle, type Setup } from './setup.ts'
import { anyTransfer, ask, insist, transactionOf, type Transfer } from './transfer.ts'
import { until } from './until.ts'

const COUNT = 20
/** Nothing expires while a step is kept open and the service starts again, even on a busy machine. */
const SLOT_MS = 1_000
const FAULTS = { EMBEDDED_FAULTS: 'on', EMBEDDED_SLOT_MS: String(SLOT_MS) }

/** Creates transfers that are durable and acknowledged, whatever the chain does. */
async function makeDurable(service: Service, setup: Setup, name: string): Promise<Transfer[]> {
  const random = randomOf(20_260_103)
  const transfers = Array.from({ length: COUNT }, (_, index) => anyTransfer(setup, random, `${name} ${index}`))
  const answers = await Promise.all(transfers.map((transfer) => ask(service, transfer, { prefer: 'respond-async' })))
  for (const { status, body } of answers) {
    expect({ status, success: body['success'] }).toEqual({ status: 201, success: true })
    expect(['SIGNED', 'SUBMITTED', 'PROCESSED']).toContain(body['status'])
  }
  return transfers
}

async function historyOf(service: Service, transfer: Transfer): Promise<string[]> {
  const record = await service.api.get('/transactions/single', { offchainId: transactionOf(transfer).offchainId })
  return (record['history'] as { status: string }[]).map(({ status }) => status)
}

async function allLanded(service: Service, setup: Setup, before: ReadonlySet<string>): Promise<void> {
  await until(
    async () => (await signaturesSoFar(service, setup)).size === before.size + COUNT || undefined,
    'all of them landed',
  )
}

describe.concurrent('the service is killed between', () => {
  it('the durable write and the send: an unsent transaction is sent after the restart and lands once', async () => {
    const dataDir = newDataDir()
    let service = await startService({ dataDir, settings: FAULTS })
    const setup = await settle(service, { owners: 2 })
    const before = await signaturesSoFar(service, setup)
    await setFaults(service.rpcUrl, { dropRequests: { sendTransaction: ALWAYS } })
    const transfers = await makeDurable(service, setup, 'unsent')
    expect(await signaturesSoFar(service, setup)).toEqual(before)
    await service.killBoth()

    service = await startService({ dataDir, settings: FAULTS })
    for (const transfer of transfers) expect((await insist(service, transfer)).replayed).toBe(true)
    await expectOnceEach(service, setup, transfers, before)
    for (const transfer of transfers) expect(await historyOf(service, transfer)).toContain('SUBMITTED')
    expect(await service.stop()).toBe(0)
    await expectDiskAtRest(dataDir, transfers)
  })

  it('the send and the settlement, with every reply lost: a landed transaction is found by its signature', async () => {
    const chain = await startOutsideChain(SLOT_MS)
    const dataDir = newDataDir()
    const options = { dataDir, settings: chain.settings }
    let service = await startService(options, chain.rpcUrl)
    const setup = await settle(service, { owners: 2 })
    const before = await signaturesSoFar(service, setup)
    await setFaults(chain.rpcUrl, {
      dropReplies: { sendTransaction: ALWAYS },
      dropRequests: { getSignatureStatuses: ALWAYS },
    })
    const transfers = await makeDurable(service, setup, 'unseen')
    await allLanded(service, setup, before)
    await service.kill()
    const open = (await recordsOnDisk(dataDir)).filter(
      ({ kind, value }) => kind === 'transaction' && /^(signed|submitted)$/.test(value),
    )
    expect(open).toHaveLength(COUNT)

    await setFaults(chain.rpcUrl, {})
    service = await startService(options, chain.rpcUrl)
    for (const transfer of transfers) expect((await insist(service, transfer)).replayed).toBe(true)
    await expectOnceEach(service, setup, transfers, before)
    expect(await service.stop()).toBe(0)
    await expectDiskAtRest(dataDir, transfers)
  })

  it('the send and the settlement, with a node that answers null: no second signature is sent', async () => {
    const dataDir = newDataDir()
    let service = await startService({ dataDir, settings: FAULTS })
    const setup = await settle(service, { owners: 2 })
    const before = await signaturesSoFar(service, setup)
    await setFaults(service.rpcUrl, { answerNull: { getSignatureStatuses: ALWAYS }, delayMs: { sendTransaction: 20 } })
    const transfers = await makeDurable(service, setup, 'denied')
    await allLanded(service, setup, before)
    await service.kill()

    service = await startService({ dataDir, settings: FAULTS })
    for (const transfer of transfers) await insist(service, transfer)
    await expectOnceEach(service, setup, transfers, before)
    expect(await service.stop()).toBe(0)
    await expectDiskAtRest(dataDir, transfers)
  })
})
