// The time within which a message made elsewhere may land, if the service knows only that its blockhash is valid now:
// never shorter than the actual time.
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { ClusterAccess } from '../../../src/submission/access.ts'
import { systemClock } from '../../../src/time/clock.ts'
import { openCluster, type Cluster } from '../../../src/rpc/cluster.ts'
import { REMOTE_CLUSTER } from '../../../src/rpc/cluster-settings.ts'
import { compileMessage } from '../../../src/solana/compile.ts'
import { transferLamports } from '../../../src/solana/instructions/system.ts'
import { generateKeypair } from '../../../src/keys/keypair.ts'
import { loadForeign } from '../../../src/operations/transactions/signing/foreign-accounts.ts'
import type { Blockhash } from '../../../src/operations/context/platform.ts'
import { scriptedNode, type Call, type ScriptedNode } from '../../rpc/scripted-node.ts'
import { toyLedger, type ToyLedger } from '../../rpc/toy-ledger.ts'

const LIFETIME_BLOCKS = 150

let node: ScriptedNode
let cluster: Cluster
let ledger: ToyLedger
/** Index of the newest block that the node reports as confirmed. */
let tip: number

beforeAll(async () => {
  node = await scriptedNode(() => null)
})
afterAll(() => node.close())
afterEach(() => cluster.close())

beforeEach(async () => {
  // Every other slot has no block.
  ledger = toyLedger(1_000, 500, new Array<number>(600).fill(1))
  tip = 60
  node.script = (call) => answer(call)
  // Blocks have no time here.
  const pool = { ...REMOTE_CLUSTER.pool, pace: { ...REMOTE_CLUSTER.pool.pace, leapSlots: 10_000 } }
  cluster = await openCluster({
    id: 'CHAIN',
    endpoints: [node.url],
    settings: { ...REMOTE_CLUSTER, pool },
    clock: systemClock,
  })
})

function answer(call: Call): unknown {
  const { slot, blockHeight, blockhash } = ledger.blocks[tip]!
  switch (call.method) {
    case 'getSlot':
      return slot
    case 'getBlockHeight':
      return blockHeight
    case 'getLatestBlockhash':
      return { context: { slot }, value: { blockhash, lastValidBlockHeight: blockHeight + LIFETIME_BLOCKS } }
    case 'isBlockhashValid': {
      const block = ledger.blocks.find((each) => each.blockhash === call.params[0])!
      return {
        context: { slot },
        value: block.blockHeight <= blockHeight && blockHeight <= block.blockHeight + LIFETIME_BLOCKS,
      }
    }
    case 'getSignatureStatuses':
      // The signature history gives no usable answer: the blocks decide.
      return { context: { slot: ledger.processedSlot }, value: [null] }
    default:
      return ledger.answer(call)
  }
}

async function surveyOf(blockhash: string): Promise<Blockhash> {
  const [payer, to] = [generateKeypair().address, generateKeypair().address]
  const message = compileMessage({
    feePayer: payer,
    instructions: [transferLamports(payer, to, 1n)],
    blockhash: payer,
    version: 'V0',
  })
  const survey = await loadForeign(
    new ClusterAccess(cluster, undefined as never),
    { ...message, blockhash },
    false,
    '/itemData',
  )
  return survey.blockhash!
}

it('is counted from the present slot of the chain, not from the slot of the last poll', async () => {
  await cluster.blockhash.fresh()
  tip = 110
  const { blockhash, blockHeight } = ledger.blocks[tip]!
  expect((await surveyOf(blockhash)).lastValidBlockHeight).toBeGreaterThanOrEqual(blockHeight + LIFETIME_BLOCKS)
})

it('is searched to its start, even if most slots had no block', async () => {
  const block = ledger.blocks[20]!
  ledger.blocks[25]!.signatures.push('ours')
  tip = 160
  const { blockhash, slot, lastValidBlockHeight } = await surveyOf(block.blockhash)
  const request = { signatures: ['ours'], blockhash, blockhashSlot: slot, lastValidBlockHeight }
  expect(await cluster.prove(request)).toMatchObject({ proven: false, landed: 'ours' })
})

it('is proven over if nothing of it landed', async () => {
  tip = 160
  const { blockhash, slot, lastValidBlockHeight } = await surveyOf(ledger.blocks[20]!.blockhash)
  const request = { signatures: ['ours'], blockhash, blockhashSlot: slot, lastValidBlockHeight }
  expect(await cluster.prove(request)).toMatchObject({ proven: true })
})
