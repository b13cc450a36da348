// A proof from the history of an address that others use as well: transactions in slots in which the message cannot
// have landed do not matter, however many there are.
import { createHash } from 'node:crypto'
import { Keypair, SystemProgram, TransactionMessage, VersionedTransaction } from '@solana/web3.js'
import { beforeEach, describe, expect, it } from 'vitest'
import { REMOTE_CLUSTER } from '../../../src/rpc/cluster-settings.ts'
import type { ExpiryRequest } from '../../../src/rpc/expiry/proof.ts'
import { proveExpiryInPool } from '../../../src/rpc/expiry/witnesses.ts'
import { EndpointPool } from '../../../src/rpc/pool.ts'
import type { Call } from '../scripted-node.ts'
import { toyLedger, type ToyLedger } from '../toy-ledger.ts'
import { ToyClock, WireNode, wiresTo } from '../wire-nodes.ts'

const payer = Keypair.generate()
const address = payer.publicKey.toBase58()
const wire = (lamports: number): Uint8Array =>
  new VersionedTransaction(
    new TransactionMessage({
      payerKey: payer.publicKey,
      recentBlockhash: 'So11111111111111111111111111111111111111112',
      instructions: [SystemProgram.transfer({ fromPubkey: payer.publicKey, toPubkey: payer.publicKey, lamports })],
    }).compileToV0Message(),
  ).serialize()
const [ours, others] = [wire(1), wire(2)].map((bytes) => Buffer.from(bytes).toString('base64'))
const messageHash = createHash('sha256').update(Buffer.from(ours!, 'base64').subarray(65)).digest('hex')

interface Entry {
  readonly signature: string
  readonly slot: number
}

/** Of the blockhash, at index 20. */
const HEIGHT = 520
let ledger: ToyLedger
let history: Entry[]
/** A node lists entries before any transaction, or only before one of the address. */
let placesOf: 'any' | 'own'

const slotAt = (height: number): number => ledger.blocks.find(({ blockHeight }) => blockHeight === height)!.slot
const entriesAt = (name: string, height: number, count: number): Entry[] =>
  Array.from({ length: count }, (_, index) => ({ signature: `${name}-${index}`, slot: slotAt(height) }))

const requestFor = (changes: Partial<ExpiryRequest> = {}): ExpiryRequest => ({
  signatures: [],
  blockhash: `hash-${HEIGHT}`,
  blockhashSlot: slotAt(HEIGHT),
  lastValidBlockHeight: HEIGHT + 150,
  watchedSince: { height: HEIGHT, doubts: 0 },
  unknownSignature: { messageHash, address },
  ...changes,
})

beforeEach(() => {
  // Every seventh slot is skipped.
  const skipped = Array.from({ length: 1_500 }, (_, index) => (index % 6 === 0 ? 1 : 0))
  ledger = toyLedger(10_000, HEIGHT - 20, skipped)
  history = [...entriesAt('within', HEIGHT + 100, 20), { signature: 'older', slot: 10 }]
  placesOf = 'any'
})

function answer(call: Call): unknown {
  const { method, params } = call
  if (method === 'getSignaturesForAddress') {
    const { before } = params[1] as { before?: string }
    if (before === undefined) return history.slice(0, 1_000)
    const own = history.findIndex(({ signature }) => signature === before)
    if (own !== -1) return history.slice(own + 1, own + 1_001)
    const block = ledger.blocks.find(({ signatures }) => signatures.includes(before))
    return placesOf === 'own' ? [] : history.filter(({ slot }) => slot <= block!.slot).slice(0, 1_000)
  }
  if (method === 'getTransaction')
    return { slot: 1, version: 0, transaction: [params[0] === 'ours' ? ours : others, 'base64'] }
  if (method === 'getFirstAvailableBlock') return 0
  return ledger.answer(call)
}

type Lie = (call: Call, honest: unknown) => unknown

function nodesWith(lie: Lie = (_, honest) => honest, count = 1) {
  const nodes = Array.from(
    { length: count },
    (_, index) => new WireNode(`node-${index}`, (call) => lie(call, answer(call))),
  )
  const clock = new ToyClock()
  const urls = nodes.map(({ url }) => url)
  const pool = new EndpointPool(urls, clock, REMOTE_CLUSTER.pool, { openWire: wiresTo(nodes) })
  const prove = (request: ExpiryRequest) => clock.until(proveExpiryInPool(pool, 'genesis', request, clock))
  return { nodes, prove }
}

