// What the metrics say about the endpoints of a cluster.
import { expect, it } from 'vitest'
import { observeEndpoints } from '../../../src/engine/health/store-metrics.ts'
import { Metrics } from '../../../src/telemetry/metrics.ts'

it('says that an endpoint is down from its first failure to its next answer, also between its pauses', async () => {
  const metrics = new Metrics()
  const state = { pausedForMs: null, failures: 0, distrusted: null, slot: 7, behindSlots: 0, suspect: false }
  const pool = {
    states: () => [
      { ...state, name: 'https://answers.example' },
      { ...state, name: 'https://paused.example', failures: 1, pausedForMs: 500 },
      { ...state, name: 'https://hangs.example', failures: 3 },
      { ...state, name: 'https://distrusted.example', distrusted: 'another chain' },
    ],
  }
  observeEndpoints(metrics, [{ id: 'CHAIN_DEVNET', pool }])
  const lines = (await metrics.render()).split('\n').filter((line) => line.startsWith('holdfast_rpc_endpoint_up{'))
  expect(lines.map((line) => line.replace(/^.*https:..(\w+).*} /, '$1 '))).toEqual([
    'answers 1',
    'paused 0',
    'hangs 0',
    'distrusted 0',
  ])
})
