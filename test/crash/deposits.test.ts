// A wallet that payers keep busy, outside deposits meanwhile, and SIGKILL of the service at a random instant,
// repeatedly on one data directory: after each restart the books equal the chain, to the unit, and every payment took
// effect exactly once.
import { PublicKey } from '@solana/web3.js'
import { describe, expect, it } from 'vitest'
import { isBusy, refOf, type Ref } from './api.ts'
import { randomOf, type Random } from './random.ts'
import { newDataDir, startService, type Service } from './service.ts'
import { idOf } from './setup.ts'
import { finalStatus, pause } from './transfer.ts'
import { until } from './until.ts'

const ROUNDS = 4
const PAYERS = 12
const SEED = 20_261_122
const SOL = 1_000_000_000
const PAY = '/positions/transfer-network-currency'

interface Payment {
  /** Another key only when the attempt under it provably expired. */
  key: string
  readonly lamports: number
  /** The transaction, once an answer named it. */
  ref: Ref | null
}

interface Scene {
  readonly wallet: Ref
  readonly shop: Ref
  readonly fees: Ref
}

async function airdrop({ connection }: Service, to: Ref, lamports: number): Promise<string> {
  return await connection.requestAirdrop(new PublicKey(to.onchainId), lamports)
}

async function settle(service: Service): Promise<Scene> {
  const account = async (itemData: object): Promise<Ref> =>
    refOf(await service.api.make('/accounts', itemData), 'newAccount')
  const scene = {
    wallet: await account({ networkCurrencyDebitLimits: [] }),
    shop: await account({}),
    fees: await account({ canPayFees: true }),
  }
  for (const each of Object.values(scene)) {
    await airdrop(service, each, 5 * SOL)
    await until(async () => (await readBooked(service, each)) === 5 * SOL || undefined, 'the funds are in the books')
  }
  return scene
}

/** The balance in the books, without a read of the chain. */
async function readBooked({ api }: Service, account: Ref): Promise<number> {
  const { offchain } = (await api.get('/accounts/single', idOf(account))) as { offchain: { lamportsBalance: number } }
  return offchain.lamportsBalance
}

/** One attempt; a lost answer reports nothing. */
async function ask({ api }: Service, { wallet, shop, fees }: Scene, payment: Payment): Promise<boolean> {
  const itemData = { source: idOf(wallet), destination: idOf(shop), lamports: payment.lamports }
  const answer = await api
    .send('POST', PAY, itemData, {
      body: { chainTransactionConfig: { feePayer: idOf(fees) } },
      headers: { 'idempotency-key': payment.key },
    })
    .catch(() => null)
  if (answer === null || isBusy(answer)) return false
  expect(answer.status, `${payment.key}: ${JSON.stringify(answer.body)}`).toBe(201)
  const ref = { onchainId: answer.body['onchainId'] as string, offchainId: answer.body['offchainId'] as string }
  if (answer.body['status'] === 'EXPIRED') {
    payment.key += '+'
    payment.ref = null
    return false
  }
  if (payment.ref !== null) expect(ref).toEqual(payment.ref)
  payment.ref = ref
  return answer.body['success'] === true
}

/**
 * Pays and deposits until the service has ended. A transaction sent to the chain counts from its answer: the chain
 * loses no acknowledged deposit.
 */
class Traffic {
  readonly payments: Payment[] = []
  deposited = 0
  #running = true
  readonly #service: Service
  readonly #scene: Scene

  constructor(service: Service, scene: Scene) {
    this.#service = service
    this.#scene = scene
  }

