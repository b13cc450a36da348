// Transactions that others can send without the service: a result contains the signature, or the message needs no
// signature of the service.
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { signatureBytes, signatureText } from '../../../src/solana/address.ts'
import { assembleTransaction } from '../../../src/solana/message.ts'
import { parseMessage } from '../../../src/solana/parse.ts'
import { cancelTransaction } from '../../../src/operations/signing/cancel.ts'
import { signTransaction } from '../../../src/operations/signing/sign.ts'
import { submitTransaction } from '../../../src/operations/signing/submit.ts'
import { transferNetworkCurrency } from '../../../src/operations/positions/transfer-network-currency.ts'
import { eventually } from '../../localnet/rpc-chain.ts'
import { SOL, Station, type Wallet } from './station.ts'

const AMOUNT = 1_000n
const FEE = 5_000n

interface Result {
  readonly offchainId: string
  readonly onchainId: string
  readonly status: string
  readonly serializedMessage: string
}

let station: Station
let source: Wallet
let to: Wallet

/** The source also pays the fee: there is one signature. */
async function preparePayment(): Promise<Result> {
  const input = {
    itemData: {
      source: { onchainId: source.onchainId, autoSign: false },
      destination: { onchainId: to.onchainId },
      lamports: AMOUNT.toString(),
    },
    chainTransactionConfig: { feePayer: { onchainId: source.onchainId, autoSign: false } },
  }
  const write = ((context, { itemData }) =>
    transferNetworkCurrency(context, itemData as never)) as typeof signTransaction
  const result = (await station.run('ACME', write, input as never)) as unknown as Result
  expect(result.status).toBe('PREPARED')
  return result
}

const buildReference = ({ offchainId }: Result) => ({ transaction: { offchainId } })

async function sign(transaction: Result, members: object = {}): Promise<Result> {
  const signed = (await station.run('ACME', signTransaction, {
    ...buildReference(transaction),
    ...members,
  })) as unknown as Result
  expect(signed.status).toBe('SIGNED')
  return signed
}

const cancel = async ({ offchainId }: Result): Promise<unknown> =>
  (await station.run('ACME', cancelTransaction, { offchainId }))['status']

/** The transaction as any client can assemble it from the answer of Sign. */
function bytesOf({ serializedMessage, onchainId }: Result): Uint8Array {
  return assembleTransaction(parseMessage(Buffer.from(serializedMessage, 'base64')), [signatureBytes(onchainId)])
}

async function send(bytes: Uint8Array): Promise<void> {
  const params = [Buffer.from(bytes).toString('base64'), { encoding: 'base64', skipPreflight: true }]
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'sendTransaction', params })
  const answer = await fetch(station.chain.url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  })
  expect(await answer.json()).not.toHaveProperty('error')
}

async function movedOnce(): Promise<void> {
  await eventually(() => station.agree(source, to))
  expect([station.onchain(source), station.onchain(to)]).toEqual([SOL - AMOUNT - FEE, SOL + AMOUNT])
}

beforeAll(async () => {
  station = await Station.open('ACME')
})

describe('the only signature of a transaction', () => {
  beforeEach(async () => {
    source = await station.wallet('ACME')
    to = await station.wallet('ACME')
  })

  it('is returned in the answer, so that a cancelled transaction may still land', async () => {
    const signed = await sign(await preparePayment())
    expect(await cancel(signed)).toBe('SIGNED')
    expect(station.book(source).reserved).toBe(String(AMOUNT + FEE))
    await send(bytesOf(signed))
    await station.until(signed.offchainId, 'finalized')
    await movedOnce()
  })
})

describe('a message without a signature of the service', () => {
  let signed: Result

  beforeEach(async () => {
    source = await station.wallet('ACME', { managed: false, keyOrigin: 'none', keyLocation: [] })
    to = await station.wallet('ACME')
    const first = await preparePayment()
    const signature = signatureText(source.pair.sign(Buffer.from(first.serializedMessage, 'base64')))
    signed = await sign(first, { signatures: [{ onchainId: source.onchainId, signature }] })
  })

  it('is sent by Submit, and its effects settle', async () => {
    expect(await station.run('ACME', submitTransaction, buildReference(signed))).toMatchObject({ success: true })
    await station.until(signed.offchainId, 'finalized')
    await movedOnce()
  })

  it('is found on chain when others send it', async () => {
    await send(bytesOf(signed))
    await station.until(signed.offchainId, 'finalized')
    await movedOnce()
  })

  it('is proven expired after it was cancelled', async () => {
    expect(await cancel(signed)).toBe('SIGNED')
    await station.untilOver(signed.offchainId, 'cancelled')
    await eventually(() => station.agree(source, to))
  })

  it('is proven expired if it is never sent, also after a restart', async () => {
    await station.crash()
    await station.untilOver(signed.offchainId, 'expired')
    await eventually(() => station.agree(source, to))
  })
})
