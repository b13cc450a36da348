// Every extension in use: an instrument with it behaves as the extension defines, and the effect is read from the chain
// with the standard library. The permanent delegate is tested with the movements it signs, closing with the end of
// instruments.
import {
  createAssociatedTokenAccountIdempotentInstruction,
  createTransferCheckedInstruction,
  getAssociatedTokenAddressSync,
  getPermanentDelegate,
  getScaledUiAmountConfig,
  getTokenMetadata,
  TOKEN_2022_PROGRAM_ID,
} from '@solana/spl-token'
import { Keypair, PublicKey } from '@solana/web3.js'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startWorld, type World } from '../harness.ts'
import { MintFixture } from './mint-fixture.ts'
import type { Ids, Position, Result } from '../models.ts'

let world: World
let fixture: MintFixture
let authority: Ids
let owner: Ids
let other: Ids

beforeAll(async () => {
  world = await startWorld()
  fixture = await MintFixture.open(world)
  authority = await world.records.account()
  owner = await world.records.account()
  other = await world.records.account()
  await world.records.feePayer()
})

afterAll(async () => await world.stop())

const instrument = (members: { readonly [member: string]: unknown; onchainData?: object }) =>
  world.records.instrument('TOKEN_2022', authority, members)
const post = (path: string, itemData: object) => world.api.ok<Result>(201, 'POST', `/positions/${path}`, itemData)
const patch = (path: string, itemData: object) =>
  world.api.ok<{ chainTransaction?: Result }>(200, 'PATCH', path, itemData)

it('METADATA_POINTER and TOKEN_METADATA: the metadata is found through the pointer', async () => {
  const ids = await instrument({ onchainData: { name: 'Pointed', symbol: 'PTR', uri: 'https://example.org/p.json' } })
  const metadata = await getTokenMetadata(
    world.chain.connection,
    new PublicKey(ids.onchainId),
    'confirmed',
    TOKEN_2022_PROGRAM_ID,
  )
  expect(metadata).toMatchObject({ name: 'Pointed', symbol: 'PTR', uri: 'https://example.org/p.json' })
})

it('DEFAULT_ACCOUNT_STATE: a new account is frozen until the freeze authority thaws it', async () => {
  const ids = await instrument({ freezeAuthority: authority, defaultPositionState: 'FROZEN' })
  const mint = new PublicKey(ids.onchainId)
  const account = getAssociatedTokenAddressSync(mint, new PublicKey(owner.onchainId), true, TOKEN_2022_PROGRAM_ID)
  await fixture.send([
    createAssociatedTokenAccountIdempotentInstruction(
      fixture.payer.publicKey,
      account,
      new PublicKey(owner.onchainId),
      mint,
      TOKEN_2022_PROGRAM_ID,
    ),
  ])
  expect((await world.chain.token(account.toBase58())).isFrozen).toBe(true)
  const destination = { owner, financialInstrument: ids }
  await world.api.refuses(400, 'POSITION_FROZEN', 'POST', '/positions/mint', {
    destination,
    lamports: 5,
    initializeDestinationPositionIfNeeded: true,
  })
  expect(
    await post('mint', {
      destination,
      lamports: 5,
      initializeDestinationPositionIfNeeded: true,
      unfreezeDestination: true,
    }),
  ).toMatchObject({ success: true })
  expect(await world.chain.token(account.toBase58())).toMatchObject({ isFrozen: false, amount: 5n })
})

it('PERMANENT_DELEGATE: is set on the mint and applies to every account', async () => {
  const ids = await instrument({ permanentDelegateAuthority: other })
  expect(getPermanentDelegate(await world.chain.mint(ids.onchainId))?.delegate.toBase58()).toBe(other.onchainId)
})

