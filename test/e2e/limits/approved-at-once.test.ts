// A key approves again before its first approval is durable, as with a slow disk or database: the answer is the same as
// later, whatever the other approvals have brought about meanwhile.
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { RecordState } from '../../../src/engine/records/record.ts'
import type { Platform } from '../../../src/operations/context/platform.ts'
import type { Store } from '../../../snapshots/store.ts'
import { eventually, startWorld, unwatched, type World } from '../harness.ts'
import type { Ids, Problems } from '../models.ts'
import { SOL, type Records } from '../records.ts'
import { LimitFixture, PAY, perTransaction, stranger, to, type Person } from './limit-fixture.ts'

/** While it is set, commits wait for it. */
let gate: Promise<void> | null = null
let platform: Platform
let world: World
let clerk: Person
let anna: Person
let bert: Person
let records: Records
let wallet: Ids

const slowly = (store: Store): Store =>
  new Proxy(store, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name)
      if (typeof member !== 'function') return member
      const bound = member.bind(target) as (...all: unknown[]) => unknown
      if (name !== 'commit') return bound
      return async (...all: unknown[]): Promise<unknown> => {
        await gate
        return await bound(...all)
      }
    },
  })

beforeAll(async () => {
  world = await startWorld({}, unwatched, {
    aroundStore: slowly,
    opened: (assembled) => (platform = assembled.platform),
  })
  const fixture = new LimitFixture(world)
  const organization = await fixture.organization()
  clerk = await fixture.person(organization, 'ADMIN')
  ;[anna, bert] = (await Promise.all([0, 1].map(() => fixture.person(organization, ['DEBIT_LIMIT_APPROVE'])))) as [
    Person,
    Person,
  ]
  records = world.records.with(clerk.api)
  await records.feePayer()
})
afterAll(() => world.stop())

beforeEach(async () => {
  const more = { approversForOverride: [anna.keyId, bert.keyId], requiredApproversCount: 2 }
  wallet = await records.funded(
    { canPayFees: true, networkCurrencyDebitLimits: [to('ANY', perTransaction(1, more))] },
    20n * SOL,
  )
})

const payment = () => ({ source: wallet, destination: stranger(), lamports: (2n * SOL).toString() })
const transaction = async (): Promise<string> =>
  (await clerk.api.ok<{ offchainId: string }>(201, 'POST', PAY, payment())).offchainId
const batch = async (): Promise<string> => {
  const body = { operation: 'TRANSFER_NETWORK_CURRENCY', items: [payment()] }
  return (await clerk.api.ok<{ newBatch: { offchainId: string } }>(201, 'POST', '/batches', body)).newBatch.offchainId
}

it.each([
  ['a transaction', '/transactions/approve', 'POST', transaction],
  ['a batch', '/batches/approve', 'PATCH', batch],
] as const)('%s: a second approval by the same key is refused as such', async (_, path, method, request) => {
  const offchainId = await request()
  const approve = ({ api }: Person) => api.send<Problems>(method, path, { offchainId })
  /** Decided, and not durable yet. */
  const isGiven = (count: number) =>
    eventually(() =>
      Promise.resolve().then(() => {
        const { context } = platform.engine.directory.byId(offchainId)!.head as RecordState<'transaction' | 'batch'>
        expect(context.approval?.given.length).toBe(count)
      }),
    )
  let open = (): void => undefined
  gate = new Promise((resolve) => (open = resolve))
  try {
    const first = approve(anna)
    await isGiven(1)
    const second = approve(bert)
    await isGiven(2)
    // Refused without a commit.
    const again = await approve(anna)
    expect(again).toMatchObject({ status: 400, body: { errors: [{ code: 'ALREADY_APPROVED' }] } })
    open()
    expect([(await first).status, (await second).status]).toEqual([200, 200])
  } finally {
    gate = null
    open()
  }
})
