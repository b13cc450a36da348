// The real service on a node that lags, forgets, changes its fork or gets a transaction at the last moment. After each
// nothing moved twice, nothing stays reserved, the records equal the chain, and every accepted request ends.
import { describe, expect, it } from 'vitest'
import type { Ref } from '../crash/api.ts'
import { expectDiskAtRest, expectOnceEach, recordsOnDisk, signaturesSoFar } from '../crash/audit.ts'
import { startOutsideChain } from '../crash/chain.ts'
import { randomOf } from '../crash/random.ts'
import { ALWAYS, forkAway, passSlots, setFaults } from '../chain-faults.ts'
import { newDataDir, startService, type Service } from '../crash/service.ts'
import { idOf, settle, type Setup } from '../crash/setup.ts'
import { anyTransfer, finalStatus, insistAll, pause, transactionOf, type Transfer } from '../crash/transfer.ts'
import { until } from '../crash/until.ts'
import { sendAccepted } from './accepted.ts'

const FAULTS = { EMBEDDED_FAULTS: 'on' }
const LIFETIME_SLOTS = 150
/** More slots than a status cache covers. */
const CACHE_SLOTS = 320
const FINALITY_SLOTS = 300

interface Explained {
  readonly transaction: { readonly status: string }
  readonly watch?: { readonly unproven: string | null }
}

async function explain(service: Service, transfer: Transfer): Promise<Explained> {
  return (await service.api.get('/transactions/explain', idOf(transactionOf(transfer)))) as unknown as Explained
}

/**
 * The balances, once all transactions are final: a node that denies a confirmed one makes the service forget it for a
 * while.
 */
async function settleForGood(service: Service): Promise<Setup> {
  const setup = await settle(service, { owners: 2 })
  const filter = [
    {
      fieldName: 'status',
      filterValues: [{ filterType: 'IN', valuesString: ['SIGNED', 'SUBMITTED', 'PROCESSED', 'CONFIRMED'] }],
    },
  ]
  const open = async (): Promise<unknown> =>
    (await service.api.query('/transactions/bulk/identifiers', { itemQuery: { limit: 1, filter } }))['count']
  await until(async () => ((await open()) === 0 ? true : undefined), 'everything is final')
  return setup
}

interface Unsent {
  readonly late: number
  /** The block in which it is to be sent. */
  readonly height: number
  readonly bytes: Buffer
  readonly ref: Ref
}

const PAY = '/positions/transfer-network-currency'

/** The last block height for which a payment that is prepared now is valid. It is cancelled, and was not signed. */
async function lastHeightNow({ api }: Service, setup: Setup): Promise<number> {
  const [payer, source] = setup.feePayers
  const itemData = { source: { ...idOf(source!), autoSign: false }, destination: idOf(setup.owners[0]!), lamports: 1 }
  const body = { chainTransactionConfig: { feePayer: idOf(payer!) } }
  const transaction = { offchainId: (await api.make(PAY, itemData, body))['offchainId'] as string }
  const { lastValidBlockHeight } = await api.get('/transactions/single', transaction)
  await api.send('PATCH', '/transactions/cancel', transaction)
  return lastValidBlockHeight as number
}

/** Opens slots at once, and waits until the service has a blockhash of the last of them: it keeps one for a moment. */
async function passSlotsOf(service: Service, setup: Setup, slots: number): Promise<void> {
  await passSlots(service.rpcUrl, slots)
  const height = await service.connection.getBlockHeight('confirmed')
  await until(
    async () => (await lastHeightNow(service, setup)) >= height + LIFETIME_SLOTS || undefined,
    'the service has a new blockhash',
  )
}

