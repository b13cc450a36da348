// The token accounts of an owner, found on chain and recorded: each once, with its instrument, and none in a dry run.
import { createAccount, createMint, mintTo, TOKEN_2022_PROGRAM_ID, TOKEN_PROGRAM_ID } from '@solana/spl-token'
import { Keypair, PublicKey } from '@solana/web3.js'
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { once, type Client } from './client.ts'
import { startWorld, type World } from './harness.ts'
import type { Ids, Position } from './models.ts'
import { SOL } from './records.ts'

interface Named {
  readonly onchainId: string
  readonly offchainId: string | null
}

interface Discovered {
  readonly owner: Named
  readonly foundCount: number
  readonly added: readonly (Named & { readonly financialInstrument: Named })[]
  readonly known: readonly Named[]
  readonly newFinancialInstruments: readonly Named[]
  readonly skipped: readonly { readonly onchainId: string; readonly reason: string }[]
}

let world: World
let payer: Keypair
let owner: Ids

beforeAll(async () => {
  world = await startWorld()
  await world.records.feePayer()
  owner = await world.records.account()
  payer = Keypair.generate()
  await world.chain.airdrop(payer.publicKey.toBase58(), 10n * SOL)
})
afterAll(() => world.stop())

const CONFIRMED = { commitment: 'confirmed' } as const

/** A mint of an outside party, with an account that belongs to our owner. */
async function createReceived(program: PublicKey, raw: bigint): Promise<{ mint: string; account: string }> {
  const { connection } = world.chain
  const mint = await createMint(connection, payer, payer.publicKey, null, 6, Keypair.generate(), CONFIRMED, program)
  const account = await createAccount(
    connection,
    payer,
    mint,
    new PublicKey(owner.onchainId),
    Keypair.generate(),
    CONFIRMED,
    program,
  )
  await mintTo(connection, payer, mint, account, payer, raw, [], CONFIRMED, program)
  return { mint: mint.toBase58(), account: account.toBase58() }
}

const discover = async (api: Client = world.api, headers: Readonly<Record<string, string>> = {}): Promise<Discovered> =>
  (await api.ok<{ discovered: Discovered }>(200, 'POST', '/accounts/discover', { owner }, { headers })).discovered
const recordsAt = async (onchainId: string): Promise<number> => {
  const { items } = (await world.api.bulk('/accounts/bulk/identifiers', { limit: 1_000 })) as {
    items: readonly object[]
  }
  return items.filter((each) => JSON.stringify(each).includes(onchainId)).length
}

it('records every token account of an owner once, with its instrument', async () => {
  const [spl, token2022] = [await createReceived(TOKEN_PROGRAM_ID, 7n), await createReceived(TOKEN_2022_PROGRAM_ID, 9n)]
  const knownPosition = await world.records.position(
    owner,
    await world.records.instrument('SPL', await world.records.account()),
    1n,
  )
  const dry = await world.api.ok<{ dryRun: Discovered }>(
    200,
    'POST',
    '/accounts/discover',
    { owner },
    { headers: { 'Holdfast-Dry-Run': 'true' } },
  )
  expect(dry.dryRun.added.map(({ onchainId, offchainId }) => [onchainId, offchainId]).sort()).toEqual(
    [
      [spl.account, null],
      [token2022.account, null],
    ].sort(),
  )
  expect(await recordsAt(spl.account)).toBe(0)

  const key = randomUUID()
  const discovery = await discover(world.api, once(key))
  expect(discovery).toMatchObject({ owner, foundCount: 3, skipped: [], known: [knownPosition] })
  expect(discovery.newFinancialInstruments.map(({ onchainId }) => onchainId).sort()).toEqual(
    [spl.mint, token2022.mint].sort(),
  )
  for (const [{ mint, account }, raw] of [
    [spl, 7],
    [token2022, 9],
  ] as const) {
    const addedPosition = discovery.added.find(({ onchainId }) => onchainId === account)!
    const position = await world.api.read<Position>('/positions/single', {
      position: { offchainId: addedPosition.offchainId },
    })
    expect(addedPosition.financialInstrument.onchainId).toBe(mint)
    expect(position.balance.lamports).toBe(raw)
  }
  expect(await discover(world.api, once(key))).toEqual(discovery)
  const secondDiscovery = await discover()
  expect(secondDiscovery).toMatchObject({ foundCount: 3, added: [], newFinancialInstruments: [], skipped: [] })
  expect(secondDiscovery.known).toHaveLength(3)
  expect([await recordsAt(spl.account), await recordsAt(spl.mint), await recordsAt(token2022.account)]).toEqual([
    1, 1, 1,
  ])
})

it('records each account once for concurrent requests', async () => {
  const { mint, account } = await createReceived(TOKEN_PROGRAM_ID, 3n)
  const all = await Promise.all([1, 2, 3].map(() => discover()))
  expect(all.flatMap(({ added }) => added.map(({ onchainId }) => onchainId))).toEqual([account])
  expect(
    all.flatMap(({ newFinancialInstruments }) => newFinancialInstruments.map(({ onchainId }) => onchainId)),
  ).toEqual([mint])
  expect(await recordsAt(account)).toBe(1)
})

it('skips accounts whose instrument the key may not record, and reports the reason', async () => {
  const { account } = await createReceived(TOKEN_PROGRAM_ID, 5n)
  const { apiKey } = await world.api.ok<{ apiKey: string }>(201, 'POST', '/admin/api-keys', {
    organizationExternalId: 'SYSTEM',
    name: 'writes',
    roles: ['ACCOUNTS_WRITE'],
  })
  expect(await discover(world.api.as(apiKey))).toMatchObject({
    added: [],
    skipped: [{ onchainId: account, reason: 'INSTRUMENT_NOT_ON_RECORD' }],
  })
  expect((await discover()).added.map(({ onchainId }) => onchainId)).toEqual([account])
})

it('requires an owner on record, or an address', async () => {
  const onchainId = Keypair.generate().publicKey.toBase58()
  await world.api.refuses(400, 'ACCOUNT_NOT_FOUND', 'POST', '/accounts/discover', { owner: { onchainId } })
  const { discovered } = await world.api.ok<{ discovered: Discovered }>(200, 'POST', '/accounts/discover', {
    owner: { onchainId, offPlatform: true },
  })
  expect(discovered).toEqual({
    owner: { onchainId, offchainId: null },
    foundCount: 0,
    added: [],
    known: [],
    newFinancialInstruments: [],
    skipped: [],
  })
})
