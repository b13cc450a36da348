// Due schedules of several tenants: tenants take turns, however many schedules each of them has.
import { expect, it, vi } from 'vitest'
import type { ScheduleContext } from '../../../machines/schedule.ts'
import type { Platform } from '../../../src/operations/context/platform.ts'
import { DueIndex } from '../../../src/operations/context/due-index.ts'
import { ScheduleDriver } from '../../../src/operations/schedules/driver.ts'
import { systemClock } from '../../../src/time/clock.ts'
import { EngineFixture, place } from '../../engine/engine-fixture.ts'
import { schedule } from '../../machines/schedule-subjects.ts'

/** With eight attempts of each under way, all 32 attempts are theirs. */
const BUSY = ['A', 'B', 'C', 'D']
const AT_ONCE = 32
const MANY = 24

it('gives a tenant its turn while others have more due schedules than all attempts together', async () => {
  let now = Date.parse('2098-01-01T00:00:00.000Z')
  const fixture = await EngineFixture.open()
  const { engine } = fixture
  // Every due occurrence is long over, so that the only effect of an attempt is the write that skips it.
  const clock = { ...systemClock, now: () => now }
  const platform = { engine, clock, ids: () => crypto.randomUUID() } as unknown as Platform
  const driver = new ScheduleDriver(platform, clock, { warn: () => undefined, error: () => undefined })
  const commit = (id: string, tenant: string, at: string) =>
    fixture.commit((unit) => {
      const due: ScheduleContext = { ...schedule, onMissed: 'SKIP', startAt: at, next: { number: 1, at } }
      return unit.create('schedule', place(id, tenant), { schedule: due })
    })
  for (let index = 0; index < MANY; index += 1) {
    for (const tenant of BUSY) await commit(`${tenant}-${index}`, tenant, '2097-01-01T00:00:00.000Z')
  }
  await commit('other', 'OTHER', '2098-06-01T00:00:00.000Z')
  const attempted: string[] = []
  engine.onCommitted((changes) => {
    for (const { next } of changes) if (next.kind === 'schedule') attempted.push(next.id)
  })

  fixture.hold()
  driver.sweep()
  now = Date.parse('2099-01-01T00:00:00.000Z')
  driver.sweep()
  fixture.letGo()
  await expect.poll(() => attempted.length, { timeout: 10_000 }).toBe(BUSY.length * MANY + 1)
  expect(attempted.indexOf('other')).toBeLessThanOrEqual(AT_ONCE + BUSY.length)
  await driver.stop()
})

it('keeps nothing of a schedule that is paused or cancelled before its occurrence', async () => {
  const insert = vi.spyOn(DueIndex.prototype, 'insert')
  const fixture = await EngineFixture.open()
  const platform = { engine: fixture.engine, clock: systemClock, ids: () => crypto.randomUUID() } as unknown as Platform
  const driver = new ScheduleDriver(platform, systemClock, { warn: () => undefined, error: () => undefined })
  const at = '9998-01-01T00:00:00.000Z'
  const due: ScheduleContext = { ...schedule, startAt: at, next: { number: 1, at } }
  for (const type of ['command.pause', 'command.cancel'] as const) {
    const entry = await fixture.commit((unit) => unit.create('schedule', place(type, 'ACME'), { schedule: due }))
    const index = insert.mock.contexts.at(-1) as DueIndex<unknown>
    expect(index.size).toBe(1)
    await fixture.commit((unit) => unit.send<'schedule'>(entry, { type, at }))
    expect(index.size).toBe(0)
  }
  await driver.stop()
})
