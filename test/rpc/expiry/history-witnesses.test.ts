// With an unknown first signature the proof rests on the history of an address. One node that lost a part of its
// history must not decide: every other node of the cluster is asked for its own.
import { createHash } from 'node:crypto'
import { Keypair, SystemProgram, TransactionMessage, VersionedTransaction } from '@solana/web3.js'
import { expect, it } from 'vitest'
import { REMOTE_CLUSTER } from '../../../src/rpc/cluster-settings.ts'
import type { ExpiryRequest } from '../../../src/rpc/expiry/proof.ts'
import type { ExpiryVerdict } from '../../../src/rpc/expiry/prove.ts'
import { proveExpiryInPool } from '../../../src/rpc/expiry/witnesses.ts'
import { EndpointPool } from '../../../src/rpc/pool.ts'
import type { Call } from '../scripted-node.ts'
import { ToyClock, WireNode, wiresTo } from '../wire-nodes.ts'

const FINALIZED = 5_000
const payer = Keypair.generate()
const landed = new VersionedTransaction(
  new TransactionMessage({
    payerKey: payer.publicKey,
    recentBlockhash: 'So11111111111111111111111111111111111111112',
    instructions: [SystemProgram.transfer({ fromPubkey: payer.publicKey, toPubkey: payer.publicKey, lamports: 1 })],
  }).compileToV0Message(),
).serialize()

const request: ExpiryRequest = {
  signatures: [],
  blockhash: 'blockhash',
  blockhashSlot: 4_000,
  lastValidBlockHeight: 4_200,
  watchedSince: { height: 4_050, doubts: 0 },
  unknownSignature: {
    messageHash: createHash('sha256').update(landed.subarray(65)).digest('hex'),
    address: payer.publicKey.toBase58(),
  },
}

const unavailable = { error: { code: -32011, message: 'Transaction history is not available from this node' } }

/** `found`: the history lists the transaction; `lost`: it does not; `none`: the node keeps no history. */
function nodeWith(name: string, history: 'found' | 'lost' | 'none'): WireNode {
  return new WireNode(name, ({ method }: Call) => {
    if (method === 'getGenesisHash') return 'genesis'
    if (method === 'getEpochInfo') return { absoluteSlot: FINALIZED, blockHeight: 4_900 }
    if (method === 'getSignatureStatuses') return { context: { slot: FINALIZED }, value: [null] }
    if (method === 'getSignaturesForAddress') {
      if (history === 'none') return unavailable
      const older = { signature: 'older', slot: 100 }
      return history === 'found' ? [{ signature: 'found', slot: 4_850 }, older] : [older]
    }
    if (method === 'getTransaction')
      return { slot: 4_850, version: 0, transaction: [Buffer.from(landed).toString('base64'), 'base64'] }
    return { error: { code: -32601, message: 'Method not found' } }
  })
}

/** The verdicts of as many turns as give every node the part of the prover. */
async function verdictsOf(
  nodes: readonly WireNode[],
  { of = request, prepare }: { readonly of?: ExpiryRequest; readonly prepare?: (pool: EndpointPool) => void } = {},
): Promise<readonly ExpiryVerdict[]> {
  const clock = new ToyClock()
  const urls = nodes.map(({ url }) => url)
  const pool = new EndpointPool(urls, clock, REMOTE_CLUSTER.pool, { openWire: wiresTo(nodes) })
  prepare?.(pool)
  const verdicts: ExpiryVerdict[] = []
  for (let turn = 0; turn < 2 * nodes.length; turn += 1)
    verdicts.push(await clock.until(proveExpiryInPool(pool, 'genesis', of, clock)))
  return verdicts
}

it('is refuted by the history of any other node, whichever proves', async () => {
  const nodes = [nodeWith('a', 'lost'), nodeWith('b', 'lost'), nodeWith('c', 'found')]
  for (const verdict of await verdictsOf(nodes)) expect(verdict).toMatchObject({ proven: false, landed: 'found' })
})

it('is refuted as well if other signatures of the request are known and no node has them', async () => {
  const of = { ...request, signatures: ['earlier'], blockhashSlot: 4_800 }
  for (const verdict of await verdictsOf([nodeWith('a', 'lost'), nodeWith('b', 'found')], { of }))
    expect(verdict).toMatchObject({ proven: false, landed: 'found' })
})

it('is not made while another node keeps no history, or does not answer', async () => {
  const away = nodeWith('away', 'lost')
  away.standing = 'down'
  for (const other of [nodeWith('none', 'none'), away]) {
    const nodes = [nodeWith('a', 'lost'), other]
    for (const verdict of await verdictsOf(nodes)) expect(verdict).toMatchObject({ proven: false })
  }
})

it('is made if every history lacks the message, or there is one node only', async () => {
  for (const nodes of [[nodeWith('a', 'lost'), nodeWith('b', 'lost')], [nodeWith('a', 'lost')]])
    for (const verdict of await verdictsOf(nodes)) expect(verdict).toMatchObject({ proven: true })
})

it('does not wait for the history of a distrusted node, which can still refute', async () => {
  const prepare = (pool: EndpointPool) => pool.distrust(pool.all[1]!, 'lied')
  for (const verdict of await verdictsOf([nodeWith('a', 'lost'), nodeWith('b', 'none')], { prepare }))
    expect(verdict).toMatchObject({ proven: true })
  for (const verdict of await verdictsOf([nodeWith('a', 'lost'), nodeWith('b', 'found')], { prepare }))
    expect(verdict).toMatchObject({ proven: false, landed: 'found' })
})
