// Three nodes as real processes on one database, with the chain as a separate process: for any failure of a node or the
// database, each transfer takes effect once, as an outside reader of the chain sees it.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { holdfast } from '../../src/client/client.ts'
import { expectOnceEach, signaturesSoFar } from '../crash/audit.ts'
import { randomOf } from '../crash/random.ts'
import type { Service } from '../crash/service.ts'
import { idOf, settle, type Setup } from '../crash/setup.ts'
import { anyTransfer, burst, insistAll, findUnsure, type Transfer } from '../crash/transfer.ts'
import { chainOfGenesis } from '../service/chain-of-genesis.ts'
import {
  metricOf,
  openClusterFixture,
  ownerOf,
  readyz,
  type ClusterFixture,
  type NodeProcess,
} from './cluster-fixture.ts'
import { until } from './nodes-fixture.ts'
import { serviceAt } from './any-node.ts'
import { addressOf, faultyProxy, sql } from './postgres.ts'

const LEASE_MS = 3_000
const SIZE = 60

let fixture: ClusterFixture
let nodes: NodeProcess[]
let setup: Setup
let before: Set<string>
let random: ReturnType<typeof randomOf>
/** All transfers of the test. */
const transfers: Transfer[] = []

beforeAll(async () => {
  fixture = await openClusterFixture({ LEASE_MS: String(LEASE_MS) })
  nodes = await Promise.all(['a', 'b', 'c'].map((id) => fixture.start(id)))
  await ownerOf(nodes)
  random = randomOf(20_260_301)
  setup = await settle(anyNode())
  before = await signaturesSoFar(anyNode(), setup)
})
afterAll(async () => fixture[Symbol.asyncDispose]())

const alive = (): NodeProcess[] => nodes.filter(({ hasEnded }) => !hasEnded)

const anyNode = (): Service => serviceAt(alive, fixture)

/** Transfers at all nodes during a failure; then each is repeated until it is done. */
async function under(name: string, happens: (newTransfers: readonly Transfer[]) => Promise<void>): Promise<void> {
  const newTransfers = Array.from({ length: SIZE }, (_, index) => anyTransfer(setup, random, `${name}, ${index}`))
  transfers.push(...newTransfers)
  const service = anyNode()
  const bursting = burst(service, newTransfers, 8)
  await until('an answer', () => newTransfers.some(({ answers }) => answers.length > 0))
  await happens(newTransfers)
  await bursting
  await insistAll(service, findUnsure(newTransfers), 8)
}

async function restart(node: NodeProcess): Promise<void> {
  nodes[nodes.indexOf(node)] = await fixture.start(node.name)
}

const epochAt = (node: NodeProcess): Promise<number | undefined> => metricOf(node.url, 'holdfast_cell_epoch')

describe('three nodes', () => {
  it('serve every request at any node, and report the identity', async () => {
    const owner = await ownerOf(nodes)
    for (const node of nodes) {
      const hf = holdfast({ url: node.url, apiKey: fixture.apiKey })
      expect(await hf.get('/whoami')).toMatchObject({ organizationExternalId: 'SYSTEM' })
      const { checks } = await readyz(node.url)
      expect(checks).toMatchObject({ lease: 'ok', database: 'ok', owner: 'ok', history: 'ok' })
      expect(checks['store']).toBe(node === owner ? 'ok' : undefined)
    }
    await expectOnceEach(anyNode(), setup, transfers, before)
  })

  it('continue after the owner is killed under load', async () => {
    const owner = await ownerOf(nodes)
    await under('killed', async () => {
      owner.signal('SIGKILL')
      await owner.ended
      expect(await ownerOf(alive())).not.toBe(owner)
    })
    await expectOnceEach(anyNode(), setup, transfers, before)
    await restart(owner)
  })

  it('hand over under load without a failed client call', async () => {
    const failures: unknown[] = []
    const hf = holdfast({ url: nodes.map(({ url }) => url), apiKey: fixture.apiKey })
    let isOver = false
    const reading = Promise.all(
      Array.from({ length: 4 }, async () => {
        while (!isOver) {
          await hf.get('/whoami').catch((error: unknown) => failures.push(error))
          const [position] = setup.positions.flat()
          await hf
            .post('/positions/single', { itemData: { position: idOf(position!) } })
            .catch((error: unknown) => failures.push(error))
        }
      }),
    )
    await under('handed over', async () => {
      for (let turn = 0; turn < 3; turn += 1) {
        const owner = await ownerOf(nodes)
        const target = nodes.find((node) => node !== owner)!
        await moveTo(target.name)
        await until('it owns the cell', async () => (await metricOf(target.url, 'holdfast_cell_owner')) === 1, 60_000)
      }
    })
    isOver = true
    await reading
    expect(failures).toEqual([])
    expect(alive()).toHaveLength(3)
    await expectOnceEach(anyNode(), setup, transfers, before)
  })

  it('keep their owner when the database is killed and restarted under load', async () => {
    const owner = await ownerOf(nodes)
    const epoch = await epochAt(owner)
    await under('database', async () => {
      await fixture.postgres.kill()
      await until('every lease is over', async () =>
        (await Promise.all(nodes.map(({ url }) => metricOf(url, 'holdfast_lease_left_seconds')))).every(
          (remaining) => remaining === 0,
        ),
      )
      expect((await readyz(owner.url)).checks).toMatchObject({ lease: 'the lease of this node is over' })
      await fixture.postgres.restart()
    })
    expect(await ownerOf(nodes)).toBe(owner)
    expect(await epochAt(owner)).toBe(epoch)
    await expectOnceEach(anyNode(), setup, transfers, before)
  })

  it('reject by fencing the writes of an owner that was paused for longer than its lease', async () => {
    // The present owner becomes a node that does not check its lease.
    const unchecked = await fixture.start('d', { isUnchecked: true })
    nodes.push(unchecked)
    await moveTo('d')
    await until('it owns the cell', async () => (await metricOf(unchecked.url, 'holdfast_cell_owner')) === 1, 60_000)
    await under('paused', async () => {
      unchecked.signal('SIGSTOP')
      expect(await ownerOf(nodes.filter((node) => node !== unchecked))).not.toBe(unchecked)
      unchecked.signal('SIGCONT')
      expect(await unchecked.ended).toBe(76)
    })
    expect(unchecked.lines.filter((line) => line.includes('StaleEpoch'))).not.toEqual([])
    await expectOnceEach(anyNode(), setup, transfers, before)
  })
})

