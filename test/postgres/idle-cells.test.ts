// Idle cells that are released, with nodes as real processes on one database: they open again at the first request, at
// a message of another cell and for their own work, and everything takes effect once.
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { setTimeout as sleep } from 'node:timers/promises'
import { Connection, PublicKey } from '@solana/web3.js'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createCell } from '../../src/cli/cells/create-cell.ts'
import { moveToCell } from '../../src/cli/cells/move-tenant.ts'
import type { SharedService } from '../../src/cli/cells/shared-service.ts'
import { NodeRows, type CellRow } from '../../src/nodes/node-rows.ts'
import { prepareDatabase } from '../../snapshots/postgres/postgres-store.ts'
import { builtMain } from '../config/command-line.ts'
import { apiOf, isBusy, refOf, type Answer, type Api, type Ref } from '../crash/api.ts'
import { until as found } from '../crash/until.ts'
import { eventually } from '../e2e/harness.ts'
import { openClusterFixture, ownerOf, readyz, type ClusterFixture, type NodeProcess } from './cluster-fixture.ts'
import { until } from './nodes-fixture.ts'
import { addressOf } from './postgres.ts'

const SOL = 1_000_000_000
const IDLE_MS = 3_000
const PAY = '/positions/transfer-network-currency'
const KILLS = 6

let fixture: ClusterFixture
let nodes: NodeProcess[]
let service: SharedService
let chain: Connection
let keys: Readonly<Record<'ACME' | 'BETA', string>>
let source: Ref
let destination: Ref
const closing: (() => void)[] = []

/** At any running node. */
const url = (at = 0): string => nodes.filter(({ hasEnded }) => !hasEnded)[at]!.url
const api = (tenant: 'ACME' | 'BETA', at = 0): Api => apiOf(url(at), keys[tenant])
const system = (): Api => apiOf(url(), fixture.apiKey)
const balance = ({ onchainId }: Ref): Promise<number> => chain.getBalance(new PublicKey(onchainId), 'confirmed')
const byId = ({ offchainId }: Ref) => ({ offchainId })
const red = async (): Promise<CellRow> => (await service.rows.cells()).find(({ cell }) => cell === 'red')!
const isAtRest = async (): Promise<boolean> => (await red()).rest !== null
const letGo = () => until('the cell is let go', isAtRest)

async function newTenant(externalId: string): Promise<string> {
  await system().make('/admin/organizations', { externalId, name: externalId })
  const key = { organizationExternalId: externalId, name: externalId, bundle: 'ADMIN' }
  return (await system().make('/admin/api-keys', key))['apiKey'] as string
}

async function fundWallet(of: Api, itemData: object, lamports: number): Promise<Ref> {
  const account = refOf(await of.make('/accounts', itemData), 'newAccount')
  await chain.requestAirdrop(new PublicKey(account.onchainId), lamports)
  await until('it is funded', async () => (await balance(account)) === lamports)
  await of.get('/accounts/single/balance', { offchainId: account.offchainId })
  return account
}

const pay = (lamports: number, key: string, at = 0): Promise<Answer> =>
  api('ACME', at).send('POST', PAY, { source, destination, lamports }, { headers: { 'idempotency-key': key } })

/** Repeats until the outcome is known. */
const decided = (send: () => Promise<Answer>): Promise<Answer> =>
  found(async () => {
    const answer = await send().catch(() => undefined)
    return answer === undefined || isBusy(answer) || answer.status === 504 ? undefined : answer
  }, 'the request is decided')
const insist = (lamports: number, key: string, at = 0): Promise<Answer> => decided(() => pay(lamports, key, at))

/** An answered payment can reach the chain a moment later. */
async function expectBalance(account: Ref, lamports: number): Promise<void> {
  await until('it is paid', async () => (await balance(account)) >= lamports)
  expect(await balance(account)).toBe(lamports)
}

/** The epoch under which the node has claimed `red`, as it logs it. */
function claimed(line: string): number | undefined {
  if (!line.includes('this node owns the cell')) return undefined
  const { cell, epoch } = JSON.parse(line) as { cell: string; epoch: number }
  return cell === 'red' ? epoch : undefined
}

