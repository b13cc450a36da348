// Facts in any order about several transactions that depend on each other: in the end all of them have settled.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ChainFact } from '../../../src/submission/submission.ts'
import { ChainFacts } from '../../../src/engine/settlement/chain-facts.ts'
import type { BookEntry, RecordEvent } from '../../../machines/transactions/transaction-record.ts'
import { AT } from '../../machines/records.ts'
import { EngineFixture, newAccount, newPosition, newTransaction, sign } from '../engine-fixture.ts'

const atMs = Date.parse(AT)
const seenFact = (
  transactionId: string,
  commitment: 'confirmed' | 'finalized',
  error: string | null = null,
): ChainFact => ({
  kind: 'seen',
  transactionId,
  atMs,
  signature: `signature of ${transactionId}`,
  commitment,
  slot: 1,
  blockTime: null,
  error,
})
const forgotten = (transactionId: string): ChainFact => ({ kind: 'forgotten', transactionId, atMs, slot: 1 })
const expiredFact = (transactionId: string): ChainFact => ({ kind: 'expired', transactionId, atMs, proof: {} as never })

const fact = (event: RecordEvent, undo: RecordEvent, abandon?: RecordEvent) => ({
  event,
  undo,
  ...(abandon === undefined ? {} : { abandon }),
})
const MAKES = fact(
  { type: 'chain.initialized', frozen: false },
  { type: 'chain.uncreated', by: 'maker' },
  { type: 'chain.abandoned' },
)
const FREEZES = fact({ type: 'chain.frozen' }, { type: 'chain.thawed' })
const THAWS = fact({ type: 'chain.thawed' }, { type: 'chain.frozen' })

const fee = { asset: 'lamports', released: '5', debited: '5', credited: '0' } as const
const entriesOf = (facts: BookEntry['facts']): BookEntry[] => [
  { tenant: 'ACME', record: 'payer', movements: [fee], charge: [fee], facts: [] },
  { tenant: 'ACME', record: 'position', movements: [], charge: [], facts },
]

interface FactsFixture {
  readonly fixture: EngineFixture
  readonly facts: ChainFacts
  readonly loggedErrors: string[]
}

/** One transaction creates a position; two more, signed while that is open, freeze and thaw it. */
async function openFixture(): Promise<FactsFixture> {
  const fixture = await EngineFixture.open()
  await fixture.commit((unit) => {
    const payer = newAccount(unit, 'payer', '1000')
    newPosition(unit, 'position', 'pending')
    for (const [id, each] of Object.entries({ maker: MAKES, freezer: FREEZES, thawer: THAWS })) {
      unit.send<'account'>(payer, { type: 'command.reserve', asset: 'lamports', amount: '5', covered: true })
      sign(unit, newTransaction(unit, id, entriesOf([each])))
    }
  })
  const loggedErrors: string[] = []
  return {
    fixture,
    loggedErrors,
    facts: new ChainFacts(fixture.engine, { error: (_, message) => loggedErrors.push(message) }),
  }
}

const book = (fixture: EngineFixture) =>
  (fixture.entry('payer').head.context as unknown as { lamports: object }).lamports
const values = (fixture: EngineFixture): string[] =>
  ['maker', 'freezer', 'thawer'].map((id) => fixture.transaction(id).value)