/** A payment that the service has signed and no one has sent, for this number of blocks after its last valid one. */
async function prepareUnsent({ api }: Service, setup: Setup, late: number): Promise<Unsent> {
  const [payer, source] = setup.feePayers
  const itemData = {
    source: { ...idOf(source!), autoSign: false },
    destination: idOf(setup.owners[0]!),
    lamports: 1_000_000 + late,
  }
  const body = { chainTransactionConfig: { feePayer: idOf(payer!) } }
  const transaction = { offchainId: (await api.make(PAY, itemData, body))['offchainId'] as string }
  const signers = [idOf(source!), idOf(payer!)]
  const signed = await api.get('/transactions/sign', { transaction, signers, returnSerialized: true })
  const bytes = Buffer.from(signed['serializedTransaction'] as string, 'base64')
  const { lastValidBlockHeight } = (await api.get('/transactions/single', transaction)) as unknown as {
    lastValidBlockHeight: number
  }
  return { late, height: lastValidBlockHeight + late, bytes, ref: { ...transaction, onchainId: '' } }
}

describe.concurrent('a node', () => {
  it.each([
    [1, 400],
    [20, 400],
    [200, 200],
  ])(
    'that lags by %d slots: a transaction landed there is found later, and never called expired',
    async (behindSlots, slotMs) => {
      const dataDir = newDataDir()
      // A blockhash lasts 150 slots: long enough for a send on a busy machine.
      const service = await startService({ dataDir, settings: { ...FAULTS, EMBEDDED_SLOT_MS: String(slotMs) } })
      const setup = await settleForGood(service)
      const before = await signaturesSoFar(service, setup)
      // The blockhash of a node that lags by more than its lifetime has expired: then they are signed before it lags.
      const isEnded = behindSlots > LIFETIME_SLOTS
      await setFaults(service.rpcUrl, isEnded ? { dropRequests: { sendTransaction: ALWAYS } } : { behindSlots })
      const transfers = await sendAccepted(service, setup, 'behind', 10)
      await setFaults(service.rpcUrl, { behindSlots })
      for (const transfer of transfers) await finalStatus(service, transactionOf(transfer))
      await setFaults(service.rpcUrl, {})
      await expectOnceEach(service, setup, transfers, before)
      expect(await service.stop()).toBe(0)
      await expectDiskAtRest(dataDir, transfers)
    },
  )

  it('without history proves nothing: a landed transaction stays open until it is visible', async () => {
    const chain = await startOutsideChain(100)
    const dataDir = newDataDir()
    const options = { dataDir, settings: chain.settings }
    let service = await startService(options, chain.rpcUrl)
    const setup = await settleForGood(service)
    const before = await signaturesSoFar(service, setup)
    await setFaults(chain.rpcUrl, {
      dropReplies: { sendTransaction: ALWAYS },
      dropRequests: { getSignatureStatuses: ALWAYS },
    })
    const transfers = await sendAccepted(service, setup, 'forgotten', 5)
    await until(
      async () => (await signaturesSoFar(service, setup)).size === before.size + 5 || undefined,
      'all of them landed',
    )
    await service.kill()
    const past = (await service.connection.getSlot('finalized')) + CACHE_SLOTS
    await passSlots(chain.rpcUrl, CACHE_SLOTS)
    await until(
      async () => (await service.connection.getSlot('finalized')) > past || undefined,
      'the status cache has forgotten them',
    )

    await setFaults(chain.rpcUrl, {
      answerNull: { getSignatureStatuses: ALWAYS, getTransaction: ALWAYS, getBlock: ALWAYS },
    })
    service = await startService(options, chain.rpcUrl)
    for (const transfer of transfers) {
      const { watch } = await until(async () => {
        const explanation = await explain(service, transfer)
        return typeof explanation.watch?.unproven === 'string' ? explanation : undefined
      }, 'a proof was tried')
      expect(watch?.unproven).not.toBe('')
    }
    await pause(1_000)
    for (const transfer of transfers)
      expect(['SIGNED', 'SUBMITTED']).toContain((await explain(service, transfer)).transaction.status)
    await setFaults(chain.rpcUrl, {})
    await insistAll(service, transfers)
    await expectOnceEach(service, setup, transfers, before)
    expect(await service.stop()).toBe(0)
    await expectDiskAtRest(dataDir, transfers)
  })

  it('whose fork is dropped undoes confirmations, and each transfer lands once or provably never', async () => {
    const dataDir = newDataDir()
    // Half a minute until anything is final: enough time for a drop before, on a busy machine too.
    const settings = { ...FAULTS, EMBEDDED_SLOT_MS: '100', EMBEDDED_FINALITY_SLOTS: String(FINALITY_SLOTS) }
    const service = await startService({ dataDir, settings })
    const setup = await settle(service, { owners: 2 })
    const slot = await service.connection.getSlot('processed')
    await passSlotsOf(service, setup, FINALITY_SLOTS)
    await until(async () => (await service.connection.getSlot('finalized')) > slot || undefined, 'everything is final')
    const before = await signaturesSoFar(service, setup)
    const random = randomOf(20_260_112)
    const transfers = Array.from({ length: 10 }, (_, index) => anyTransfer(setup, random, `forked ${index}`))
    await insistAll(service, transfers)
    const first = await Promise.all(transfers.map((transfer) => explain(service, transfer)))
    expect(first.map(({ transaction }) => transaction.status)).not.toContain('FINALIZED')
    // Those before the transfers were empty.
    await forkAway(service.rpcUrl, FINALITY_SLOTS)
    expect(await signaturesSoFar(service, setup)).toEqual(before)
    await until(
      async () => (await explain(service, transfers[0]!)).transaction.status !== 'CONFIRMED' || undefined,
      'the service has noticed',
    )
    // The slots that were dropped, and those of a lifetime.
    await passSlots(service.rpcUrl, FINALITY_SLOTS + LIFETIME_SLOTS)
    // Under the same keys: those that provably cannot land any more have another attempt under its own key.
    for (const transfer of transfers) await finalStatus(service, transactionOf(transfer))
    await insistAll(service, transfers)
    await passSlots(service.rpcUrl, FINALITY_SLOTS)
    await expectOnceEach(service, setup, transfers, before)
    expect(await service.stop()).toBe(0)
    const open = (await recordsOnDisk(dataDir)).filter(
      ({ kind, value }) =>
        kind === 'transaction' && !['finalized', 'blockchainError', 'expired', 'cancelled'].includes(value),
    )
    expect(open).toEqual([])
  })

  it('that includes a transaction at the last valid height: it has landed, and a later one has expired', async () => {
    const dataDir = newDataDir()
    const service = await startService({ dataDir, settings: FAULTS })
    const setup = await settleForGood(service)
    const before = await signaturesSoFar(service, setup)
    const { connection } = service
    const all = await Promise.all([-20, -1, 0, 1].map((late) => prepareUnsent(service, setup, late)))
    const ends = new Map<number, string>()
    const ending: Promise<void>[] = []
    for (const { late, height, bytes, ref } of all.toSorted((a, b) => a.height - b.height)) {
      // It is sent when the block has begun, which lasts for a while.
      const remaining = height - (await connection.getBlockHeight('processed'))
      if (remaining > 0) await passSlots(service.rpcUrl, remaining)
      const sentSignature = await connection.sendRawTransaction(bytes, { skipPreflight: true }).then(
        (signature) => signature,
        () => null,
      )
      const end = async (): Promise<void> => {
        const status = await finalStatus(service, ref)
        const landed =
          sentSignature !== null &&
          (await connection.getTransaction(sentSignature, {
            commitment: 'confirmed',
            maxSupportedTransactionVersion: 0,
          })) !== null
        // On a busy machine the last block may have passed before it was sent: the chain decides.
        expect(status).toBe(landed ? 'FINALIZED' : 'EXPIRED')
        ends.set(late, status)
      }
      ending.push(end())
    }
    await passSlots(service.rpcUrl, 10)
    await Promise.all(ending)
    expect([ends.get(-20), ends.get(1)]).toEqual(['FINALIZED', 'EXPIRED'])
    await expectOnceEach(service, setup, [], before)
    expect(await service.stop()).toBe(0)
    await expectDiskAtRest(dataDir, [])
  })
})
