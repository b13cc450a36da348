// Tenants that move between cells, with nodes as real processes on one database: under load, back and forth, with the
// command killed in the middle and with owners killed, each request takes effect once and each tenant is in one cell.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createCell } from '../../src/cli/cells/create-cell.ts'
import { moveToCell } from '../../src/cli/cells/move-tenant.ts'
import type { SharedService } from '../../src/cli/cells/shared-service.ts'
import { holdfast } from '../../src/client/client.ts'
import { NodeRows } from '../../src/nodes/node-rows.ts'
import { prepareDatabase } from '../../snapshots/postgres/postgres-store.ts'
import { TABLES_VERSION } from '../../snapshots/postgres/schema.ts'
import { builtMain } from '../config/command-line.ts'
import { apiOf, refOf } from '../crash/api.ts'
import { expectOnceEach, signaturesSoFar } from '../crash/audit.ts'
import { randomOf } from '../crash/random.ts'
import type { Service } from '../crash/service.ts'
import { settle, type Setup } from '../crash/setup.ts'
import { anyTransfer, ask, burst, insistAll, findUnsure, type Transfer } from '../crash/transfer.ts'
import { Receiver } from '../e2e/receiver.ts'
import { serviceAt } from './any-node.ts'
import { openClusterFixture, type ClusterFixture, type NodeProcess } from './cluster-fixture.ts'
import { until } from './nodes-fixture.ts'
import { addressOf, sql } from './postgres.ts'
import { showNodesOnFailure } from './failover/show-nodes.ts'

const LEASE_MS = 3_000
/** A bound for what hangs: on a busy machine, leases of three seconds lapse repeatedly. */
const SETTLED_MS = 240_000
const SIZE = 40
const TURNS = 50

let receiver: Receiver
let fixture: ClusterFixture
let nodes: NodeProcess[]
let service: SharedService
let setup: Setup
let before: Set<string>
let acmeKey: string
const transfers: Transfer[] = []
const random = randomOf(20_260_302)
const closing: (() => void)[] = []

beforeAll(async () => {
  receiver = await Receiver.start()
  fixture = await openClusterFixture({ LEASE_MS: String(LEASE_MS), OUTBOUND_ALLOW: receiver.host })
  nodes = await Promise.all(['a', 'b'].map((id) => fixture.start(id)))
  const { database } = await prepareDatabase({ address: addressOf(fixture.postgres), waitMs: 30_000 })
  const lane = database.lane()
  service = { database, rows: new NodeRows(lane, 30_000) }
  closing.push(
    () => lane.destroy(),
    () => database.close(),
  )
  await waitForOwners()
  acmeKey = await newTenant('ACME')
  setup = await settle(anyNode(acmeKey))
  before = await signaturesSoFar(anyNode(acmeKey), setup)
})
afterAll(async () => {
  for (const close of closing) close()
  await fixture[Symbol.asyncDispose]()
  receiver.stop()
})

showNodesOnFailure(() => nodes)

const alive = (): NodeProcess[] => nodes.filter(({ hasEnded }) => !hasEnded)
const rows = async (text: string) => await sql(addressOf(fixture.postgres), text)
const cellOf = async (tenant: string): Promise<string | null | undefined> =>
  (await rows(`SELECT cell FROM holdfast.tenant WHERE tenant = '${tenant}'`))[0]?.[0]
const client = (apiKey: string) => holdfast({ url: alive().map(({ url }) => url), apiKey })
const move = (tenant: string, cell: string): Promise<string> => moveToCell(service, tenant, cell)

const isHeld = async (): Promise<boolean> => (await service.rows.cells()).some((cell) => cell.isHeld)

/** A short hold can end before it is seen: then the tenant has moved. */
const moveBegins = (from: string): Promise<void> =>
  until('the cells are held', async () => (await isHeld()) || (await cellOf('ACME')) !== from)

/** No cell is held, and every cell is served, as every node knows. */
async function waitForOwners(): Promise<void> {
  const isOwned = async (): Promise<boolean> =>
    (await service.rows.cells()).every(({ owner, isHeld: held }) => !held && owner !== null && owner.leftMs > 0)
  await until('every cell has an owner', isOwned, SETTLED_MS)
  const isReady = async ({ url }: NodeProcess): Promise<boolean> =>
    (await fetch(`${url}/readyz`).catch(() => null))?.status === 200
  await until(
    'every node is ready',
    async () => (await Promise.all(alive().map(isReady))).every((is) => is),
    SETTLED_MS,
  )
}

