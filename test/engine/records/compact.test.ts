// Compacted transactions read the same as before: member by member, as a copy, as a row, and after
// their next event.
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { toEnvelope } from '../../../src/engine/records/codec.ts'
import { compactTransaction } from '../../../src/engine/records/compact.ts'
import { LiveActor } from '../../../src/engine/records/live-actor.ts'
import type { RecordState } from '../../../src/engine/records/record.ts'
import { freshTransaction } from '../../../machines/transactions/transaction-record.ts'
import { AT, fixed } from '../../machines/records.ts'

const transaction = fc
  .record({
    value: fc.constantFrom('finalized', 'blockchainError', 'nonBlockchainError', 'cancelled', 'expired'),
    endpoint: fc.string({ unit: 'binary' }),
    signature: fc.option(fc.string()),
    error: fc.option(fc.string({ unit: 'grapheme' })),
    states: fc.array(fc.string(), { maxLength: 5 }),
  })
  .map(({ value, endpoint, signature, error, states }) => {
    const history = states.map((state) => ({ at: AT, state }))
    const context = { ...freshTransaction({ ...fixed, endpoint }), signature, error, history, finalAt: AT }
    return {
      kind: 'transaction',
      tenant: 'T',
      cluster: 'C',
      id: 'id',
      revision: 3,
      value,
      context,
    } as unknown as RecordState<'transaction'>
  })

it('is equal to the original record', () => {
  fc.assert(
    fc.property(transaction, transaction, (one, other) => {
      const [compactedOne, compactedOther] = [compactTransaction(one), compactTransaction(other)]
      expect(compactTransaction(compactedOne)).toBe(compactedOne)
      // Alternately: the last read of one must not affect the read of the other.
      for (const name of Object.keys(one.context) as (keyof typeof one.context)[]) {
        expect(compactedOne.context[name], name).toEqual(one.context[name])
        expect(compactedOther.context[name], name).toEqual(other.context[name])
      }
      expect(Object.keys(compactedOne.context).sort()).toEqual(Object.keys(one.context).sort())
      const copy = { ...compactedOne.context }
      expect(copy).toEqual(one.context)
      expect(Object.getOwnPropertySymbols(copy)).toEqual([])
      expect(JSON.parse(JSON.stringify(compactedOne.context))).toEqual(JSON.parse(JSON.stringify(one.context)))
      expect(toEnvelope(compactedOne)).toEqual(toEnvelope(one))
    }),
  )
})

it('answers equally, and keeps all members', () => {
  fc.assert(
    fc.property(transaction, fc.constantFrom('command.cancel', 'command.submit', 'unknown'), (one, type) => {
      const [original, copy] = [one, compactTransaction(one)].map(({ value, context }) =>
        LiveActor.restore('transaction', value, context),
      )
      expect(copy!.send({ type })).toEqual(original!.send({ type }))
      expect(copy!.snapshot()).toEqual(original!.snapshot())
    }),
  )
})
