// Debit windows compared with a naive model, for any history of transactions, rollbacks and restarts.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Debit } from '../../../machines/debit-limits.ts'
import { DebitsNotRecalled, DebitWindows, oldDebitRows } from '../../../src/engine/limits/debit-windows.ts'
import type { RecordState } from '../../../src/engine/records/record.ts'
import { transactionMachine } from '../../../machines/transactions/transaction.ts'
import { freshTransaction, type TransactionContext } from '../../../machines/transactions/transaction-record.ts'
import { countersignature, fixed } from '../../machines/records.ts'
import { TestedActor } from '../../machines/tested-actor.ts'
import { type Sort, debit } from './debits.ts'

const STATES = ['prepared', 'signed', 'submitted', 'confirmed', 'finalized', 'expired', 'blockchainError'] as const
const OPEN: ReadonlySet<string> = new Set(['signed', 'submitted', 'confirmed'])
const DAY_S = 86_400
const START_S = 1_800_000_000

interface StateAt {
  readonly id: number
  readonly value: (typeof STATES)[number]
  /** Seconds. */
  readonly at: number
}

const ACCOUNTS = [
  {
    keys: ['ACME/C/A1', 'w1'],
    isOf: (debit: Debit) => debit.address === 'A1' || (debit.address === undefined && debit.record === 'w1'),
  },
  {
    keys: ['ACME/C/A2', 'w2'],
    isOf: (debit: Debit) => debit.address === 'A2' || (debit.address === undefined && debit.record === 'w2'),
  },
] as const

const SORTS: readonly ((debit: Sort) => boolean)[] = [
  ({ operation, destination }) => operation === 'TRANSFER' && destination !== 'FEES',
  ({ destination, beneficiary }) => destination === 'FEES' && beneficiary === 'X',
  ({ destination, beneficiary }) => destination === 'FEES' && beneficiary === 'Y',
]

const facts = fc.record(
  { id: fc.nat(5), value: fc.constantFrom(...STATES), at: fc.nat(3 * DAY_S) },
  { noNullPrototype: true },
)
const window = fc.constantFrom(60, 3_600, DAY_S, 2 * DAY_S)

function state(debits: readonly Debit[], { id, value, at }: StateAt): RecordState {
  const instant = new Date((START_S + at) * 1000).toISOString()
  const context = freshTransaction({ ...fixed, debits })
  const history = [...context.history, { status: 'CONFIRMED' as const, at: instant, detail: 'slot 20' }]
  return {
    kind: 'transaction',
    tenant: 'ACME',
    cluster: 'C',
    id: String(id),
    revision: 1,
    value,
    context: { ...context, slot: 20, history },
  }
}

/** The evicted rows, as the store lists them. */
class Old {
  readonly rows: { readonly list: string; readonly id: string; readonly atMs: number; readonly row: unknown }[] = []

  take(state: RecordState): void {
    for (const op of oldDebitRows(state)) if (op.type === 'listed') this.rows.push(op)
  }

  windows(): DebitWindows {
    return new DebitWindows((list, fromMs) => this.#listed(list, fromMs))
  }

  async *#listed(list: string, fromMs: number) {
    const matches = this.rows.filter((row) => row.list === list && row.atMs >= fromMs)
    for (const { id, atMs, row } of matches) yield await Promise.resolve([{ id, atMs, read: () => row }])
  }
}

async function sumOf(
  windows: DebitWindows,
  keys: readonly string[],
  mint: string | null,
  now: number,
  windowMs: number,
  counted = SORTS[0]!,
): Promise<bigint> {
  for (;;) {
    try {
      return windows.sum(keys, mint, counted, { now, windowMs })
    } catch (error) {
      if (!(error instanceof DebitsNotRecalled)) throw error
      await windows.recall(error, now)
    }
  }
}

