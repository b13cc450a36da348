import { expect, test } from 'vitest'
import { Metrics } from '../../src/telemetry/metrics.ts'

test('counters, gauges and what others keep are rendered in the text format', () => {
  const metrics = new Metrics()
  const requests = metrics.counter('http_requests_total', 'Requests answered.')
  requests.with({ method: 'POST', status: '200' }).add()
  const bound = requests.with({ method: 'POST', status: '400' })
  bound.add()
  bound.add(2)
  requests.with({ method: 'POST', status: '400' }).add()
  const depth = metrics.gauge('lane_depth', 'Waiting transactions.').with()
  depth.set(5)
  depth.add(-2)
  metrics.observed('commits_total', 'Commits.', 'counter', () => 12)
  expect(metrics.render()).toBe(
    [
      '# HELP http_requests_total Requests answered.',
      '# TYPE http_requests_total counter',
      'http_requests_total{method="POST",status="200"} 1',
      'http_requests_total{method="POST",status="400"} 4',
      '# HELP lane_depth Waiting transactions.',
      '# TYPE lane_depth gauge',
      'lane_depth 3',
      '# HELP commits_total Commits.',
      '# TYPE commits_total counter',
      'commits_total 12',
      '',
    ].join('\n'),
  )
})

test('histogram buckets are cumulative, bounds inclusive', () => {
  const metrics = new Metrics()
  const seconds = metrics.histogram('wait_seconds', 'Waits.', [0.1, 1]).with({ lane: 'fee' })
  for (const value of [0.05, 0.1, 0.5, 3]) seconds.observe(value)
  expect(metrics.render().split('\n').slice(2, -1)).toEqual([
    'wait_seconds_bucket{lane="fee",le="0.1"} 2',
    'wait_seconds_bucket{lane="fee",le="1"} 3',
    'wait_seconds_bucket{lane="fee",le="+Inf"} 4',
    'wait_seconds_sum{lane="fee"} 3.65',
    'wait_seconds_count{lane="fee"} 4',
  ])
})

test('label values are escaped', () => {
  const metrics = new Metrics()
  metrics.counter('odd_total', 'Odd.').with({ name: 'a"b\\c\nd' }).add()
  expect(metrics.render()).toContain('odd_total{name="a\\"b\\\\c\\nd"} 1')
})

test('mistakes of the caller are refused', () => {
  const metrics = new Metrics()
  const counter = metrics.counter('once_total', 'Once.')
  expect(() => metrics.gauge('once_total', 'Twice.')).toThrow()
  expect(() => metrics.gauge('not a name', 'No.')).toThrow()
  expect(() => counter.with().add(-1)).toThrow(RangeError)
})
