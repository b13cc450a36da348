// Plans in the whole service without its HTTP front: temporary failures are awaited, and each step is executed once.
import { beforeAll, expect, it } from 'vitest'
import { NoAnswer } from '../../../snapshots/postgres/errors.ts'
import { RpcError } from '../../../src/rpc/rpc-error.ts'
import { createNonces } from '../../../src/operations/nonces/create.ts'
import type { PlatformCluster } from '../../../src/operations/context/platform.ts'
import { ofKind, type RecordState } from '../../../src/engine/records/record.ts'
import { eventually } from '../../localnet/rpc-chain.ts'
import { CLUSTER, Station, type Wallet } from '../signing/station.ts'

/** More than fit into one transaction. */
const COUNT = 12

let station: Station
let feePayer: Wallet
let authority: Wallet

beforeAll(async () => {
  station = await Station.open('ACME')
  feePayer = await station.wallet('ACME')
  authority = await station.wallet('ACME')
  interceptRent()
})

/** Runs before the service queries a rent from its cluster; an error of it is the answer of the cluster. */
let beforeRent: () => Promise<void> = () => Promise.resolve()

function interceptRent(): void {
  const clusters = station.platform.clusters as Map<string, PlatformCluster>
  const access = clusters.get(CLUSTER)!
  const intercepted = async (dataLength: number): Promise<bigint> => {
    await beforeRent()
    return await access.rentExemptLamports(dataLength)
  }
  const get = (_: object, name: keyof PlatformCluster): unknown => {
    if (name === 'rentExemptLamports') return intercepted
    const member: unknown = Reflect.get(access, name)
    return typeof member === 'function' ? (member as () => unknown).bind(access) : member
  }
  clusters.set(CLUSTER, new Proxy({}, { get }) as PlatformCluster)
}

const plans = (): RecordState<'plan'>[] =>
  [...station.platform.engine.directory.entries()].flatMap(({ committed }) => ofKind(committed, 'plan') ?? [])

/** Requests more nonce accounts than one transaction can create; returns the plan. */
async function createNonceAccounts(): Promise<() => RecordState<'plan'>> {
  const before = new Set(plans().map(({ id }) => id))
  const input = { nonceAuthority: { onchainId: authority.onchainId }, count: COUNT }
  const config = { chainTransactionConfig: { feePayer: { onchainId: feePayer.onchainId } } }
  const write = ((context, body) => createNonces(context, { ...body, ...config })) as typeof createNonces
  await station.run('ACME', write, input, { waitMs: 0 })
  const { id } = plans().find((plan) => !before.has(plan.id))!
  return () => plans().find((plan) => plan.id === id)!
}

const readTransactionIds = ({ context }: RecordState<'plan'>): (string | null)[] =>
  context.steps.map(({ transactionId }) => transactionId)

it('a plan is continued after a node answered a read with an error, or the database did not answer', async () => {
  const failures: Error[] = []
  beforeRent = () => {
    const failure = failures.shift()
    return failure === undefined ? Promise.resolve() : Promise.reject(failure)
  }
  const plan = await createNonceAccounts()
  failures.push(new RpcError(-32603, 'internal error'), new RpcError(-32005, 'the node is behind'))
  failures.push(new NoAnswer('the connection broke'))
  await eventually(() => plan().value !== 'running')
  expect([plan().value, plan().context.reason]).toEqual(['finished', null])
  expect(plan().context.steps.flatMap(({ records }) => records)).toHaveLength(COUNT)
  expect(failures).toEqual([])
  const steps = new Set(readTransactionIds(plan()))
  expect(station.transactions.filter(({ id }) => steps.has(id)).map(({ value }) => value)).not.toContain('prepared')
  expect(station.transactions).toHaveLength(steps.size)
})

it('14.4 a plan ends when its fee payer loses the right to pay, and pays for no further transaction', async () => {
  const revoke = async (): Promise<void> => {
    const entry = station.platform.engine.directory.byId(feePayer.offchainId)!
    await station.commit((unit) =>
      unit.order<'account'>(entry, { type: 'command.update', changes: { canPayFees: false } }),
    )
  }
  let isRevoked = false
  beforeRent = async () => {
    const isFirstMade = plans().some(
      (plan) => plan.value === 'running' && readTransactionIds(plan).some((id) => id !== null),
    )
    if (!isFirstMade || isRevoked) return
    isRevoked = true
    await revoke()
  }
  const plan = await createNonceAccounts()
  await eventually(() => plan().value !== 'running')
  expect(plan()).toMatchObject({
    value: 'failed',
    context: { reason: expect.stringContaining('FEE_PAYER_NOT_ALLOWED') as string },
  })
  const [first, ...laterIds] = readTransactionIds(plan())
  expect(laterIds.every((id) => id === null)).toBe(true)
  await station.until(first, 'finalized')
  await eventually(() => station.agree(feePayer))
})
