// The number of background measurements depends on the number of transactions that become final in all cells of a
// process.
import { expect, it } from 'vitest'
import { MeasuringLoad } from '../../../src/operations/transactions/measuring-load.ts'

function loadAt(): { load: MeasuringLoad; pass: (ms: number) => void; arrive: (count: number) => void } {
  let nowMs = 5_000
  const load = new MeasuringLoad(() => nowMs)
  const arrive = (count: number): void => {
    for (let at = 0; at < count; at += 1) load.arrived()
  }
  return { load, pass: (ms) => void (nowMs += ms), arrive }
}

it('lets one cell read a batch in each second', () => {
  const { load, pass, arrive } = loadAt()
  load.use()
  arrive(30)
  expect(load.take(30)).toBe(30)
  expect(load.take(500)).toBe(70)
  expect(load.take(1)).toBe(0)
  pass(1_000)
  expect(load.take(500)).toBe(100)
})

it('lets nobody read while more become final in all cells together', () => {
  const { load, pass, arrive } = loadAt()
  for (let cell = 0; cell < 10; cell += 1) load.use()
  // Each of ten cells has eleven in a second.
  for (let cell = 0; cell < 10; cell += 1) arrive(11)
  expect(load.take(11)).toBe(0)
  pass(1_000)
  arrive(2)
  expect(load.take(11)).toBe(0)
  pass(1_000)
  expect(load.take(11)).toBe(10)
  arrive(101)
  expect(load.take(11)).toBe(0)
})

it('gives each cell a share of the batch, and that of a closed one to the others', () => {
  const { load, pass } = loadAt()
  load.use()
  const end = load.use()
  expect([load.take(1_000), load.take(1_000), load.take(1_000)]).toEqual([50, 50, 0])
  end()
  pass(1_000)
  expect(load.take(1_000)).toBe(100)
})
