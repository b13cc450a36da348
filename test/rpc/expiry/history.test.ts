// Proofs that use the history of an address: nonces used up long ago, unknown first signatures.
import { createHash } from 'node:crypto'
import bs58 from 'bs58'
import { Keypair, NONCE_ACCOUNT_LENGTH, SystemProgram, TransactionMessage, VersionedTransaction } from '@solana/web3.js'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { systemClock } from '../../../src/time/clock.ts'
import { REMOTE_CLUSTER } from '../../../src/rpc/cluster-settings.ts'
import type { ExpiryRequest } from '../../../src/rpc/expiry/proof.ts'
import { proveExpiry, type ExpiryVerdict } from '../../../src/rpc/expiry/prove.ts'
import { EndpointPool } from '../../../src/rpc/pool.ts'
import { scriptedNode, type Call, type ScriptedNode } from '../scripted-node.ts'

const FINALIZED = 5_000
const payer = Keypair.generate()
const value = Keypair.generate().publicKey.toBase58()
const nextValue = Keypair.generate().publicKey.toBase58()

let node: ScriptedNode
/** The answers of the node; each test changes them. */
let history: { signature: string; slot: number }[]
let wires: Record<string, Uint8Array>
let nonceAccount: unknown
let statuses: unknown[]
let firstBlock: number

beforeAll(async () => {
  node = await scriptedNode(answer)
})
afterAll(() => node.close())
beforeEach(() => {
  const other = wire(2, value)
  history = [
    { signature: 'other', slot: 4_100 },
    { signature: 'older', slot: 100 },
  ]
  wires = { other }
  nonceAccount = nonceOf(nextValue)
  statuses = [null]
  firstBlock = 0
})

function answer({ method, params }: Call): unknown {
  const context = { slot: FINALIZED }
  if (method === 'getGenesisHash') return 'genesis'
  if (method === 'getEpochInfo') return { absoluteSlot: FINALIZED, blockHeight: 4_900 }
  if (method === 'getAccountInfo') return { context, value: nonceAccount }
  if (method === 'getSignatureStatuses') return { context: { slot: FINALIZED + 32 }, value: statuses }
  if (method === 'getSignaturesForAddress') {
    const { before, limit } = params[1] as { before?: string; limit: number }
    const first = before === undefined ? 0 : history.findIndex(({ signature }) => signature === before) + 1
    return history.slice(first, first + limit)
  }
  if (method === 'getFirstAvailableBlock') return firstBlock
  if (method !== 'getTransaction') return { error: { code: -32601, message: 'Method not found' } }
  const bytes = wires[String(params[0])]
  return bytes === undefined
    ? null
    : { slot: 1, version: 0, transaction: [Buffer.from(bytes).toString('base64'), 'base64'] }
}

function wire(lamports: number, blockhash: string): Uint8Array {
  const instructions = [SystemProgram.transfer({ fromPubkey: payer.publicKey, toPubkey: payer.publicKey, lamports })]
  return new VersionedTransaction(
    new TransactionMessage({
      payerKey: payer.publicKey,
      recentBlockhash: blockhash,
      instructions,
    }).compileToV0Message(),
  ).serialize()
}

function nonceOf(nonceValue: string): unknown {
  const data = Buffer.alloc(NONCE_ACCOUNT_LENGTH)
  data.writeUInt32LE(1, 0)
  data.writeUInt32LE(1, 4)
  data.set(bs58.decode(nonceValue), 40)
  return {
    lamports: 1,
    owner: SystemProgram.programId.toBase58(),
    executable: false,
    data: [data.toString('base64'), 'base64'],
  }
}

const hashOf = (bytes: Uint8Array) => createHash('sha256').update(bytes.subarray(65)).digest('hex')

/** By an endpoint that knows no transaction from an earlier proof. */
async function prove(request: ExpiryRequest): Promise<ExpiryVerdict> {
  const pool = new EndpointPool([node.url], systemClock, REMOTE_CLUSTER.pool)
  try {
    return await proveExpiry(pool.pick(), 'genesis', request, systemClock)
  } finally {
    await pool.close()
  }
}

