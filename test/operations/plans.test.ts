// Plans on the whole service but its doors: what passes is waited for, and a step is made once.
import { beforeAll, expect, it } from 'vitest'
import { RpcError } from '../../src/rpc/rpc-error.ts'
import { createNonces } from '../../src/operations/nonces/create.ts'
import type { ClusterAccess } from '../../src/operations/context/platform.ts'
import { ofKind, type RecordState } from '../../src/engine/records/record.ts'
import { eventually } from '../localnet/rpc-chain.ts'
import { CLUSTER, Station, type Wallet } from './signing/station.ts'

/** More than fit one transaction. */
const COUNT = 12

let station: Station
let feePayer: Wallet
let authority: Wallet

beforeAll(async () => {
  station = await Station.open('ACME')
  feePayer = await station.wallet('ACME')
  authority = await station.wallet('ACME')
})

/** From here on the service's cluster answers the rent with these failures first. */
function rentFails(failures: Error[]): void {
  const clusters = station.platform.clusters as Map<string, ClusterAccess>
  const access = clusters.get(CLUSTER)!
  const failing = async (dataLength: number): Promise<bigint> => {
    const failure = failures.shift()
    if (failure !== undefined) throw failure
    return await access.rentExemptLamports(dataLength)
  }
  const get = (_: object, name: keyof ClusterAccess): unknown => {
    if (name === 'rentExemptLamports') return failing
    const member: unknown = Reflect.get(access, name)
    return typeof member === 'function' ? (member as () => unknown).bind(access) : member
  }
  clusters.set(CLUSTER, new Proxy({}, { get }) as ClusterAccess)
}

const plans = (): RecordState<'plan'>[] =>
  [...station.platform.engine.directory.entries()].flatMap(({ committed }) => ofKind(committed, 'plan') ?? [])

it('goes on when a node answered an error in place of what was asked', async () => {
  const input = { nonceAuthority: { onchainId: authority.onchainId }, count: COUNT }
  const config = { chainTransactionConfig: { feePayer: { onchainId: feePayer.onchainId } } }
  const write = ((platform, call, body) => createNonces(platform, call, { ...body, ...config })) as typeof createNonces
  const failures: Error[] = []
  rentFails(failures)
  await station.run('ACME', write, input, { waitMs: 0 })
  failures.push(new RpcError(-32603, 'internal error'), new RpcError(-32005, 'the node is behind'))
  await eventually(() => plans().every(({ value }) => value !== 'running'))
  expect(plans().map(({ value, context }) => [value, context.reason])).toEqual([['finished', null]])
  expect(plans()[0]!.context.steps.flatMap(({ records }) => records)).toHaveLength(COUNT)
  expect(failures).toEqual([])
  const steps = new Set(plans()[0]!.context.steps.map(({ transactionId }) => transactionId))
  expect(station.transactions.filter(({ id }) => steps.has(id)).map(({ value }) => value)).not.toContain('prepared')
  expect(station.transactions).toHaveLength(steps.size)
})
