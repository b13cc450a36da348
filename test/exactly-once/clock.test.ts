// The wall clock of the service jumps, both ways, in the middle of a load, while that of the chain does not. By less
// than a minute: each transfer moves once. By days: debits are refused before anything is signed, the key stays unused,
// and nothing expires that should not.
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest'
import { eventually, startWorld, type World } from '../e2e/harness.ts'
import { once } from '../e2e/client.ts'
import type { Ids, Problems, Result } from '../e2e/models.ts'
import { SOL } from '../e2e/records.ts'

const DAY = 86_400_000
const PAY = '/positions/transfer-network-currency'

let world: World
let source: Ids
let destination: Ids
let feePayer: Ids

beforeAll(async () => {
  world = await startWorld()
  feePayer = await world.records.feePayer()
  ;[source, destination] = await Promise.all([world.records.funded({}, 10n * SOL), world.records.funded({}, SOL)])
})
afterAll(() => world.stop())
afterEach(() => void vi.restoreAllMocks())

function jump(byMs: number): void {
  vi.restoreAllMocks()
  const { now } = Date
  vi.spyOn(Date, 'now').mockImplementation(() => now() + byMs)
}

it('clock jumps in both directions under load: each transfer lands once, under its one key', async () => {
  const before = await world.chain.lamports(destination.onchainId)
  const keys = Array.from({ length: 60 }, (_, index) => `jump ${index}`)
  const pay = (key: string) =>
    world.api.send<Result>('POST', PAY, { source, destination, lamports: 1_000 }, { headers: once(key) })
  const payments: Promise<Result>[] = []
  for (const [index, key] of keys.entries()) {
    if (index === 15) jump(45_000)
    if (index === 30) jump(-45_000)
    if (index === 45) jump(0)
    payments.push(pay(key).then(({ body }) => body))
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  const first = await Promise.all(payments)
  expect(first.map(({ success }) => success)).toEqual(keys.map(() => true))
  for (const off of [3 * DAY, -4 * DAY]) {
    jump(off)
    const { status, body } = await world.api.send<Problems>(
      'POST',
      PAY,
      { source, destination, lamports: 1_000 },
      { headers: once('too far') },
    )
    expect([status, body.errors?.[0]]).toMatchObject([503, { code: 'CLOCK_OFF', retryable: true }])
  }
  jump(0)
  expect((await pay('too far')).body.success).toBe(true)
  jump(2 * DAY)
  const replays = await Promise.all(keys.map(pay))
  expect(replays.map(({ headers }) => headers.get('idempotency-replayed'))).toEqual(keys.map(() => 'true'))
  expect(replays.map(({ body }) => body.onchainId)).toEqual(first.map(({ onchainId }) => onchainId))
  expect(await world.chain.lamports(destination.onchainId)).toBe(before + 61_000n)
  for (const { offchainId } of first) {
    await eventually(async () => {
      expect((await world.api.read<Result>('/transactions/status', { offchainId })).status).toBe('FINALIZED')
    })
  }
  await world.records.accountsEqualChain(source, destination, feePayer)
})