describe('a proof by nonce, long afterwards', () => {
  const request: ExpiryRequest = {
    signatures: ['mine'],
    blockhash: value,
    blockhashSlot: 4_000,
    lastValidBlockHeight: null,
    nonce: { account: 'nonce', value },
  }

  it('is not made by a node behind the slot of the observed value, which shows the earlier value', async () => {
    expect(await prove({ ...request, blockhashSlot: FINALIZED + 1 })).toMatchObject({ proven: false })
  })

  it('rests on the other transaction that used the value', async () => {
    expect(await prove(request)).toMatchObject({
      proven: true,
      proof: { rule: 'nonce', history: { consumedBy: 'other' } },
    })
  })

  it('is not made while the value is unchanged, or if the account is missing, no nonce, or truncated', async () => {
    const truncated = nonceOf(nextValue) as { data: string[] }
    for (const account of [
      nonceOf(value),
      null,
      { ...truncated, owner: 'else' },
      { ...truncated, data: [truncated.data[0]!.slice(0, 40), 'base64'] },
    ]) {
      nonceAccount = account
      expect(await prove(request)).toMatchObject({ proven: false })
    }
  })

  it('is not made if our transaction is in the history or in the statuses, for any other answers', async () => {
    history = [{ signature: 'mine', slot: 4_200 }, ...history]
    expect(await prove(request)).toMatchObject({ proven: false, landed: 'mine' })
    history = history.slice(1)
    statuses = [
      { slot: 4_200, confirmations: null, err: { InstructionError: [0, 'x'] }, confirmationStatus: 'finalized' },
    ]
    expect(await prove(request)).toMatchObject({ proven: false, landed: 'mine' })
  })

  it('rests on the statuses alone while their cache reaches back, unless an endpoint disputes it', async () => {
    const recent = { ...request, blockhashSlot: FINALIZED - 100 }
    history = [{ signature: 'other', slot: FINALIZED - 50 }, ...history]
    expect(await prove(recent)).toMatchObject({ proven: true, proof: { history: null } })
    expect(await prove({ ...recent, disputed: true })).toMatchObject({
      proven: true,
      proof: { history: { consumedBy: 'other' } },
    })
  })

  it('reads every page of the history, back to the first slot that the request can have landed in', async () => {
    const others = Array.from({ length: 1_000 }, (_, index) => ({ signature: `later-${index}`, slot: 4_900 }))
    const firstSlot = request.blockhashSlot - 512
    wires = Object.fromEntries(others.map(({ signature }) => [signature, wire(2, value)]))
    history = [...others, { signature: 'mine', slot: firstSlot }, { signature: 'older', slot: 100 }]
    expect(await prove(request)).toMatchObject({ proven: false, landed: 'mine' })
    history = [...others, { signature: 'mine', slot: firstSlot - 1 }]
    expect(await prove(request)).toMatchObject({ proven: true, proof: { history: { signatures: 1_000 } } })
  })

  it('is not made if the history is longer than what is read of it', async () => {
    history = Array.from({ length: 20_000 }, (_, index) => ({ signature: `later-${index}`, slot: 4_900 }))
    expect(await prove(request)).toMatchObject({
      proven: false,
      reason: expect.stringContaining('over 20000 transactions') as string,
    })
  })

  it('is not made if no use of the value is found, or a transaction cannot be parsed', async () => {
    wires = { other: wire(2, nextValue) }
    expect(await prove(request)).toMatchObject({ proven: false })
    wires = {}
    expect(await prove(request)).toMatchObject({ proven: false })
    wires = { other: wire(2, value).subarray(0, 80) }
    expect(await prove(request)).toMatchObject({ proven: false })
  })

  it('is not made if the history does not reach back', async () => {
    history = history.slice(0, 1)
    firstBlock = 4_050
    expect(await prove(request)).toMatchObject({ proven: false })
    firstBlock = 3_000
    expect(await prove(request)).toMatchObject({ proven: true })
  })
})

describe('a proof for an unknown first signature', () => {
  const ownTransaction = wire(1, 'So11111111111111111111111111111111111111112')
  const request: ExpiryRequest = {
    signatures: [],
    blockhash: 'blockhash',
    blockhashSlot: 4_000,
    lastValidBlockHeight: 4_200,
    watchedSince: { height: 4_050, doubts: 0 },
    unknownSignature: { messageHash: hashOf(ownTransaction), address: payer.publicKey.toBase58() },
  }

  it('rests on every message in the history of its address', async () => {
    expect(await prove(request)).toMatchObject({ proven: true, proof: { statuses: null, history: { signatures: 1 } } })
  })

  it('names the signature under which the message landed', async () => {
    history = [{ signature: 'found', slot: 4_150 }, ...history]
    wires = { ...wires, found: ownTransaction }
    expect(await prove(request)).toMatchObject({ proven: false, landed: 'found' })
  })

  it('is not made if the history or a transaction in it is unavailable', async () => {
    wires = {}
    expect(await prove(request)).toMatchObject({ proven: false })
    node.script = (call) => (call.method === 'getSignaturesForAddress' ? null : answer(call))
    expect(await prove(request)).toMatchObject({ proven: false })
    node.script = answer
  })
})