async function newTenant(externalId: string): Promise<string> {
  const system = client(fixture.apiKey)
  await system.post('/admin/organizations', { itemData: { externalId, name: externalId } })
  const { apiKey } = (await system.post('/admin/api-keys', {
    itemData: { organizationExternalId: externalId, name: externalId, bundle: 'ADMIN' },
  })) as unknown as { readonly apiKey: string }
  return apiKey
}

const anyNode = (apiKey: string): Service => serviceAt(alive, { ...fixture, apiKey })

/** Transfers of the tenant at all nodes during an event; then each is repeated until it is done. */
async function under(name: string, happens: () => Promise<void>): Promise<readonly Transfer[]> {
  const newTransfers = Array.from({ length: SIZE }, (_, index) => anyTransfer(setup, random, `${name}, ${index}`))
  transfers.push(...newTransfers)
  const acme = anyNode(acmeKey)
  const bursting = burst(acme, newTransfers, 8)
  await until('an answer', () => newTransfers.some(({ answers }) => answers.length > 0))
  await happens()
  await bursting
  await insistAll(acme, findUnsure(newTransfers), 8)
  return newTransfers
}

/** `holdfast cells move` as a separate process. */
function startMove(
  tenant: string,
  cell: string,
): { readonly kill: () => void; readonly ended: Promise<number | null> } {
  const words = [builtMain(), 'cells', 'move', tenant, cell, '--store', fixture.store]
  const run = spawn(process.execPath, words, { env: { PATH: process.env['PATH'] } })
  return { kill: () => run.kill('SIGKILL'), ended: once(run, 'exit').then(([code]) => code as number | null) }
}

async function ownerNow(cell: string): Promise<NodeProcess> {
  let owner: string | undefined
  await until(`an owner of ${cell}`, async () => {
    const currentOwner = (await service.rows.cells()).find((each) => each.cell === cell)?.owner
    owner = currentOwner !== null && currentOwner !== undefined && currentOwner.leftMs > 0 ? currentOwner.id : undefined
    return owner !== undefined
  })
  return nodes.find(({ name }) => name === owner)!
}

async function killNode(node: NodeProcess): Promise<void> {
  node.signal('SIGKILL')
  await node.ended
}

async function restart(node: NodeProcess): Promise<void> {
  nodes[nodes.indexOf(node)] = await fixture.start(node.name)
  await waitForOwners()
}

describe('a cell', () => {
  it('is not created while a node of an earlier release runs', async () => {
    await rows(`INSERT INTO holdfast.node (id, incarnation, url, release, reads, expires_at)
      VALUES ('old', gen_random_uuid(), 'http://old', '0.9', 2, now() + interval '1 hour')`)
    await expect(createCell(service, 'red')).rejects.toThrow('node old is of release 0.9')
    expect(await service.rows.create('red', TABLES_VERSION)).toBe(false)
    await rows(`DELETE FROM holdfast.node WHERE id = 'old'`)
  })

  it('is created when every record has its names, and a node claims it', async () => {
    const query = `SELECT count(*) FROM holdfast.name WHERE tenant = 'ACME' AND held`
    const [[count]] = (await rows(query)) as [[string]]
    // As an owner of an earlier release leaves the table after it has claimed the cell once more.
    await rows(`DELETE FROM holdfast.name WHERE tenant = 'ACME' AND key LIKE 'a\\%00%'`)
    expect(['a', 'b']).toContain(await createCell(service, 'red'))
    await waitForOwners()
    expect(await rows(query)).toEqual([[count]])
    const asBefore = `INSERT INTO holdfast.tenant (tenant, cell) VALUES ('ACME', 'main')
      ON CONFLICT (tenant) DO UPDATE SET cell = excluded.cell`
    await expect(rows(asBefore)).rejects.toThrow('"names"')
  })

  it('has a unique name of letters, digits and hyphens', async () => {
    await expect(createCell(service, 'red')).rejects.toThrow('there is a cell red already')
    for (const name of ['', '-x', 'x-', 'a b', 'ä', 'x'.repeat(41)])
      await expect(createCell(service, name)).rejects.toThrow('1 to 40 letters, digits and hyphens')
  })
})

