// A key at a custodian, with kill -9 at each instant of a payment: before the answer of the custodian, after the answer
// was sent and before it is stored, and during the decision. The same request is sent again, the payment lands once,
// and no amount stays reserved.
import { PublicKey } from '@solana/web3.js'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { CODE, Custodian, pending, refuses } from '../keys/custodian.ts'
import { refOf, type Ref } from './api.ts'
import { passSlots } from '../chain-faults.ts'
import { newDataDir, startService, type Service } from './service.ts'
import { until } from './until.ts'

const SOL = 1_000_000_000
const AMOUNT = 1_234_567
/** More slots than the lifetime of a blockhash. */
const LIFETIME_SLOTS = 200

let custodian: Custodian
let dataDir: string
let service: Service
let payer: Ref
let source: Ref
let to: Ref

const start = (): Promise<Service> =>
  startService({ dataDir, settings: { EMBEDDED_FAULTS: 'on', SIGNERS: custodian.setting } })
const account = async (itemData: object): Promise<Ref> =>
  refOf(await service.api.make('/accounts', itemData), 'newAccount')
const pay = (key: string): ReturnType<Service['api']['send']> =>
  service.api.send(
    'POST',
    '/positions/transfer-network-currency',
    { source, destination: to, lamports: AMOUNT },
    { headers: { 'idempotency-key': key }, body: { chainTransactionConfig: { feePayer: payer } } },
  )
const balanceOf = async (ref: Ref): Promise<Record<string, { lamports: number }>> =>
  (await service.api.get('/accounts/single/balance', ref)) as never

beforeAll(async () => {
  custodian = await Custodian.start()
  dataDir = newDataDir()
  service = await start()
  payer = await account({ canPayFees: true })
  const privateKeyDetails = { location: ['REMOTE'], signer: CODE, publickKey: custodian.newKey() }
  source = await account({ privateKeyDetails })
  for (const { onchainId } of [payer, source]) await service.connection.requestAirdrop(new PublicKey(onchainId), SOL)
  for (const each of [payer, source]) await service.api.get('/accounts/single/balance', each)
})
beforeEach(async () => {
  custodian.forget()
  to = await account({})
})
afterAll(async () => {
  await service.stop()
  await custodian.stop()
})

/** Every request had the same id, message and summary. */
function oneQuestion(atLeast: number): void {
  const { questions } = custodian
  expect(questions.length).toBeGreaterThanOrEqual(atLeast)
  expect(new Set(questions.map(({ id, message, summary }) => JSON.stringify([id, message, summary]))).size).toBe(1)
}

async function landsOnce(key: string): Promise<void> {
  const landed = async (): Promise<number> => await service.connection.getBalance(new PublicKey(to.onchainId))
  await until(async () => ((await landed()) > 0 ? true : undefined), 'the payment lands')
  expect(await pay(key)).toMatchObject({ status: 201, replayed: true, body: { success: true } })
  expect(await service.connection.getSignaturesForAddress(new PublicKey(to.onchainId))).toHaveLength(1)
  expect(await landed()).toBe(AMOUNT)
  await nothingReserved()
}

async function nothingReserved(): Promise<void> {
  await until(async () => {
    const { reserved, offchain, onchain } = await balanceOf(source)
    return reserved!.lamports === 0 && offchain!.lamports === onchain!.lamports ? true : undefined
  }, 'nothing is reserved, and the books agree')
}

it.each([
  ['before the answer leaves', false],
  ['when the answer has left and is not written', true],
])('a kill %s: the same request is sent again and the payment lands once', async (name, afterAnswer) => {
  const { pid } = service.program
  custodian.around = (hasAnswered) => {
    // The service is stopped while the answer is sent: the answer arrives, and is not read.
    if (!hasAnswered && afterAnswer) process.kill(pid, 'SIGSTOP')
    if (hasAnswered !== afterAnswer) return
    custodian.around = null
    process.kill(pid, 'SIGKILL')
  }
  await expect(pay(name)).rejects.toThrow()
  expect(await service.program.ended).toBe('SIGKILL')
  service = await start()
  await landsOnce(name)
  oneQuestion(2)
})

it('a kill while the custodian decides: the request is repeated, and the payment is sent once', async () => {
  custodian.usual = pending()
  const payment = pay('pending').catch(() => undefined)
  await until(() => Promise.resolve(custodian.questions.length >= 2 ? true : undefined), 'the custodian is polled')
  await service.kill()
  await payment
  service = await start()
  const { length } = custodian.questions
  await until(() => Promise.resolve(custodian.questions.length > length ? true : undefined), 'it is asked again')
  expect((await balanceOf(source))['reserved']!.lamports).toBe(AMOUNT)
  custodian.forget()
  await landsOnce('pending')
  oneQuestion(1)
})

it('a refusal after a kill releases the amount only once the expiry is proven', async () => {
  custodian.usual = pending()
  const payment = pay('refused').catch(() => undefined)
  await until(() => Promise.resolve(custodian.questions.length >= 1 ? true : undefined), 'the custodian is asked')
  await service.kill()
  await payment
  custodian.usual = refuses
  const { length } = custodian.questions
  service = await start()
  await until(() => custodian.questions.length > length || undefined, 'it is asked again')
  expect((await balanceOf(source))['reserved']!.lamports).toBe(AMOUNT)
  await passSlots(service.rpcUrl, LIFETIME_SLOTS)
  const transactionOf = async (): Promise<string> => {
    const { body } = await pay('refused')
    return String(body['status'])
  }
  await until(async () => ((await transactionOf()) === 'EXPIRED' ? true : undefined), 'the expiry is proven')
  expect(await service.connection.getBalance(new PublicKey(to.onchainId))).toBe(0)
  await nothingReserved()
})
