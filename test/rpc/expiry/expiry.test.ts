// A landed transaction is never proven expired, for any single wrong answer of the node; one that never landed is, by a
// sound node.
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemClock } from '../../../src/time/clock.ts'
import { REMOTE_CLUSTER } from '../../../src/rpc/cluster-settings.ts'
import type { ExpiryRequest } from '../../../src/rpc/expiry/proof.ts'
import { proveExpiry } from '../../../src/rpc/expiry/prove.ts'
import { EndpointPool } from '../../../src/rpc/pool.ts'
import { scriptedNode, type Call, type ScriptedNode } from '../scripted-node.ts'
import { toyLedger, type ToyLedger } from '../toy-ledger.ts'

let node: ScriptedNode
let pool: EndpointPool
beforeAll(async () => {
  node = await scriptedNode(() => null)
  pool = new EndpointPool([node.url], systemClock, REMOTE_CLUSTER.pool)
})
afterAll(async () => {
  await pool.close()
  await node.close()
})

const prove = (request: ExpiryRequest) => proveExpiry(pool.pick(), 'genesis', request, systemClock)

/** Blockhash of the block at index 20, its height 520; the window ends at height 670. */
function requestFor(ledger: ToyLedger, later = 0): ExpiryRequest {
  return {
    signatures: ['first', 'second'],
    blockhash: 'hash-520',
    blockhashSlot: ledger.blocks[20 + later]!.slot,
    lastValidBlockHeight: 670,
    // Enough blocks, and no claim in doubt.
    watchedSince: { height: 460, doubts: 0 },
  }
}

function script(ledger: ToyLedger, lie: (call: Call, honest: unknown) => unknown = (_, honest) => honest): void {
  node.script = (call) => lie(call, ledger.answer(call))
}

/** Blocks with random gaps; the last is finalized, `beyond` blocks past the window. */
const ledgers = fc
  .record({
    skips: fc.array(fc.integer({ min: 0, max: 2 }), { minLength: 200, maxLength: 200 }),
    beyond: fc.integer({ min: 1, max: 300 }),
  })
  .map(({ skips, beyond }) => toyLedger(1_000, 500, [...skips.slice(0, 171), ...new Array<number>(beyond).fill(0)]))

const RUNS = { numRuns: 25 }

