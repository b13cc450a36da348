// The rule whether a read of the chain includes a transaction, compared with two models of a chain: a cluster behind a
// load balancer, whose nodes are at different slots, and the embedded chain, whose open block is read while it grows.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { inclusion, type Inclusion } from '../../../src/rpc/inclusion.ts'
import type { SignatureStatus } from '../../../src/rpc/rpc.ts'

const TRANSACTIONS = 4
const statusAt = (slot: number, commitment: SignatureStatus['commitment']): SignatureStatus => ({
  slot,
  commitment,
  error: null,
})

/** The decision never contradicts whether the read includes the transaction. */
function isSound(verdict: Inclusion, isIncluded: boolean): boolean {
  return verdict === 'undecided' || (verdict === 'included') === isIncluded
}

type Event =
  | { readonly kind: 'run'; readonly transaction: number }
  | { readonly kind: 'sync' }
  | { readonly kind: 'slot' }
  | { readonly kind: 'fork' }

const event: fc.Arbitrary<Event> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('run' as const), transaction: fc.nat(TRANSACTIONS - 1) }) },
  { weight: 3, arbitrary: fc.constant({ kind: 'sync' } as const) },
  { weight: 2, arbitrary: fc.constant({ kind: 'slot' } as const) },
  { weight: 1, arbitrary: fc.constant({ kind: 'fork' } as const) },
)
const events = fc.array(event, { maxLength: 8 })

/** The embedded chain: a transaction executes in the open slot, and is visible to others when it is on disk. */
class OpenBlocks {
  slot = 100
  readonly #ran = new Map<number, { readonly slot: number; onDisk: boolean }>()

  /** Transactions whose block was dropped. */
  play(all: readonly Event[]): Set<number> {
    const died = new Set<number>()
    for (const each of all) {
      if (each.kind === 'slot') this.slot += 1
      else if (each.kind === 'sync') for (const one of this.#ran.values()) one.onDisk = true
      else if (each.kind === 'run') {
        if (!this.#ran.has(each.transaction)) this.#ran.set(each.transaction, { slot: this.slot, onDisk: false })
      } else {
        for (const [transaction, { slot }] of this.#ran)
          if (slot === this.slot && this.#ran.delete(transaction)) died.add(transaction)
        this.slot += 1
      }
    }
    return died
  }

  status(transaction: number): SignatureStatus | null {
    const ran = this.#ran.get(transaction)
    return ran === undefined ? null : statusAt(ran.slot, ran.onDisk ? 'confirmed' : 'processed')
  }

  shows(transaction: number): boolean {
    return this.#ran.get(transaction)?.onDisk === true
  }
}

describe('14.14 the decision whether a balance includes a transaction', () => {
  const transactions = Array.from({ length: TRANSACTIONS }, (_, index) => index)

  it('14.14 is always right on the embedded chain, with any executions, flushes and forks between the calls', () => {
    fc.assert(
      fc.property(events, events, events, (earlier, first, second) => {
        const chain = new OpenBlocks()
        chain.play(earlier)
        const before = transactions.map((each) => chain.status(each))
        const died = chain.play(first)
        const [slot, shownBefore] = [chain.slot, transactions.map((each) => chain.shows(each))]
        for (const each of chain.play(second)) died.add(each)
        for (const each of transactions) {
          // A block that is added and dropped within one request is not distinguished from none.
          if (died.has(each) && before[each] === null) continue
          const after = chain.status(each)
          const sighting = {
            before: before[each]!,
            after,
            afterSlot: chain.slot,
            slot,
            sinceSlot: 90,
            nonceUnused: null,
          }
          const verdict = inclusion({ ...sighting, confirmsOnDisk: true })
          expect(
            isSound(verdict, shownBefore[each]!),
            JSON.stringify({ found: verdict, before: before[each], after, slot, shown: shownBefore[each] }),
          ).toBe(true)
          // A transaction that is being written does not prevent a decision.
          const isStill = first.length + second.length === 0
          if (isStill) expect(verdict).not.toBe('undecided')
          expect(isSound(inclusion({ ...sighting, confirmsOnDisk: false }), shownBefore[each]!)).toBe(true)
        }
      }),
      { numRuns: 4_000 },
    )
  })

  /** A node has reached `processed`; a commitment not above `confirmed` counts as that. */
  const node = fc
    .tuple(fc.integer({ min: 95, max: 115 }), fc.nat(5))
    .map(([processed, behind]) => ({ processed, confirmed: processed - behind }))

  it('14.14 is always right on a cluster, for any nodes that answer', () => {
    fc.assert(
      fc.property(fc.integer({ min: 94, max: 116 }), node, node, node, (landedIn, one, two, three) => {
        const at = ({ processed, confirmed }: { processed: number; confirmed: number }): SignatureStatus | null =>
          landedIn > processed ? null : statusAt(landedIn, landedIn > confirmed ? 'processed' : 'confirmed')
        const [before, after, slot] = [at(one), at(three), two.confirmed]
        const verdict = inclusion({
          before,
          after,
          afterSlot: three.processed,
          slot,
          sinceSlot: 90,
          nonceUnused: null,
          confirmsOnDisk: false,
        })
        expect(isSound(verdict, landedIn <= slot), JSON.stringify({ landedIn, one, two, three, found: verdict })).toBe(
          true,
        )
      }),
      { numRuns: 4_000 },
    )
  })

  it('14.14 does not use a null that may be older than the cache of nodes, but a nonce that was not used', () => {
    const old = { before: null, after: null, afterSlot: 1_000, slot: 1_000, sinceSlot: 700, confirmsOnDisk: false }
    expect(inclusion({ ...old, nonceUnused: null })).toBe('undecided')
    expect(inclusion({ ...old, nonceUnused: false })).toBe('undecided')
    expect(inclusion({ ...old, nonceUnused: true })).toBe('excluded')
    expect(inclusion({ ...old, sinceSlot: 900, nonceUnused: null })).toBe('excluded')
    expect(inclusion({ ...old, sinceSlot: 900, afterSlot: 999, nonceUnused: null })).toBe('undecided')
  })
})