describe('debit windows', () => {
  it('sum up pending and landed debits in any order of sends, outcomes, evictions and queries', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(debit, { minLength: 1, maxLength: 3 }), { minLength: 6, maxLength: 6 }),
        fc.array(facts, { maxLength: 30 }),
        window,
        (debits, story, windowS) => check(debits, story, windowS),
      ),
      { numRuns: 300 },
    )
  })

  async function check(
    debits: readonly (readonly Debit[])[],
    story: readonly StateAt[],
    windowS: number,
  ): Promise<void> {
    const now = START_S + 3 * DAY_S
    const heads = new Map<number, StateAt>()
    const states = new Map<number, RecordState>()
    const removedIds = new Set<number>()
    const old = new Old()
    const windows = old.windows()
    for (const next of story) {
      if (removedIds.has(next.id)) continue
      const head = state(debits[next.id]!, next)
      // The debits of one transaction are one object in all its revisions.
      const before = states.get(next.id)
      windows.moved(before, head)
      if (next.at % 5 === 0) {
        windows.moved(head, before)
        continue
      }
      states.set(next.id, head)
      heads.set(next.id, next)
      if (next.at % 7 === 0) await sumOf(windows, ACCOUNTS[0].keys, null, now * 1000, 3_600_000)
      if (next.at % 3 !== 0 || OPEN.has(next.value) || next.value === 'prepared') continue
      // A reader may read while its rows are stored and memory still has it.
      old.take(head)
      const reading =
        next.at % 2 === 0 ? sumOf(windows, ACCOUNTS[1].keys, 'm1', now * 1000, 2 * DAY_S * 1000) : undefined
      if (next.at % 4 === 0) await reading
      windows.left(head)
      await reading
      removedIds.add(next.id)
      states.delete(next.id)
    }
    const restartedWindows = old.windows()
    for (const each of states.values()) restartedWindows.moved(undefined, each)
    for (const { keys, isOf } of ACCOUNTS) {
      for (const mint of [null, 'm1', 'm2']) {
        for (const sort of SORTS) {
          let expected = 0n
          for (const { id, value, at } of heads.values()) {
            const inWindow = START_S + at >= now - windowS
            for (const each of debits[id]!) {
              // A failed transaction has taken its fee all the same.
              const counts =
                OPEN.has(value) ||
                (inWindow && (value === 'finalized' || (value === 'blockchainError' && each.destination === 'FEES')))
              if (counts && isOf(each) && each.mint === mint && sort(each)) expected += BigInt(each.amount)
            }
          }
          expect(await sumOf(windows, keys, mint, now * 1000, windowS * 1000, sort)).toBe(expected)
          expect(await sumOf(restartedWindows, keys, mint, now * 1000, windowS * 1000, sort)).toBe(expected)
        }
      }
    }
  }

  it('keep no evicted debit that no query needs', () => {
    const old = new Old()
    const windows = old.windows()
    const debits: Debit[] = [
      { tenant: 'ACME', record: 'w1', mint: null, operation: 'TRANSFER', destination: 'MANAGED', amount: '1' },
    ]
    for (let at = 0; at < 1_000; at += 1) {
      const landed = state(debits, { id: at, value: 'finalized', at })
      windows.moved(undefined, landed)
      windows.left(landed)
    }
    expect(windows.size).toBeLessThan(100)
  })
})