describe('a node without a connection to the database', () => {
  it('answers nothing once its lease has ended, and exits when it finds that another has taken over', async () => {
    await using proxy = await faultyProxy(addressOf(fixture.postgres))
    const { port } = proxy.address
    const store = `postgres://${fixture.postgres.user}@127.0.0.1:${port}/postgres`
    const cutNode = await fixture.start('e', { settings: { STORE: store } })
    nodes.push(cutNode)
    await moveTo('e')
    await until('it owns the cell', async () => (await metricOf(cutNode.url, 'holdfast_cell_owner')) === 1, 60_000)
    await under('cut off', async () => {
      proxy.away = true
      proxy.reset()
      await until('its lease is over', async () => (await metricOf(cutNode.url, 'holdfast_lease_left_seconds')) === 0)
      const headers = { authorization: `Bearer ${fixture.apiKey}` }
      const answer = await fetch(`${cutNode.url}/api/v1/whoami`, { headers })
      expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '1'])
      expect(await ownerOf(nodes.filter((node) => node !== cutNode))).not.toBe(cutNode)
      proxy.away = false
      expect(await cutNode.ended).toBe(76)
    })
    await expectOnceEach(anyNode(), setup, transfers, before)
  })
})

describe('a node on another chain', () => {
  it('is refused at its start with 78, before it can take over a cell', async () => {
    await using chain = await chainOfGenesis('11111111111111111111111111111112')
    const starting = fixture.start('f', { settings: { CLUSTERS: JSON.stringify({ CHAIN_DEVNET: chain.url }) } })
    await expect(starting).rejects.toThrow(/ended with 78[^]*HOLDFAST_CLUSTERS: CHAIN_DEVNET is another chain/)
    expect(await sql(addressOf(fixture.postgres), "SELECT 1 FROM holdfast.node WHERE id = 'f'")).toEqual([])
  })
})

describe('a node with other clusters', () => {
  it('is refused at its start with 78, and the others go on', async () => {
    const starting = fixture.start('g', { settings: { CLUSTERS: JSON.stringify({ CHAIN_MAINNET: fixture.rpcUrl }) } })
    await expect(starting).rejects.toThrow(/ended with 78[^]*HOLDFAST_CLUSTERS: this node has CHAIN_MAINNET/)
    expect((await cli('nodes', 'list')).out.map((line) => line.split('\t')[0])).not.toContain('g')
  })
})

describe('the command line', () => {
  it('lists nodes and cells, hands over, drains, and refuses impossible commands', async () => {
    const live = nodes.filter(({ hasEnded }) => !hasEnded)
    const owner = await ownerOf(live)
    const [target, third] = live.filter((node) => node !== owner)
    expect((await cli('nodes', 'list')).out.map((line) => line.split('\t')[0])).toEqual(
      expect.arrayContaining(['a', 'b']),
    )
    expect((await cli('cells', 'hand-over', 'main', target!.name)).out).toEqual([`${target!.name} owns main`])
    expect((await cli('cells', 'list')).out[0]).toContain(`main\t${target!.name}\tepoch `)
    expect(await cli('cells', 'hand-over', 'main', target!.name)).toMatchObject({ code: 64 })
    expect(await cli('cells', 'hand-over', 'main', 'nobody')).toMatchObject({ code: 64 })
    expect(await cli('cells', 'hand-over', 'other', third!.name)).toMatchObject({ code: 64 })
    expect(await cli('cells', 'move', 'ACME', 'main')).toMatchObject({ code: 64 })
    expect(await cli('nodes', 'drain', 'nobody')).toMatchObject({ code: 64 })
    expect((await cli('nodes', 'drain', target!.name)).out).toEqual([`${target!.name} is drained`])
    expect(await ownerOf(live)).not.toBe(target)
  })
})

async function cli(...words: string[]): Promise<{ readonly code: number; readonly out: string[] }> {
  const run = spawn(process.execPath, ['src/holdfast.mjs', ...words, '--store', fixture.store], {
    cwd: join(import.meta.dirname, '..', '..'),
    env: { PATH: process.env['PATH'] },
  })
  let text = ''
  run.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()))
  const [code] = (await once(run, 'exit')) as [number]
  return { code, out: text.split('\n').filter((line) => line !== '') }
}

/** As `holdfast cells hand-over main NODE` requests it. */
async function moveTo(node: string): Promise<void> {
  await sql(addressOf(fixture.postgres), `UPDATE holdfast.cell SET wanted = '${node}' WHERE cell = 'main'`)
}
