// Accounts of 10 MiB, which anybody may onboard: the answer about them and their neighbours is too long for one
// question.
import { expect, it } from 'vitest'
import type { Platform, PlatformCluster } from '../../../src/operations/context/platform.ts'
import { reconcile } from '../../../src/operations/reconcile/reconcile.ts'
import { TransportError } from '../../../src/rpc/rpc-error.ts'
import { CLUSTER, TenantsFixture } from '../tenants-fixture.ts'

const MIB = 2 ** 20

it('records are compared in smaller questions', async () => {
  const fixture = await TenantsFixture.open()
  const wallets = await Promise.all(Array.from({ length: 12 }, () => fixture.wallet('ACME', {}, 5_000_000n)))
  const large = new Set(wallets.slice(2, 9).map(({ onchainId }) => onchainId))
  const questions: number[] = []
  const access = fixture.platform.clusters.get(CLUSTER)!
  const cut: PlatformCluster['cut'] = (addresses, signatures, leastSlot) => {
    questions.push(addresses.length)
    const bytes = addresses.filter((address) => large.has(address)).length * 10 * MIB
    if (bytes > 64 * MIB) return Promise.reject(new TransportError('TOO_LARGE', 'answer over 67108864 bytes'))
    return access.cut(addresses, signatures, leastSlot)
  }
  const cluster = new Proxy(access, {
    get: (all, member) => (member === 'cut' ? cut : (Reflect.get(all, member, all) as unknown)),
  })
  const platform: Platform = { ...fixture.platform, clusters: new Map([[CLUSTER, cluster]]) }
  const heads = wallets.map(({ entry }) => entry.head)
  await expect(reconcile(platform, CLUSTER, heads, { patient: true })).resolves.toMatchObject({ undecided: [] })
  expect(questions).toEqual([12, 6, 6])
})