describe('a debit', () => {
  const one: Debit = {
    tenant: 'ACME',
    record: 'w1',
    mint: null,
    operation: 'TRANSFER',
    destination: 'MANAGED',
    amount: '1',
  }
  const keys = ['w1']
  const WINDOW_MS = 60_000
  const NOW = START_S * 1000

  function landedAt(id: string, atMs: number): RecordState {
    const context = freshTransaction({ ...fixed, debits: [one] })
    const history = [
      ...context.history,
      { status: 'CONFIRMED' as const, at: new Date(atMs).toISOString(), detail: 'slot 20' },
    ]
    return {
      kind: 'transaction',
      tenant: 'ACME',
      cluster: 'C',
      id,
      revision: 1,
      value: 'finalized',
      context: { ...context, slot: 20, history },
    }
  }

  it('leaves a window not a millisecond early and less than a second late, in memory and after eviction', async () => {
    const windowMs = fc.constantFrom(WINDOW_MS, DAY_S * 1000)
    await fc.assert(
      fc.asyncProperty(
        windowMs,
        fc.integer({ min: -2_500, max: 2_500 }),
        fc.nat(999),
        async (length, beyondMs, phaseMs) => {
          const now = NOW + phaseMs
          const landed = landedAt('t', now - length - beyondMs)
          const old = new Old()
          const windows = old.windows()
          windows.moved(undefined, landed)
          const inMemory = await sumOf(windows, keys, null, now, length)
          if (beyondMs <= 0) expect(inMemory).toBe(1n)
          if (beyondMs >= 1_000) expect(inMemory).toBe(0n)
          windows.left(landed)
          expect(await sumOf(windows, keys, null, now, length)).toBe(inMemory)
          old.take(landed)
          expect(await sumOf(old.windows(), keys, null, now, length)).toBe(inMemory)
        },
      ),
      { numRuns: 200 },
    )
  })

  it('that is evicted while a window is read back is counted once, whether the read contains it or not', async () => {
    for (const isShown of [true, false]) {
      const old = new Old()
      const landed = landedAt('t', NOW - 10)
      const releases: (() => void)[] = []
      const windows = new DebitWindows(async function* () {
        const rows = isShown ? old.rows.map(({ id, atMs, row }) => ({ id, atMs, read: () => row })) : []
        await new Promise<void>((resolve) => releases.push(resolve))
        yield rows
      })
      windows.moved(undefined, landed)
      old.take(landed)
      // The second query needs the same window while it is read.
      const [first, second] = [0, 1].map(() => sumOf(windows, keys, null, NOW, WINDOW_MS))
      await Promise.resolve()
      windows.left(landed)
      releases[0]!()
      expect(await first).toBe(1n)
      for (const release of releases) release()
      expect(await second).toBe(1n)
      expect(await sumOf(windows, keys, null, NOW, WINDOW_MS)).toBe(1n)
    }
  })

  it('that is being evicted is counted once, before and after the eviction', async () => {
    const old = new Old()
    const windows = old.windows()
    const landed = landedAt('t', NOW - 10)
    windows.moved(undefined, landed)
    old.take(landed)
    expect(await sumOf(windows, keys, null, NOW, WINDOW_MS)).toBe(1n)
    windows.left(landed)
    expect(await sumOf(windows, keys, null, NOW, WINDOW_MS)).toBe(1n)
  })

  it('is counted beside debits with future dates from a clock that was set back since', async () => {
    const old = new Old()
    const [aheadMs, windowMs] = [400 * 86_400_000, 1_000_000]
    for (let index = 1; index <= 300; index += 1)
      old.take(landedAt(`t${index}`, NOW - index * 1_000 + (index > 200 ? aheadMs : 0)))
    const windows = old.windows()
    expect(await sumOf(windows, keys, null, NOW, windowMs)).toBe(300n)
    const laterState = landedAt('later', NOW + aheadMs)
    windows.moved(undefined, laterState)
    windows.left(laterState)
    expect(await sumOf(windows, keys, null, NOW, windowMs)).toBe(301n)
  })

  it('is counted as long as the longest queried window', async () => {
    const old = new Old()
    const windows = old.windows()
    const [count, stepMs] = [200, 800_000]
    const windowMs = count * stepMs
    expect(await sumOf(windows, keys, null, NOW - windowMs, windowMs)).toBe(0n)
    for (let index = 1; index <= count; index += 1) {
      const landed = landedAt(`t${index}`, NOW - windowMs + index * stepMs)
      windows.moved(undefined, landed)
      windows.left(landed)
      // What is kept depends on the time of the latest query.
      await sumOf(windows, keys, null, NOW - windowMs + index * stepMs, stepMs)
    }
    expect(await sumOf(windows, keys, null, NOW, windowMs)).toBe(BigInt(count))
  })

  it('counts from the landing that lasts, not from one on a fork that was dropped', () => {
    const at = (seconds: number): string => new Date(NOW + seconds * 1000).toISOString()
    const seen = (commitment: string, seconds: number, slot: number, error: string | null = null) => ({
      type: 'chain.seen',
      commitment,
      slot,
      error,
      blockTime: null,
      computeUnits: null,
      at: at(seconds),
    })
    const forgotten = { type: 'chain.forgotten', at: at(10) }
    const fee: Debit = { ...one, destination: 'FEES', beneficiary: 'X' }
    const counted = [seen('confirmed', 0, 5), forgotten, seen('finalized', 3_600, 900)]
    const failed = [seen('confirmed', 0, 5, 'boom'), forgotten, seen('finalized', 3_600, 900, 'boom')]
    const confirmed = [seen('confirmed', 0, 5), forgotten, seen('confirmed', 3_590, 900), seen('finalized', 3_600, 900)]
    for (const [events, seconds] of [
      [counted, 3_600],
      [failed, 3_600],
      [confirmed, 3_590],
      [[seen('confirmed', 3_590, 900), seen('finalized', 3_600, 900)], 3_590],
    ] as const) {
      const actor = TestedActor.start(transactionMachine, { fixed: { ...fixed, debits: [fee] } })
      actor.send({ type: 'command.sign', signatures: 2, complete: true, ourSignature: true, signature: 's', at: at(0) })
      for (const event of events) expect(actor.code(event)).toBeNull()
      const windows = new DebitWindows()
      const context = actor.context() as TransactionContext
      const place = { kind: 'transaction', tenant: 'ACME', cluster: 'C', id: 't', revision: 1 } as const
      windows.moved(undefined, { ...place, value: actor.value, context })
      const sumAt = (second: number): bigint =>
        windows.sum(keys, null, SORTS[1]!, { now: NOW + second * 1000, windowMs: WINDOW_MS })
      expect([sumAt(seconds + 60), sumAt(seconds + 62)]).toEqual([1n, 0n])
    }
  })

  it('of a countersignature counts from its signature until it is released', () => {
    const buildCountersignature = (value: string, endedAt: string | null): RecordState => ({
      kind: 'countersignature',
      tenant: 'ACME',
      cluster: 'C',
      id: 'c',
      revision: 1,
      value,
      context: { ...countersignature, debits: [one], endedAt },
    })
    const at = new Date(NOW - 10).toISOString()
    for (const [value, endedAt, expected] of [
      ['given', null, 1n],
      ['landed', null, 1n],
      ['settled', at, 1n],
      ['released', at, 0n],
    ] as const) {
      const windows = new DebitWindows()
      windows.moved(undefined, buildCountersignature(value, endedAt))
      expect(windows.sum(keys, null, SORTS[0]!, { now: NOW, windowMs: WINDOW_MS })).toBe(expected)
      expect(windows.sum(keys, null, SORTS[0]!, { now: NOW + 2 * WINDOW_MS, windowMs: WINDOW_MS })).toBe(
        value === 'settled' ? 0n : expected,
      )
    }
  })
})
