// Transactions that provably never landed: EXPIRED with a proof, the reservation released, always the same answer for
// the same key, and a new attempt for a new key. With the service running, and with it down while the blockhash
// expires.
import { describe, expect, it } from 'vitest'
import { booksOf, expectOnceEach, recordsOnDisk, reservations, signaturesSoFar } from './audit.ts'
import { startOutsideChain } from './chain.ts'
import { ALWAYS, passSlots, setFaults } from '../chain-faults.ts'
import { newDataDir, startService, type Service } from './service.ts'
import { newAccounts, settle, type Setup } from './setup.ts'
import { ask, finalStatus, insist, transactionOf, transferOf, type Transfer } from './transfer.ts'
import { until } from './until.ts'

/**
 * More slots than the lifetime of a blockhash. They are passed at once: with shorter slots, the blockhashes of the
 * setup would expire on a busy machine as well.
 */
const LIFETIME_SLOTS = 200
/** For a chain that is not embedded: the service counts the blocks of a lifetime itself, at the pace of the slots. */
const OUTSIDE_SLOT_MS = 100
const settings = { EMBEDDED_FAULTS: 'on' }

function pay(setup: Setup, key: string, amount: number): Transfer {
  return transferOf(setup, { key, from: 0, instrument: 0, feePayer: 0, to: setup.owners[1]!, amount })
}

async function expectOver(service: Service, setup: Setup, lostTransfer: Transfer): Promise<void> {
  expect(await finalStatus(service, transactionOf(lostTransfer))).toBe('EXPIRED')
  expect(await booksOf(service, lostTransfer.from)).toEqual({ balance: 1_000_000, reserved: 0, available: 1_000_000 })
  for (let time = 0; time < 2; time += 1) {
    const answer = await ask(service, lostTransfer)
    expect(answer).toMatchObject({ status: 201, replayed: true, body: { success: false, status: 'EXPIRED' } })
  }
  transactionOf(lostTransfer)
}

async function expectProofOnDisk(dataDir: string, { offchainId }: { offchainId: string }): Promise<void> {
  const records = await recordsOnDisk(dataDir)
  const record = records.find(({ id }) => id === offchainId)
  expect(record?.value).toBe('expired')
  const { proof } = record!.context as { proof: unknown }
  expect(proof, 'a proof is kept').toBeTypeOf('object')
  expect(proof).not.toBeNull()
  expect(records.flatMap(reservations)).toEqual([])
}

describe.concurrent('a transaction that never reaches the chain', () => {
  it('ends with a proof of expiry while the service runs, and its outcome survives a kill', async () => {
    const dataDir = newDataDir()
    let service = await startService({ dataDir, settings })
    const setup = await settle(service, { owners: 2 })
    const before = await signaturesSoFar(service, setup)
    await setFaults(service.rpcUrl, { dropRequests: { sendTransaction: ALWAYS } })
    const lostTransfer = pay(setup, 'lost', 7)
    await ask(service, lostTransfer, { prefer: 'respond-async' })
    // Reserved for as long as it may land.
    expect(await booksOf(service, lostTransfer.from)).toEqual({ balance: 1_000_000, reserved: 7, available: 999_993 })
    await passSlots(service.rpcUrl, LIFETIME_SLOTS)
    await expectOver(service, setup, lostTransfer)

    await setFaults(service.rpcUrl, {})
    const retry = pay(setup, 'lost, once more', 7)
    await insist(service, retry)
    await service.kill()
    service = await startService({ dataDir, settings })
    expect(await ask(service, lostTransfer)).toMatchObject({ replayed: true, body: { status: 'EXPIRED' } })
    await expectOnceEach(service, setup, [retry], before)
    expect(await service.stop()).toBe(0)
    await expectProofOnDisk(dataDir, transactionOf(lostTransfer))
  })

  it('ends with a proof of expiry at the start, if its blockhash expired while the service was down', async () => {
    const chain = await startOutsideChain(OUTSIDE_SLOT_MS)
    const dataDir = newDataDir()
    const options = { dataDir, settings: chain.settings }
    let service = await startService(options, chain.rpcUrl)
    const setup = await settle(service, { owners: 2 })
    const before = await signaturesSoFar(service, setup)
    await setFaults(chain.rpcUrl, { dropRequests: { sendTransaction: ALWAYS } })
    const lostTransfer = pay(setup, 'lost', 9)
    await ask(service, lostTransfer, { prefer: 'respond-async' })
    const record = await service.api.get('/transactions/single', { offchainId: transactionOf(lostTransfer).offchainId })
    const lastHeight = record['lastValidBlockHeight'] as number
    await service.kill()
    await setFaults(chain.rpcUrl, {})
    await passSlots(chain.rpcUrl, LIFETIME_SLOTS)
    const { connection } = service
    await until(
      async () => (await connection.getBlockHeight('finalized')) > lastHeight || undefined,
      'the blockhash passes',
    )

    service = await startService(options, chain.rpcUrl)
    await expectOver(service, setup, lostTransfer)
    const retry = pay(setup, 'lost, once more', 9)
    await insist(service, retry)
    await expectOnceEach(service, setup, [retry], before)
    expect(await service.stop()).toBe(0)
    await expectProofOnDisk(dataDir, transactionOf(lostTransfer))
  })

  it('takes dependent transfers down with it: a position that was never created can be created later', async () => {
    const dataDir = newDataDir()
    const service = await startService({ dataDir, settings })
    const setup = await settle(service, { owners: 2 })
    const before = await signaturesSoFar(service, setup)
    const [newcomer] = await newAccounts(service, 1)
    const welcome = (key: string, feePayer: number): Transfer =>
      transferOf(setup, { key, from: 0, instrument: 1, feePayer, to: newcomer!, amount: 3 })
    await setFaults(service.rpcUrl, { dropRequests: { sendTransaction: ALWAYS } })
    const lostTransfers = [welcome('first', 0), welcome('second', 1), welcome('third', 0)]
    for (const transfer of lostTransfers) await ask(service, transfer, { prefer: 'respond-async' })
    await passSlots(service.rpcUrl, LIFETIME_SLOTS)
    await Promise.all(lostTransfers.map((transfer) => finalStatus(service, transactionOf(transfer))))
    for (const transfer of lostTransfers) await expectOver(service, setup, transfer)

    await setFaults(service.rpcUrl, {})
    const retry = welcome('once more', 0)
    await insist(service, retry)
    await expectOnceEach(service, setup, [retry], before)
    expect(await service.stop()).toBe(0)
    for (const transfer of lostTransfers) await expectProofOnDisk(dataDir, transactionOf(transfer))
  })
})