it('PAUSABLE: no transfer is possible while the mint is paused, even outside of the service', async () => {
  const ids = await instrument({ pausableAuthority: authority })
  const mint = new PublicKey(ids.onchainId)
  const [from, to] = [fixture.payer.publicKey, new PublicKey(other.onchainId)].map((holder) =>
    getAssociatedTokenAddressSync(mint, holder, true, TOKEN_2022_PROGRAM_ID),
  ) as [PublicKey, PublicKey]
  for (const [account, holder] of [
    [from, fixture.payer.publicKey],
    [to, new PublicKey(other.onchainId)],
  ] as const) {
    await fixture.send([
      createAssociatedTokenAccountIdempotentInstruction(
        fixture.payer.publicKey,
        account,
        holder,
        mint,
        TOKEN_2022_PROGRAM_ID,
      ),
    ])
  }
  const outside = { position: { onchainId: from.toBase58(), offPlatform: true }, financialInstrument: ids }
  expect(await post('mint', { destination: outside, lamports: 10 })).toMatchObject({ success: true })
  const transfer = () =>
    fixture.send([
      createTransferCheckedInstruction(from, mint, to, fixture.payer.publicKey, 4n, 6, [], TOKEN_2022_PROGRAM_ID),
    ])
  await patch('/financial-instruments/pause', { financialInstrument: ids })
  await expect(transfer()).rejects.toThrow()
  await patch('/financial-instruments/unpause', { financialInstrument: ids })
  await transfer()
  expect(await world.chain.tokens(to.toBase58())).toBe(4n)
})

it('SCALED_UI_AMOUNT: amounts are returned and accepted as the chain shows them', async () => {
  const ids = await instrument({
    scaledUiAmountAuthority: authority,
    scaledUiAmountMultiplier: 1.25,
    onchainData: { decimals: 2 },
  })
  const position = await world.records.position(owner, ids, 1_000n)
  const toDisplayAmount = async (raw: number) =>
    (raw * (getScaledUiAmountConfig(await world.chain.mint(ids.onchainId))?.newMultiplier ?? 0)) / 100
  const balance = async () => (await world.api.read<Position>('/positions/single', { position })).balance
  expect((await balance()).amount).toBe(await toDisplayAmount(1_000))
  const destination = { owner: other, financialInstrument: ids }
  await post('transfer', {
    source: { position },
    destination,
    amount: 2.5,
    initializeDestinationPositionIfNeeded: true,
  })
  expect(await world.chain.tokens(position.onchainId)).toBe(800n)
  await patch('/financial-instruments', { mintAccount: ids, scaledUiAmountMultiplier: 3 })
  expect(await toDisplayAmount(800)).toBe(24)
  expect((await balance()).amount).toBe(24)
})

it('TRANSFER_HOOK: the chain calls the program for every transfer until it is removed', async () => {
  const program = { onchainId: Keypair.generate().publicKey.toBase58(), offPlatform: true }
  const ids = await instrument({ transferHookAuthority: authority, transferHookProgram: program })
  const position = await world.records.position(owner, ids, 10n)
  const transfer = {
    source: { position },
    destination: { owner: other, financialInstrument: ids },
    lamports: 3,
    initializeDestinationPositionIfNeeded: true,
  }
  // No such program exists on this chain.
  await world.api.refuses(400, 'TRANSFER_HOOK_UNAVAILABLE', 'POST', '/positions/transfer', transfer)
  expect(await world.chain.tokens(position.onchainId)).toBe(10n)
  await patch('/financial-instruments', { mintAccount: ids, transferHookProgram: null })
  expect(await post('transfer', transfer)).toMatchObject({ success: true })
  expect(await world.chain.tokens(position.onchainId)).toBe(7n)
})

it('CONFIDENTIAL_TRANSFER leaves ordinary amounts alone; CONFIDENTIAL_MINT_BURN can be created, not used', async () => {
  const open = await instrument({ confidentialTransferAuthority: authority })
  const position = await world.records.position(owner, open, 10n)
  expect(await world.chain.tokens(position.onchainId)).toBe(10n)

  const hiddenInstrument = await instrument({
    confidentialTransferAuthority: authority,
    confidentialMintBurnAuthority: authority,
  })
  const empty = await world.records.position(owner, hiddenInstrument)
  await world.api.refuses(400, 'EXTENSION_NOT_USABLE', 'POST', '/positions/mint', {
    destination: { position: empty },
    lamports: 1,
  })
  await world.api.refuses(400, 'EXTENSION_NOT_USABLE', 'POST', '/positions/burn', {
    source: { position: empty },
    lamports: 1,
  })
  expect(await world.chain.tokens(empty.onchainId)).toBe(0n)
})
