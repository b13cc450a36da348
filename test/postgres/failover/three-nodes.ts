// Three nodes as real processes on one database, with the chain as a separate process, and transfers at all of them.
import { expectOnceEach, signaturesSoFar } from '../../crash/audit.ts'
import { randomOf } from '../../crash/random.ts'
import type { Service } from '../../crash/service.ts'
import { settle, type Setup } from '../../crash/setup.ts'
import { anyTransfer, burst, insistAll, findUnsure, type Transfer } from '../../crash/transfer.ts'
import { serviceAt } from '../any-node.ts'
import { metricOf, openClusterFixture, ownerOf, type ClusterFixture, type NodeProcess } from '../cluster-fixture.ts'
import { until } from '../nodes-fixture.ts'
import { placeCells } from '../place-cells.ts'
import { addressOf } from '../postgres.ts'

const LEASE_MS = 3_000
const SIZE = 60

export interface ThreeNodesOptions {
  /** No node checks its own lease: only the fence of a commit protects the cell from its earlier owner. */
  readonly isUnchecked: boolean
}

export class ThreeNodes {
  readonly fixture: ClusterFixture
  /** A node that was started again replaces its earlier process. */
  readonly nodes: NodeProcess[]
  readonly setup: Setup
  readonly #isUnchecked: boolean
  readonly #before: Set<string>
  readonly #random = randomOf(20_260_301)
  /** All transfers so far. */
  readonly #transfers: Transfer[] = []

  private constructor(
    fixture: ClusterFixture,
    nodes: NodeProcess[],
    { setup, before, isUnchecked }: { setup: Setup; before: Set<string>; isUnchecked: boolean },
  ) {
    this.fixture = fixture
    this.nodes = nodes
    this.setup = setup
    this.#isUnchecked = isUnchecked
    this.#before = before
  }

  static async open({ isUnchecked }: ThreeNodesOptions): Promise<ThreeNodes> {
    const fixture = await openClusterFixture({ LEASE_MS: String(LEASE_MS) })
    try {
      const nodes = await Promise.all(['a', 'b', 'c'].map((id) => fixture.start(id, { isUnchecked })))
      await ownerOf(nodes)
      const service = serviceAt(() => nodes, fixture)
      const setup = await settle(service)
      return new ThreeNodes(fixture, nodes, { setup, before: await signaturesSoFar(service, setup), isUnchecked })
    } catch (error) {
      await fixture[Symbol.asyncDispose]()
      throw error
    }
  }

  alive(): NodeProcess[] {
    return this.nodes.filter(({ hasEnded }) => !hasEnded)
  }

  /** Starts a node with this id, beside those that run or in the place of its ended process. */
  async start(id: string, settings: Readonly<Record<string, string>> = {}): Promise<NodeProcess> {
    const node = await this.fixture.start(id, { isUnchecked: this.#isUnchecked, settings })
    const at = this.nodes.findIndex(({ name }) => name === id)
    this.nodes.splice(at < 0 ? this.nodes.length : at, 1, node)
    return node
  }

  /** Hands the cell over to a node that does not own it, as `holdfast cells hand-over main NODE` does. */
  async handOverTo({ name, url }: NodeProcess): Promise<void> {
    await placeCells(addressOf(this.fixture.postgres), { main: name })
    await until('it serves the cell', async () => (await metricOf(url, 'holdfast_cell_owner')) === 1)
  }

  /** Transfers at all nodes during a failure; then each is repeated until it is done, and took effect once. */
  async under(name: string, happens: () => Promise<void>): Promise<void> {
    const newTransfers = Array.from({ length: SIZE }, (_, index) =>
      anyTransfer(this.setup, this.#random, `${name}, ${index}`),
    )
    this.#transfers.push(...newTransfers)
    const service = this.#anyNode()
    const bursting = burst(service, newTransfers, 8)
    await until('an answer', () => newTransfers.some(({ answers }) => answers.length > 0))
    await happens()
    await bursting
    await insistAll(service, findUnsure(newTransfers), 8)
    await expectOnceEach(service, this.setup, this.#transfers, this.#before)
  }

  #anyNode(): Service {
    return serviceAt(() => this.alive(), this.fixture)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.fixture[Symbol.asyncDispose]()
  }
}
