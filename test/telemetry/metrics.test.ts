import { expect, test } from 'vitest'
import { Metrics } from '../../src/telemetry/metrics.ts'

const lines = async (metrics: Metrics): Promise<readonly string[]> => (await metrics.render()).split('\n')

test('gauges of other modules are read at each scrape', async () => {
  const metrics = new Metrics()
  let commits = 12
  metrics.observed('commits_total', 'Commits.', 'counter', () => commits)
  metrics.observedEach('lane_depth', 'Waiting transactions.', 'gauge', () => [
    [{ lane: 'a', cluster: 'x' }, 5],
    [{ lane: 'b', cluster: 'x' }, 0.5],
  ])
  expect(await lines(metrics)).toEqual([
    '# HELP commits_total Commits.',
    '# TYPE commits_total counter',
    'commits_total 12',
    '',
    '# HELP lane_depth Waiting transactions.',
    '# TYPE lane_depth gauge',
    'lane_depth{lane="a",cluster="x"} 5',
    'lane_depth{lane="b",cluster="x"} 0.5',
    '',
  ])
  commits = 13
  expect(await lines(metrics)).toContain('commits_total 13')
})

test('histogram buckets are cumulative, with inclusive bounds', async () => {
  const metrics = new Metrics()
  const seconds = metrics.latencies('wait_seconds', 'Waits.', ['lane'])({ lane: 'fee' })
  for (const value of [0.001, 0.002, 0.5, 30]) seconds.observe(value)
  metrics.observedHistogram('rows', 'Rows.', () => ({ bounds: [1, 10], counts: [2, 0, 1], sum: 14 }))
  const text = await lines(metrics)
  expect(text).toEqual(
    expect.arrayContaining([
      'wait_seconds_bucket{le="0.001",lane="fee"} 1',
      'wait_seconds_bucket{le="0.0025",lane="fee"} 2',
      'wait_seconds_bucket{le="0.5",lane="fee"} 3',
      'wait_seconds_bucket{le="+Inf",lane="fee"} 4',
      'wait_seconds_sum{lane="fee"} 30.503',
      'wait_seconds_count{lane="fee"} 4',
    ]),
  )
  expect(text.slice(-8)).toEqual([
    '# HELP rows Rows.',
    '# TYPE rows histogram',
    'rows_bucket{le="1"} 2',
    'rows_bucket{le="10"} 2',
    'rows_bucket{le="+Inf"} 3',
    'rows_sum 14',
    'rows_count 3',
    '',
  ])
})

test('label values are escaped', async () => {
  const metrics = new Metrics()
  metrics.observedEach('odd_total', 'Odd.', 'counter', () => [[{ name: 'a"b\\c\nd' }, 1]])
  expect(await lines(metrics)).toContain('odd_total{name="a\\"b\\\\c\\nd"} 1')
})

test('invalid calls are refused', () => {
  const metrics = new Metrics()
  metrics.observed('once_total', 'Once.', 'counter', () => 1)
  expect(() => metrics.observed('once_total', 'Twice.', 'gauge', () => 1)).toThrow(/declared twice/)
  expect(() => metrics.observed('not a name', 'No.', 'gauge', () => 1)).toThrow(/malformed/)
})