beforeAll(async () => {
  fixture = await openClusterFixture({ LEASE_MS: '3000', CELL_IDLE_SECONDS: String(IDLE_MS / 1_000) })
  chain = new Connection(fixture.rpcUrl, { commitment: 'confirmed', disableRetryOnRateLimit: true })
  nodes = await Promise.all(['a', 'b'].map((id) => fixture.start(id)))
  await ownerOf(nodes)
  const { database } = await prepareDatabase({ address: addressOf(fixture.postgres), waitMs: 30_000 })
  const lane = database.lane()
  service = { database, rows: new NodeRows(lane, 30_000) }
  closing.push(
    () => lane.destroy(),
    () => database.close(),
  )
  keys = { ACME: await newTenant('ACME'), BETA: await newTenant('BETA') }
  await createCell(service, 'red')
  await moveToCell(service, 'ACME', 'red')
  await fundWallet(api('ACME'), { canPayFees: true, networkCurrencyDebitLimits: [] }, 10 * SOL)
  source = await fundWallet(api('ACME'), { networkCurrencyDebitLimits: [] }, 10 * SOL)
  destination = await fundWallet(api('ACME'), {}, SOL)
})
afterAll(async () => {
  for (const close of closing) close()
  await fixture[Symbol.asyncDispose]()
})

it('is released, and comes back at the first request with its earlier answers', async () => {
  const first = await insist(1_000, 'once')
  expect(first.status).toBe(201)
  await letGo()
  const { epoch, owner, rest } = await red()
  expect([owner, rest]).toEqual([null, { dueInMs: null }])
  for (const node of nodes) {
    await until('it is ready', async () => (await fetch(`${node.url}/readyz`)).status === 200)
    await eventually(async () => expect((await readyz(node.url)).checks).toMatchObject({ owner: 'ok' }))
  }
  await until('it is known', async () => {
    const text = await (await fetch(`${url()}/metrics`)).text()
    return ['holdfast_cell_idle{cell="red"} 1', 'holdfast_cell_owner{cell="red"} 0'].every((line) =>
      text.includes(line),
    )
  })
  const replay = await insist(1_000, 'once', 1)
  expect(replay).toMatchObject({ status: 201, replayed: true })
  expect(replay.body['offchainId']).toBe(first.body['offchainId'])
  await expectBalance(destination, SOL + 1_000)
  // At the node that received the request.
  await nodes[1]!.find((line) => claimed(line) === epoch + 1 || undefined)
})

it('has one owner and one effect when two nodes request it at once', async () => {
  await letGo()
  const { epoch } = await red()
  const before = await balance(destination)
  const answers = await Promise.all([0, 1, 0, 1].map((at) => insist(2_000, 'at once', at)))
  expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201])
  expect(new Set(answers.map(({ body }) => body['offchainId'])).size).toBe(1)
  await expectBalance(destination, before + 2_000)
  const claims = (): number[] =>
    nodes.flatMap(({ lines }) => lines.map((line) => claimed(line) ?? 0)).filter((each) => each > epoch)
  await until('the claim is logged', () => claims().length > 0)
  // Another claim follows another release, which raises the epoch as well.
  expect(claims().sort((a, b) => a - b)).toEqual(claims().map((_, index) => epoch + 1 + 2 * index))
})

it('stays idle while others look up its records, and wakes for a message of another cell', async () => {
  const beta = await fundWallet(api('BETA'), { canPayFees: true, networkCurrencyDebitLimits: [] }, 10 * SOL)
  await letGo()
  const { epoch } = await red()
  const item = { source: beta, destination: { onchainId: destination.onchainId }, lamports: 3_000 }
  const preview = await found(async () => {
    const answer = await api('BETA').send('POST', PAY, item, { headers: { 'holdfast-dry-run': 'true' } })
    return isBusy(answer) ? undefined : answer
  }, 'the dry run is answered')
  expect(preview.status, JSON.stringify(preview.body)).toBe(200)
  await sleep(1_000)
  expect((await red()).epoch).toBe(epoch)
  const before = await balance(destination)
  await api('BETA').make(PAY, item)
  await until('it is claimed', async () => (await red()).epoch > epoch)
  await expectBalance(destination, before + 3_000)
  // Without requests meanwhile: its books contain the received message.
  await letGo()
  const { offchain } = (await api('ACME').get('/accounts/single/balance', {
    offchainId: destination.offchainId,
  })) as unknown as { offchain: { lamports: number } }
  expect(offchain.lamports).toBe(before + 3_000)
})

