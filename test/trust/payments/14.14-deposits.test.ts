// A deposit can be spent at once, even from a busy account. Records are compared with the chain at the start only
// (`unwatched`): the service observes a deposit because a payment needs it.
import { createMintToInstruction } from '@solana/spl-token'
import { Keypair, PublicKey, SystemProgram } from '@solana/web3.js'
import bs58 from 'bs58'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { setFaults } from '../../chain-faults.ts'
import type { Answer } from '../../e2e/client.ts'
import { eventually, startWorld, unwatched, type World } from '../../e2e/harness.ts'
import { MintFixture } from '../../e2e/instruments/mint-fixture.ts'
import type { Ids, NewInstrument, Problems, Result } from '../../e2e/models.ts'
import { SOL } from '../../e2e/records.ts'
import { startPayers } from '../fixtures/payers.ts'

const PAY = '/positions/transfer-network-currency'
const TRANSFER = '/positions/transfer'

let world: World
let fixture: MintFixture
let fees: Ids

beforeAll(async () => {
  world = await startWorld({ HOLDFAST_EMBEDDED_FAULTS: 'on', HOLDFAST_EMBEDDED_SLOT_MS: '200' }, unwatched)
  fees = await world.records.feePayer({ offchainReferences: { code: 'FEES' } })
  fixture = await MintFixture.open(world)
})
afterAll(() => world.stop())

const unlimited = { networkCurrencyDebitLimits: [], tokenDebitLimits: [] }
const faults = (switches: object): Promise<void> => setFaults(world.rpcUrl, switches)

const pay = (source: Ids, destination: Ids, lamports: bigint): Promise<Answer<Result & Problems>> =>
  world.api.send('POST', PAY, { source, destination, lamports: lamports.toString() }, { config: { feePayer: fees } })
const transfer = (source: Ids, destination: Ids, lamports: bigint): Promise<Answer<Result & Problems>> =>
  world.api.send(
    'POST',
    TRANSFER,
    { source: { position: source }, destination: { position: destination }, lamports: lamports.toString() },
    { config: { feePayer: fees } },
  )

/** Resolves when the chain has confirmed it; the balance of a busy wallet does not show it. */
async function deposit(to: Ids, lamports: bigint): Promise<void> {
  const { connection } = world.chain
  const signature = await connection.requestAirdrop(new PublicKey(to.onchainId), Number(lamports))
  await eventually(async () => {
    const { value } = await connection.getSignatureStatuses([signature])
    expect(['confirmed', 'finalized']).toContain(value[0]?.confirmationStatus)
  })
}

/** Repeats a retryable request as a client does; returns the number of refusals. */
async function retry(
  attempt: () => Promise<Answer<Result & Problems>>,
): Promise<{ answer: Answer<Result & Problems>; retries: number }> {
  for (let retries = 0; ; retries += 1) {
    const answer = await attempt()
    if (answer.body.errors?.[0]?.retryable !== true) return { answer, retries }
  }
}