describe('a move is refused', () => {
  const expectRefusal = (tenant: string, cell: string, why: string): Promise<void> =>
    expect(move(tenant, cell)).rejects.toThrow(why)

  it('for SYSTEM, for a missing tenant or cell, and to the present cell', async () => {
    await expectRefusal('SYSTEM', 'red', 'SYSTEM stays in main')
    await expectRefusal('NOBODY', 'red', 'there is no tenant NOBODY')
    await expectRefusal('ACME', 'blue', 'there is no cell blue')
    await expectRefusal('ACME', 'main', 'ACME is in main already')
  })

  it('while a node of an earlier release runs, or no node can serve', async () => {
    await rows(`INSERT INTO holdfast.node (id, incarnation, url, release, reads, expires_at)
      VALUES ('old', gen_random_uuid(), 'http://old', '0.9', 2, now() + interval '1 hour')`)
    await expectRefusal('ACME', 'red', 'node old is of release 0.9')
    await rows(`DELETE FROM holdfast.node WHERE id = 'old'`)
    await rows(`UPDATE holdfast.node SET draining = true`)
    await expectRefusal('ACME', 'red', 'no live node can serve a cell')
    await rows(`UPDATE holdfast.node SET draining = false`)
    await waitForOwners()
  })

  it('while a transaction needs keys of another tenant, and no request is interrupted', async () => {
    const bank = apiOf(alive()[0]!.url, await newTenant('BANK'))
    const acme = apiOf(alive()[0]!.url, acmeKey)
    const payer = refOf(await bank.make('/accounts', { canPayFees: true }), 'newAccount')
    await bank.send('PATCH', '/admin/organizations', { externalId: 'BANK', acceptsSigningRequests: true })
    const [source, destination] = [setup.owners[0]!, setup.owners[1]!].map(({ offchainId }) => ({ offchainId }))
    const chainTransactionConfig = { feePayer: { onchainId: payer.onchainId } }
    const itemData = { source, destination, lamports: 1_000_000 }
    const request = await acme.make('/positions/transfer-network-currency', itemData, { chainTransactionConfig })
    const epochsOf = async (): Promise<number[]> => (await service.rows.cells()).map(({ epoch }) => epoch)
    try {
      // Nodes that stop draining may still hand over a cell, which raises its epoch; a move would raise it every time.
      await until('no epoch is raised', async () => {
        const epochs = await epochsOf()
        await expectRefusal('ACME', 'red', `transaction ${String(request['offchainId'])} is signed with keys of BANK`)
        return (await epochsOf()).every((epoch, index) => epoch === epochs[index])
      })
    } finally {
      await acme.send('PATCH', '/transactions/cancel', { offchainId: request['offchainId'] })
    }
  })

  it('while another move holds one of the cells', async () => {
    await rows(`UPDATE holdfast.cell SET held_by = 'x', held_until = now() + interval '1 minute' WHERE cell = 'red'`)
    await expectRefusal('ACME', 'red', 'a tenant is being moved from or to main or red')
    await rows(`UPDATE holdfast.cell SET held_by = NULL, held_until = NULL`)
    await waitForOwners()
  })
})

