// Readers see what is on disk and nothing else, in the order in which it got there.
import { describe, expect, it } from 'vitest'
import type { Change } from '../../src/engine/records/change.ts'
import type { UnitOfWork } from '../../src/engine/records/unit-of-work.ts'
import { AT } from '../machines/records.ts'
import { systemClock } from '../../src/time/clock.ts'
import { Ground, newAccount, newTransaction, sign } from './ground.ts'

const reservedOf = (state: unknown): string | undefined =>
  (state as { context: { lamports: { reserved: string } } } | undefined)?.context.lamports.reserved

async function settled(): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve))
}

describe('committed records', () => {
  it('stay as they were while a commit is on its way', async () => {
    const ground = await Ground.open()
    const entry = await ground.done((unit) => newAccount(unit, 'a'))
    const before = entry.committed
    ground.hold()
    const { durable } = ground.engine.transact((unit) => {
      unit.send<'account'>(entry, { type: 'command.reserve', asset: 'lamports', amount: '7', covered: true })
      newAccount(unit, 'b')
    })
    await settled()
    expect(entry.committed).toBe(before)
    expect(reservedOf(entry.head)).toBe('7')
    expect(ground.entry('b').committed).toBeUndefined()
    ground.letGo()
    await durable
    expect(entry.committed).toBe(entry.head)
    expect(ground.entry('b').committed).toBe(ground.entry('b').head)
  })

  it('are announced with what follows only once they are durable, in the order of the units', async () => {
    const ground = await Ground.open()
    const told: string[] = []
    ground.engine.onCommitted((changes: readonly Change[]) =>
      told.push(...changes.map(({ next }) => `${next.id} committed`)),
    )
    ground.hold()
    const units = ['a', 'b'].map((id) =>
      ground.engine.transact((unit) => {
        newAccount(unit, id)
        unit.afterCommit(() => told.push(`${id} followed`))
      }),
    )
    await settled()
    expect(told).toEqual([])
    ground.letGo()
    await Promise.all(units.map(({ durable }) => durable))
    expect(told).toEqual(['a committed', 'a followed', 'b committed', 'b followed'])
  })

  it('take many units of one hot record in one write, and end at the last', async () => {
    const ground = await Ground.open()
    const entry = await ground.done((unit) => newAccount(unit, 'hot'))
    const before = ground.writes.length
    const reserve = (unit: UnitOfWork) =>
      unit.send<'account'>(entry, { type: 'command.reserve', asset: 'lamports', amount: '1', covered: true })
    const units = Array.from({ length: 300 }, () => ground.engine.transact(reserve))
    await Promise.all(units.map(({ durable }) => durable))
    expect(ground.writes.slice(before)).toEqual([1])
    expect(reservedOf(entry.committed)).toBe('300')
    const { head } = entry
    await ground.restart()
    expect(ground.entry('hot').head).toEqual(head)
  })
})

describe('observations', () => {
  const sent = (ground: Ground, id: string): void => {
    ground.engine.observe((unit) =>
      unit.send<'transaction'>(ground.entry(id), { type: 'chain.sent', at: AT, endpoint: 'node' }),
    )
  }

  async function withTransaction(): Promise<Ground> {
    const ground = await Ground.open()
    await ground.done((unit) => sign(unit, newTransaction(unit, 't', [])))
    return ground
  }

  it('are visible at once, and on disk after a flush', async () => {
    const ground = await withTransaction()
    const before = ground.writes.length
    sent(ground, 't')
    expect(ground.entry('t').committed?.value).toBe('submitted')
    expect(ground.writes.length).toBe(before)
    await ground.engine.flush()
    await ground.engine.flush()
    expect(ground.writes.length).toBe(before + 1)
    await ground.restart()
    expect(ground.transaction('t').value).toBe('submitted')
  })

  it('ride with the next commit of their record', async () => {
    const ground = await withTransaction()
    sent(ground, 't')
    await ground.done((unit) => unit.send<'transaction'>(ground.entry('t'), { type: 'command.withdraw', at: AT }))
    const before = ground.writes.length
    await ground.engine.flush()
    expect(ground.writes.length).toBe(before)
    await ground.restart()
    expect(ground.transaction('t')).toMatchObject({ value: 'submitted', context: { attempts: 1, cancelAskedAt: AT } })
  })

  it('never disappear again because an older flush has just ended', async () => {
    const ground = await withTransaction()
    sent(ground, 't')
    ground.hold()
    const flushed = ground.engine.flush()
    await settled()
    sent(ground, 't')
    const seen = ground.entry('t').committed
    expect(seen).toMatchObject({ context: { attempts: 2 } })
    ground.letGo()
    await flushed
    expect(ground.entry('t').committed).toBe(seen)
    await ground.engine.flush()
    await ground.restart()
    expect(ground.transaction('t').context.attempts).toBe(2)
  })

  it('made while a commit is on its way are shown, and told, by the next flush', async () => {
    const ground = await withTransaction()
    const told: string[] = []
    ground.engine.onCommitted((changes) => told.push(...changes.map(({ next }) => next.value)))
    ground.hold()
    const { durable } = ground.engine.transact((unit) =>
      unit.send<'transaction'>(ground.entry('t'), { type: 'command.withdraw', at: AT }),
    )
    sent(ground, 't')
    expect(ground.entry('t').committed?.value).toBe('signed')
    ground.letGo()
    await durable
    await ground.engine.flush()
    expect(ground.entry('t').committed?.value).toBe('submitted')
    expect(told.at(-1)).toBe('submitted')
  })

  it('that are refused leave nothing', async () => {
    const ground = await Ground.open()
    const entry = await ground.done((unit) => newTransaction(unit, 't', []))
    const before = entry.head
    expect(() => sent(ground, 't')).toThrow('NOT_SIGNED')
    expect(entry.head).toBe(before)
  })
})

it('what they take is measured by the clock of the engine', async () => {
  const ground = await Ground.open(2, { clock: { ...systemClock, elapsed: () => 7 } })
  expect(ground.engine.elapsed()).toBe(7)
})
