// What three nodes must survive: for any failure of a node or of the database, each transfer takes effect once, as an
// outside reader of the chain sees it. The same holds for nodes that do not check their own leases.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { holdfast } from '../../../src/client/client.ts'
import { idOf } from '../../crash/setup.ts'
import { eventually } from '../../e2e/harness.ts'
import { metricOf, ownerOf, readyz, sureMetricOf, type NodeProcess } from '../cluster-fixture.ts'
import { until } from '../nodes-fixture.ts'
import { addressOf, faultyProxy } from '../postgres.ts'
import { showNodesOnFailure } from './show-nodes.ts'
import { ThreeNodes, type ThreeNodesOptions } from './three-nodes.ts'

const LEASE_IS_OVER = 'the lease of this node is over'

const leaseLeft = ({ url }: NodeProcess): Promise<number | undefined> => metricOf(url, 'holdfast_lease_left_seconds')

/** A commit of this node was refused because another node owns the cell. */
const fenced = ({ lines }: NodeProcess): boolean => lines.some((line) => line.includes('StaleEpoch'))

/** Returns the nodes, once the tests of the file run. */
export function testFailures({ isUnchecked }: ThreeNodesOptions): () => ThreeNodes {
  let world: ThreeNodes
  beforeAll(async () => {
    world = await ThreeNodes.open({ isUnchecked })
  })
  afterAll(() => world[Symbol.asyncDispose]())
  showNodesOnFailure(() => world.nodes)

  describe('three nodes', () => {
    it('continue after the owner is killed under load', async () => {
      const owner = await ownerOf(world.nodes)
      await world.under('killed', async () => {
        owner.signal('SIGKILL')
        await owner.ended
        expect(await ownerOf(world.alive())).not.toBe(owner)
      })
      await world.start(owner.name)
    })

    it('hand over under load without a failed client call', async () => {
      const failures: unknown[] = []
      const hf = holdfast({ url: world.nodes.map(({ url }) => url), apiKey: world.fixture.apiKey })
      let isOver = false
      const reading = Promise.all(
        Array.from({ length: 4 }, async () => {
          while (!isOver) {
            await hf.get('/whoami').catch((error: unknown) => failures.push(error))
            const [position] = world.setup.positions.flat()
            await hf
              .post('/positions/single', { itemData: { position: idOf(position!) } })
              .catch((error: unknown) => failures.push(error))
          }
        }),
      )
      await world.under('handed over', async () => {
        for (let turn = 0; turn < 3; turn += 1) {
          const owner = await ownerOf(world.nodes)
          await world.handOverTo(world.alive().find((node) => node !== owner)!)
        }
      })
      isOver = true
      await reading
      expect(failures).toEqual([])
      expect(world.alive()).toHaveLength(3)
    })

    it('keep their owner when the database is killed and restarted under load', async () => {
      const owner = await ownerOf(world.nodes)
      const epoch = await sureMetricOf(owner.url, 'holdfast_cell_epoch')
      await world.under('database', async () => {
        await world.fixture.postgres.kill()
        await until('every lease is over', async () =>
          (await Promise.all(world.alive().map(leaseLeft))).every((remaining) => remaining === 0),
        )
        await eventually(async () => expect((await readyz(owner.url)).checks).toMatchObject({ lease: LEASE_IS_OVER }))
        await world.fixture.postgres.restart()
      })
      expect(await ownerOf(world.nodes)).toBe(owner)
      expect(await sureMetricOf(owner.url, 'holdfast_cell_epoch')).toBe(epoch)
    })

    it('exclude an owner that was paused for longer than its lease', async () => {
      const owner = await ownerOf(world.nodes)
      await world.under('paused', async () => {
        owner.signal('SIGSTOP')
        expect(await ownerOf(world.nodes.filter((node) => node !== owner))).not.toBe(owner)
        owner.signal('SIGCONT')
        expect(await owner.ended).toBe(76)
      })
      if (isUnchecked) expect(fenced(owner)).toBe(true)
      await world.start(owner.name)
    })

    it('exclude an owner that was cut off from the database for longer than its lease', async () => {
      const { postgres, apiKey } = world.fixture
      await using proxy = await faultyProxy(addressOf(postgres))
      const cutNode = await world.start('e', {
        STORE: `postgres://${postgres.user}@127.0.0.1:${proxy.address.port}/postgres`,
      })
      await world.handOverTo(cutNode)
      await world.under('cut off', async () => {
        proxy.away = true
        proxy.reset()
        await until('its lease is over', async () => (await leaseLeft(cutNode)) === 0)
        if (!isUnchecked) {
          const headers = { authorization: `Bearer ${apiKey}` }
          const answer = await fetch(`${cutNode.url}/api/v1/whoami`, { headers })
          expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '1'])
        }
        expect(await ownerOf(world.nodes.filter((node) => node !== cutNode))).not.toBe(cutNode)
        proxy.away = false
        expect(await cutNode.ended).toBe(76)
      })
      if (isUnchecked) expect(fenced(cutNode)).toBe(true)
    })
  })

  return () => world
}
