// Requests that were sent and have no answer: kept with their key until they have one, also when their form is gone.
import { afterEach, expect, it } from 'vitest'
import { newKey } from '../../src/console/api.ts'
import { abandon, forget, order, repeat, unanswered } from '../../src/console/orders.ts'
import { changeScope, end } from '../../src/console/session.ts'
import { pretendService, refused, type Asked, type Reply } from './pretended-service.ts'

let stop = (): void => undefined
afterEach(() => {
  stop()
  stop = () => undefined
})

function serviceThat(answer: (asked: Asked) => Promise<Reply> | Reply): readonly Asked[] {
  const service = pretendService(answer)
  stop = service.stop
  return service.asked
}

/** Sends a payment, and closes its form if it fails. */
async function pay(): Promise<string> {
  const idempotencyKey = newKey()
  await order('POST', '/positions/transfer', { amount: '1' }, { idempotencyKey, feePayer: 'F' }).catch(() => undefined)
  abandon(idempotencyKey)
  return idempotencyKey
}

const lost = (): Reply => {
  throw new TypeError('network')
}

it('keeps a request without an answer, and repeats what was sent in the scope of that time', async () => {
  let requests = 0
  const asked = serviceThat(() => (requests++ === 0 ? lost() : [201, {}]))
  changeScope({ organization: 'FUND', cluster: 'CHAIN_DEVNET' })
  const key = await pay()
  const [kept, ...others] = unanswered()
  expect([kept?.idempotencyKey, others]).toEqual([key, []])
  changeScope({ organization: null, cluster: null })
  await repeat(kept!)
  expect(unanswered()).toEqual([])
  expect(asked.map((each) => each.key)).toEqual([key, key])
  expect(asked[1]).toEqual(asked[0])
  expect(asked[0]).toMatchObject({
    path: '/positions/transfer?chainClusterId=CHAIN_DEVNET',
    body: {
      itemData: { amount: '1' },
      chainTransactionConfig: { feePayer: { offchainId: 'F' } },
      tenancyConfig: { overrideOrganizationExternalId: 'FUND' },
    },
  })
})

it.each([201, 400, 403, 409])('keeps nothing of a request that is answered with %i', async (status) => {
  serviceThat(() => (status === 201 ? [201, {}] : refused(status, 'NO')))
  await pay()
  expect(unanswered()).toEqual([])
})

it.each([403, 429, 500, 503, 504])('keeps a request whose repetition is answered with %i', async (status) => {
  let requests = 0
  serviceThat(() => (requests++ === 0 ? lost() : refused(status, 'LATER')))
  await pay()
  await expect(repeat(unanswered()[0]!)).rejects.toThrow('LATER')
  expect(unanswered().length).toBe(1)
})

it('forgets a request whose repetition is refused by its own answer', async () => {
  let requests = 0
  serviceThat(() => (requests++ === 0 ? lost() : refused(400, 'INSUFFICIENT_BALANCE')))
  await pay()
  await expect(repeat(unanswered()[0]!)).rejects.toThrow('INSUFFICIENT_BALANCE')
  expect(unanswered()).toEqual([])
})

it('lists no request that its form shows, or that is under way', async () => {
  let open = (): void => undefined
  const opened = new Promise<void>((resolve) => (open = resolve))
  serviceThat(async () => {
    await opened
    return lost()
  })
  const idempotencyKey = newKey()
  const sending = order('POST', '/positions/transfer', {}, { idempotencyKey, feePayer: null })
  abandon(idempotencyKey)
  expect(unanswered()).toEqual([])
  open()
  await expect(sending).rejects.toThrow()
  expect(unanswered().map((each) => each.idempotencyKey)).toEqual([idempotencyKey])
})

it('forgets on demand, and all at the end of the session', async () => {
  serviceThat(lost)
  const [first, second] = [await pay(), await pay()]
  expect(unanswered().map(({ idempotencyKey }) => idempotencyKey)).toEqual([first, second])
  forget({ idempotencyKey: first })
  expect(unanswered().map(({ idempotencyKey }) => idempotencyKey)).toEqual([second])
  expect(sessionStorage.getItem('holdfast.unanswered')).toContain(second)
  end()
  expect(sessionStorage.getItem('holdfast.unanswered')).toBeNull()
})
