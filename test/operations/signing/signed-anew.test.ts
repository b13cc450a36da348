// The message of a payment lands with another signature of its fee payer than the one on record, because others have
// the key as well. The service finds the message, follows that signature, and books the payment once.
import { Keypair as WebKeypair } from '@solana/web3.js'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { isHolding, ofKind } from '../../../src/engine/records/record.ts'
import { createNonces } from '../../../src/operations/nonces/create.ts'
import { transferNetworkCurrency } from '../../../src/operations/positions/transfer-network-currency.ts'
import { reconcile } from '../../../src/operations/reconcile/reconcile.ts'
import { cancelTransaction } from '../../../src/operations/signing/cancel.ts'
import { signTransaction } from '../../../src/operations/signing/sign.ts'
import { submitTransaction } from '../../../src/operations/signing/submit.ts'
import { signatureText } from '../../../src/solana/address.ts'
import { signedAnew } from '../../localnet/bank-chain.ts'
import { eventually } from '../../localnet/rpc-chain.ts'
import { GRANT } from './sponsored-payment.ts'
import { CLUSTER, SOL, Station, type Wallet } from './station.ts'

const AMOUNT = 1_000
const FEE = 5_000

let station: Station
let source: Wallet
let to: Wallet

async function run(write: unknown, itemData: object, chainTransactionConfig: object): Promise<string> {
  const withConfig = ((context, body) =>
    (write as typeof signTransaction)(context, { ...body, chainTransactionConfig } as never)) as typeof signTransaction
  return (await station.run('ACME', withConfig, itemData))['offchainId'] as string
}

/** A payment that is signed and waits for Submit. */
async function signedPayment(config: object = {}, feePayer = source): Promise<string> {
  const itemData = {
    source: { onchainId: source.onchainId, autoSign: false },
    destination: { onchainId: to.onchainId },
    lamports: String(AMOUNT),
  }
  const payer = { feePayer: { onchainId: feePayer.onchainId, autoSign: false } }
  const offchainId = await run(transferNetworkCurrency, itemData, { ...payer, ...config })
  await station.run('ACME', signTransaction, { transaction: { offchainId } })
  expect(station.transaction(offchainId).value).toBe('signed')
  return offchainId
}

/** Sends the message with another valid signature of its fee payer, which is returned. */
async function sendSignedAnew(id: string, feePayer = source): Promise<string> {
  const { fixed } = station.transaction(id).context
  const message = Buffer.from(fixed.message, 'base64')
  const signers = fixed.signers.map(({ address }) => [feePayer, source].find((each) => each.onchainId === address)!)
  const signatures = signers.map(({ pair }) => pair.sign(message))
  const bytes = Buffer.concat([Buffer.from([signers.length]), ...signatures, message])
  const other = signedAnew(bytes, WebKeypair.fromSeed(feePayer.pair.seed()))
  expect(await station.chain.bank.send(other)).toMatchObject({ kind: 'executed', error: null })
  const signature = signatureText(other.subarray(1, 65))
  expect(signature).not.toBe(station.transaction(id).context.signature)
  return signature
}

/** The books show the payment once. */
async function paidOnce(id: string, signature: string, feePayer = source): Promise<void> {
  await station.pastLifetimes(() => station.transaction(id).context.finalAt !== null)
  const { value, context } = station.transaction(id)
  expect([value, context.signature, context.error]).toEqual(['finalized', signature, null])
  await eventually(() => station.agree(source, to, feePayer))
  expect(station.onchain(to)).toBe(SOL + BigInt(AMOUNT))
}