describe('14.14 a deposit into a busy wallet', () => {
  it('14.14 is spent by the first larger payment, during 16 small ones', async () => {
    const [wallet, shop, large] = [
      await world.records.funded(unlimited, 2n * SOL),
      await world.records.funded(),
      await world.records.funded(),
    ]
    const payers = startPayers(16, async () => {
      const { status, body } = await pay(wallet, shop, 1_000n)
      expect(status, JSON.stringify(body)).toBe(201)
    })
    await payers.rounds(2)
    // The control: an amount beyond the balance is refused for good, even on a busy account.
    const control = await retry(() => pay(wallet, large, 30n * SOL))
    expect(control.answer.body.errors).toMatchObject([{ code: 'INSUFFICIENT_BALANCE', retryable: false }])
    await deposit(wallet, 50n * SOL)
    const { answer } = await retry(() => pay(wallet, large, 30n * SOL))
    expect(answer.status, JSON.stringify(answer.body)).toBe(201)
    expect(await world.chain.lamports(large.onchainId)).toBe(40n * SOL)
    await payers.rounds(1)
    await payers.stop()
    expect(await world.chain.lamports(wallet.onchainId)).toBe(22n * SOL - 1_000n * BigInt(payers.paid))
    await eventually(() => world.records.accountsEqualChain(wallet, shop, large))
  })

  it('14.14 is part of a transfer of the entire balance', async () => {
    const [wallet, shop, all] = [
      await world.records.funded(unlimited, 2n * SOL),
      await world.records.funded(),
      await world.records.funded(),
    ]
    await faults({ dropRequests: { sendTransaction: 1_000_000 } })
    const open = await world.api.ok<Result>(
      201,
      'POST',
      PAY,
      { source: wallet, destination: shop, lamports: '1000000' },
      {
        config: { feePayer: fees },
        headers: { prefer: 'respond-async' },
      },
    )
    await deposit(wallet, 5n * SOL)
    const body = { source: wallet, destination: all, transferEntireBalance: true }
    const { offchainId } = await world.api.ok<Result>(201, 'POST', PAY, body, {
      config: { feePayer: fees },
      headers: { prefer: 'respond-async' },
    })
    await faults({})
    for (const id of [open.offchainId, offchainId])
      await eventually(async () =>
        expect(await world.api.read<Result>('/transactions/status', { offchainId: id })).toMatchObject({
          status: 'FINALIZED',
        }),
      )
    expect(await world.chain.lamports(wallet.onchainId)).toBe(0n)
    expect(await world.chain.lamports(all.onchainId)).toBe(17n * SOL - 1_000_000n)
    await eventually(() => world.records.accountsEqualChain(wallet, shop, all))
  })
})

it('14.14 of tokens is spent by the first larger transfer, during four others', async () => {
  const mint = await fixture.spl(3)
  const { newFinancialInstrument: instrument } = await world.api.ok<NewInstrument>(
    201,
    'POST',
    '/financial-instruments',
    {
      mintAccount: { onchainId: mint.address },
      alreadyOnChain: true,
      mintAuthority: { onchainId: fixture.payer.publicKey.toBase58(), offPlatform: true },
    },
  )
  const [from, to, large] = [
    await world.records.position(await world.records.account(unlimited), instrument),
    await world.records.position(await world.records.account(), instrument),
    await world.records.position(await world.records.account(), instrument),
  ]
  const mintTo = (raw: bigint) =>
    fixture.send([
      createMintToInstruction(mint.key.publicKey, new PublicKey(from.onchainId), fixture.payer.publicKey, raw),
    ])
  await mintTo(1_000n)
  const payers = startPayers(4, async () => {
    const { status, body } = await transfer(from, to, 1n)
    expect(status, JSON.stringify(body)).toBe(201)
  })
  await payers.rounds(2)
  const control = await retry(() => transfer(from, large, 30_000n))
  expect(control.answer.body.errors).toMatchObject([{ code: 'INSUFFICIENT_BALANCE', retryable: false }])
  await mintTo(50_000n)
  const { answer } = await retry(() => transfer(from, large, 30_000n))
  expect(answer.status, JSON.stringify(answer.body)).toBe(201)
  await payers.stop()
  expect(await world.chain.tokens(from.onchainId)).toBe(21_000n - BigInt(payers.paid))
  await eventually(() => world.records.positionsEqualChain(from, to, large))
})

describe('14.14 a deposit into an idle wallet', () => {
  it('14.14 pays ten simultaneous payments', async () => {
    const [wallet, shop] = [await world.records.account(unlimited), await world.records.funded()]
    await world.chain.airdrop(wallet.onchainId, SOL)
    const answers = await Promise.all(Array.from({ length: 10 }, () => pay(wallet, shop, SOL / 10n)))
    expect(answers.map(({ status, body }) => body.errors?.[0] ?? status)).toEqual(Array.from({ length: 10 }, () => 201))
    expect(await world.chain.lamports(wallet.onchainId)).toBe(0n)
    // The control: nothing is left.
    expect((await pay(wallet, shop, SOL / 10n)).body.errors).toMatchObject([
      { code: 'INSUFFICIENT_BALANCE', retryable: false },
    ])
    await eventually(() => world.records.accountsEqualChain(wallet, shop))
  })

  it('14.14 pays a fee', async () => {
    const [wallet, shop, payer] = [
      await world.records.funded(unlimited),
      await world.records.funded(),
      await world.records.account({ canPayFees: true }),
    ]
    const body = { source: wallet, destination: shop, lamports: '1000' }
    const short = await world.api.refuses(400, 'INSUFFICIENT_BALANCE', 'POST', PAY, body, {
      config: { feePayer: payer },
    })
    expect(short.retryable).toBe(false)
    await world.chain.airdrop(payer.onchainId, SOL)
    expect(await world.api.ok<Result>(201, 'POST', PAY, body, { config: { feePayer: payer } })).toMatchObject({
      success: true,
    })
    await eventually(() => world.records.accountsEqualChain(wallet, shop, payer))
  })
})

