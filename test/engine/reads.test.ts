// Readers see only what is on disk, in commit order.
import { describe, expect, it } from 'vitest'
import type { Change } from '../../src/engine/records/change.ts'
import type { UnitOfWork } from '../../src/engine/records/unit-of-work.ts'
import { AT } from '../machines/records.ts'
import { systemClock } from '../../src/time/clock.ts'
import { EngineFixture, newAccount, newTransaction, sign } from './engine-fixture.ts'

const reservedOf = (state: unknown): string | undefined =>
  (state as { context: { lamports: { reserved: string } } } | undefined)?.context.lamports.reserved

async function settle(): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve))
}

describe('committed records', () => {
  it('do not change during a commit', async () => {
    const fixture = await EngineFixture.open()
    const entry = await fixture.commit((unit) => newAccount(unit, 'a'))
    const before = entry.committed
    fixture.hold()
    const { durable } = fixture.engine.transact((unit) => {
      unit.send<'account'>(entry, { type: 'command.reserve', asset: 'lamports', amount: '7', covered: true })
      newAccount(unit, 'b')
    })
    await settle()
    expect(entry.committed).toBe(before)
    expect(reservedOf(entry.head)).toBe('7')
    expect(fixture.entry('b').committed).toBeUndefined()
    fixture.letGo()
    await durable
    expect(entry.committed).toBe(entry.head)
    expect(fixture.entry('b').committed).toBe(fixture.entry('b').head)
  })

  it('are published with their effects only once they are durable, in the order of the units', async () => {
    const fixture = await EngineFixture.open()
    const effects: string[] = []
    fixture.engine.onCommitted((changes: readonly Change[]) =>
      effects.push(...changes.map(({ next }) => `${next.id} committed`)),
    )
    fixture.hold()
    const units = ['a', 'b'].map((id) =>
      fixture.engine.transact((unit) => {
        newAccount(unit, id)
        unit.afterCommit(() => effects.push(`${id} followed`))
      }),
    )
    await settle()
    expect(effects).toEqual([])
    fixture.letGo()
    await Promise.all(units.map(({ durable }) => durable))
    expect(effects).toEqual(['a committed', 'a followed', 'b committed', 'b followed'])
  })

  it('combine many units of one hot record into one write, and end at the last version', async () => {
    const fixture = await EngineFixture.open()
    const entry = await fixture.commit((unit) => newAccount(unit, 'hot'))
    const reserve = (unit: UnitOfWork) =>
      unit.send<'account'>(entry, { type: 'command.reserve', asset: 'lamports', amount: '1', covered: true })
    // The first change of all comes with the marker that changes exist.
    await fixture.commit(reserve)
    const before = fixture.writes.length
    const units = Array.from({ length: 300 }, () => fixture.engine.transact(reserve))
    await Promise.all(units.map(({ durable }) => durable))
    expect(fixture.writes.slice(before)).toEqual([1])
    expect(reservedOf(entry.committed)).toBe('301')
    const { head } = entry
    await fixture.restart()
    expect(fixture.entry('hot').head).toEqual(head)
  })
})

describe('observations', () => {
  const markSent = (fixture: EngineFixture, id: string): void => {
    fixture.engine.observe((unit) =>
      unit.send<'transaction'>(fixture.entry(id), { type: 'chain.sent', at: AT, endpoint: 'node' }),
    )
  }

  async function withTransaction(): Promise<EngineFixture> {
    const fixture = await EngineFixture.open()
    await fixture.commit((unit) => sign(unit, newTransaction(unit, 't', [])))
    return fixture
  }

  it('are visible at once, and on disk after a flush', async () => {
    const fixture = await withTransaction()
    const before = fixture.writes.length
    markSent(fixture, 't')
    expect(fixture.entry('t').committed?.value).toBe('submitted')
    expect(fixture.writes.length).toBe(before)
    await fixture.engine.flush()
    await fixture.engine.flush()
    expect(fixture.writes.length).toBe(before + 1)
    await fixture.restart()
    expect(fixture.transaction('t').value).toBe('submitted')
  })

  it('are written with the next commit of their record', async () => {
    const fixture = await withTransaction()
    markSent(fixture, 't')
    await fixture.commit((unit) => unit.send<'transaction'>(fixture.entry('t'), { type: 'command.withdraw', at: AT }))
    const before = fixture.writes.length
    await fixture.engine.flush()
    expect(fixture.writes.length).toBe(before)
    await fixture.restart()
    expect(fixture.transaction('t')).toMatchObject({ value: 'submitted', context: { attempts: 1, cancelAskedAt: AT } })
  })

  it('never disappear when an older flush ends', async () => {
    const fixture = await withTransaction()
    markSent(fixture, 't')
    fixture.hold()
    const flushed = fixture.engine.flush()
    await settle()
    markSent(fixture, 't')
    const state = fixture.entry('t').committed
    expect(state).toMatchObject({ context: { attempts: 2 } })
    fixture.letGo()
    await flushed
    expect(fixture.entry('t').committed).toBe(state)
    await fixture.engine.flush()
    await fixture.restart()
    expect(fixture.transaction('t').context.attempts).toBe(2)
  })

  it('during a commit are visible, and published by the next flush', async () => {
    const fixture = await withTransaction()
    const effects: string[] = []
    fixture.engine.onCommitted((changes) => effects.push(...changes.map(({ next }) => next.value)))
    fixture.hold()
    const { durable } = fixture.engine.transact((unit) =>
      unit.send<'transaction'>(fixture.entry('t'), { type: 'command.withdraw', at: AT }),
    )
    markSent(fixture, 't')
    expect(fixture.entry('t').committed?.value).toBe('signed')
    fixture.letGo()
    await durable
    await fixture.engine.flush()
    expect(fixture.entry('t').committed?.value).toBe('submitted')
    expect(effects.at(-1)).toBe('submitted')
  })

  it('that are refused leave no trace', async () => {
    const fixture = await EngineFixture.open()
    const entry = await fixture.commit((unit) => newTransaction(unit, 't', []))
    const before = entry.head
    expect(() => markSent(fixture, 't')).toThrow('NOT_SIGNED')
    expect(entry.head).toBe(before)
  })
})

it('report their duration by the clock of the engine', async () => {
  const fixture = await EngineFixture.open(2, { clock: { ...systemClock, elapsed: () => 7 } })
  expect(fixture.engine.elapsed()).toBe(7)
})
