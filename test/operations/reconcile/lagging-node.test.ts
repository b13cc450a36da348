// A node that lags never lowers a balance: neither settled amounts nor outside deposits, and not after a restart.
import { describe, expect, it } from 'vitest'
import { ClusterAccess } from '../../../src/submission/access.ts'
import { systemClock } from '../../../src/time/clock.ts'
import { openCluster, type Cluster } from '../../../src/rpc/cluster.ts'
import type { ClusterLink } from '../../../src/submission/submission.ts'
import type { Platform } from '../../../src/operations/context/platform.ts'
import { reconcile } from '../../../src/operations/reconcile/reconcile.ts'
import { transferNetworkCurrency } from '../../../src/operations/positions/transfer-network-currency.ts'
import { QUICK } from '../../submission/linked.ts'
import { WireNode, wiresTo } from '../../rpc/wire-nodes.ts'
import { CLUSTER, TenantsFixture } from '../tenants-fixture.ts'

const OWNER = '11111111111111111111111111111111'

/** The chain as one node has it; careless nodes ignore `minContextSlot`. */
interface View {
  slot: number
  lamports: number
  readonly careless: boolean
}

function nodeOf(name: string, view: View): WireNode {
  return new WireNode(name, ({ method, params }) => {
    const { minContextSlot = 0 } = (params.at(-1) ?? {}) as { minContextSlot?: number }
    if (method === 'getGenesisHash') return 'genesis'
    if (method === 'getSlot') return view.slot
    if (method === 'getSignatureStatuses') {
      return {
        context: { slot: view.slot },
        value: [{ slot: view.slot, err: null, confirmations: 1, confirmationStatus: 'confirmed' }],
      }
    }
    if (minContextSlot > view.slot && !view.careless) {
      return {
        error: { code: -32016, message: 'Minimum context slot has not been reached', data: { contextSlot: view.slot } },
      }
    }
    const account = { lamports: view.lamports, owner: OWNER, data: ['', 'base64'], executable: false }
    return { context: { slot: view.slot }, value: (params[0] as string[]).map(() => account) }
  })
}

async function clusterOver(nodes: readonly WireNode[]): Promise<Cluster> {
  const endpoints = nodes.map(({ url }) => url)
  return await openCluster({ id: CLUSTER, endpoints, settings: QUICK, clock: systemClock, openWire: wiresTo(nodes) })
}

function platformOver(fixture: TenantsFixture, cluster: Cluster): Platform {
  return { ...fixture.platform, clusters: new Map([[CLUSTER, new ClusterAccess(cluster, {} as ClusterLink)]]) }
}

describe('the books beside a node that lags', () => {
  it.each([true, false])('keep the state shown by another node (careless: %s)', async (careless) => {
    const fixture = await TenantsFixture.open(false)
    const wallet = await fixture.wallet('ACME', {}, 100n)
    const [ahead, lagging] = [
      { slot: 1_000, lamports: 250, careless },
      { slot: 995, lamports: 100, careless },
    ]
    const platform = platformOver(fixture, await clusterOver([nodeOf('ahead', ahead), nodeOf('lagging', lagging)]))
    for (let turn = 0; turn < 8; turn += 1) {
      await reconcile(platform, CLUSTER, [wallet.entry.head])
      expect(fixture.book(wallet).balance).toBe('250')
    }
    Object.assign(lagging, { slot: 1_004, lamports: 240 })
    for (let turn = 0; turn < 4; turn += 1) await reconcile(platform, CLUSTER, [wallet.entry.head])
    expect(fixture.book(wallet).balance).toBe('240')
  })

  it('keep settled effects when only the lagging node still answers', async () => {
    const fixture = await TenantsFixture.open(false)
    const wallet = await fixture.wallet('ACME', {}, 100n)
    const views = [
      { slot: 1_000, lamports: 0, careless: true },
      { slot: 990, lamports: 7, careless: true },
    ]
    const nodes = [nodeOf('ahead', views[0]!), nodeOf('lagging', views[1]!)]
    const cluster = await clusterOver(nodes)
    const platform = platformOver(fixture, cluster)
    Object.assign(views[0]!, { slot: 1_010 })
    Object.assign(views[1]!, { slot: 1_005 })
    await cluster.statuses(['a signature'], true, 1_000)
    nodes[0]!.standing = 'down'
    await expect(reconcile(platform, CLUSTER, [wallet.entry.head])).rejects.toMatchObject({ name: 'TransportError' })
    expect(fixture.book(wallet).balance).toBe('100')
  })

  it('keep settled effects after a restart, by the slot in the record of the transaction', async () => {
    const fixture = await TenantsFixture.open()
    const [from, to] = [
      await fixture.wallet('ACME', { canPayFees: true }, 10_000_000n),
      await fixture.wallet('ACME', {}, 5_000_000n),
    ]
    await fixture.write('ACME', transferNetworkCurrency, {
      itemData: {
        source: { offchainId: from.offchainId },
        destination: { offchainId: to.offchainId },
        lamports: '1000',
      },
      chainTransactionConfig: { feePayer: { offchainId: from.offchainId } },
    })
    expect(fixture.book(to).balance).toBe('5001000')
    const laggingCluster = await clusterOver([nodeOf('lagging', { slot: 0, lamports: 5_000_000, careless: true })])
    await expect(reconcile(platformOver(fixture, laggingCluster), CLUSTER, [to.entry.head])).rejects.toMatchObject({
      fault: 'BEHIND',
    })
    expect(fixture.book(to).balance).toBe('5001000')
  })
})
