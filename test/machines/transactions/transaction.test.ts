// The transaction machine compared with the transition table, and the guarantees that the rest of the service relies
// on.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { transactionMachine } from '../../../machines/transactions/transaction.ts'
import { ATTEMPTS_LISTED, HISTORY_LIMIT } from '../../../machines/transactions/transaction-rules.ts'
import {
  isSuccess,
  mayLand,
  STATUS,
  type TransactionContext,
  type TransactionState,
} from '../../../machines/transactions/transaction-record.ts'
import { transactionAlphabet } from '../events.ts'
import { AT, fixed } from '../records.ts'
import { TestedActor, type AnyEvent } from '../tested-actor.ts'
import { FRESH, isEnded, step } from './transaction-model.ts'

const story = fc.array(fc.constantFrom(...transactionAlphabet), { maxLength: 40 })
/** Stories with progress: signed and sent first, then any events. */
const launched = story.map((rest): AnyEvent[] => [signed, sentEvent, ...rest])

const signed: AnyEvent = {
  type: 'command.sign',
  signatures: 2,
  complete: true,
  ourSignature: true,
  signature: 'sig',
  at: AT,
}
const signRequest: AnyEvent = {
  type: 'command.sign',
  signatures: 0,
  complete: false,
  ourSignature: true,
  signature: null,
  at: AT,
}
const otherSignature: AnyEvent = {
  type: 'command.sign',
  signatures: 1,
  complete: false,
  ourSignature: false,
  signature: null,
  at: AT,
}
const sentEvent: AnyEvent = { type: 'chain.sent', at: AT, endpoint: 'node' }
const expiredEvent: AnyEvent = { type: 'chain.expired', at: AT, proof: { height: 200 } }
const cancel: AnyEvent = { type: 'command.cancel', at: AT }
const seenEvent = (commitment: string, error: string | null = null, slot = 20): AnyEvent => ({
  type: 'chain.seen',
  commitment,
  slot,
  blockTime: 5,
  error,
  computeUnits: 7,
  at: AT,
})

function after(...events: AnyEvent[]): TestedActor {
  const actor = TestedActor.start(transactionMachine, { fixed })
  for (const event of events) expect(actor.code(event), event.type).toBeNull()
  return actor
}

const context = (actor: TestedActor) => actor.context() as TransactionContext

