// A data source: its value is the last landed one, its sequence numbers are assigned once, and a dropped fork reverts
// its publications.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { dataSourceMachine, type DataSourceContext } from '../../machines/data-source.ts'
import { AT, dataSource, TOUCH } from './records.ts'
import { TestedActor } from './tested-actor.ts'

const publication = (sequence: number) => ({ value: String(sequence), asOf: 1_795_000_000, slot: 10, sequence })
const published = (sequence: number, slot: number) => ({
  type: 'chain.published',
  publication: publication(sequence),
  slot,
  touch: TOUCH,
})
const publish = (sequence: number) => ({
  type: 'command.publish',
  sequence,
  run: { at: AT, value: String(sequence), jobs: [] },
})
const begin = (): TestedActor =>
  TestedActor.start(dataSourceMachine, {
    holding: { ...dataSource, latest: null, landedSlot: null, issued: 0, lastRun: null },
    state: 'active',
  })
const contextOf = (actor: TestedActor): DataSourceContext => actor.snapshot().context as DataSourceContext

describe('a data source', () => {
  it('has no value before the first publication landed', () => {
    const actor = begin()
    expect(actor.code(publish(1))).toBeNull()
    expect(contextOf(actor)).toMatchObject({ latest: null, issued: 1, lastRun: { value: '1' } })
    actor.send(published(1, 20))
    expect(contextOf(actor).latest).toEqual(publication(1))
  })

  it('assigns every sequence number once, including those used by others', () => {
    const actor = begin()
    expect([1, 1, 3, 2].map((sequence) => actor.code(publish(sequence)))).toEqual([
      null,
      'SEQUENCE_USED',
      'SEQUENCE_USED',
      null,
    ])
    actor.send({ type: 'chain.feedRead', latest: publication(9), authority: dataSource.authority, slot: 30 })
    expect(actor.code(publish(3))).toBe('SEQUENCE_USED')
    expect(actor.code(publish(10))).toBeNull()
  })

  it('has the value that landed last, in any order of facts', () => {
    fc.assert(
      fc.property(fc.shuffledSubarray([1, 2, 3, 4, 5, 6], { minLength: 1 }), (slots) => {
        const actor = begin()
        for (const slot of slots) actor.send(published(slot, slot))
        expect(contextOf(actor)).toMatchObject({
          latest: publication(Math.max(...slots)),
          landedSlot: Math.max(...slots),
        })
      }),
    )
  })

  it('returns to the previous value when a fork is dropped, unless a later value landed', () => {
    const actor = begin()
    actor.send(published(1, 20))
    const undo = (sequence: number) => ({ type: 'chain.unpublished', sequence, latest: publication(1), landedSlot: 20 })
    actor.send(published(2, 21))
    actor.send(undo(2))
    expect(contextOf(actor)).toMatchObject({ latest: publication(1), landedSlot: 20, issued: 2 })
    actor.send(published(3, 25))
    actor.send(undo(2))
    expect(contextOf(actor).latest).toEqual(publication(3))
  })

  it('discards its value with its kind', () => {
    const actor = begin()
    actor.send(published(1, 20))
    expect(actor.code({ type: 'command.define', changes: { dataKind: 'PRICE', jobHash: '00' } })).toBeNull()
    expect(contextOf(actor).latest).not.toBeNull()
    expect(actor.code({ type: 'command.define', changes: { dataKind: 'RATING' } })).toBeNull()
    expect(contextOf(actor)).toMatchObject({ latest: null, landedSlot: null, dataKind: 'RATING' })
    expect(actor.code({ type: 'command.define', changes: { latest: publication(8) } })).toBe('MEMBER_NOT_CHANGEABLE')
  })
})
