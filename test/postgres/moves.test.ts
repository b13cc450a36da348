// Tenants that move between cells, with nodes as real processes on one database: under load, to and fro, with the
// command killed in the middle and with owners killed, each request takes effect once and each tenant is in one cell.
import { Connection } from '@solana/web3.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createCell } from '../../src/cli/cells/create-cell.ts'
import { moveToCell } from '../../src/cli/cells/move-tenant.ts'
import type { SharedService } from '../../src/cli/cells/shared-service.ts'
import { holdfast } from '../../src/client/client.ts'
import { NodeRows } from '../../src/nodes/node-rows.ts'
import { prepareDatabase } from '../../snapshots/postgres/postgres-store.ts'
import { apiOf, type Api } from '../crash/api.ts'
import { expectOnceEach, signaturesSoFar } from '../crash/audit.ts'
import { diceOf } from '../crash/dice.ts'
import type { Service } from '../crash/service.ts'
import { settle, type Town } from '../crash/town.ts'
import { anyTransfer, ask, burst, insistAll, unsure, type Transfer } from '../crash/transfer.ts'
import { openClusterYard, type ClusterYard, type NodeProcess } from './cluster-yard.ts'
import { until } from './nodes-yard.ts'
import { addressOf, sql } from './postgres.ts'

const LEASE_MS = 3_000
const SIZE = 60

let yard: ClusterYard
let nodes: NodeProcess[]
let service: SharedService
let town: Town
let before: Set<string>
let acmeKey: string
const transfers: Transfer[] = []
const dice = diceOf(20_260_302)
const closing: (() => void)[] = []

beforeAll(async () => {
  yard = await openClusterYard({ LEASE_MS: String(LEASE_MS) })
  nodes = await Promise.all(['a', 'b'].map((id) => yard.start(id)))
  const { database } = await prepareDatabase({ address: addressOf(yard.postgres), waitMs: 30_000 })
  const lane = database.lane()
  service = { database, rows: new NodeRows(lane, 5_000) }
  closing.push(
    () => lane.destroy(),
    () => database.close(),
  )
  await served()
  acmeKey = await newTenant('ACME')
  town = await settle(anyNode(acmeKey))
  before = await signaturesSoFar(anyNode(acmeKey), town)
})
afterAll(async () => {
  for (const close of closing) close()
  await yard[Symbol.asyncDispose]()
})

const alive = (): NodeProcess[] => nodes.filter(({ hasEnded }) => !hasEnded)
const rows = async (text: string) => await sql(addressOf(yard.postgres), text)
const cellOf = async (tenant: string): Promise<string | null | undefined> =>
  (await rows(`SELECT cell FROM holdfast.tenant WHERE tenant = '${tenant}'`))[0]?.[0]
const client = (apiKey: string) => holdfast({ url: alive().map(({ url }) => url), apiKey })
const move = (tenant: string, cell: string): Promise<string> => moveToCell(service, tenant, cell)

/** Every cell answers at every node. */
async function served(): Promise<void> {
  await until(
    'every cell is served',
    async () => {
      const states = await Promise.all(
        alive().map(async ({ url }) => (await fetch(`${url}/readyz`).catch(() => null))?.status),
      )
      return states.every((status) => status === 200)
    },
    60_000,
  )
}

async function newTenant(externalId: string): Promise<string> {
  const system = client(yard.apiKey)
  await system.post('/admin/organizations', { itemData: { externalId, name: externalId } })
  const { apiKey } = (await system.post('/admin/api-keys', {
    itemData: { organizationExternalId: externalId, name: externalId, bundle: 'ADMIN' },
  })) as unknown as { readonly apiKey: string }
  return apiKey
}

/** The service at any of its nodes, each request at another one. A lost answer and an unknown outcome are the same. */
function anyNode(apiKey: string): Service {
  let turn = 0
  const next = (): Api => {
    turn += 1
    return apiOf(alive()[turn % alive().length]!.url, apiKey)
  }
  const api: Api = {
    async send(...given) {
      const answer = await next().send(...given)
      if (answer.status === 504) throw new Error('the outcome is not known')
      return answer
    },
    get: (...given) => next().get(...given),
    make: (...given) => next().make(...given),
    query: (...given) => next().query(...given),
  }
  const connection = new Connection(yard.rpcUrl, { commitment: 'confirmed', disableRetryOnRateLimit: true })
  return { api, connection } as unknown as Service
}

/** Transfers of the tenant at all nodes while something happens; then each is repeated until it is done. */
async function under(name: string, happens: () => Promise<void>): Promise<readonly Transfer[]> {
  const made = Array.from({ length: SIZE }, (_, index) => anyTransfer(town, dice, `${name}, ${index}`))
  transfers.push(...made)
  const acme = anyNode(acmeKey)
  const bursting = burst(acme, made, 8)
  await until('an answer', () => made.some(({ answers }) => answers.length > 0))
  await happens()
  await bursting
  await insistAll(acme, unsure(made), 8)
  return made
}

describe('a cell', () => {
  it('is made, and a node claims it', async () => {
    expect(['a', 'b']).toContain(await createCell(service, 'red'))
    await served()
    await expect(createCell(service, 'red')).rejects.toThrow('there is a cell red already')
    for (const name of ['', '-x', 'x-', 'a b', 'ä', 'x'.repeat(41)])
      await expect(createCell(service, name)).rejects.toThrow('1 to 40 letters, digits and hyphens')
  })
})

describe('a tenant', () => {
  it('moves under load: no call of a client fails, and each transfer takes effect once', async () => {
    const failures: unknown[] = []
    let over = false
    const reading = Promise.all(
      [acmeKey, yard.apiKey].map(async (key) => {
        const hf = client(key)
        while (!over) await hf.get('/whoami').catch((error: unknown) => failures.push(error))
      }),
    )
    await under('moved', async () => {
      expect(await move('ACME', 'red')).toBe('main')
    })
    over = true
    await reading
    expect(failures).toEqual([])
    expect(await cellOf('ACME')).toBe('red')
    await expectOnceEach(anyNode(acmeKey), town, transfers, before)
  })

  it('keeps its idempotency keys: a request that is repeated has the answer of before', async () => {
    const [known] = transfers
    const first = known!.answers.find(({ status }) => status === 201)!
    const again = await ask(anyNode(acmeKey), known!)
    expect(again).toMatchObject({ status: 201, replayed: true, body: { offchainId: first.body['offchainId'] } })
  })
})
