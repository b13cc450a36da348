// A backup of PostgreSQL with several cells is restored, and its clusters are marked as the runbook says. Whatever cell
// is claimed first, nothing is paid again before an operator resumes the cluster.
import { Keypair } from '@solana/web3.js'
import { expect, it } from 'vitest'
import { idOf } from '../../crash/setup.ts'
import { Onchain } from '../../e2e/onchain.ts'
import { SOL } from '../../e2e/records.ts'
import { openClusterFixture, type NodeProcess } from '../cluster-fixture.ts'
import { until } from '../nodes-fixture.ts'
import { addressOf, sql } from '../postgres.ts'
import { SECOND } from '../second-cell.ts'
import { askAt, divideCells, firstNode, newTenant, untilServed } from '../two-nodes.ts'
import { showNodesOnFailure } from './show-nodes.ts'

let nodes: NodeProcess[] = []
showNodesOnFailure(() => nodes)

const ITEMS = 200
const SLOTS = 30
/** In the line of the log of its next owner. */
const CLAIMED = `"cell":"${SECOND}"`

it('a cell that is claimed before the first one sends nothing until sending is suspended', async () => {
  await using fixture = await openClusterFixture()
  const chain = new Onchain(fixture.rpcUrl)
  const ask = (text: string) => sql(addressOf(fixture.postgres), text)
  const first = await firstNode(fixture)
  const acme = await newTenant(fixture, first, 'ACME')
  nodes = await divideCells(fixture, first, acme)
  const [a, b] = nodes as [NodeProcess, NodeProcess]
  askAt(fixture, acme, b.url)
  await untilServed([acme])
  const source = await acme.records.funded({ canPayFees: true, networkCurrencyDebitLimits: [] }, 100n * SOL)
  const targets = Array.from({ length: ITEMS }, () => Keypair.generate().publicKey)
  const paid = async (): Promise<number> => {
    const pages = [targets.slice(0, 100), targets.slice(100)]
    const infos = await Promise.all(pages.map((page) => chain.connection.getMultipleAccountsInfo(page)))
    return infos.flat().filter((info) => info !== null).length
  }
  const slotsPass = async (): Promise<void> => {
    const last = (await chain.connection.getSlot()) + SLOTS
    await until('slots have passed', async () => (await chain.connection.getSlot()) >= last)
  }
  const items = targets.map((target) => ({
    source: idOf(source),
    destination: { onchainId: target.toBase58(), offPlatform: true },
    lamports: 2_000_000,
  }))
  const { newBatch } = await acme.api.ok<{ newBatch: { offchainId: string } }>(201, 'POST', '/batches', {
    operation: 'TRANSFER_NETWORK_CURRENCY',
    items,
  })
  for (const node of nodes) node.signal('SIGKILL')
  await Promise.all(nodes.map(({ ended }) => ended))
  await slotsPass()
  const before = await paid()
  expect(before).toBeLessThan(ITEMS)

  // As `INSERT` of the runbook, while nobody can claim the first cell.
  await ask(`INSERT INTO holdfast.row (key, value, head) VALUES ('m!restored%3ACHAIN_DEVNET', 'true', 0)
    ON CONFLICT (key) DO UPDATE SET value = 'true'`)
  await ask(`UPDATE holdfast.cell SET held_by = 'x', held_until = now() + interval '1 hour' WHERE cell = 'main'`)
  nodes = await Promise.all([a, b].map(({ name }) => fixture.start(name)))
  await until('the second cell is claimed', () =>
    nodes.some(({ lines }) => lines.some((line) => line.includes(CLAIMED) && line.includes('owns the cell'))),
  )
  await slotsPass()
  expect(await paid()).toBe(before)

  await ask(`UPDATE holdfast.cell SET held_by = NULL, held_until = NULL WHERE cell = 'main'`)
  askAt(fixture, acme, nodes[0]!.url)
  await untilServed([acme])
  await slotsPass()
  expect(await paid()).toBe(before)
  const resumed = await fetch(`${nodes[0]!.url}/api/v1/admin/lanes/resume`, {
    method: 'PATCH',
    headers: { authorization: `Bearer ${fixture.apiKey}`, 'content-type': 'application/json' },
    body: '{"itemData":{}}',
  })
  expect(resumed.status).toBe(200)
  await until('the batch ends', async () => {
    const { endedAt } = await acme.api.read<{ endedAt: string | null }>('/batches/single', {
      offchainId: newBatch.offchainId,
    })
    return endedAt !== null
  })
  const balances = await chain.connection.getMultipleAccountsInfo(targets.slice(0, 100))
  expect(balances.every((info) => info === null || info.lamports === 2_000_000)).toBe(true)
})
