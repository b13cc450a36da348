// Claims on one real PostgreSQL with two cells: of two concurrent writes of the same name one succeeds, and the other
// finds it.
import { Keypair } from '@solana/web3.js'
import bs58 from 'bs58'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Postgres } from '../../bench/postgres/server.ts'
import { atHand } from '../../snapshots/at-hand.ts'
import { ReadUnanswered } from '../../snapshots/errors.ts'
import { NotAtHand } from '../../snapshots/not-at-hand.ts'
import type { PostgresStore } from '../../snapshots/postgres/postgres-store.ts'
import type { Store, StoreOp } from '../../snapshots/store.ts'
import { Client } from '../e2e/client.ts'
import { eventually } from '../e2e/harness.ts'
import { Onchain } from '../e2e/onchain.ts'
import { Records } from '../e2e/records.ts'
import type { Result } from '../e2e/models.ts'
import { openClusterFixture } from './cluster-fixture.ts'
import { emptyCells } from './empty-cells.ts'
import { addressOf, claimedStore, ownPostgres, sql } from './postgres.ts'
import { moveTenant } from './second-cell.ts'

const CLUSTER = 'CHAIN_DEVNET'

let postgres: Postgres
beforeAll(async () => {
  postgres = await ownPostgres()
})
afterAll(() => postgres[Symbol.asyncDispose]())

describe('two stores', () => {
  const openStores: PostgresStore[] = []
  const failures: Error[] = []
  async function storeOf(cell: string): Promise<PostgresStore> {
    const onFatal = (error: Error): void => void failures.push(error)
    const store = await claimedStore(addressOf(postgres), { cell, hasNeighbours: () => true, onFatal })
    openStores.push(store)
    return store
  }
  beforeEach(async () => {
    failures.length = 0
    await emptyCells(addressOf(postgres), ['red'])
    return async () => {
      for (const store of openStores.splice(0)) await store.close().catch(() => undefined)
    }
  })

  const message = (tenant: string, hash: string): StoreOp => ({
    ...{ type: 'message', tenant, cluster: CLUSTER, hash },
    transactionId: `${tenant} ${hash}`,
  })

  const write = (store: Store, tenant: string, hash: string): Promise<void> =>
    store.commit([{ tenant, epoch: store.epoch, ops: [message(tenant, hash)] }])

  /** True if the tenant has claimed the message. */
  async function tries(store: Store, tenant: string, hash: string): Promise<boolean> {
    let isTaken = false
    let writing: Promise<void> | undefined
    const attempt = (): Promise<void> =>
      atHand(store, () => {
        isTaken = store.transactionOfMessage(CLUSTER, hash) !== undefined
        if (isTaken) return
        store.names!.claim(hash, [{ read: 'message', cluster: CLUSTER, hash }])
        writing = write(store, tenant, hash)
      })
    // On a busy machine the other store may hold its claim longer than a claim waits.
    await attempt().catch((error: unknown) => {
      if (error instanceof ReadUnanswered) return attempt()
      throw error
    })
    await writing
    return !isTaken
  }

  it('claim a message before they write it: each belongs to one of them', async () => {
    const [main, red] = [await storeOf('main'), await storeOf('red')]
    const hashes = Array.from({ length: 60 }, (_, at) => `message-${at}`)
    const results = await Promise.all(
      hashes.map((hash) => Promise.all([tries(main, 'one', hash), tries(red, 'two', hash)])),
    )
    for (const [byMain, byRed] of results) expect(Number(byMain) + Number(byRed)).toBe(1)
    expect(failures).toEqual([])
    const holders = hashes.map((hash, at) => `"${results[at]![0] ? 'one' : 'two'} ${hash}"`)
    const claims = await sql(addressOf(postgres), "SELECT value FROM holdfast.row WHERE key LIKE 'h!%'")
    expect(claims.flat().sort()).toEqual(holders.sort())
  })

  it('read under a claim what another one wrote, regardless of their caches', async () => {
    const [main, red] = [await storeOf('main'), await storeOf('red')]
    const [known, hash] = [{ read: 'message', cluster: CLUSTER, hash: 'x' } as const, 'x']
    for (const store of [main, red]) await store.fetch([known])
    expect(red.transactionOfMessage(CLUSTER, hash)).toBeUndefined()
    expect(await tries(main, 'one', hash)).toBe(true)
    expect(await tries(red, 'two', hash)).toBe(false)
    expect(failures).toEqual([])
  })

  it('hold a claim for a moment only, and not beyond their ownership', async () => {
    const [main, red] = [await storeOf('main'), await storeOf('red')]
    expect(() => main.names!.claim('x', [])).toThrow(NotAtHand)
    await main.fetch([{ read: 'claim', name: 'x' }])
    main.names!.claim('x', [])
    expect(() => red.names!.claim('x', [])).toThrow(NotAtHand)
    await red.fetch([{ read: 'claim', name: 'x' }])
    expect(() => main.names!.claim('x', [])).toThrow(NotAtHand)
    // The next owner of the cell that has it now; its claims end with it.
    await storeOf('red')
    await main.fetch([{ read: 'claim', name: 'x' }])
    main.names!.claim('x', [])
    await eventually(async () => expect(await sql(addressOf(postgres), 'SELECT 1 FROM holdfast.claim')).toEqual([]))
  })

  it('without a claim, the second one is refused by the database as a whole', async () => {
    const [main, red] = [await storeOf('main'), await storeOf('red')]
    for (const store of [main, red]) await store.fetch([{ read: 'message', cluster: CLUSTER, hash: 'm' }])
    await write(main, 'one', 'm')
    const beside: StoreOp = { type: 'meta', name: 'beside', value: 1 }
    const ops = [message('two', 'm')]
    await expect(red.commit([{ tenant: 'two', epoch: red.epoch, ops: [...ops, beside] }])).rejects.toThrow()
    expect(failures).toHaveLength(1)
    await main.fetch([{ read: 'message', cluster: CLUSTER, hash: 'm' }])
    expect(main.transactionOfMessage(CLUSTER, 'm')).toBe('one m')
    expect(await sql(addressOf(postgres), "SELECT 1 FROM holdfast.row WHERE key = 'm!beside'")).toEqual([])
  })
})