  async run(name: string, random: Random): Promise<void> {
    const payer = async (number: number): Promise<void> => {
      for (let count = 0; this.#running; count += 1) {
        const payment: Payment = { key: `${name}, ${number}.${count}`, lamports: 1_000 + random(1_000), ref: null }
        this.payments.push(payment)
        await ask(this.#service, this.#scene, payment)
      }
    }
    const depositor = async (): Promise<void> => {
      while (this.#running) {
        const lamports = 1_000_000 + random(1_000_000)
        await airdrop(this.#service, this.#scene.wallet, lamports)
        this.deposited += lamports
        // A deposit that the books observe because of a refusal, beside those with a notification.
        if (random(3) === 0) await this.#lack()
      }
    }
    await Promise.all([
      ...Array.from({ length: PAYERS }, (_, number) => payer(number)),
      depositor().catch(() => undefined),
    ])
  }

  end(): void {
    this.#running = false
  }

  async #lack(): Promise<void> {
    const { wallet, shop, fees } = this.#scene
    const itemData = { source: idOf(wallet), destination: idOf(shop), lamports: 1_000_000 * SOL }
    await this.#service.api.send('POST', PAY, itemData, { body: { chainTransactionConfig: { feePayer: idOf(fees) } } })
  }
}

describe('the service is killed while deposits come into a busy wallet', () => {
  it(`14.14 in ${ROUNDS} rounds: after each, the books equal the chain and every payment landed once`, async () => {
    const random = randomOf(SEED)
    const dataDir = newDataDir()
    let service = await startService({ dataDir })
    const scene = await settle(service)
    const payments: Payment[] = []
    let deposited = 0
    for (let round = 0; round < ROUNDS; round += 1) {
      const traffic = new Traffic(service, scene)
      const trafficRun = traffic.run(`round ${round}`, random)
      await until(
        () => (traffic.deposited > 0 && traffic.payments.some(({ ref }) => ref !== null)) || undefined,
        'traffic',
      )
      await pause(random(600))
      // The chain is not killed: it keeps what it acknowledged.
      await service.kill()
      traffic.end()
      await trafficRun
      payments.push(...traffic.payments)
      deposited += traffic.deposited

      service = await startService({ dataDir })
      for (const payment of traffic.payments)
        await until(async () => (await ask(service, scene, payment)) || undefined, `${payment.key} is made`)
      for (const { ref } of traffic.payments) expect(await finalStatus(service, ref!)).toBe('FINALIZED')
      const paidLamports = payments.reduce((total, { lamports }) => total + lamports, 0)
      await expectBooks(service, scene.shop, 5 * SOL + paidLamports)
      await expectBooks(service, scene.wallet, await walletOnChain(service, scene, 5 * SOL + deposited - paidLamports))
    }
    const paymentSignatures = payments.map(({ ref }) => ref!.onchainId)
    expect(new Set(paymentSignatures).size).toBe(paymentSignatures.length)
    const onChain = await signatures(service, scene.shop)
    expect(paymentSignatures.filter((signature) => !onChain.has(signature))).toEqual([])
    // Beside the payments only the first deposit has touched it.
    expect(onChain.size).toBe(paymentSignatures.length + 1)
    expect(await service.stop()).toBe(0)
  })
})

/** The last deposit of a round may have landed without an answer: then the balance is higher by it. */
async function walletOnChain({ connection }: Service, { wallet }: Scene, least: number): Promise<number> {
  const lamports = await connection.getBalance(new PublicKey(wallet.onchainId), 'confirmed')
  const unanswered = lamports - least
  expect(unanswered).toBeGreaterThanOrEqual(0)
  expect(unanswered).toBeLessThan(2_000_000 * ROUNDS)
  return lamports
}

/** The books without a query: the reconciliation at the start, or a notification, has updated them. */
async function expectBooks(service: Service, account: Ref, lamports: number): Promise<void> {
  await until(async () => (await readBooked(service, account)) === lamports || undefined, `the books say ${lamports}`)
  expect(await service.api.get('/accounts/single/balance', idOf(account))).toMatchObject({
    reserved: { lamports: 0 },
    outOfBalance: false,
  })
  expect(await service.connection.getBalance(new PublicKey(account.onchainId), 'confirmed')).toBe(lamports)
}

async function signatures({ connection }: Service, account: Ref): Promise<Set<string>> {
  const foundSignatures = new Set<string>()
  for (let before: string | undefined; ;) {
    const page = await connection.getSignaturesForAddress(
      new PublicKey(account.onchainId),
      before === undefined ? {} : { before },
      'confirmed',
    )
    for (const { signature } of page) foundSignatures.add(signature)
    before = page.at(-1)?.signature
    if (page.length < 1_000) return foundSignatures
  }
}
