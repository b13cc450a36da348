// Remote signatures: the same message is requested until it is signed or proven expired. One transaction lands, and
// nothing stays reserved for one that cannot land any more.
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { cancelTransaction } from '../../../src/operations/signing/cancel.ts'
import { signTransaction } from '../../../src/operations/signing/sign.ts'
import { submitTransaction } from '../../../src/operations/signing/submit.ts'
import { transferNetworkCurrency } from '../../../src/operations/positions/transfer-network-currency.ts'
import { eventually } from '../../localnet/rpc-chain.ts'
import { SOL, Station, type Wallet } from './station.ts'

const AMOUNT = 1_000
const FEE = 10_000n

let station: Station
let feePayer: Wallet
let source: Wallet
let to: Wallet

async function furnish(): Promise<void> {
  Object.assign(station.elsewhere, { script: [], usual: 'signature' })
  station.elsewhere.asked.length = 0
  feePayer = await station.wallet('ACME')
  source = await station.wallet('ACME', {}, true)
  to = await station.wallet('ACME')
}

const pay = (waitMs = 60_000) => station.pay('ACME', source, to, AMOUNT, feePayer, { waitMs })
const details = (id: unknown): string[] =>
  station.transaction(id).context.history.map(({ status, detail }) => `${status}: ${detail ?? ''}`)

/** The payment happened once, and the books of both accounts show it. */
async function movedOnce(): Promise<void> {
  await eventually(() => station.agree(feePayer, source, to))
  expect([station.onchain(feePayer), station.onchain(source), station.onchain(to)]).toEqual([
    SOL - FEE,
    SOL - BigInt(AMOUNT),
    SOL + BigInt(AMOUNT),
  ])
}

async function nothingMoved(): Promise<void> {
  await eventually(() => station.agree(feePayer, source, to))
  expect([station.onchain(feePayer), station.onchain(source), station.onchain(to)]).toEqual([SOL, SOL, SOL])
}

/** Every request was the same. */
function oneQuestion(times: number): void {
  expect(station.elsewhere.asked).toHaveLength(times)
  expect(new Set(station.elsewhere.asked.map((question) => JSON.stringify(question))).size).toBe(1)
}

