import { expect, test } from 'vitest'
import { ProcessRates } from '../../src/service/process-rates.ts'
import { clusterSettings } from '../../src/rpc/cluster-settings.ts'

const choices = { embedded: false, embeddedSlotMs: 400, subscribedAccounts: 100, subscribedSignatures: 30 }
const usual = clusterSettings({ ...choices, ratePerSecond: 3 })

test('one cell has the configured rates; several share those for sends and reconciliation', () => {
  let [cells, elsewhereCells, nowMs, mayAct] = [1, 0, 0, true]
  const rates = new ProcessRates(
    () => ({ here: cells, all: cells + elsewhereCells }),
    () => nowMs,
  )
  const [one, other] = ['CHAIN_A', 'CHAIN_A'].map((cluster) => rates.shared(usual, { cluster, mayAct: () => mayAct }))
  const elsewhere = rates.shared(usual, { cluster: 'CHAIN_B', mayAct: () => true })
  const { sends, perMs } = usual.lanes.rate!
  const countSent = (most: number): number =>
    Array.from({ length: most }, (_, index) => (index % 2 === 0 ? one : other)?.lanes.maySend?.()).filter(Boolean)
      .length

  expect(countSent(10 * sends)).toBe(10 * sends)
  expect(one?.comparison.questionsPerSecond).toBe(usual.comparison.questionsPerSecond)

  cells = 2
  expect(one?.comparison.questionsPerSecond).toBe(usual.comparison.questionsPerSecond / 2)
  expect(countSent(10 * sends)).toBe(sends)
  expect(elsewhere.lanes.maySend?.()).toBe(true)
  nowMs = perMs - 1
  expect(countSent(10)).toBe(0)
  nowMs = perMs
  expect(countSent(10 * sends)).toBe(sends)

  // Another node has two cells, too.
  elsewhereCells = 2
  nowMs = 2 * perMs
  expect(one?.comparison.questionsPerSecond).toBe(usual.comparison.questionsPerSecond / 4)
  expect(countSent(10 * sends)).toBe(Math.floor(sends / 2))
  elsewhereCells = 0

  nowMs = 3 * perMs
  mayAct = false
  expect(countSent(10)).toBe(0)
  mayAct = true
  expect(countSent(10 * sends)).toBe(sends)
})

test('the maximum numbers of subscriptions are shared by all cells, with one at least unless they are turned off', () => {
  let all = 1
  const rates = new ProcessRates(() => ({ here: 1, all }))
  const cell = { cluster: 'CHAIN_A', mayAct: () => true }
  const [shared, off] = [usual, clusterSettings({ ...choices, subscribedAccounts: 0, subscribedSignatures: 0 })].map(
    (settings) => rates.shared(settings, cell),
  )
  const limits = ({ comparison, watch }: typeof usual): number[] => [
    comparison.subscribedAccounts,
    watch.subscribedSignatures,
  ]
  expect(limits(shared!)).toEqual([100, 30])
  all = 3
  expect(limits(shared!)).toEqual([33, 10])
  all = 1_000
  expect(limits(shared!)).toEqual([1, 1])
  expect(limits(off!)).toEqual([0, 0])
})