describe.each(['any', 'own'] as const)('with a node that lists from transactions of %s addresses', (places) => {
  beforeEach(() => {
    placesOf = places
    history = [...entriesAt('later', 1_900, 25_000), ...history]
  })

  it('is made without the later transactions, by every node', async () => {
    const { nodes, prove } = nodesWith(undefined, 2)
    expect(await prove(requestFor())).toMatchObject({
      proven: true,
      proof: { history: { signatures: 20, sinceSlot: slotAt(HEIGHT), blockhashHeight: HEIGHT } },
    })
    for (const node of nodes) {
      expect(node.asked('getTransaction').map(({ params }) => params[0])).toHaveLength(20)
      expect(node.asked('getSignaturesForAddress')).toHaveLength(places === 'any' ? 2 : 27)
    }
  })

  it.each([HEIGHT + 1, HEIGHT + 150, HEIGHT + 151])('is not made if it landed at height %i', async (height) => {
    history = [...history, { signature: 'ours', slot: slotAt(height) }].sort((a, b) => b.slot - a.slot)
    expect(await nodesWith().prove(requestFor())).toMatchObject({ proven: false, landed: 'ours' })
  })

  it('is made by counted blocks if the block of the blockhash is not found', async () => {
    for (const changes of [{ blockhash: 'of a dead fork' }, { blockhashSlot: slotAt(HEIGHT) - 100 }]) {
      const verdict = await nodesWith().prove(requestFor(changes))
      expect(verdict).toMatchObject({ proven: true, proof: { history: { signatures: 20, blockhashHeight: null } } })
      // The blocks of a lifetime and the margin are over. Skipped slots since then are not known.
      const past = verdict.proven ? verdict.proof.history?.past : null
      expect(past?.blockHeight).toBeGreaterThan(HEIGHT + 210)
      expect(past?.blockHeight).toBeLessThan(HEIGHT + 500)
    }
    history = [...history, { signature: 'ours', slot: slotAt(HEIGHT + 210) }].sort((a, b) => b.slot - a.slot)
    expect(await nodesWith().prove(requestFor({ blockhash: 'of a dead fork' }))).toMatchObject({ landed: 'ours' })
  })
})

it('is not made if more transactions than are read can be the message', async () => {
  history = [...entriesAt('more', HEIGHT + 50, 20_000), ...history]
  expect(await nodesWith().prove(requestFor())).toMatchObject({
    proven: false,
    reason: expect.stringContaining('over 20000 transactions') as string,
  })
})

it('is not made if more than 200,000 later transactions would have to be listed', async () => {
  placesOf = 'own'
  history = [...entriesAt('later', 1_900, 200_000), ...history]
  expect(await nodesWith().prove(requestFor())).toMatchObject({
    proven: false,
    reason: expect.stringContaining('over 200000 transactions to list') as string,
  })
})

it('reads a transaction once, for all proofs with the address', async () => {
  const { nodes, prove } = nodesWith()
  for (let turn = 0; turn < 3; turn += 1) expect(await prove(requestFor())).toMatchObject({ proven: true })
  history = [...entriesAt('new', HEIGHT + 110, 1), ...history]
  expect(await prove(requestFor())).toMatchObject({ proven: true })
  expect(nodes[0]!.asked('getTransaction')).toHaveLength(21)
})

describe('with one wrong answer', () => {
  const changed = (changes: (honest: Record<string, number>) => object, of: (call: Call) => boolean): Lie => {
    return (call, honest) =>
      of(call) ? { ...(honest as object), ...changes(honest as Record<string, number>) } : honest
  }
  const isAnchor = ({ method, params }: Call) => method === 'getBlock' && params[0] === slotAt(HEIGHT)
  const isLater = ({ method, params }: Call) => method === 'getBlock' && Number(params[0]) > slotAt(HEIGHT)
  const isEpoch = ({ method }: Call) => method === 'getEpochInfo'
  const lies: Record<string, Lie> = {
    'a lower height of the block of the blockhash': changed(() => ({ blockHeight: HEIGHT - 40 }), isAnchor),
    'another blockhash': changed(() => ({ blockhash: 'else' }), isAnchor),
    'a higher height of another block': changed(({ blockHeight }) => ({ blockHeight: blockHeight! + 40 }), isLater),
    'a lower height of another block': changed(({ blockHeight }) => ({ blockHeight: blockHeight! - 400 }), isLater),
    'a higher finalized height': changed(({ blockHeight }) => ({ blockHeight: blockHeight! + 40 }), isEpoch),
    'a lower finalized slot': changed(({ absoluteSlot }) => ({ absoluteSlot: absoluteSlot! - 200 }), isEpoch),
    'no blocks listed': (call, honest) => (call.method === 'getBlocks' ? [] : honest),
    'blocks left out': (call, honest) =>
      call.method === 'getBlocks' ? (honest as number[]).filter((slot) => slot % 2 === 0) : honest,
    'skipped slots listed': (call, honest) =>
      call.method === 'getBlocks' ? (honest as number[]).flatMap((slot) => [slot, slot + 1]) : honest,
    'later blocks listed': (call, honest) =>
      call.method === 'getBlocks' ? (honest as number[]).map((slot) => slot + 40) : honest,
    'earlier blocks listed': (call, honest) =>
      call.method === 'getBlocks' ? (honest as number[]).map((slot) => slot - 40) : honest,
    'no block': (call, honest) => (call.method === 'getBlock' ? null : honest),
  }

  it.each(Object.keys(lies))('is never made for a message that landed: %s', async (name) => {
    const before = history
    for (const height of [HEIGHT + 1, HEIGHT + 75, HEIGHT + 150])
      for (const blockhash of [`hash-${HEIGHT}`, 'of a dead fork']) {
        const landed = { signature: 'ours', slot: slotAt(height) }
        history = [...entriesAt('later', 1_900, 1_500), ...before, landed].sort((a, b) => b.slot - a.slot)
        const verdict = await nodesWith(lies[name]).prove(requestFor({ blockhash }))
        expect(verdict).toMatchObject({ proven: false, landed: 'ours' })
      }
  })
})