describe('a remote signer', () => {
  beforeAll(async () => {
    station = await Station.open('ACME')
  })
  beforeEach(furnish)

  it('is requested and awaited once the request is durable', async () => {
    const result = await pay()
    expect(result).toMatchObject({ success: true })
    oneQuestion(1)
    const { context } = station.transaction(result['offchainId'])
    expect(station.elsewhere.asked[0]).toEqual({
      address: source.onchainId,
      message: context.fixed.message,
      key: `${context.fixed.messageHash}:${source.onchainId}`,
    })
    expect(details(result['offchainId']).slice(0, 3)).toEqual([
      'PREPARED: ',
      'PARTIALLY_SIGNED: 1 of 2 signatures',
      'SIGNED: 2 of 2 signatures',
    ])
    await movedOnce()
  })

  it('keeps its reservation, and nothing is sent before it has signed', async () => {
    station.elsewhere.usual = 'silence'
    const result = await pay(0)
    expect(result).toMatchObject({ success: false, status: 'PARTIALLY_SIGNED' })
    expect([station.book(source).reserved, station.book(feePayer).reserved]).toEqual([String(AMOUNT), String(FEE)])
    await eventually(() => station.elsewhere.asked.length === 1)
    expect(station.transaction(result['offchainId']).context.attempts).toBe(0)
    station.elsewhere.speak()
    await station.until(result['offchainId'], 'finalized')
    await movedOnce()
  })

  it('gets the same request after a failure, and its answers are verified', async () => {
    station.elsewhere.script = ['failure', 'nonsense', 'failure']
    expect(await pay()).toMatchObject({ success: true })
    oneQuestion(4)
    await movedOnce()
  })

  it('may sign for the fee payer as well, whose signature is the transaction id', async () => {
    feePayer = source
    const result = await pay()
    expect(result).toMatchObject({ success: true })
    expect(details(result['offchainId'])[1]).toBe('PARTIALLY_SIGNED: 0 of 1 signatures')
    await eventually(() => station.agree(source, to))
    expect(station.onchain(source)).toBe(SOL - BigInt(AMOUNT) - FEE / 2n)
  })

  it('is requested by Sign, which waits for the answer; a signed transaction waits for Submit', async () => {
    const body = {
      itemData: {
        source: { onchainId: source.onchainId, autoSign: false },
        destination: { onchainId: to.onchainId },
        lamports: String(AMOUNT),
      },
      chainTransactionConfig: { feePayer: { onchainId: feePayer.onchainId } },
    }
    const { itemData, ...config } = body
    const write = ((context, input) =>
      transferNetworkCurrency(context, { ...input, ...config } as never)) as typeof signTransaction
    const { offchainId } = await station.run('ACME', write, itemData as never)
    expect(station.transaction(offchainId).value).toBe('prepared')
    expect(station.elsewhere.asked).toHaveLength(0)
    const transaction = { offchainId: offchainId as string }
    expect(await station.run('ACME', signTransaction, { transaction })).toMatchObject({ status: 'SIGNED' })
    expect(station.transaction(offchainId).context.attempts).toBe(0)
    expect(await station.run('ACME', submitTransaction, { transaction })).toMatchObject({ success: true })
    oneQuestion(1)
    await movedOnce()
  })

  it('that refuses leaves the proof of expiry to the chain', async () => {
    station.elsewhere.usual = 'refusal'
    const result = await pay()
    expect(result).toMatchObject({ success: false, status: 'PARTIALLY_SIGNED' })
    expect(details(result['offchainId']).at(-1)).toContain(
      `${source.onchainId} refused to sign: not during the audit; it was asked`,
    )
    expect(station.book(source).reserved).toBe(String(AMOUNT))
    const { context } = await station.untilOver(result['offchainId'], 'expired')
    expect(context.proof).toMatchObject({ rule: 'blockhash' })
    oneQuestion(1)
    await nothingMoved()
  })

  it('that states that it has not signed ends it at once, if a local signature has not left the service', async () => {
    station.elsewhere.usual = 'finalRefusal'
    const [local, payer] = [feePayer, source]
    const result = await station.pay('ACME', local, to, AMOUNT, payer, { waitMs: 60_000 })
    expect(result).toMatchObject({ success: false, status: 'NON_BLOCKCHAIN_ERROR' })
    expect(result['errorMessage']).toContain('refused to sign: no such key')
    await nothingMoved()
  })

  it('that states that it has not signed does not end it if the only local signature is the transaction id', async () => {
    station.elsewhere.usual = 'finalRefusal'
    const result = await pay()
    expect(result).toMatchObject({ success: false, status: 'PARTIALLY_SIGNED' })
    expect(station.book(source).reserved).toBe(String(AMOUNT))
  })

  it('that may have signed an earlier request does not end it', async () => {
    station.elsewhere.script = ['failure']
    station.elsewhere.usual = 'finalRefusal'
    const [local, payer] = [feePayer, source]
    const result = await station.pay('ACME', local, to, AMOUNT, payer, { waitMs: 60_000 })
    expect(result).toMatchObject({ success: false, status: 'PARTIALLY_SIGNED' })
    expect(station.book(local).reserved).toBe(String(AMOUNT))
  })

  it('is not used after a cancellation, which ends by proof', async () => {
    station.elsewhere.usual = 'silence'
    const { offchainId } = await pay(0)
    await eventually(() => station.elsewhere.asked.length === 1)
    const cancelled = await station.run('ACME', cancelTransaction, { offchainId: offchainId as string })
    expect(cancelled).toMatchObject({ status: 'PARTIALLY_SIGNED' })
    expect(station.book(source).reserved).toBe(String(AMOUNT))
    station.elsewhere.speak()
    await station.untilOver(offchainId, 'cancelled')
    oneQuestion(1)
    await nothingMoved()
  })

  it('that never answers for a fee payer is proven expired by the message, without a signature', async () => {
    station.elsewhere.usual = 'silence'
    const { offchainId } = await station.pay('ACME', source, to, AMOUNT, source, { waitMs: 0 })
    expect(station.transaction(offchainId).context.signature).toBeNull()
    const { context } = await station.untilOver(offchainId, 'expired')
    expect(context.proof).toMatchObject({ rule: 'blockhash', statuses: null })
    station.elsewhere.speak()
    await nothingMoved()
  })
})

describe('after a crash', () => {
  // One write per commit: only the tested write is on its way to disk.
  beforeEach(async () => {
    station = await Station.open('ACME')
    await furnish()
  })

  it('between the first write and the request, the request is sent', async () => {
    station.disk.hold()
    const writes = station.disk.writes.length
    void pay().catch(() => undefined)
    await eventually(() => station.disk.writes.length > writes)
    expect(station.elsewhere.asked).toHaveLength(0)
    await station.crash(true)
    const [transaction] = station.transactions
    await station.until(transaction?.id, 'finalized')
    oneQuestion(1)
    await movedOnce()
  })

  it('before the first write is on disk, no request was sent and nothing remains', async () => {
    station.disk.hold()
    void pay().catch(() => undefined)
    await eventually(() => station.transactions.length > 0)
    await station.crash(false)
    expect(station.transactions).toHaveLength(0)
    expect(station.elsewhere.asked).toHaveLength(0)
    await nothingMoved()
  })

  it('between the answer and its write, the same message is requested again and lands once', async () => {
    station.elsewhere.script = ['silence']
    const { offchainId } = await pay(0)
    await eventually(() => station.elsewhere.asked.length === 1)
    station.disk.hold()
    const writes = station.disk.writes.length
    station.elsewhere.speak()
    await eventually(() => station.disk.writes.length > writes)
    await station.crash(false)
    expect(station.transaction(offchainId).value).toBe('partiallySigned')
    await station.until(offchainId, 'finalized')
    oneQuestion(2)
    await movedOnce()
  })

  it('during the wait, repeatedly, the same message is requested each time', async () => {
    station.elsewhere.usual = 'silence'
    const { offchainId } = await pay(0)
    await eventually(() => station.elsewhere.asked.length === 1)
    await station.crash()
    await eventually(() => station.elsewhere.asked.length === 2)
    await station.crash()
    await eventually(() => station.elsewhere.asked.length === 3)
    expect(station.book(source).reserved).toBe(String(AMOUNT))
    station.elsewhere.speak()
    await station.until(offchainId, 'finalized')
    oneQuestion(3)
    await movedOnce()
  })
})
