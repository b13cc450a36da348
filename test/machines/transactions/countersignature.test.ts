// A countersignature: for one message, with every signature kept that was given, ended by facts of the chain alone.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Debit } from '../../../machines/debit-limits.ts'
import {
  countersignatureMachine,
  type CountersignatureContext,
} from '../../../machines/transactions/countersignature.ts'
import { countersignature } from '../records.ts'
import { TestedActor, type AnyEvent } from '../tested-actor.ts'

const [payment] = countersignature.debits as [Debit]
const fee: Debit = { ...payment, destination: 'FEES', beneficiary: 'ACME', amount: '5' }
const debits = [payment, fee]
const LATER = '2026-11-22T08:00:00.000Z'

const landed = (final: boolean): AnyEvent => ({ type: 'chain.landed', signature: 'sig1', slot: 7, final, at: LATER })
const failed: AnyEvent = { type: 'chain.failed', signature: 'sig1', slot: 7, at: LATER }
const expired: AnyEvent = { type: 'chain.expired', at: LATER, proof: { rule: 'blockhash' } }
const undone: AnyEvent = { type: 'chain.undone' }
const EVENTS = { landed: landed(false), final: landed(true), failed, expired, undone }

type Name = keyof typeof EVENTS
type State = 'given' | 'landed' | 'settled' | 'released'

/** The state after an accepted event; every other event is refused. */
const NEXT: Readonly<Record<State, Partial<Record<Name, State>>>> = {
  given: { landed: 'landed', final: 'settled', failed: 'settled', expired: 'released' },
  // What the chain shows can be neither failed nor expired before its fork is dropped.
  landed: { landed: 'landed', final: 'settled', undone: 'given' },
  settled: { landed: 'settled', final: 'settled' },
  released: { expired: 'released' },
}

const start = (given: Partial<CountersignatureContext> = {}): TestedActor =>
  TestedActor.start(countersignatureMachine, { countersignature: { ...countersignature, debits, ...given } })
const context = (actor: TestedActor): CountersignatureContext => actor.context() as CountersignatureContext

describe('a countersignature', () => {
  it('ends once, by an outcome that the chain shows or proves, and counts only the fee of a failure', () => {
    const names = fc.constantFrom(...(Object.keys(EVENTS) as Name[]))
    fc.assert(
      fc.property(fc.array(names, { maxLength: 8 }), (story) => {
        const actor = start()
        let state: State = 'given'
        let counted = debits
        for (const name of story) {
          const before = context(actor)
          const next: State | undefined = NEXT[state][name]
          expect(actor.code(EVENTS[name]) === null, `${name} in ${state}`).toBe(next !== undefined)
          if (state === 'given' && name === 'failed') counted = [fee]
          state = next ?? state
          expect(actor.value).toBe(state)
          const isOpen = state === 'given' || state === 'landed'
          expect(actor.hasTag('open')).toBe(isOpen)
          const { endedAt, slot, debits: remaining, proof } = context(actor)
          expect([endedAt !== null, slot !== null, proof !== null]).toEqual([
            !isOpen,
            state === 'landed' || state === 'settled',
            state === 'released',
          ])
          expect(remaining).toEqual(counted)
          if (next === undefined || before.endedAt !== null) expect(context(actor)).toEqual(before)
        }
      }),
    )
  })

  it('is for one message, and only while it is open', () => {
    const sign = (messageHash: string) => ({
      type: 'command.sign',
      messageHash,
      signatures: [{ address: 'Another1', signature: 'sig3' }],
    })
    for (const [events, code] of [
      [[], 'OTHER_MESSAGE'],
      [[landed(false)], 'OTHER_MESSAGE'],
      [[landed(true)], 'ENDED'],
      [[expired], 'ENDED'],
    ] as const) {
      const actor = start()
      for (const event of events) actor.send(event)
      const before = context(actor)
      expect(actor.code(sign('01'))).toBe(code)
      expect(actor.code({ ...sign(countersignature.messageHash), signatures: [] })).toBe(
        code === 'ENDED' ? code : 'NOTHING_SIGNED',
      )
      expect(context(actor)).toEqual(before)
      expect(actor.code(sign(countersignature.messageHash))).toBe(code === 'ENDED' ? code : null)
    }
  })

  it('keeps the first signature of each key, and is found by that of the fee payer', () => {
    const addresses = ['Payer111', 'Owner111', 'Another1']
    const given = fc.record({
      address: fc.constantFrom(...addresses),
      signature: fc.option(fc.constantFrom('a', 'b')),
    })
    fc.assert(
      fc.property(fc.array(given, { maxLength: 6 }), (rounds) => {
        const actor = start({ signatures: [], signature: null })
        const first = new Map<string, string | null>()
        for (const each of rounds) {
          const event = { type: 'command.sign', messageHash: countersignature.messageHash, signatures: [each] }
          expect(actor.code(event)).toBeNull()
          first.set(each.address, first.get(each.address) ?? each.signature)
          expect(context(actor).signatures).toEqual([...first].map(([address, signature]) => ({ address, signature })))
          expect(context(actor).signature).toBe(first.get(countersignature.feePayer) ?? null)
        }
      }),
    )
    const known = start({ signatures: [] })
    const other = { address: countersignature.feePayer, signature: 'another' }
    known.send({ type: 'command.sign', messageHash: countersignature.messageHash, signatures: [other] })
    expect(context(known).signature).toBe('sig1')
  })
})
