// The books of a tenant that countersigned a transaction of another: they follow the chain, step by step and back, from
// either source of facts.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ChainFact } from '../../../src/submission/submission.ts'
import { ChainFacts } from '../../../src/engine/settlement/chain-facts.ts'
import { applyOutcome } from '../../../src/engine/settlement/countersigned.ts'
import type { HoldingState } from '../../../src/engine/records/record.ts'
import type { BookEntry } from '../../../machines/transactions/transaction-record.ts'
import { AT, countersignature } from '../../machines/records.ts'
import { EngineFixture, newAccount, newTransaction, place } from '../engine-fixture.ts'

const OWNER = 'BANK'
const FEE = '5'

type Step = 'confirmed' | 'failing' | 'finalized' | 'failed' | 'forgotten' | 'expired'
const STEPS: readonly Step[] = ['confirmed', 'failing', 'finalized', 'failed', 'forgotten', 'expired']

function entriesOf(record: string, tenant: string, released: string): BookEntry[] {
  const movement = { asset: 'lamports', released, debited: FEE, credited: '0' } as const
  return [{ tenant, record, movements: [movement], charge: [movement], facts: [] }]
}

let count = 0

/** A payer of the owner with a reservation of five lamports, for a transaction that is stored here or is not. */
async function createCountersignature(
  fixture: EngineFixture,
  isStored: boolean,
): Promise<{ readonly payer: string; readonly id: string; readonly followed: string }> {
  count += 1
  const [payer, transactionId] = [`payer ${count}`, `t${count}`]
  const id = `${transactionId}~${OWNER}`
  await fixture.commit((unit) => {
    const account = newAccount(unit, payer, '1000', 'active', OWNER)
    unit.send<'account'>(account, { type: 'command.reserve', asset: 'lamports', amount: FEE, covered: true })
    const entries = entriesOf(payer, OWNER, FEE)
    unit.create('countersignature', place(id, OWNER), {
      countersignature: { ...countersignature, transactionId, entries },
    })
  })
  if (isStored) {
    // In the list of the requester the record of the owner is an unmanaged account.
    await fixture.commit((unit) => {
      const transaction = newTransaction(unit, transactionId, entriesOf(payer, OWNER, '0'))
      const countersigners = [{ tenant: OWNER, addresses: [payer], givenAt: AT }]
      const signature = `signature of ${transactionId}`
      unit.send<'transaction'>(transaction, {
        type: 'command.sign',
        signatures: 2,
        complete: true,
        ourSignature: true,
        signature,
        at: AT,
        countersigners,
      })
    })
  }
  return { payer, id, followed: isStored ? transactionId : id }
}

function factOf(step: Step, transactionId: string): ChainFact {
  const common = { transactionId, atMs: Date.parse(AT) }
  const seenFact = { kind: 'seen', ...common, signature: 'sig1', slot: 20, blockTime: null } as const
  switch (step) {
    case 'confirmed':
      return { ...seenFact, commitment: 'confirmed', error: null }
    case 'failing':
      return { ...seenFact, commitment: 'confirmed', error: 'boom' }
    case 'finalized':
      return { ...seenFact, commitment: 'finalized', error: null }
    case 'failed':
      return { ...seenFact, commitment: 'finalized', error: 'boom' }
    case 'forgotten':
      return { kind: 'forgotten', ...common, slot: 20 }
    case 'expired':
      return { kind: 'expired', ...common, proof: { rule: 'blockhash' } as never }
  }
}

/**
 * Histories that a chain can show: another outcome only after the first is forgotten, and no proof of expiry for a seen
 * transaction.
 */
function possible(steps: readonly Step[]): Step[] {
  let lastSeen: Step | null = null
  return steps.flatMap((step): Step[] => {
    if (step === 'expired') return lastSeen === null ? [step] : []
    const isOther = (step === 'confirmed' || step === 'failing') && lastSeen !== null && lastSeen !== step
    lastSeen = step === 'forgotten' ? null : step
    return isOther ? ['forgotten', step] : [step]
  })
}

/** The expected state of the owner after the steps, for histories that a chain can show. */
function foretold(steps: readonly Step[]): {
  readonly state: string
  readonly balance: string
  readonly reserved: string
} {
  let state = 'given'
  for (const step of steps) {
    if (state === 'settled' || state === 'lost' || state === 'released') break
    if (step === 'confirmed') state = 'landed'
    else if (step === 'finalized') state = 'settled'
    else if (step === 'failed') state = 'lost'
    else if (step === 'forgotten') state = 'given'
    // A failure on a fork that may be dropped releases nothing.
    else if (step === 'expired' && state === 'given') state = 'released'
  }
  const hasMoved = state === 'landed' || state === 'settled' || state === 'lost'
  return {
    state: state === 'lost' ? 'settled' : state,
    balance: hasMoved ? '995' : '1000',
    reserved: state === 'given' ? FEE : '0',
  }
}

/** Histories that are tested in addition to random ones. */
const USUAL: [Step[]][] = [
  [['confirmed', 'finalized']],
  [['confirmed', 'forgotten', 'confirmed', 'finalized']],
  [['confirmed', 'forgotten', 'expired']],
  [['failing', 'failed']],
  [['failing', 'forgotten', 'expired']],
]

describe.each([true, false])('a countersignature, with the transaction stored here: %s', (isStored) => {
  it('books once, undoes exactly, is released by proof only, and ignores repeated facts', async () => {
    const fixture = await EngineFixture.open()
    const facts = new ChainFacts(fixture.engine, { error: () => undefined })
    const stepLists = fc.array(fc.constantFrom(...STEPS), { maxLength: 7 })
    await fc.assert(
      fc.asyncProperty(stepLists.map(possible), async (steps) => {
        const { payer, id, followed } = await createCountersignature(fixture, isStored)
        for (const step of steps) {
          facts.take([factOf(step, followed)])
        }
        await fixture.engine.flush()
        const { lamports } = (fixture.entry(payer).head as HoldingState).context
        expect({ state: fixture.entry(id).head.value, ...lamports }).toEqual(foretold(steps))
      }),
      { numRuns: 60, examples: USUAL },
    )
  })
})

it('keeps its reservation if the requester cancels, because the signed transaction may still be sent', async () => {
  const fixture = await EngineFixture.open()
  const { payer, id } = await createCountersignature(fixture, false)
  const landing = { signature: 'sig1', slot: 0, final: false, at: AT }
  await fixture.commit((unit) =>
    applyOutcome(fixture.engine, unit, fixture.entry(id), { consequence: 'abandon', outcome: landing }),
  )
  expect(fixture.entry(id).head.value).toBe('given')
  expect((fixture.entry(payer).head as HoldingState).context.lamports).toEqual({ balance: '1000', reserved: FEE })
})
