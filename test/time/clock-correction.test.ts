// A service clock that is behind is moved forward only if the machine's clock and the chain agree, and never back.
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { ClockCorrection } from '../../src/time/clock-correction.ts'
import { ServiceClock, TOLERATED_MS } from '../../src/time/service-clock.ts'
import { systemClock, type Clock } from '../../src/time/clock.ts'

const NOW = Date.parse('2026-03-01T12:00:00Z')
const MINUTE = 60_000

/** A machine whose clocks are set by the test. */
function machine() {
  const state = { wallMs: NOW, elapsedMs: 0 }
  const clock: Clock = { ...methods(), now: () => state.wallMs, elapsed: () => state.elapsedMs }
  return { state, clock }
}

const methods = (): Omit<Clock, 'now' | 'elapsed'> => ({
  setTimeout: (callback) => systemClock.setTimeout(callback, 0),
  clearTimeout: (timer) => systemClock.clearTimeout(timer),
  soon: (callback) => systemClock.soon(callback),
  random: () => 0.5,
})

const chainAt = (timeMs: () => number | null) => ({
  slot: () => Promise.resolve(1),
  blockTime: () => {
    const ms = timeMs()
    return Promise.resolve(ms === null ? null : Math.floor(ms / 1_000))
  },
})

async function corrected({
  startMs,
  wallMs,
  chainMs,
}: Record<'startMs' | 'wallMs', number> & { chainMs: number | null }) {
  const { state, clock } = machine()
  const service = new ServiceClock(clock, startMs)
  state.wallMs = wallMs
  const warnings: object[] = []
  const correction = new ClockCorrection(service, clock, [chainAt(() => chainMs)], {
    warn: (fields) => void warnings.push(fields),
  })
  correction.turn()
  await correction.stop()
  return { service, state, correction, warnings }
}

it('is moved to the time of the machine once the chain has caught up', async () => {
  const { service, warnings } = await corrected({ startMs: NOW - 5 * MINUTE, wallMs: NOW, chainMs: NOW - 2_000 })
  expect([service.now(), service.isOff(), warnings.length]).toEqual([NOW, false, 1])
})

it.each([
  ['the chain does not confirm the machine', { startMs: NOW, wallMs: NOW + 5 * MINUTE, chainMs: NOW }],
  ['no chain answers', { startMs: NOW, wallMs: NOW + 5 * MINUTE, chainMs: null }],
  ['it is ahead', { startMs: NOW + 5 * MINUTE, wallMs: NOW, chainMs: NOW }],
])('stays off if %s', async (_, times) => {
  const { service, warnings } = await corrected(times)
  expect([service.now(), service.isOff(), warnings]).toEqual([times.startMs, true, []])
})

it('asks again after a pause', async () => {
  let chainMs = NOW - 5 * MINUTE
  const { state, clock } = machine()
  const service = new ServiceClock(clock, NOW - 5 * MINUTE)
  const correction = new ClockCorrection(service, clock, [chainAt(() => chainMs)], { warn: () => undefined })
  const turn = async (): Promise<boolean> => {
    correction.turn()
    await correction.stop()
    return service.isOff()
  }
  expect(await turn()).toBe(true)
  chainMs = NOW
  expect(await turn()).toBe(true)
  ;[state.elapsedMs, state.wallMs] = [6_000, NOW + 6_000]
  chainMs = NOW + 6_000
  expect(await turn()).toBe(false)
})

it('never goes back, and is right whenever machine and chain agree and it was behind', async () => {
  const offset = fc.integer({ min: -10 * MINUTE, max: 10 * MINUTE })
  await fc.assert(
    fc.asyncProperty(offset, offset, async (startOffset, chainOffset) => {
      const [startMs, chainMs] = [NOW + startOffset, NOW + chainOffset]
      const { service } = await corrected({ startMs, wallMs: NOW, chainMs })
      expect(service.now()).toBeGreaterThanOrEqual(startMs)
      const agree = Math.abs(NOW - Math.floor(chainMs / 1_000) * 1_000) <= TOLERATED_MS
      if (!agree) expect(service.now()).toBe(startMs)
      else if (startMs < NOW) expect(service.isOff()).toBe(false)
    }),
    { numRuns: 60 },
  )
})
