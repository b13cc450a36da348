// The same payments by a client that holds the keys itself and sends directly to the chain: it stores nothing before
// the send, never resends, and knows nothing after a crash. The chain answers when the payment is durable, which means
// `confirmed` there.
import { createPrivateKey, sign, type KeyObject } from 'node:crypto'
import { PublicKey, SystemProgram, TransactionMessage } from '@solana/web3.js'
import { postHead, type Target, type Traffic } from '../load/traffic.ts'
import type { OwnKey } from './setup.ts'
import { amountOf, type SubmissionTally } from './traffic.ts'

export interface DirectSettings {
  readonly payers: readonly OwnKey[]
  readonly destination: string
}

interface Template {
  readonly key: KeyObject
  readonly message: Buffer
}

const REFRESH_MS = 2_000
const AMOUNT_BYTES = 8
const HASH_BYTES = 32

export async function traffic(target: Target, { payers, destination }: DirectSettings): Promise<Traffic> {
  const templates = payers.map((payer) => templateOf(payer, destination))
  let blockhash = await latestBlockhash(target)
  const refresh = setInterval(() => void latestBlockhash(target).then((fresh) => (blockhash = fresh)), REFRESH_MS)
  refresh.unref()
  const request = (n: number): string => {
    const bytes = signPayment(templates[n % templates.length]!, blockhash, amountOf(n))
    return `{"jsonrpc":"2.0","id":1,"method":"sendTransaction","params":["${bytes}",{"encoding":"base64","skipPreflight":true,"maxRetries":0}]}`
  }
  const head = postHead(target, '/', request(0).length, {})
  let sent = 0
  let acknowledged = 0
  let lamports = 0
  return {
    next() {
      const token = sent
      sent += 1
      return { text: head + request(token), token }
    },
    accept(token, reply) {
      if (reply.status !== 200 || !reply.body.includes('"result":"')) return `${reply.status} ${reply.body}`
      acknowledged += 1
      lamports += amountOf(token)
      return null
    },
    tally: (): SubmissionTally => ({ acknowledged, lamports }),
  }
}

function templateOf({ address, privateKey }: OwnKey, destination: string): Template {
  const payerKey = new PublicKey(address)
  const transfer = SystemProgram.transfer({ fromPubkey: payerKey, toPubkey: new PublicKey(destination), lamports: 0 })
  const message = new TransactionMessage({
    payerKey,
    recentBlockhash: address,
    instructions: [transfer],
  }).compileToV0Message()
  return { key: createPrivateKey(privateKey), message: Buffer.from(message.serialize()) }
}

/** The amount is at the end of the message, before the count of lookups; the blockhash follows the keys. */
function signPayment({ key, message }: Template, blockhash: Uint8Array, lamports: number): string {
  const bytes = Buffer.from(message)
  const keysAt = 5
  const keys = bytes[keysAt - 1]!
  bytes.set(blockhash, keysAt + keys * HASH_BYTES)
  bytes.writeBigUInt64LE(BigInt(lamports), bytes.length - 1 - AMOUNT_BYTES)
  return Buffer.concat([Buffer.of(1), sign(null, bytes, key), bytes]).toString('base64')
}

async function latestBlockhash({ host, port }: Target): Promise<Uint8Array> {
  const body = '{"jsonrpc":"2.0","id":1,"method":"getLatestBlockhash","params":[{"commitment":"confirmed"}]}'
  const response = await fetch(`http://${host}:${port}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body,
  })
  const { result } = (await response.json()) as { result: { value: { blockhash: string } } }
  return new PublicKey(result.value.blockhash).toBytes()
}