describe('proof of expiry by blockhash', () => {
  it('is made whenever nothing landed and the node is sound', async () => {
    await fc.assert(
      fc.asyncProperty(ledgers, fc.integer({ min: 0, max: 30 }), async (ledger, later) => {
        script(ledger)
        const request = requestFor(ledger, later)
        const verdict = await prove(request)
        expect(verdict).toMatchObject({ proven: true })
        if (!verdict.proven) return
        const old = ledger.processedSlot - request.blockhashSlot > 250
        expect(verdict.proof.window === null).toBe(!old)
        if (old)
          expect(verdict.proof.window).toMatchObject({ firstBlockHeight: 520, lastBlockHeight: 671, blocks: 152 })
        expect(JSON.parse(JSON.stringify(verdict.proof))).toEqual(verdict.proof)
      }),
      RUNS,
    )
  })

  it('is made for a blockhash that was dropped with its fork, unless a signature landed after all', async () => {
    await fc.assert(
      fc.asyncProperty(ledgers, fc.option(fc.integer({ min: 21, max: 170 })), async (ledger, index) => {
        script(ledger, (call, honest) =>
          call.method === 'getSignatureStatuses'
            ? { context: { slot: ledger.processedSlot }, value: [null, null] }
            : honest,
        )
        const request = { ...requestFor(ledger), blockhash: 'hash of a dead fork' }
        const old = ledger.processedSlot - request.blockhashSlot > 250
        if (index !== null && old) ledger.blocks[index]!.signatures.push('second')
        const verdict = await prove(request)
        if (index !== null && old) expect(verdict).toMatchObject({ proven: false, landed: 'second' })
        else expect(verdict).toMatchObject({ proven: true })
        if (old && verdict.proven)
          expect(verdict.proof.window).toMatchObject({ firstBlockHeight: 518, lastBlockHeight: 671, blocks: 154 })
      }),
      RUNS,
    )
  })

  it('is never made for a landed transaction, even if the history answers null', async () => {
    await fc.assert(
      fc.asyncProperty(ledgers, fc.integer({ min: 21, max: 170 }), fc.boolean(), async (ledger, index, lying) => {
        ledger.blocks[index]!.signatures.push('second')
        const old = ledger.processedSlot - ledger.blocks[20]!.slot > 250
        // A node without history still knows the statuses in its cache, which suffice for a young blockhash.
        script(ledger, (call, honest) => {
          if (!lying || !old || call.method !== 'getSignatureStatuses') return honest
          return { context: { slot: ledger.processedSlot }, value: [null, null] }
        })
        expect(await prove(requestFor(ledger))).toMatchObject({ proven: false, landed: 'second' })
      }),
      RUNS,
    )
  })

  const ledger = () => toyLedger(1_000, 500, new Array<number>(400).fill(0))
  const lies: Record<string, (call: Call, honest: unknown, ledger: ToyLedger) => unknown> = {
    'the window is not over': (call, honest) =>
      call.method === 'getEpochInfo' ? { absoluteSlot: 1_400, blockHeight: 670 } : honest,
    'the node answers statuses from behind': (call, honest) =>
      call.method === 'getSignatureStatuses' ? { context: { slot: 1_398 }, value: [null, null] } : honest,
    'an error is answered as null': (call, honest) => (call.method === 'getSignatureStatuses' ? null : honest),
    'one status is missing': (call, honest) =>
      call.method === 'getSignatureStatuses' ? { context: { slot: 1_500 }, value: [null] } : honest,
    'the epoch info is null': (call, honest) => (call.method === 'getEpochInfo' ? null : honest),
    'the epoch info is an error': (call, honest) =>
      call.method === 'getEpochInfo' ? { error: { code: -32603, message: 'internal' } } : honest,
    'it is another chain': (call, honest) => (call.method === 'getGenesisHash' ? 'other' : honest),
    'a block is null': (call, honest) => (call.method === 'getBlock' && call.params[0] === 1_100 ? null : honest),
    'a block is an error': (call, honest) =>
      call.method === 'getBlock' && call.params[0] === 1_100
        ? { error: { code: -32001, message: 'cleaned up' } }
        : honest,
    'a block is left out of the list': (call, honest) =>
      call.method === 'getBlocks' ? (honest as number[]).filter((slot) => slot !== 1_100) : honest,
    'a block is of another fork': (call, honest) =>
      call.method === 'getBlock' && call.params[0] === 1_100 ? { ...(honest as object), blockhash: 'else' } : honest,
    'a block has no signatures member': (call, honest) =>
      call.method === 'getBlock' && call.params[0] === 1_100
        ? { ...(honest as object), signatures: undefined }
        : honest,
    'a block has no height': (call, honest) =>
      call.method === 'getBlock' && call.params[0] === 1_100 ? { ...(honest as object), blockHeight: null } : honest,
    'the list of blocks ends early': (call, honest) =>
      call.method === 'getBlocks' ? (honest as number[]).filter((slot) => slot <= 1_150) : honest,
    'the list of blocks is empty': (call, honest) => (call.method === 'getBlocks' ? [] : honest),
    'the block of the blockhash is gone': (call, honest) =>
      call.method === 'getBlocks' ? (honest as number[]).filter((slot) => slot > 1_020) : honest,
  }
  it.each(Object.keys(lies))('is not made when %s', async (name) => {
    const chain = ledger()
    script(chain, (call, honest) => lies[name]!(call, honest, chain))
    expect(await prove(requestFor(chain))).toMatchObject({ proven: false })
  })

  it('is not made if the connection breaks, an answer is missing, or the endpoint is suspect', async () => {
    const chain = ledger()
    script(chain)
    node.raw = () => null
    expect(await prove(requestFor(chain))).toMatchObject({ proven: false })
    node.raw = (body) => {
      const answers = (body as Call[]).slice(0, 2).map((call) => ({ id: call.id, result: chain.answer(call) }))
      return { status: 200, text: JSON.stringify(answers) }
    }
    expect(await prove(requestFor(chain))).toMatchObject({ proven: false })
    node.raw = undefined
    expect(await prove(requestFor(chain))).toMatchObject({ proven: true })
    const other = new EndpointPool([node.url], systemClock, REMOTE_CLUSTER.pool)
    other.distrust(other.pick(), 'lied')
    expect(await proveExpiry(other.pick(), 'genesis', requestFor(chain), systemClock)).toMatchObject({ proven: false })
    await other.close()
  })

  it('is not made without a signature or a last valid height', async () => {
    const chain = ledger()
    script(chain)
    expect(await prove({ ...requestFor(chain), signatures: [] })).toMatchObject({ proven: false })
    expect(await prove({ ...requestFor(chain), lastValidBlockHeight: null })).toMatchObject({ proven: false })
  })

  describe('while the status cache still knows the signatures', () => {
    const cached = () => toyLedger(1_000, 500, new Array<number>(172).fill(0))
    /** Whether the proof rests on the blocks of the window as well. */
    const readsWindow = async (chain: ToyLedger, changes: Partial<ExpiryRequest>): Promise<boolean> => {
      const verdict = await prove({ ...requestFor(chain), ...changes })
      if (!verdict.proven) throw new Error(verdict.reason)
      return verdict.proof.window !== null
    }

    it('rests on null statuses alone only if a lifetime of blocks was observed and nobody disputes it', async () => {
      const chain = cached()
      script(chain)
      expect(await readsWindow(chain, {})).toBe(false)
      expect(await readsWindow(chain, { watchedSince: null })).toBe(true)
      expect(await readsWindow(chain, { disputed: true })).toBe(true)
    })

    it('reads the blocks if the recorded slot is less than a lifetime ago, which it cannot be', async () => {
      const chain = cached()
      script(chain)
      const { finalizedSlot } = chain
      expect(await readsWindow(chain, { blockhashSlot: finalizedSlot - 150 })).toBe(false)
      expect(await readsWindow(chain, { blockhashSlot: finalizedSlot - 149 })).toBe(true)
      expect(await readsWindow(chain, { blockhashSlot: finalizedSlot })).toBe(true)
      // Of another fork, so nothing can be counted from it.
      expect(await readsWindow(chain, { blockhashSlot: finalizedSlot + 1 })).toBe(false)
    })

    it('is not made for a disputed transaction that a block holds', async () => {
      const chain = cached()
      chain.blocks[100]!.signatures.push('second')
      script(chain, (call, honest) =>
        call.method === 'getSignatureStatuses'
          ? { context: { slot: chain.processedSlot }, value: [null, null] }
          : honest,
      )
      expect(await prove({ ...requestFor(chain), disputed: true })).toMatchObject({ proven: false, landed: 'second' })
    })
  })

  it('is not made for more signatures than one request for statuses takes', async () => {
    const chain = ledger()
    script(chain)
    const signatures = Array.from({ length: 257 }, (_, index) => `signature-${index}`)
    expect(await prove({ ...requestFor(chain), signatures: signatures.slice(1) })).toMatchObject({ proven: true })
    expect(await prove({ ...requestFor(chain), signatures })).toMatchObject({
      proven: false,
      reason: 'more signatures than one question holds',
    })
  })

  it('requests epoch and statuses in one batch', async () => {
    const chain = ledger()
    script(chain)
    node.bodies.length = 0
    await prove(requestFor(chain))
    expect((node.bodies[0] as Call[]).map((call) => call.method)).toEqual([
      'getGenesisHash',
      'getEpochInfo',
      'getSignatureStatuses',
    ])
  })
})
