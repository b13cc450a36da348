// The log level of failed background work: an error requires the attention of an operator, an outage does not.
import { expect, it } from 'vitest'
import { badRequest, Refusal } from '../../../src/contract/refusal.ts'
import { BackgroundWork } from '../../../src/operations/context/background-work.ts'
import { RpcError, TransportError } from '../../../src/rpc/rpc-error.ts'
import { ReadUnanswered } from '../../../snapshots/errors.ts'
import { TurnedClock } from '../webhooks/turned-clock.ts'

const SUBJECT = { ids: { transactionId: 't' }, failure: 'it is not sent' }
const unavailable = new Refusal(503, [{ code: 'TENANT_UNAVAILABLE', message: 'later', retryable: true }], 1)

const CASES = [
  ['the cluster does not answer', new TransportError('TIMEOUT', 'no answer'), 'warn'],
  ['a node answers with an error', new RpcError(-32005, 'the node is behind'), 'warn'],
  ['the database does not answer', new ReadUnanswered('no answer'), 'warn'],
  ['another owner does not answer', unavailable, 'warn'],
  ['a rule refuses', badRequest('FROZEN', 'the account is frozen', ''), 'error'],
  ['a defect throws', new Error('an action threw'), 'error'],
] as const

it.each(CASES)('when %s, the work runs again, and the log says so', async (_, error, level) => {
  const clock = new TurnedClock()
  const logged: string[] = []
  const log = {
    warn: (_fields: object, message: string) => void logged.push(`warn ${message}`),
    error: (_fields: object, message: string) => void logged.push(`error ${message}`),
  }
  const work = new BackgroundWork({} as never, clock, log)
  let runs = 0
  work.later(SUBJECT, error, () => void (runs += 1))
  expect(logged).toEqual([`${level} it is not sent: it is tried again`])
  expect(runs).toBe(0)
  await clock.turn()
  expect(runs).toBe(1)
})
