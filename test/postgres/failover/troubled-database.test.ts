// Two nodes on a database that is slow, that answers too late, or whose disk is full: they report that they cannot
// serve, keep their owner, and continue afterwards. Each transfer takes effect once.
import { Connection } from '@solana/web3.js'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { apiOf } from '../../crash/api.ts'
import { expectOnceEach, signaturesSoFar } from '../../crash/audit.ts'
import { randomOf } from '../../crash/random.ts'
import type { Service } from '../../crash/service.ts'
import { settle, type Setup } from '../../crash/setup.ts'
import { anyTransfer, burst, insistAll, findUnsure, type Transfer } from '../../crash/transfer.ts'
import {
  metricOf,
  openClusterFixture,
  ownerOf,
  sureMetricOf,
  type ClusterFixture,
  type NodeProcess,
} from '../cluster-fixture.ts'
import { until } from '../nodes-fixture.ts'
import { addressOf, faultyProxy, sql, type Proxy } from '../postgres.ts'
import { showNodesOnFailure } from './show-nodes.ts'

const LEASE_MS = 3_000
const LEASE_LEFT = 'holdfast_lease_left_seconds'
const SIZE = 30
/** A statement that PostgreSQL answers as on a full disk, without losing data. */
const DISK_FULL = `
  CREATE OR REPLACE FUNCTION public.disk_full() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN RAISE EXCEPTION 'could not extend file: No space left on device' USING ERRCODE = '53100'; END $$`

let fixture: ClusterFixture
let proxy: Proxy
let nodes: NodeProcess[]
let setup: Setup
let before: Set<string>
let random: ReturnType<typeof randomOf>
/** All transfers of the test. */
const transfers: Transfer[] = []

beforeAll(async () => {
  fixture = await openClusterFixture({ LEASE_MS: String(LEASE_MS) })
  proxy = await faultyProxy(addressOf(fixture.postgres))
  const STORE = `postgres://${fixture.postgres.user}@127.0.0.1:${proxy.address.port}/postgres`
  nodes = await Promise.all(['a', 'b'].map((id) => fixture.start(id, { settings: { STORE } })))
  random = randomOf(20_260_302)
  setup = await settle(serviceAt(await ownerOf(nodes)))
  before = await signaturesSoFar(serviceAt(nodes[0]!), setup)
  await sql(addressOf(fixture.postgres), DISK_FULL)
})
showNodesOnFailure(() => nodes)
afterEach(async () => {
  proxy.delayMs = 0
  await empty('row')
  await empty('node')
})
afterAll(async () => {
  await proxy[Symbol.asyncDispose]()
  await fixture[Symbol.asyncDispose]()
})

function serviceAt(node: NodeProcess): Service {
  const connection = new Connection(fixture.rpcUrl, { commitment: 'confirmed', disableRetryOnRateLimit: true })
  return { api: apiOf(node.url, fixture.apiKey), connection } as unknown as Service
}

const full = (table: string): Promise<unknown> =>
  sql(
    addressOf(fixture.postgres),
    `CREATE TRIGGER disk_full BEFORE INSERT OR UPDATE ON holdfast.${table}
      FOR EACH STATEMENT EXECUTE FUNCTION public.disk_full()`,
  )

const empty = (table: string): Promise<unknown> =>
  sql(addressOf(fixture.postgres), `DROP TRIGGER IF EXISTS disk_full ON holdfast.${table}`)

/** Status of a read, and when it may be repeated. */
async function reads(node: NodeProcess): Promise<readonly [number, string | null]> {
  const headers = { authorization: `Bearer ${fixture.apiKey}` }
  const { status, headers: answerHeaders } = await fetch(`${node.url}/api/v1/whoami`, { headers })
  return [status, answerHeaders.get('retry-after')]
}

const leasesAreOver = (): Promise<void> =>
  until('every lease is over', async () =>
    (await Promise.all(nodes.map(({ url }) => metricOf(url, LEASE_LEFT)))).every((remaining) => remaining === 0),
  )

/** Transfers at the owner during a fault of the database: the owner stays, and all of them are done. */
async function under(name: string, happens: (owner: NodeProcess) => Promise<void>): Promise<void> {
  const owner = await ownerOf(nodes)
  const epoch = await sureMetricOf(owner.url, 'holdfast_cell_epoch')
  const newTransfers = Array.from({ length: SIZE }, (_, index) => anyTransfer(setup, random, `${name}, ${index}`))
  transfers.push(...newTransfers)
  const bursting = burst(serviceAt(owner), newTransfers, 6)
  await until('an answer', () => newTransfers.some(({ answers }) => answers.length > 0))
  await happens(owner)
  await bursting
  await insistAll(serviceAt(owner), findUnsure(newTransfers), 6)
  expect(nodes.filter(({ hasEnded }) => hasEnded)).toEqual([])
  expect(await ownerOf(nodes)).toBe(owner)
  expect(await sureMetricOf(owner.url, 'holdfast_cell_epoch')).toBe(epoch)
  await expectOnceEach(serviceAt(owner), setup, transfers, before)
}

describe('two nodes on a database', () => {
  it('continue if it answers slowly', async () => {
    await under('slow', async (owner) => {
      proxy.delayMs = 200
      await until('transfers are answered', async () => (await reads(owner))[0] === 200)
      // The first ones may all be answered by now.
      const more = Array.from({ length: SIZE }, (_, index) => anyTransfer(setup, random, `still slow, ${index}`))
      transfers.push(...more)
      const bursting = burst(serviceAt(owner), more, 6)
      const isDone = ({ answers }: Transfer): boolean => answers.some(({ status }) => status === 201)
      await until('more of them are', () => more.filter(isDone).length > 5)
      await until('it has its lease', async () => ((await metricOf(owner.url, LEASE_LEFT)) ?? 0) > 0)
      proxy.delayMs = 0
      await bursting
      await insistAll(serviceAt(owner), findUnsure(more), 6)
    })
  })

  it('answer 503 if it answers too late, and continue afterwards', async () => {
    await under('too late', async (owner) => {
      proxy.delayMs = 2 * LEASE_MS
      await leasesAreOver()
      expect(await reads(owner)).toEqual([503, '1'])
      proxy.delayMs = 0
    })
  })

  it('answer 503 if its disk is full, and continue when there is room', async () => {
    await under('full', async (owner) => {
      await full('row')
      await full('node')
      await leasesAreOver()
      expect(await reads(owner)).toEqual([503, '1'])
      await empty('node')
      await empty('row')
    })
  })

  it('answer only committed requests if it has no room for rows', async () => {
    await under('no room', async (owner) => {
      await full('row')
      const lateTransfer = anyTransfer(setup, random, 'made without room')
      transfers.push(lateTransfer)
      const answer = burst(serviceAt(owner), [lateTransfer])
      await new Promise((resolve) => setTimeout(resolve, 2 * LEASE_MS))
      expect(lateTransfer.answers.filter(({ status }) => status < 500)).toEqual([])
      await until('it answers reads', async () => (await reads(owner))[0] === 200)
      await empty('row')
      await answer
      await insistAll(serviceAt(owner), findUnsure([lateTransfer]), 1)
    })
  })
})
