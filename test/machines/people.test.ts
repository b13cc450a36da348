// Organizations, API keys, and the supervisor that decides how many records are active.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { apiKeyMachine } from '../../machines/api-key.ts'
import { organizationMachine } from '../../machines/organization.ts'
import { tenantMachine } from '../../machines/tenant.ts'
import { apiKey, organization } from './records.ts'
import { TestedActor, type AnyEvent } from './tested-actor.ts'

const NOON = '2026-11-21T12:00:00.000Z'
const LATER = '2026-11-21T13:00:00.000Z'

describe('an organization', () => {
  it('is frozen once and unfrozen once, and may be renamed meanwhile', () => {
    const actor = TestedActor.start(organizationMachine, { organization })
    expect([actor.code({ type: 'command.freeze' }), actor.code({ type: 'command.freeze' })]).toStrictEqual([
      null,
      'ALREADY_FROZEN',
    ])
    expect(actor.hasTag('signing')).toBe(false)
    expect(actor.code({ type: 'command.update', changes: { name: 'New', allowedPrograms: ['P'] } })).toBeNull()
    expect(actor.context()).toMatchObject({ name: 'New', allowedPrograms: ['P'], externalId: 'ACME' })
    expect(actor.code({ type: 'command.update', changes: { system: true } })).toBe('MEMBER_NOT_CHANGEABLE')
    expect([actor.code({ type: 'command.unfreeze' }), actor.code({ type: 'command.unfreeze' })]).toStrictEqual([
      null,
      'NOT_FROZEN',
    ])
  })
})

describe('an API key', () => {
  const rotate = (byItself: boolean, graceUntil: string | null): AnyEvent => ({
    type: 'command.rotate',
    secretHash: 'bb',
    graceUntil,
    at: NOON,
    byItself,
  })

  it('accepts its old secret during the grace period, and loses its approvals if another key rotated it', () => {
    const actor = TestedActor.start(apiKeyMachine, { apiKey })
    actor.send(rotate(true, LATER))
    expect(actor.context()).toMatchObject({
      secretHash: 'bb',
      previousSecretHash: 'aa',
      previousUntil: LATER,
      rotatedAt: NOON,
      approvalsSuspendedUntil: null,
    })
    actor.send(rotate(false, null))
    expect(actor.context()).toMatchObject({
      previousSecretHash: null,
      previousUntil: null,
      approvalsSuspendedUntil: '2026-11-22T12:00:00.000Z',
    })
    expect(actor.code({ ...rotate(true, null), at: 'noon' })).toBe('MALFORMED_INSTANT')
  })

  it('is disabled for good, with both its secrets', () => {
    const actor = TestedActor.start(apiKeyMachine, { apiKey })
    actor.send(rotate(true, LATER))
    actor.send({ type: 'command.disable' })
    expect(actor.hasTag('usable')).toBe(false)
    expect(actor.context()).toMatchObject({ previousSecretHash: null, previousUntil: null })
    expect([actor.code({ type: 'command.disable' }), actor.code(rotate(true, null))]).toStrictEqual([
      'ALREADY_DISABLED',
      'DISABLED',
    ])
  })

  it('stores its latest use, in any order of reports', () => {
    const actor = TestedActor.start(apiKeyMachine, { apiKey })
    for (const at of [LATER, NOON]) expect(actor.code({ type: 'clock.used', at })).toBeNull()
    expect(actor.context()).toMatchObject({ lastUsedAt: LATER })
  })
})

describe('the supervisor of a tenant', () => {
  const start = () => TestedActor.start(tenantMachine, { capacity: 2 })
  const threw = (id: string, atMs: number) => ({ type: 'actor.threw', id, atMs }) as const
  const accepted = { type: 'accepted', event: 'actor.threw' }

  it('passivates the least recently used records when more are active than its capacity', () => {
    const actor = start()
    for (const _ of [1, 2])
      expect(actor.collect({ type: 'command.activate' })).toStrictEqual([
        { type: 'accepted', event: 'command.activate' },
      ])
    expect(actor.collect({ type: 'command.activate' })).toStrictEqual([
      { type: 'accepted', event: 'command.activate' },
      { type: 'passivate.oldest', excess: 1 },
    ])
    actor.send({ type: 'command.passivate' })
    expect(actor.context()).toMatchObject({ live: 2, capacity: 2 })
  })

  it('passivates no more records than are active', () => {
    expect(start().code({ type: 'command.passivate' })).toBe('NONE_ACTIVE')
  })

  it('quarantines a record whose actor throws three times within a minute, and counts nothing for it afterwards', () => {
    const actor = start()
    for (const atMs of [0, 59_998]) expect(actor.collect(threw('a', atMs))).toStrictEqual([accepted])
    expect([actor.value, actor.collect(threw('a', 59_999))]).toStrictEqual([
      'healthy',
      [accepted, { type: 'quarantine.record', id: 'a' }],
    ])
    expect([actor.value, actor.context()]).toStrictEqual([
      'impaired',
      { live: 0, capacity: 2, failures: {}, quarantined: ['a'] },
    ])
    expect(actor.collect(threw('a', 60_000))).toStrictEqual([accepted])
    expect(actor.code({ type: 'command.activate' })).toBeNull()
  })

  it('quarantines exactly the records that threw three times within some minute', () => {
    const failures = fc.array(
      fc.record({ id: fc.constantFrom('a', 'b', 'c'), afterMs: fc.integer({ min: 0, max: 40_000 }) }),
      { maxLength: 30 },
    )
    fc.assert(
      fc.property(failures, (sequence) => {
        const actor = start()
        const times = new Map<string, number[]>()
        const expected = new Set<string>()
        let atMs = 0
        for (const { id, afterMs } of sequence) {
          atMs += afterMs
          actor.send(threw(id, atMs))
          const all = [...(times.get(id) ?? []), atMs]
          times.set(id, all)
          if (all.length >= 3 && atMs - all.at(-3)! < 60_000) expected.add(id)
          expect(actor.context()).toMatchObject({ quarantined: [...expected] })
        }
      }),
    )
  })
})