it('14.14 is not promised again after an outside debit of a busy wallet', async () => {
  const key = Keypair.generate()
  const wallet = await world.records.account({
    ...unlimited,
    onchainId: key.publicKey.toBase58(),
    privateKeyDetails: { privateKey: bs58.encode(key.secretKey) },
  })
  await world.chain.airdrop(wallet.onchainId, 10n * SOL)
  const [shop, large] = [await world.records.funded(), await world.records.funded()]
  const payers = startPayers(4, async () => {
    const { status, body } = await pay(wallet, shop, 1_000n)
    expect(status, JSON.stringify(body)).toBe(201)
  })
  await payers.rounds(2)
  const [fromPubkey, toPubkey] = [key.publicKey, fixture.payer.publicKey]
  await fixture.send([SystemProgram.transfer({ fromPubkey, toPubkey, lamports: 9n * SOL })], [key])
  // More than the balance: refused after a read of the chain, which also shows withdrawals.
  const { answer } = await retry(() => pay(wallet, large, 11n * SOL))
  expect(answer.body.errors).toMatchObject([{ code: 'INSUFFICIENT_BALANCE', retryable: false }])
  const largePayment = await retry(() => pay(wallet, large, 5n * SOL))
  expect(largePayment.answer.body.errors).toMatchObject([{ code: 'INSUFFICIENT_BALANCE', retryable: false }])
  await payers.stop()
  await eventually(() => world.records.accountsEqualChain(wallet, shop, large))
})

it('14.14 a refusal without an answer of the chain can be repeated, and a confirmed one cannot', async () => {
  const [wallet, shop] = [await world.records.account(unlimited), await world.records.funded()]
  await world.chain.airdrop(wallet.onchainId, SOL)
  const unavailable = { code: -32005, message: 'Node is unhealthy', times: 1_000_000 }
  await faults({ answerError: { getMultipleAccounts: unavailable } })
  expect((await pay(wallet, shop, SOL)).body.errors).toMatchObject([{ code: 'INSUFFICIENT_BALANCE', retryable: true }])
  await faults({})
  await eventually(async () => expect((await pay(wallet, shop, SOL)).status).toBe(201))
  expect((await pay(wallet, shop, SOL)).body.errors).toMatchObject([{ code: 'INSUFFICIENT_BALANCE', retryable: false }])
})

it('14.14 missing statuses leave the books unchanged, and the refusal can be repeated', async () => {
  const [wallet, shop] = [await world.records.funded(unlimited, SOL), await world.records.funded()]
  await faults({ dropRequests: { sendTransaction: 1_000_000 } })
  const { offchainId } = await world.api.ok<Result>(
    201,
    'POST',
    PAY,
    { source: wallet, destination: shop, lamports: '1000' },
    {
      config: { feePayer: fees },
      headers: { prefer: 'respond-async' },
    },
  )
  await world.chain.airdrop(wallet.onchainId, 5n * SOL)
  const unavailable = { code: -32603, message: 'Internal error', times: 1_000_000 }
  await faults({ dropRequests: { sendTransaction: 1_000_000 }, answerError: { getSignatureStatuses: unavailable } })
  expect((await pay(wallet, shop, 5n * SOL)).body.errors).toMatchObject([
    { code: 'INSUFFICIENT_BALANCE', retryable: true },
  ])
  expect((await world.records.accountRecord(wallet)).offchain.lamportsBalance).toBe(Number(SOL))
  await faults({})
  await eventually(async () => expect((await pay(wallet, shop, 5n * SOL)).status).toBe(201))
  await eventually(async () =>
    expect(await world.api.read<Result>('/transactions/status', { offchainId })).toMatchObject({ status: 'FINALIZED' }),
  )
  await eventually(() => world.records.accountsEqualChain(wallet, shop))
})