describe('a transaction', () => {
  it('matches the transition table for every event', () => {
    fc.assert(
      fc.property(fc.oneof(story, launched), (events) => {
        const actor = TestedActor.start(transactionMachine, { fixed })
        let model = FRESH
        for (const event of events) {
          const expected = step(model, event)
          expect(actor.code(event) === null, `${event.type} in ${model.status}`).toBe(expected !== null)
          model = expected ?? model
          expect(actor.value).toBe(model.status)
          expect(context(actor).error !== null).toBe(model.failed)
          expect(actor.hasTag('ended')).toBe(isEnded(model))
          expect(actor.hasTag('open')).toBe(!isEnded(model))
        }
      }),
      { numRuns: 400 },
    )
  })

  it('never leaves a final state, and reports exactly final states as ended', () => {
    fc.assert(
      fc.property(fc.oneof(story, launched), (events) => {
        const actor = TestedActor.start(transactionMachine, { fixed })
        let end: unknown = null
        for (const event of events) {
          actor.send(event)
          if (end !== null) expect(actor.snapshot()).toStrictEqual(end)
          else if (actor.hasTag('ended')) end = actor.snapshot()
          expect(context(actor).finalAt !== null).toBe(actor.hasTag('ended'))
        }
      }),
      { numRuns: 200 },
    )
  })

  it('never expires once seen, and never releases without proof what may land', () => {
    fc.assert(
      fc.property(launched, (events) => {
        const actor = TestedActor.start(transactionMachine, { fixed })
        for (const event of events) {
          const before = actor.value as TransactionState
          const couldLand = mayLand(before, context(actor))
          actor.send(event)
          if (before === 'processed' || before === 'confirmed')
            expect(['expired', 'cancelled', 'nonBlockchainError']).not.toContain(actor.value)
          if (couldLand && actor.hasTag('ended'))
            expect(['chain.seen', 'chain.expired', 'chain.voided', 'command.attest']).toContain(event.type)
          if (actor.value === 'blockchainError' && before !== 'blockchainError' && event.type === 'chain.seen')
            expect(event['commitment']).toBe('finalized')
        }
      }),
      { numRuns: 200 },
    )
  })

  it('records every state in order, in a bounded history', () => {
    fc.assert(
      fc.property(launched, (events) => {
        const actor = TestedActor.start(transactionMachine, { fixed })
        for (const event of events) {
          const before = actor.value
          const entries = context(actor).history.length
          actor.send(event)
          const history = context(actor).history
          if (actor.value !== before) expect(history.at(-1)?.status).toBe(STATUS[actor.value as TransactionState])
          expect(history.length - entries).toBeLessThanOrEqual(1)
        }
      }),
      { numRuns: 100 },
    )
  })

  it('counts repeated attempts in one entry of the history', () => {
    const actor = after(signed)
    for (let attempt = 1; attempt <= 500; attempt += 1) actor.send({ ...sentEvent, answer: 'ok' })
    const { attempts, history } = context(actor)
    expect(attempts).toBe(500)
    expect(history).toHaveLength(2 + ATTEMPTS_LISTED + 1)
    expect(history.at(-1)?.detail).toBe(`attempts ${ATTEMPTS_LISTED + 1} to 500, the last: node: ok`)
    for (let flip = 0; flip < 300; flip += 1) {
      actor.send(seenEvent('processed'))
      actor.send({ type: 'chain.forgotten', at: AT })
    }
    expect(context(actor).history).toHaveLength(HISTORY_LIMIT)
  })

  it('is cancelled at once only without a signature of the service', () => {
    expect(after(cancel).value).toBe('cancelled')
    expect(after(otherSignature, cancel).value).toBe('cancelled')
    for (const actor of [after(signed), after(signed, sentEvent), after(signRequest)])
      expect(actor.code(cancel)).toBe('CANCEL_NEEDS_PROOF')
    expect(after(signed, seenEvent('processed')).code(cancel)).toBe('LANDED')
  })

  it('ends as cancelled once its expiry is proven after a withdrawal, or by its nonce at any time', () => {
    const withdraw: AnyEvent = { type: 'command.withdraw', at: AT }
    expect(after(signRequest, withdraw, expiredEvent).value).toBe('cancelled')
    expect(after(signed, sentEvent, expiredEvent).value).toBe('expired')
    expect(after(signed, sentEvent, { type: 'chain.voided', at: AT, proof: { nonce: 'other' } }).value).toBe(
      'cancelled',
    )
    expect(after(signed, withdraw, seenEvent('finalized')).value).toBe('finalized')
  })

  it('treats a requested remote signature as a signature of the service', () => {
    const actor = after(signRequest)
    expect(actor.value).toBe('partiallySigned')
    expect(mayLand('partiallySigned', context(actor))).toBe(true)
    for (const event of [
      cancel,
      { type: 'clock.lapsed', at: AT, reason: 'late' },
      { type: 'command.fail', at: AT, reason: 'gone' },
    ]) {
      expect(actor.code(event)).toMatch(/_NEEDS_PROOF$/)
    }
    expect(actor.code({ type: 'command.rebuild', fixed })).toBe('ALREADY_SIGNED')
  })

  it('fails with a signature of the service only if nobody outside can complete it', () => {
    const fail: AnyEvent = { type: 'command.fail', at: AT, reason: 'no such key' }
    const actor = after(signRequest)
    expect(actor.code(fail)).toBe('FAIL_NEEDS_PROOF')
    expect(actor.code({ ...fail, withheld: true })).toBeNull()
    expect([actor.value, context(actor).error]).toStrictEqual(['nonBlockchainError', 'no such key'])
    expect(after(signed).code({ ...fail, withheld: true })).toBe('FAIL_NEEDS_PROOF')
  })

  it('names every other tenant that signed once, with all its keys', () => {
    const by = (tenant: string, address: string, givenAt: string) => ({ tenant, addresses: [address], givenAt })
    const signs = (...countersigners: object[]): AnyEvent => ({ ...otherSignature, countersigners })
    const later = '2026-11-22T08:00:00.000Z'
    const actor = after(
      signs(by('BANK', 'a', AT)),
      signs(by('FUND', 'b', later), by('BANK', 'c', later)),
      signs(by('BANK', 'a', later)),
    )
    expect(context(actor).countersigners).toStrictEqual([
      { tenant: 'BANK', addresses: ['a', 'c'], givenAt: AT },
      { tenant: 'FUND', addresses: ['b'], givenAt: later },
    ])
  })

  it('shows an error at its commitment, undoes it with the fork, and fails only at finality', () => {
    const actor = after(signed, sentEvent, seenEvent('confirmed', 'boom'))
    expect([actor.value, isSuccess('confirmed', context(actor))]).toStrictEqual(['confirmed', false])
    actor.send({ type: 'chain.forgotten', at: AT })
    expect([actor.value, context(actor).error, context(actor).slot]).toStrictEqual(['submitted', null, null])
    actor.send(seenEvent('finalized', 'boom'))
    expect([actor.value, context(actor).error]).toStrictEqual(['blockchainError', 'boom'])
    expect(actor.hasTag('success')).toBe(false)
  })

  it('returns to its former state when the fork with the completion of others is dropped', () => {
    const actor = after(signRequest, { ...seenEvent('processed'), signature: 'theirs' })
    expect(context(actor).signature).toBe('theirs')
    actor.send({ type: 'chain.forgotten', at: AT })
    expect(actor.value).toBe('partiallySigned')
  })

  it('accepts an attestation by two distinct keys, and not by one', () => {
    const word = (keyId: string, outcome: string): AnyEvent => ({
      type: 'command.attest',
      outcome,
      evidence: 'letter',
      keyId,
      at: AT,
    })
    const actor = after(signed, sentEvent, word('key1', 'FINALIZED'))
    expect([actor.value, context(actor).attestation?.keyId]).toStrictEqual(['submitted', 'key1'])
    expect(actor.code(word('key1', 'FINALIZED'))).toBe('ALREADY_ATTESTED')
    const refusal = actor.send(word('key2', 'EXPIRED'))
    expect(refusal).toMatchObject({ code: 'ATTESTATION_DIFFERS' })
    expect(JSON.stringify(refusal)).toContain('key1 attested FINALIZED')
    expect(actor.code(word('key1', 'EXPIRED'))).toBeNull()
    expect(actor.code(word('key2', 'FINALIZED'))).toBe('ATTESTATION_DIFFERS')
    expect(actor.code(word('key2', 'EXPIRED'))).toBeNull()
    expect(actor.value).toBe('expired')
    expect(context(actor).proof).toMatchObject({ attested: 'EXPIRED', by: [{ keyId: 'key1' }, { keyId: 'key2' }] })
    expect(actor.code(word('key3', 'EXPIRED'))).toBe('ENDED')
    expect(after(otherSignature).code(word('key1', 'EXPIRED'))).toBe('NOT_SIGNED')
  })

  it('discards attestations once the chain has shown the transaction', () => {
    const word = (keyId: string, outcome: string): AnyEvent => ({
      type: 'command.attest',
      outcome,
      evidence: 'letter',
      keyId,
      at: AT,
    })
    const actor = after(signed, sentEvent, word('key1', 'EXPIRED'), seenEvent('processed'))
    expect(actor.code(word('key2', 'EXPIRED'))).toBe('LANDED')
    actor.send({ type: 'chain.forgotten', at: AT })
    expect(actor.code(word('key2', 'EXPIRED'))).toBeNull()
    expect(actor.value).toBe('submitted')
  })

  it('adopts details that a status lacks, of its own slot and once', () => {
    const measured = (slot: number, computeUnits: number | null, blockTime: number | null): AnyEvent => ({
      type: 'chain.measured',
      slot,
      computeUnits,
      blockTime,
    })
    const actor = after(signed, sentEvent, { ...seenEvent('finalized'), blockTime: null, computeUnits: null })
    expect(actor.code(measured(21, 9, 9))).toBeNull()
    expect([context(actor).computeUnitsConsumed, context(actor).blockTime]).toStrictEqual([null, null])
    actor.send(measured(20, 9, null))
    actor.send(measured(20, 10, 11))
    expect([actor.value, context(actor).computeUnitsConsumed, context(actor).blockTime]).toStrictEqual([
      'finalized',
      9,
      11,
    ])
    expect(after(signed, sentEvent, expiredEvent).code(measured(20, 9, 9))).toBe('ENDED')
  })

  it('ignores repeated facts', () => {
    const actor = after(signed, sentEvent, seenEvent('confirmed'))
    const before = actor.context()
    for (const event of [seenEvent('confirmed'), seenEvent('processed'), seenEvent('processed', 'boom')])
      expect(actor.code(event)).toBeNull()
    expect(actor.context()).toBe(before)
    actor.send(seenEvent('finalized'))
    const final = actor.context()
    expect(actor.code(seenEvent('finalized'))).toBeNull()
    expect(actor.code(seenEvent('finalized', 'boom'))).toBe('ENDED')
    expect(actor.context()).toBe(final)
  })

  it('rebuilds only the same request, and only unsigned', () => {
    const actor = after({ type: 'command.rebuild', fixed: { ...fixed, blockhash: 'Newer111' } })
    expect(context(actor).fixed.blockhash).toBe('Newer111')
    expect(actor.code({ type: 'command.rebuild', fixed: { ...fixed, endpoint: '/other' } })).toBe(
      'NOT_THE_SAME_REQUEST',
    )
    actor.send(otherSignature)
    expect(actor.code({ type: 'command.rebuild', fixed })).toBe('ALREADY_SIGNED')
  })
})
