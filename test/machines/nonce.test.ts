// A nonce is leased to one transaction at a time, and only the chain ends the lease.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { nonceMachine, type NonceContext } from '../../machines/nonce.ts'
import { AT, nonce, TOUCH } from './records.ts'
import { TestedActor, type AnyEvent } from './tested-actor.ts'

const VALUES = ['V1', 'V2', 'V3']
const TRANSACTIONS = ['tx-1', 'tx-2', 'tx-3']

const value = fc.constantFrom(...VALUES)
const transactionId = fc.constantFrom(...TRANSACTIONS)
const step: fc.Arbitrary<AnyEvent> = fc.oneof(
  {
    arbitrary: fc.record({ type: fc.constant('command.lease'), transactionId, value, at: fc.constant(AT) }),
    weight: 5,
  },
  { arbitrary: fc.record({ type: fc.constant('chain.advanced'), value, slot: fc.nat(40) }), weight: 5 },
  { arbitrary: fc.record({ type: fc.constant('command.void'), transactionId, by: transactionId }), weight: 2 },
  {
    arbitrary: fc.constantFrom<AnyEvent>(
      { type: 'command.freeze' },
      { type: 'command.unfreeze' },
      { type: 'command.inactivate' },
      { type: 'command.update', changes: { comments: 'x' } },
      { type: 'chain.settled', touch: TOUCH, movements: [] },
      { type: 'chain.created', touch: TOUCH },
      { type: 'chain.abandoned' },
    ),
    weight: 2,
  },
)

const contextOf = (actor: TestedActor): NonceContext => actor.context() as NonceContext
const fresh = (): TestedActor =>
  TestedActor.start(nonceMachine, { holding: { ...nonce, value: 'V1', valueSlot: 1 }, state: 'active' })
const lease = (id: string, of = 'V1'): AnyEvent => ({ type: 'command.lease', transactionId: id, value: of, at: AT })
const advancedEvent = (of: string, slot: number): AnyEvent => ({ type: 'chain.advanced', value: of, slot })

describe('the lease of a nonce', () => {
  it('is exclusive, is bound to the present value, and ends only when the chain shows another value', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (events) => {
        const actor = fresh()
        for (const event of events) {
          const before = contextOf(actor)
          const state = actor.value
          const isTaken = actor.send(event).type === 'accepted'
          const after = contextOf(actor)
          expect(after.lease !== null).toBe(actor.value === 'leased')
          if (event.type === 'command.lease' && isTaken && before.lease === null) {
            expect([state, before.frozenByOperator]).toEqual(['active', false])
            expect(before.value).toBe(event['value'])
            expect(after.lease).toEqual({
              transactionId: event['transactionId'],
              value: event['value'],
              at: AT,
              voidedBy: null,
            })
          }
          if (before.lease === null) continue
          const hasMoved =
            event.type === 'chain.advanced' &&
            event['value'] !== before.lease.value &&
            Number(event['slot']) >= before.valueSlot!
          expect(after.lease === null).toBe(hasMoved)
          if (after.lease === null) continue
          const { voidedBy: _noted, ...kept } = after.lease
          expect(before.lease).toMatchObject(kept)
        }
      }),
      { numRuns: 400 },
    )
  })

  it('is shared by two signatures of one transaction, and by the advance that voids it', () => {
    const actor = fresh()
    expect([actor.code(lease('tx-1')), actor.code(lease('tx-1')), actor.code(lease('tx-2'))]).toEqual([
      null,
      null,
      'NONCE_UNAVAILABLE',
    ])
    expect(actor.code({ type: 'command.void', transactionId: 'tx-2', by: 'tx-3' })).toBe('NOT_LEASED')
    expect(actor.code({ type: 'command.void', transactionId: 'tx-1', by: 'tx-2' })).toBeNull()
    expect([actor.code(lease('tx-2')), actor.code(lease('tx-3'))]).toEqual([null, 'NONCE_UNAVAILABLE'])
    expect(contextOf(actor).lease).toMatchObject({ transactionId: 'tx-1', voidedBy: 'tx-2' })
  })

  it('is refused under an old value, and before a value is known', () => {
    const actor = fresh()
    actor.send(advancedEvent('V2', 9))
    expect([actor.code(lease('tx-1', 'V1')), actor.code(lease('tx-1', 'V2'))]).toEqual(['NONCE_UNAVAILABLE', null])
    const unseen = TestedActor.start(nonceMachine, {
      holding: { ...nonce, value: null, valueSlot: null },
      state: 'pending',
    })
    expect(unseen.code(lease('tx-1'))).toBe('NONCE_UNAVAILABLE')
    unseen.send({ type: 'chain.created', touch: TOUCH })
    expect([unseen.value, unseen.code(lease('tx-1'))]).toEqual(['active', 'NONCE_UNAVAILABLE'])
  })

  it('excludes a withdrawal, which would end the account under it, and the other way round', () => {
    const reserve: AnyEvent = { type: 'command.reserve', asset: 'lamports', amount: '10', covered: true }
    const release: AnyEvent = {
      type: 'chain.released',
      movements: [{ asset: 'lamports', released: '10', debited: '0', credited: '0' }],
    }
    const actor = fresh()
    expect([actor.code(reserve), actor.code(lease('tx-1'))]).toEqual([null, 'NONCE_UNAVAILABLE'])
    actor.send(release)
    expect([actor.code(lease('tx-1')), actor.code(reserve)]).toEqual([null, 'NONCE_LEASED'])
    actor.send({ type: 'chain.uncreated' })
    expect([actor.value, actor.code(reserve)]).toEqual(['pending', 'NONCE_LEASED'])
    actor.send({ type: 'chain.created', touch: TOUCH })
    actor.send(advancedEvent('V2', 9))
    expect([actor.value, actor.code(reserve)]).toEqual(['active', null])
  })

  it('is not ended by a node that lags', () => {
    const actor = fresh()
    actor.send(advancedEvent('V2', 20))
    actor.send(lease('tx-1', 'V2'))
    actor.send(advancedEvent('V1', 19))
    expect([actor.value, contextOf(actor).value]).toEqual(['leased', 'V2'])
    actor.send(advancedEvent('V3', 21))
    expect([actor.value, contextOf(actor).value, contextOf(actor).lease]).toEqual(['active', 'V3', null])
  })

  it('outlives the fork that created the account', () => {
    const actor = fresh()
    actor.send(lease('tx-1'))
    actor.send({ type: 'chain.uncreated' })
    expect([actor.value, actor.code(lease('tx-2'))]).toEqual(['pending', 'NONCE_UNAVAILABLE'])
    actor.send({ type: 'chain.created', touch: TOUCH })
    expect([actor.value, contextOf(actor).lease?.transactionId]).toEqual(['leased', 'tx-1'])
  })

  it('adopts an authority that was changed outside', () => {
    const actor = fresh()
    actor.send({ ...advancedEvent('V2', 5), authority: { address: 'Other111', id: null } })
    expect(contextOf(actor).authority.address).toBe('Other111')
  })
})
