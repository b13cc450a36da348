import { expect, test } from 'vitest'
import { mergedMetrics } from '../../src/telemetry/merged-metrics.ts'
import { Metrics } from '../../src/telemetry/metrics.ts'

function render(commits: number, lane: string): Promise<string> {
  const metrics = new Metrics()
  metrics.observed('commits_total', 'Commits.', 'counter', () => commits)
  metrics.observedEach('lane_depth', 'Waiting transactions.', 'gauge', () => [[{ lane }, commits + 1]])
  return metrics.render()
}

test('each family is declared once, and its series have the label of their cell', async () => {
  const own = new Metrics()
  own.observed('uptime_seconds', 'Uptime.', 'gauge', () => 7)
  const text = mergedMetrics([
    { labels: {}, text: await own.render() },
    { labels: { cell: 'main' }, text: await render(1, 'a "quoted" one') },
    { labels: { cell: 'red' }, text: await render(2, 'b') },
  ])
  expect(text.split('\n')).toEqual([
    '# HELP uptime_seconds Uptime.',
    '# TYPE uptime_seconds gauge',
    'uptime_seconds 7',
    '',
    '# HELP commits_total Commits.',
    '# TYPE commits_total counter',
    'commits_total{cell="main"} 1',
    'commits_total{cell="red"} 2',
    '',
    '# HELP lane_depth Waiting transactions.',
    '# TYPE lane_depth gauge',
    'lane_depth{lane="a \\"quoted\\" one",cell="main"} 2',
    'lane_depth{lane="b",cell="red"} 3',
    '',
  ])
})