it('tenants of two cells with one key pay twice, but an external id is unique', async () => {
  await using fixture = await openClusterFixture({ LEASE_MS: '10000' })
  let node = await fixture.start('a')
  const system = (): Client => new Client(node.url, fixture.apiKey)
  await eventually(async () => expect((await system().get('/whoami')).status).toBe(200))
  const parties: { readonly api: Client }[] = []
  const keypair = Keypair.generate()
  const onchainId = keypair.publicKey.toBase58()
  const chain = new Onchain(fixture.rpcUrl)
  await chain.airdrop(onchainId, 10_000_000_000n)
  for (const externalId of ['ACME', 'BETA']) {
    await system().ok(201, 'POST', '/admin/organizations', { externalId, name: externalId })
    const key = { organizationExternalId: externalId, name: 'test', bundle: 'ADMIN' }
    const { apiKey } = await system().ok<{ apiKey: string }>(201, 'POST', '/admin/api-keys', key)
    const api = new Client(node.url, apiKey)
    await api.ok(201, 'POST', '/accounts', {
      onchainId,
      privateKeyDetails: { privateKey: bs58.encode(keypair.secretKey) },
      alreadyOnChain: true,
      canPayFees: true,
      networkCurrencyDebitLimits: [],
    })
    parties.push({ api })
  }
  const [acme, beta] = parties as [(typeof parties)[0], (typeof parties)[0]]
  node = await moveTenant(fixture, node, 'ACME')
  for (const { api } of parties) await eventually(async () => expect((await api.get('/whoami')).status).toBe(200))
  const destination = await new Records(beta.api, chain).account()
  const before = await chain.lamports(destination.onchainId)
  const pay = { source: { onchainId }, destination: { onchainId: destination.onchainId }, lamports: 3_000_000 }
  const signatures = new Set<string>()
  for (let round = 0; round < 10; round += 1) {
    const both = await Promise.all(
      [acme, beta].map(({ api }) => api.ok<Result>(201, 'POST', '/positions/transfer-network-currency', pay)),
    )
    for (const { onchainId: signature } of both) signatures.add(signature!)
  }
  expect(signatures.size).toBe(20)
  await eventually(async () => expect(await chain.lamports(destination.onchainId)).toBe(before + 60_000_000n))
  // One key each, granted to the other: both can create the same message, and neither has both keys.
  const [ofAcme, ofBeta] = [new Records(acme.api, chain), new Records(beta.api, chain)]
  const payer = await ofAcme.feePayer({ globalFeePayerForOrgs: ['BETA'], networkCurrencyDebitLimits: [] })
  const source = await ofBeta.funded({
    orgsAllowedToSignWithPrivateKey: ['ACME'],
    networkCurrencyDebitLimits: [],
  })
  await beta.api.ok(200, 'PATCH', '/admin/organizations', { externalId: 'BETA', acceptedFeePayers: [payer.onchainId] })
  const itemData = { ...pay, source: { onchainId: source.onchainId } }
  const config = { feePayer: { onchainId: payer.onchainId } }
  signatures.clear()
  for (let round = 0; round < 5; round += 1) {
    const both = await Promise.all(
      [acme, beta].map(({ api }) =>
        api.ok<Result>(201, 'POST', '/positions/transfer-network-currency', itemData, { config }),
      ),
    )
    for (const { onchainId: signature } of both) signatures.add(signature!)
  }
  expect(signatures.size).toBe(10)
  await eventually(async () => expect(await chain.lamports(destination.onchainId)).toBe(before + 90_000_000n))
  // A key of neither: no cell can know who has it.
  const outside = { onchainId: Keypair.generate().publicKey.toBase58(), offPlatform: true }
  for (let round = 0; round < 5; round += 1) {
    const item = { ...pay, source: outside, lamports: 5_000_000 + round }
    const both = await Promise.all(
      [acme, beta].map(({ api }) =>
        api.ok<Result>(201, 'POST', '/positions/transfer-network-currency', item, { config: { feePayer: outside } }),
      ),
    )
    expect(new Set(both.map(({ serializedMessage }) => serializedMessage)).size).toBe(2)
  }
  for (let round = 0; round < 5; round += 1) {
    const externalId = `SAME-${round}`
    const organization = { externalId, name: externalId }
    const responses = await Promise.all([
      system().send('POST', '/admin/organizations', organization),
      acme.api.send('POST', '/admin/organizations', { ...organization, parentExternalId: 'ACME' }),
    ])
    expect(responses.map(({ status }) => status).sort()).toEqual([201, 400])
  }
})
