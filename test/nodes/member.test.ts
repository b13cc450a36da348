// How a member counts its own lease, with a database and a clock that are set by hand.
import { describe, expect, it } from 'vitest'
import { Member } from '../../src/nodes/member.ts'
import { NodeRows } from '../../src/nodes/node-rows.ts'
import type { Clock } from '../../src/time/clock.ts'

const LEASE_MS = 5_000
const ME = { id: 'a', incarnation: '1' }

class HandClock implements Clock {
  #elapsedMs = 0
  readonly #timers = new Map<object, { readonly atMs: number; readonly callback: () => void }>()

  now = (): number => 1_700_000_000_000 + this.#elapsedMs
  elapsed = (): number => this.#elapsedMs
  random = (): number => 0
  soon = (callback: () => void): void => void this.setTimeout(callback, 0)

  setTimeout(callback: () => void, delayMs: number): object {
    const timer = {}
    this.#timers.set(timer, { atMs: this.#elapsedMs + delayMs, callback })
    return timer
  }

  clearTimeout(timer: object): void {
    this.#timers.delete(timer)
  }

  async pass(ms: number): Promise<void> {
    const endMs = this.#elapsedMs + ms
    for (;;) {
      await new Promise((resolve) => setImmediate(resolve))
      const [next] = [...this.#timers].sort(([, a], [, b]) => a.atMs - b.atMs)
      if (next === undefined || next[1].atMs > endMs) break
      this.#timers.delete(next[0])
      this.#elapsedMs = Math.max(this.#elapsedMs, next[1].atMs)
      next[1].callback()
    }
    this.#elapsedMs = endMs
  }
}

async function joined() {
  const clock = new HandClock()
  const database = { answersRenewals: true, answersLooks: true, epoch: 5 }
  const answers: Readonly<Record<string, () => readonly (string | null)[][]>> = {
    'node-join': () => [['a']],
    'node-renew': () => [['false']],
    'node-live': () => [],
    'node-cells': () => [['main', String(database.epoch), 'a', '1', null, 'http://a', '5000', null]],
  }
  const rows = new NodeRows(
    {
      query: ({ name }) => {
        const isAnswered = name === 'node-renew' ? database.answersRenewals : database.answersLooks
        return isAnswered ? Promise.resolve(answers[name]!()) : Promise.reject(new Error('no answer'))
      },
    },
    1_000,
  )
  const log = { info: () => undefined, warn: () => undefined }
  const member = new Member({
    ...{ rows, looks: rows, me: ME, release: 'test', reads: 1, leaseMs: LEASE_MS, clock, log },
    onReplaced: () => undefined,
  })
  await member.join('http://a')
  member.start()
  return { clock, database, member }
}

describe('a member whose lease was over', () => {
  it('holds it again only after a look: another node may own by then what it owned', async () => {
    const { clock, database, member } = await joined()
    database.answersRenewals = false
    database.answersLooks = false
    await clock.pass(2 * LEASE_MS)
    expect(member.lease.isHeld).toBe(false)
    database.answersRenewals = true
    database.epoch = 6
    await clock.pass(2 * LEASE_MS)
    expect(member.lease.isHeld).toBe(false)
    const heldAtLooks: boolean[] = []
    member.onLook(({ cells }) => {
      expect(cells.get('main')?.epoch).toBe(6)
      heldAtLooks.push(member.lease.isHeld)
    })
    database.answersLooks = true
    await clock.pass(LEASE_MS)
    expect(heldAtLooks[0]).toBe(false)
    expect(member.lease.isHeld).toBe(true)
  })

  it('keeps one that is not over while nobody answers its looks', async () => {
    const { clock, database, member } = await joined()
    database.answersLooks = false
    await clock.pass(2 * LEASE_MS)
    expect(member.lease.isHeld).toBe(true)
  })
})
