// Seals of forwarded requests: authentic, valid for a moment, and accepted once.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { claimedBy, Seals, type ForwardedRequest } from '../../src/nodes/seal.ts'

const SECRET = 'a secret of all nodes, long enough'
const REQUEST: Omit<ForwardedRequest, 'headers' | 'from' | 'to' | 'client'> = {
  method: 'POST',
  path: '/api/v1/accounts?chainClusterId=CHAIN_MAINNET',
  body: Buffer.from('{}'),
  requestId: '6f0f0a4e-6c2c-4c53-9c0e-0d7f2f2f1a11',
}
const SENT = { authorization: 'Bearer key', prefer: 'wait=1' }

function sealed(seals: Seals): Record<string, string> {
  return { ...SENT, ...seals.headersFor({ ...REQUEST, headers: SENT, from: 'a', to: 'b', client: '203.0.113.9' }) }
}

const problemOf = (seals: Seals, headers: Record<string, string>): string | null =>
  seals.problemOf({ ...REQUEST, ...claimedBy(headers), headers })

describe('a seal', () => {
  it('is accepted exactly once while it is valid, from any number of nodes and in any order', () => {
    const steps = fc.array(
      fc.record({ sender: fc.nat(2), passMs: fc.nat(4_000), count: fc.integer({ min: 1, max: 40 }), pick: fc.nat() }),
      { minLength: 1, maxLength: 60 },
    )
    fc.assert(
      fc.property(
        steps,
        fc.array(fc.integer({ min: -25_000, max: 25_000 }), { minLength: 3, maxLength: 3 }),
        (all, offsets) => {
          let nowMs = 1_800_000_000_000
          const receiver = new Seals(SECRET, () => nowMs)
          const senders = offsets.map((offsetMs) => new Seals(SECRET, () => nowMs + offsetMs))
          const sent: { headers: Record<string, string>; validUntilMs: number; wasAccepted: boolean }[] = []
          for (const { sender, passMs, count, pick } of all) {
            for (let turn = 0; turn < count; turn += 1)
              sent.push({
                headers: sealed(senders[sender]!),
                validUntilMs: nowMs + offsets[sender]! + 30_000,
                wasAccepted: false,
              })
            nowMs += passMs
            // Some arrive later than others, and some a second time.
            for (let turn = 0; turn < count; turn += 1) {
              const one = sent[(pick + turn * 7) % sent.length]!
              const isValid = nowMs <= one.validUntilMs && !one.wasAccepted
              expect(problemOf(receiver, one.headers) === null).toBe(isValid)
              one.wasAccepted ||= isValid
            }
          }
        },
      ),
      { numRuns: 30 },
    )
  })

  it('is accepted once across the pages in which nonces are kept', () => {
    const seals = new Seals(SECRET, () => 1_800_000_000_000)
    const sender = new Seals(SECRET, () => 1_800_000_000_000)
    const sent = Array.from({ length: 4_500 }, () => sealed(sender))
    expect(sent.filter((headers) => problemOf(seals, headers) !== null)).toEqual([])
    expect(sent.filter((headers) => problemOf(seals, headers) !== 'the request was forwarded before')).toEqual([])
  })

  it('is remembered for as long as it is valid', () => {
    let nowMs = 1_800_000_000_000
    const receiver = new Seals(SECRET, () => nowMs)
    const headers = sealed(new Seals(SECRET, () => nowMs + 25_000))
    expect(problemOf(receiver, headers)).toBeNull()
    nowMs += 50_000
    expect(problemOf(receiver, sealed(new Seals(SECRET, () => nowMs)))).toBeNull()
    expect(problemOf(receiver, headers)).toBe('the request was forwarded before')
    nowMs += 10_000
    expect(problemOf(receiver, headers)).toContain('more than 30 seconds ago')
  })

  it('is remembered in the last millisecond in which it is valid', () => {
    let nowMs = 1_800_000_000_000
    const receiver = new Seals(SECRET, () => nowMs)
    const headers = sealed(new Seals(SECRET, () => nowMs + 30_000))
    expect(problemOf(receiver, headers)).toBeNull()
    nowMs += 60_000
    expect(problemOf(receiver, sealed(new Seals(SECRET, () => nowMs)))).toBeNull()
    expect(problemOf(receiver, headers)).toBe('the request was forwarded before')
  })

  it('is bound to the secret, the headers and the nodes', () => {
    const seals = new Seals(SECRET, () => 0)
    const other = new Seals(`${SECRET}!`, () => 0)
    const headers = sealed(seals)
    for (const changed of [
      { authorization: 'Bearer another' },
      { prefer: 'wait=2' },
      { 'holdfast-node-from': 'c' },
      { 'holdfast-node-to': 'c' },
      { 'holdfast-node-client': '127.0.0.1' },
      { 'holdfast-node-served-for': 'ACME' },
    ])
      expect(problemOf(seals, { ...headers, ...changed })).toContain('does not fit')
    expect(problemOf(other, headers)).toContain('does not fit')
    expect(problemOf(seals, { ...headers, 'holdfast-node-seal': 'v1 0 0 0' })).toContain('malformed')
    expect(problemOf(seals, headers)).toBeNull()
  })
})