describe('facts of the chain', () => {
  it('settle in any order and in any batches', async () => {
    const all = ['maker', 'freezer', 'thawer'].flatMap((id) => [seenFact(id, 'confirmed'), seenFact(id, 'finalized')])
    const shuffled = fc.shuffledSubarray(all, { minLength: all.length, maxLength: all.length })
    const portions = fc.array(fc.integer({ min: 1, max: 3 }), { minLength: 6, maxLength: 6 })
    await fc.assert(
      fc.asyncProperty(shuffled, portions, async (order, sizes) => {
        const { fixture, facts, loggedErrors } = await openFixture()
        const remaining = [...order]
        for (const size of sizes) facts.take(remaining.splice(0, size))
        await fixture.engine.flush()
        expect(values(fixture)).toEqual(['finalized', 'finalized', 'finalized'])
        expect(book(fixture)).toEqual({ balance: '985', reserved: '0' })
        expect(fixture.entry('position').head.value).not.toBe('pending')
        expect(loggedErrors).toEqual([])
      }),
      { numRuns: 40 },
    )
  })

  it('that were deferred are applied in the same turn as the fact they waited for', async () => {
    const { fixture, facts } = await openFixture()
    facts.take([seenFact('freezer', 'finalized'), seenFact('maker', 'finalized')])
    expect(values(fixture)).toEqual(['finalized', 'finalized', 'signed'])
  })

  it('of one transaction are applied in order', async () => {
    const { fixture, facts } = await openFixture()
    facts.take([seenFact('freezer', 'confirmed')])
    facts.take([forgotten('freezer')])
    facts.take([seenFact('maker', 'finalized')])
    expect(fixture.transaction('freezer').value).not.toBe('confirmed')
    expect(fixture.entry('position').head.value).toBe('initialized')
    facts.take([expiredFact('freezer')])
    expect(fixture.transaction('freezer').value).toBe('expired')
    expect(book(fixture)).toEqual({ balance: '995', reserved: '5' })
  })

  it('about a creation that never happened release what depended on it', async () => {
    const { fixture, facts } = await openFixture()
    facts.take([seenFact('freezer', 'finalized', 'no such account'), expiredFact('thawer'), expiredFact('maker')])
    expect(values(fixture)).toEqual(['expired', 'blockchainError', 'expired'])
    expect(book(fixture)).toEqual({ balance: '995', reserved: '0' })
    expect(fixture.entry('position').head.value).toBe('closed')
  })

  it('are undone in any order when a fork is dropped, and settle again', async () => {
    const forks = fc.shuffledSubarray(['maker', 'freezer', 'thawer'], { minLength: 3, maxLength: 3 })
    await fc.assert(
      fc.asyncProperty(forks, forks, async (firstFork, secondFork) => {
        const { fixture, facts, loggedErrors } = await openFixture()
        facts.take(['maker', 'freezer', 'thawer'].map((id) => seenFact(id, 'confirmed')))
        facts.take(firstFork.map(forgotten))
        expect(values(fixture)).toEqual(['submitted', 'submitted', 'submitted'])
        expect(book(fixture)).toEqual({ balance: '1000', reserved: '15' })
        expect(fixture.entry('position').head.value).toBe('pending')
        facts.take(secondFork.map((id) => seenFact(id, 'finalized')))
        expect(values(fixture)).toEqual(['finalized', 'finalized', 'finalized'])
        expect(book(fixture)).toEqual({ balance: '985', reserved: '0' })
        expect(loggedErrors).toEqual([])
      }),
      { numRuns: 20 },
    )
  })

  it('about a repeated creation before its undo settle the closing of the record, too', async () => {
    const fixture = await EngineFixture.open()
    const closes = fact({ type: 'chain.closed' }, { type: 'chain.reopened', as: 'initialized' })
    await fixture.commit((unit) => {
      const payer = newAccount(unit, 'payer', '1000')
      newPosition(unit, 'position', 'pending')
      for (const [id, each] of Object.entries({ maker: MAKES, closer: closes })) {
        unit.send<'account'>(payer, { type: 'command.reserve', asset: 'lamports', amount: '5', covered: true })
        sign(unit, newTransaction(unit, id, entriesOf([each])))
      }
    })
    const facts = new ChainFacts(fixture.engine, { error: (_, message) => expect.unreachable(message) })
    const seenAgain = (id: string, commitment: 'confirmed' | 'finalized'): ChainFact =>
      ({ ...seenFact(id, commitment), slot: 2 }) as ChainFact
    facts.take([seenFact('maker', 'confirmed'), seenFact('closer', 'confirmed')])
    // The transaction whose answer came first has landed again already when the loss of the other is reported.
    facts.take([forgotten('closer'), seenAgain('closer', 'confirmed')])
    facts.take([forgotten('maker')])
    facts.take([seenAgain('maker', 'confirmed')])
    facts.take([seenAgain('closer', 'finalized'), seenAgain('maker', 'finalized')])
    expect(
      ['maker', 'closer'].map((id) => [fixture.transaction(id).value, fixture.transaction(id).context.slot]),
    ).toEqual([
      ['finalized', 2],
      ['finalized', 2],
    ])
    expect(fixture.entry('position').head.value).toBe('closed')
    expect(book(fixture)).toEqual({ balance: '990', reserved: '0' })
  })

  it('about an ended or unknown record change nothing; a contradiction of an outcome is reported once', async () => {
    const { fixture, facts, loggedErrors } = await openFixture()
    facts.take([seenFact('maker', 'finalized'), seenFact('maker', 'finalized'), seenFact('nobody', 'finalized')])
    expect(loggedErrors).toEqual([])
    facts.take([{ kind: 'sent', transactionId: 'maker', atMs, endpoint: 'node', outcome: 'accepted', detail: null }])
    expect(fixture.transaction('maker').value).toBe('finalized')
    facts.take([seenFact('freezer', 'confirmed'), expiredFact('freezer')])
    expect(loggedErrors).toEqual(['the chain has shown it'])
  })
})
