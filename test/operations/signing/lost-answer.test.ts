// An answer of a remote signer that cannot be stored: the same message is asked again, and the payment happens once.
import { beforeEach, expect, it } from 'vitest'
import { askId } from '../../../src/keys/custodians/protocol.ts'
import type { SigningQueue } from '../../../src/operations/transactions/signing/signing-queue.ts'
import { signatureText } from '../../../src/solana/address.ts'
import { eventually } from '../../localnet/rpc-chain.ts'
import { SOL, Station, type Wallet } from './station.ts'

const AMOUNT = 1_000
const TIMEOUT_MS = 20_000

let station: Station
let feePayer: Wallet
let source: Wallet
let to: Wallet

beforeEach(async () => {
  station = await Station.open('ACME')
  feePayer = await station.wallet('ACME')
  source = await station.wallet('ACME', {}, true)
  to = await station.wallet('ACME')
})

/** A payment that waits for the signer. */
async function waitingPayment(): Promise<string> {
  station.elsewhere.usual = 'silence'
  const { offchainId } = await station.pay('ACME', source, to, AMOUNT, feePayer, { waitMs: 0 })
  await expect.poll(() => station.elsewhere.asked.length, { timeout: TIMEOUT_MS }).toBe(1)
  return offchainId as string
}

/** The next unit of work fails, as one does whose record throws. */
function failOnce(): () => number {
  const { engine } = station.platform
  let failures = 0
  Object.defineProperty(engine, 'transact', {
    configurable: true,
    value: () => {
      Reflect.deleteProperty(engine, 'transact')
      failures += 1
      throw new Error('failed once')
    },
  })
  return () => failures
}

function oneQuestion(): void {
  expect(station.elsewhere.asked.length).toBeGreaterThan(1)
  expect(new Set(station.elsewhere.asked.map((question) => JSON.stringify(question))).size).toBe(1)
}

async function paidOnce(id: string): Promise<void> {
  await expect.poll(() => station.transaction(id).value, { timeout: TIMEOUT_MS }).toBe('finalized')
  await eventually(() => station.agree(feePayer, source, to))
  expect([station.onchain(source), station.onchain(to)]).toEqual([SOL - BigInt(AMOUNT), SOL + BigInt(AMOUNT)])
  expect(station.platform.signingQueue.asks(id)).toBe(false)
}

it('a signature is asked for again', async () => {
  const id = await waitingPayment()
  const failures = failOnce()
  station.elsewhere.usual = 'signature'
  station.elsewhere.speak()
  await paidOnce(id)
  expect(failures()).toBe(1)
  oneQuestion()
}, 60_000)

it('a refusal is asked for again', async () => {
  station.elsewhere.script = ['refusal']
  station.elsewhere.usual = 'silence'
  const { engine } = station.platform
  const transact = engine.transact.bind(engine)
  let failures = 0
  // The refusal follows the commit of the request in the same turns: its own unit of work fails.
  engine.transact = ((work: never) => {
    if (station.elsewhere.asked.length === 0 || failures > 0) return transact(work)
    failures += 1
    throw new Error('failed once')
  }) as never
  const { offchainId } = await station.pay('ACME', source, to, AMOUNT, feePayer, { waitMs: 0 })
  await expect.poll(() => station.elsewhere.asked.length, { timeout: TIMEOUT_MS }).toBe(2)
  expect(failures).toBe(1)
  station.elsewhere.speak()
  await paidOnce(offchainId as string)
  oneQuestion()
}, 60_000)

it('a signature that a custodian sends by itself is refused, and taken when it is sent again', async () => {
  station.elsewhere.custodian = 'CUSTODY'
  const id = await waitingPayment()
  const message = Buffer.from(station.elsewhere.asked[0]!.message, 'base64')
  const signature = signatureText(station.elsewhere.sign(source.onchainId, message))
  const signingQueue = station.platform.signingQueue as Pick<SigningQueue, 'asks' | 'receive'>
  const send = () => signingQueue.receive('CUSTODY', askId(message, source.onchainId), { status: 'SIGNED', signature })
  const failures = failOnce()
  await expect(send()).rejects.toThrow('failed once')
  expect([failures(), signingQueue.asks(id)]).toEqual([1, true])
  expect(await send()).toBe(true)
  await paidOnce(id)
}, 60_000)
