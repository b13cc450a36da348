// Two nodes on a database that is slow, that answers too late, or whose disk is full: they say that they cannot serve,
// keep their owner, and go on when it is over. Each transfer takes effect once.
import { Connection } from '@solana/web3.js'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { apiOf } from '../crash/api.ts'
import { expectOnceEach, signaturesSoFar } from '../crash/audit.ts'
import { diceOf } from '../crash/dice.ts'
import type { Service } from '../crash/service.ts'
import { settle, type Town } from '../crash/town.ts'
import { anyTransfer, burst, insistAll, unsure, type Transfer } from '../crash/transfer.ts'
import { metricOf, openClusterYard, ownerOf, type ClusterYard, type NodeProcess } from './cluster-yard.ts'
import { until } from './nodes-yard.ts'
import { addressOf, faultyProxy, sql, type Proxy } from './postgres.ts'

const LEASE_MS = 3_000
const SIZE = 30
/** A statement that PostgreSQL answers as on a full disk, while it holds what it held. */
const DISK_FULL = `
  CREATE OR REPLACE FUNCTION public.disk_full() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN RAISE EXCEPTION 'could not extend file: No space left on device' USING ERRCODE = '53100'; END $$`

let yard: ClusterYard
let proxy: Proxy
let nodes: NodeProcess[]
let town: Town
let before: Set<string>
let dice: ReturnType<typeof diceOf>
/** All that were ever made. */
const transfers: Transfer[] = []

beforeAll(async () => {
  yard = await openClusterYard({ LEASE_MS: String(LEASE_MS) })
  proxy = await faultyProxy(addressOf(yard.postgres))
  const STORE = `postgres://${yard.postgres.user}@127.0.0.1:${proxy.address.port}/postgres`
  nodes = await Promise.all(['a', 'b'].map((id) => yard.start(id, { settings: { STORE } })))
  dice = diceOf(20_260_302)
  town = await settle(serviceAt(await ownerOf(nodes)))
  before = await signaturesSoFar(serviceAt(nodes[0]!), town)
  await sql(addressOf(yard.postgres), DISK_FULL)
})
afterEach(async () => {
  proxy.delayMs = 0
  await empty('row')
  await empty('node')
})
afterAll(async () => {
  await proxy[Symbol.asyncDispose]()
  await yard[Symbol.asyncDispose]()
})

function serviceAt(node: NodeProcess): Service {
  const connection = new Connection(yard.rpcUrl, { commitment: 'confirmed', disableRetryOnRateLimit: true })
  return { api: apiOf(node.url, yard.apiKey), connection } as unknown as Service
}

const full = (table: string): Promise<unknown> =>
  sql(
    addressOf(yard.postgres),
    `CREATE TRIGGER disk_full BEFORE INSERT OR UPDATE ON holdfast.${table}
      FOR EACH STATEMENT EXECUTE FUNCTION public.disk_full()`,
  )

const empty = (table: string): Promise<unknown> =>
  sql(addressOf(yard.postgres), `DROP TRIGGER IF EXISTS disk_full ON holdfast.${table}`)

/** Status of a request that only reads, and when it may be repeated. */
async function reads(node: NodeProcess): Promise<readonly [number, string | null]> {
  const headers = { authorization: `Bearer ${yard.apiKey}` }
  const { status, headers: given } = await fetch(`${node.url}/api/v1/whoami`, { headers })
  return [status, given.get('retry-after')]
}

const leasesAreOver = (): Promise<void> =>
  until('every lease is over', async () =>
    (await Promise.all(nodes.map(({ url }) => metricOf(url, 'holdfast_lease_left_seconds')))).every(
      (left) => left === 0,
    ),
  )

/** Transfers at the owner while something happens to the database: nobody takes over, and all of them are done. */
async function under(name: string, happens: (owner: NodeProcess) => Promise<void>): Promise<void> {
  const owner = await ownerOf(nodes)
  const epoch = await metricOf(owner.url, 'holdfast_cell_epoch')
  const made = Array.from({ length: SIZE }, (_, index) => anyTransfer(town, dice, `${name}, ${index}`))
  transfers.push(...made)
  const bursting = burst(serviceAt(owner), made, 6)
  await until('an answer', () => made.some(({ answers }) => answers.length > 0))
  await happens(owner)
  await bursting
  await insistAll(serviceAt(owner), unsure(made), 6)
  expect(nodes.filter(({ hasEnded }) => hasEnded)).toEqual([])
  expect(await ownerOf(nodes)).toBe(owner)
  expect(await metricOf(owner.url, 'holdfast_cell_epoch')).toBe(epoch)
  await expectOnceEach(serviceAt(owner), town, transfers, before)
}

describe('two nodes on a database', () => {
  it('that answers slowly go on', async () => {
    await under('slow', async (owner) => {
      proxy.delayMs = 200
      await until('transfers are answered', async () => (await reads(owner))[0] === 200)
      const done = transfers.filter(({ answers }) => answers.length > 0).length
      await until('more of them are', () => transfers.filter(({ answers }) => answers.length > 0).length > done + 5)
      expect(await metricOf(owner.url, 'holdfast_lease_left_seconds')).toBeGreaterThan(0)
      proxy.delayMs = 0
    })
  })

  it('that answers too late answer 503, and go on when it is over', async () => {
    await under('too late', async (owner) => {
      proxy.delayMs = 2 * LEASE_MS
      await leasesAreOver()
      expect(await reads(owner)).toEqual([503, '1'])
      proxy.delayMs = 0
    })
  })

  it('whose disk is full answer 503, and go on when there is room', async () => {
    await under('full', async (owner) => {
      await full('row')
      await full('node')
      await leasesAreOver()
      expect(await reads(owner)).toEqual([503, '1'])
      await empty('node')
      await empty('row')
    })
  })

  it('that has no room for rows answer what is committed already, and nothing else', async () => {
    await under('no room', async (owner) => {
      await full('row')
      const late = anyTransfer(town, dice, 'made without room')
      transfers.push(late)
      const answered = burst(serviceAt(owner), [late])
      await new Promise((resolve) => setTimeout(resolve, 2 * LEASE_MS))
      expect(late.answers.filter(({ status }) => status < 500)).toEqual([])
      expect((await reads(owner))[0]).toBe(200)
      await empty('row')
      await answered
      await insistAll(serviceAt(owner), unsure([late]), 1)
    })
  })
})