describe('a tenant', () => {
  it('moves under load without a failed client call, and each transfer takes effect once', async () => {
    const failures: unknown[] = []
    let isOver = false
    const reading = Promise.all(
      [acmeKey, fixture.apiKey].map(async (key) => {
        const hf = client(key)
        while (!isOver) await hf.get('/whoami').catch((error: unknown) => failures.push(error))
      }),
    )
    await under('moved', async () => {
      expect(await move('ACME', 'red')).toBe('main')
    })
    isOver = true
    await reading
    expect(failures).toEqual([])
    expect(await cellOf('ACME')).toBe('red')
    await expectOnceEach(anyNode(acmeKey), setup, transfers, before)
  })

  it('keeps its idempotency keys: a repeated request has the earlier answer', async () => {
    const [firstTransfer] = transfers
    const first = firstTransfer!.answers.find(({ status }) => status === 201)!
    const replay = await ask(anyNode(acmeKey), firstTransfer!)
    expect(replay).toMatchObject({ status: 201, replayed: true, body: { offchainId: first.body['offchainId'] } })
  })

  it('receives each event once, in its stream and at its webhooks, through many moves', async () => {
    const hf = client(acmeKey)
    const { newWebhook } = (await apiOf(alive()[0]!.url, acmeKey).make('/webhooks', {
      url: receiver.url(),
    })) as unknown as { readonly newWebhook: { readonly offchainId: string } }
    expect(newWebhook.offchainId).not.toBe('')
    const { lastSequence: start } = (await hf.get('/events', { query: { limit: 0 } })) as unknown as {
      lastSequence: number
    }
    const streamed: number[] = []
    const abort = new AbortController()
    const streaming = (async () => {
      for await (const { sequence } of hf.events({ after: start, signal: abort.signal })) streamed.push(sequence)
    })()
    await under('to and fro', async () => {
      for (let turn = 0; turn < TURNS; turn += 1) await move('ACME', turn % 2 === 0 ? 'main' : 'red')
    })
    const { lastSequence: end } = (await hf.get('/events', { query: { limit: 0 } })) as unknown as {
      lastSequence: number
    }
    const all = Array.from({ length: end - start }, (_, index) => start + 1 + index)
    await until('every event was streamed', () => streamed.length >= all.length)
    expect(streamed.slice(0, all.length)).toEqual(all)
    const isSent = (sequence: number): boolean => receiver.taken.some(({ event }) => event.sequence === sequence)
    await until('every event was sent', () => all.every(isSent), 60_000)
    abort.abort()
    await streaming
    // At least once: a repeated event has the same id.
    const ids = new Map(receiver.taken.map(({ event }) => [event.sequence, event.id]))
    for (const { event } of receiver.taken) expect(event.id).toBe(ids.get(event.sequence))
    await expectOnceEach(anyNode(acmeKey), setup, transfers, before)
    expect(alive()).toHaveLength(2)
  })
})

describe('a failure during a move', () => {
  it('of the command: the cells are served again, and the tenant is in one of them', async () => {
    for (const [at, delayMs] of [0, 80, 160].entries()) {
      const from = (await cellOf('ACME'))!
      await under(`command killed ${at}`, async () => {
        const command = startMove('ACME', from === 'red' ? 'main' : 'red')
        await moveBegins(from)
        await new Promise((resolve) => void setTimeout(resolve, delayMs))
        command.kill()
        await command.ended
        await until('the hold is over', async () => !(await isHeld()), 30_000)
        await waitForOwners()
      })
      await expectOnceEach(anyNode(acmeKey), setup, transfers, before)
    }
  })

  it('of an owner that does not answer: the move is abandoned, and another node owns its cell', async () => {
    const from = (await cellOf('ACME'))!
    const to = from === 'red' ? 'main' : 'red'
    await under('owner killed', async () => {
      const owner = await ownerNow(from)
      owner.signal('SIGSTOP')
      await expect(move('ACME', to)).rejects.toThrow(`${owner.name}, which owns the cell ${from}, has failed`)
      await killNode(owner)
      expect(await cellOf('ACME')).toBe(from)
      await waitForOwners()
      await restart(owner)
    })
    await expectOnceEach(anyNode(acmeKey), setup, transfers, before)
  })

  it('of an owner killed during its release: the tenant is in one cell, and can move again', async () => {
    for (const delayMs of [0, 50, 100]) {
      const from = (await cellOf('ACME'))!
      const to = from === 'red' ? 'main' : 'red'
      await under(`owner killed after ${delayMs}`, async () => {
        const owner = await ownerNow(to)
        const movePromise = move('ACME', to).then(
          () => true,
          (error: unknown) => String(error).includes(`ACME is in ${to} now`),
        )
        await moveBegins(from)
        await new Promise((resolve) => void setTimeout(resolve, delayMs))
        await killNode(owner)
        // The move first: it may still succeed after the node has ended.
        const isMoved = await movePromise
        expect(await cellOf('ACME')).toBe(isMoved ? to : from)
        await waitForOwners()
        await restart(owner)
      })
      await expectOnceEach(anyNode(acmeKey), setup, transfers, before)
    }
  })
})