it('wakes for a schedule, by the clock of the database', async () => {
  const before = await balance(destination)
  await api('ACME').make('/schedules', {
    operation: 'TRANSFER_NETWORK_CURRENCY',
    itemData: { source, destination, lamports: 4_000 },
    startAt: new Date(Date.now() + 30_000).toISOString(),
    every: { code: 'WEEKS', unit: 1 },
    maxRuns: 1,
  })
  await letGo()
  expect((await red()).rest!.dueInMs).toBeGreaterThan(0)
  await expectBalance(destination, before + 4_000)
  await letGo()
  expect((await red()).rest).toEqual({ dueInMs: null })
})

it('is not released while a client reads its event stream', async () => {
  const ending = new AbortController()
  const stream = await found(async () => {
    const response = await fetch(`${url()}/api/v1/events/stream`, {
      headers: { authorization: `Bearer ${keys.ACME}` },
      signal: ending.signal,
    })
    return response.status === 200 ? response : undefined
  }, 'the stream is open')
  const reading = stream.text().catch(() => undefined)
  await sleep(3 * IDLE_MS)
  expect(await isAtRest()).toBe(false)
  ending.abort()
  await reading
  await letGo()
})

it('obeys at its first request a switch that SYSTEM changed meanwhile', async () => {
  await letGo()
  const { epoch } = await red()
  // The answer waits neither for a lease, so that one of several comes earlier, nor for the idle cell.
  await until('a switch is answered at once', async () => {
    const begunMs = performance.now()
    expect((await system().send('PATCH', '/admin/freeze', {})).status).toBe(200)
    if (performance.now() - begunMs < 2_500) return true
    expect((await system().send('PATCH', '/admin/unfreeze', {})).status).toBe(200)
    return false
  })
  expect(await red()).toMatchObject({ epoch, owner: null, rest: { dueInMs: null } })
  const before = await balance(destination)
  const refusal = await insist(5_000, 'frozen')
  expect(refusal.status).toBeGreaterThanOrEqual(400)
  expect(JSON.stringify(refusal.body)).toMatch(/FROZEN/)
  expect((await system().send('PATCH', '/admin/unfreeze', {})).status).toBe(200)
  expect((await insist(5_000, 'not frozen')).status).toBe(201)
  await expectBalance(destination, before + 5_000)
})

it('is listed, handed over and moved to by the cell commands', async () => {
  await letGo()
  expect(await command('cells', 'list')).toMatch(/^red\t-\tepoch \d+\t1 tenant\tidle$/m)
  const [lastCell] = (JSON.parse(await command('cells', 'list', '--json')) as { cells: CellRow[] }).cells.slice(-1)
  expect(lastCell).toMatchObject({ cell: 'red', owner: null, rest: { dueInMs: null } })
  for (const { name } of nodes) {
    expect(await command('cells', 'hand-over', 'red', name)).toBe(`${name} owns red\n`)
    await letGo()
  }
  for (const cell of ['red', 'main']) {
    await command('cells', 'move', 'BETA', cell)
    expect((await decided(() => api('BETA').send('POST', '/accounts', {}))).status).toBe(201)
    await letGo()
  }
})

it('loses nothing and repeats nothing when its owner is killed during the release', async () => {
  const before = await balance(destination)
  for (let kill = 0; kill < KILLS; kill += 1) {
    expect((await insist(10_000, `before ${kill}`)).status).toBe(201)
    const owner = await ownerOfRed()
    if (kill % 2 === 0) await sleep(IDLE_MS + 400 * kill)
    else await letGo()
    owner.signal('SIGKILL')
    await owner.ended
    expect((await insist(10_000, `before ${kill}`)).status).toBe(201)
    expect((await insist(1_000, `after ${kill}`)).status).toBe(201)
    nodes[nodes.indexOf(owner)] = await fixture.start(owner.name)
  }
  await expectBalance(destination, before + KILLS * 11_000)
})

/** The output of the command. */
async function command(...words: readonly string[]): Promise<string> {
  const args = [builtMain(), ...words, '--store', fixture.store]
  return (await promisify(execFile)(process.execPath, args, { env: { PATH: process.env['PATH'] } })).stdout
}

async function ownerOfRed(): Promise<NodeProcess> {
  let owner: string | undefined
  await until('it has an owner', async () => {
    owner = (await red()).owner?.id
    // It may be idle again.
    if (owner === undefined) await decided(() => api('ACME').send('POST', '/accounts/single', byId(source)))
    return owner !== undefined
  })
  return nodes.find(({ name }) => name === owner)!
}
