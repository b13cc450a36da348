// An execution of jobs counts against the rate limit and takes permits of its tenant, also without any request.
import { expect, it } from 'vitest'
import { OutboundShares } from '../../../src/operations/context/outbound/shares.ts'
import type { Context } from '../../../src/operations/context/platform.ts'
import { attemptJobs, checkedDefinition } from '../../../src/operations/market-data/evaluate.ts'
import { JobOracle } from '../../../src/oracle/oracle.ts'
import { systemClock } from '../../../src/time/clock.ts'
import { HOST, worldOf } from '../../oracle/world.ts'

it.each([
  ['without a request', { valueTask: { value: 7 } }],
  ['of one request', { httpTask: { url: `${HOST}/number` } }],
])('an execution %s is charged and queued as one', async (_, task) => {
  const outboundShares = new OutboundShares({ server: 1, tenant: 1 }, systemClock)
  const charged: number[] = []
  const platform = {
    oracle: new JobOracle(worldOf()),
    outboundShares,
    clock: systemClock,
  } as unknown as Context['platform']
  const call = { tenant: 'T', charge: (requests: number) => void charged.push(requests) } as unknown as Context['call']
  const definition = checkedDefinition(platform, JSON.stringify({ tasks: [task] }), '')
  expect(outboundShares.permits.take('T', () => undefined)).toBe(true)
  let isOver = false
  const attempt = attemptJobs({ platform, call }, definition, 'PRICE').then(({ execution }) => {
    isOver = true
    return execution.error
  })
  for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve))
  expect([charged, isOver]).toEqual([[1], false])
  outboundShares.permits.give('T')
  expect(await attempt).toBeNull()
})