describe('a message that landed with another signature of its fee payer', () => {
  beforeAll(async () => {
    station = await Station.open('ACME', 'BANK')
  })
  beforeEach(async () => {
    source = await station.wallet('ACME', { keyOrigin: 'imported' })
    to = await station.wallet('ACME')
  })

  it('is found, and the payment is booked once', async () => {
    const id = await signedPayment()
    const landed = await sendSignedAnew(id)
    await station.run('ACME', submitTransaction, { transaction: { offchainId: id } }, { waitMs: 0 })
    await paidOnce(id, landed)
    expect(station.onchain(source)).toBe(SOL - BigInt(AMOUNT + FEE))
  }, 60_000)

  it('is found after a crash', async () => {
    const id = await signedPayment()
    const landed = await sendSignedAnew(id)
    await station.crash()
    await paidOnce(id, landed)
  }, 60_000)

  it('is found if the key was exported after the service had signed', async () => {
    source = await station.wallet('ACME')
    const id = await signedPayment()
    const entry = station.platform.engine.directory.byId(source.offchainId)!
    const changes = { keyOrigin: 'exported' } as const
    await station.commit((unit) => unit.send<'account'>(entry, { type: 'command.update', changes }))
    await paidOnce(id, await sendSignedAnew(id))
  }, 60_000)

  it('is found under a durable nonce', async () => {
    const authority = { onchainId: source.onchainId }
    await run(createNonces, { nonceAuthority: authority, count: 1 }, { feePayer: authority })
    await eventually(() =>
      [...station.platform.engine.directory.entries()].some(({ committed }) => {
        const nonce = ofKind(committed, 'nonce')
        return nonce?.value === 'active' && nonce.context.value !== null
      }),
    )
    await station.chain.bank.advance(2)
    const id = await signedPayment({ messageLifetimeStrategy: 'DURABLE_NONCE' })
    await paidOnce(id, await sendSignedAnew(id))
  }, 60_000)

  it('is found for a tenant that countersigned', async () => {
    const sponsor = await station.wallet('BANK', { ...GRANT, keyOrigin: 'imported' })
    await station.accept('ACME', sponsor)
    const id = await signedPayment({}, sponsor)
    expect(station.countersignatures).toHaveLength(1)
    await paidOnce(id, await sendSignedAnew(id, sponsor), sponsor)
    expect(station.onchain(sponsor)).toBe(SOL - BigInt(2 * FEE))
    await eventually(() => station.countersignatures[0]!.value === 'settled')
  }, 60_000)

  it('is booked once, though a reading of the chain counted it as a movement by others', async () => {
    const sponsor = await station.wallet('BANK', { ...GRANT, keyOrigin: 'imported' })
    await station.accept('ACME', sponsor)
    const id = await signedPayment({}, sponsor)
    const wallets = [source, to, sponsor]
    const balances = wallets.map(() => new Set<string>())
    station.platform.engine.onCommitted((changes) => {
      for (const { next } of changes) {
        const wallet = wallets.findIndex(({ offchainId }) => offchainId === next.id)
        if (isHolding(next) && wallet >= 0) balances[wallet]!.add(next.context.lamports.balance)
      }
    })
    const landed = await sendSignedAnew(id, sponsor)
    // The block in which it landed must not be the open one.
    await station.chain.bank.advance(2)
    await reconcile(
      station.platform,
      CLUSTER,
      wallets.map(({ offchainId }) => station.record(offchainId)),
    )
    const left = [SOL - BigInt(AMOUNT), SOL + BigInt(AMOUNT), SOL - BigInt(2 * FEE)]
    expect(wallets.map((wallet) => station.book(wallet).balance)).toEqual(left.map(String))
    expect(station.book(source).reserved).toBe(String(AMOUNT))
    await paidOnce(id, landed, sponsor)
    expect(balances.map((each) => [...each])).toEqual(left.map((balance) => [String(balance)]))
  }, 60_000)

  it('is found after a cancellation, which does not end the payment at once', async () => {
    const feePayer = await station.wallet('ACME', { keyOrigin: 'exported' })
    const id = await signedPayment({}, feePayer)
    await station.run('ACME', cancelTransaction, { offchainId: id })
    expect(station.transaction(id).context).toMatchObject({
      finalAt: null,
      cancelAskedAt: expect.any(String) as unknown,
    })
    await paidOnce(id, await sendSignedAnew(id, feePayer), feePayer)
  }, 60_000)

  it('is impossible while the service withholds a signature of a key of its own: a cancellation ends it', async () => {
    const feePayer = source
    source = await station.wallet('ACME')
    const id = await signedPayment({}, feePayer)
    await station.run('ACME', cancelTransaction, { offchainId: id })
    expect(station.transaction(id).value).toBe('cancelled')
  }, 60_000)

  it('is looked for before the payment expires, unless only the service has the key', async () => {
    const imported = await signedPayment()
    const { onchainId } = source
    source = await station.wallet('ACME')
    const generated = await signedPayment()
    await station.untilOver(imported, 'expired')
    await station.untilOver(generated, 'expired')
    expect(station.transaction(imported).context.proof).toMatchObject({ history: { address: onchainId } })
    expect(station.transaction(generated).context.proof).toMatchObject({ history: null })
  }, 60_000)
})
