// Authorities of a mint are transferred and revoked. The state of the chain is read with the standard library, and the
// operation that an authority permits shows who can use it.
import { randomUUID } from 'node:crypto'
import {
  AuthorityType,
  createSetAuthorityInstruction,
  ExtensionType,
  getExtensionData,
  getMetadataPointerState,
  getMintCloseAuthority,
  getPausableConfig,
  getPermanentDelegate,
  getScaledUiAmountConfig,
  getTokenMetadata,
  getTransferHook,
  TOKEN_2022_PROGRAM_ID,
  type Mint,
} from '@solana/spl-token'
import { Keypair, PublicKey, VersionedMessage, VersionedTransaction } from '@solana/web3.js'
import bs58 from 'bs58'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { once } from '../client.ts'
import { eventually, startWorld, type World } from '../harness.ts'
import type { Ids, Instrument, Result, WithTransaction } from '../models.ts'
import { MintFixture } from './mint-fixture.ts'
import { newParty } from '../../trust/fixtures/parties.ts'

const PATH = '/financial-instruments/authorities'
const MEMBERS = {
  mint: 'mintAuthority',
  freeze: 'freezeAuthority',
  update: 'updateAuthority',
  permanentDelegate: 'permanentDelegateAuthority',
  closing: 'closingAuthority',
  pausable: 'pausableAuthority',
  scaledUiAmount: 'scaledUiAmountAuthority',
  transferHook: 'transferHookAuthority',
  confidentialTransfer: 'confidentialTransferAuthority',
  metadataPointer: 'metadataPointerAuthority',
} as const satisfies Record<string, keyof Instrument>
type Member = keyof typeof MEMBERS
const ALL = Object.keys(MEMBERS) as Member[]

let world: World
let first: Ids
let second: Ids
let holder: Ids

beforeAll(async () => {
  world = await startWorld()
  await world.records.feePayer({ networkCurrencyDebitLimits: [] })
  first = await world.records.account()
  second = await world.records.account()
  holder = await world.records.account()
})
afterAll(() => world.stop())

const change = (ids: Ids, authorities: object, more: object = {}): Promise<WithTransaction> =>
  world.api.ok<WithTransaction>(200, 'PATCH', PATH, { financialInstrument: ids, authorities, ...more })
const refuses = (code: string, ids: object, authorities: object, more: object = {}, status = 400) =>
  world.api.refuses(status, code, 'PATCH', PATH, { financialInstrument: ids, authorities, ...more })
const toAll = (next: object | null, members: readonly Member[] = ALL): object =>
  Object.fromEntries(members.map((member) => [member, next]))

/** A mint with every authority, all held by one account. */
const full = (authority: Ids, members: object = {}): Promise<Ids> =>
  world.records.instrument('TOKEN_2022', authority, {
    freezeAuthority: authority,
    permanentDelegateAuthority: authority,
    closingAuthority: authority,
    pausableAuthority: authority,
    scaledUiAmountAuthority: authority,
    transferHookAuthority: authority,
    confidentialTransferAuthority: authority,
    onchainData: { decimals: 2, name: 'Full', symbol: 'FULL' },
    ...members,
  })

const expectSuccess = ({ chainTransaction }: WithTransaction): Result => {
  expect(chainTransaction, JSON.stringify(chainTransaction)).toMatchObject({ success: true })
  return chainTransaction!
}

/** Waits for signatures from outside, and this service has signed nothing. */
const prepared = ({ chainTransaction }: WithTransaction): Result => {
  expect(chainTransaction, JSON.stringify(chainTransaction)).toMatchObject({ success: false, status: 'PREPARED' })
  return chainTransaction!
}

const newAddress = (): string => Keypair.generate().publicKey.toBase58()

const addressOrNull = (key: PublicKey | null | undefined): string | null =>
  key == null || key.equals(PublicKey.default) ? null : key.toBase58()

/** The authorities that the library reads from the mint. */
async function onChain({ onchainId }: Ids): Promise<Record<Member, string | null>> {
  const mint: Mint = await world.chain.mint(onchainId)
  const confidential = getExtensionData(ExtensionType.ConfidentialTransferMint, mint.tlvData)
  const metadata = await getTokenMetadata(
    world.chain.connection,
    new PublicKey(onchainId),
    'confirmed',
    TOKEN_2022_PROGRAM_ID,
  )
  return {
    mint: addressOrNull(mint.mintAuthority),
    freeze: addressOrNull(mint.freezeAuthority),
    update: addressOrNull(metadata?.updateAuthority),
    permanentDelegate: addressOrNull(getPermanentDelegate(mint)?.delegate),
    closing: addressOrNull(getMintCloseAuthority(mint)?.closeAuthority),
    pausable: addressOrNull(getPausableConfig(mint)?.authority),
    scaledUiAmount: addressOrNull(getScaledUiAmountConfig(mint)?.authority),
    transferHook: addressOrNull(getTransferHook(mint)?.authority),
    confidentialTransfer: confidential === null ? null : addressOrNull(new PublicKey(confidential.subarray(0, 32))),
    metadataPointer: addressOrNull(getMetadataPointerState(mint)?.authority),
  }
}

/** The record equals the chain. */
async function equalsChain(ids: Ids): Promise<Record<Member, string | null>> {
  const [record, chain] = await Promise.all([world.records.instrumentRecord(ids), onChain(ids)])
  const recorded = Object.fromEntries(ALL.map((member) => [member, record[MEMBERS[member]]?.onchain.id ?? null]))
  expect(recorded).toEqual(chain)
  return chain
}

describe('the authorities of a token', () => {
  it('are transferred in one transaction: the new holder can use each, and the old holder none', async () => {
    const ids = await full(first)
    const position = await world.records.position(holder, ids)
    const result = expectSuccess(await change(ids, toAll(second)))
    expect((await world.chain.transaction(result.onchainId!)).transaction.message.header.numRequiredSignatures).toBe(2)
    const chain = await equalsChain(ids)
    for (const member of ALL) expect(chain[member], member).toBe(second.onchainId)
    for (const member of ALL)
      expect((await refuses('AUTHORITY_UNCHANGED', ids, { [member]: second })).pointer).toBe(
        `/itemData/authorities/${member}`,
      )

    const uses = (by: Ids): readonly (readonly ['POST' | 'PATCH', string, object])[] => [
      ['POST', '/positions/mint', { destination: { position }, lamports: '5', mintAuthority: by }],
      ['PATCH', '/positions/freeze', { position: { position, freezeAuthority: by } }],
      ['PATCH', '/positions/unfreeze', { position: { position, freezeAuthority: by } }],
      ['PATCH', '/financial-instruments/pause', { financialInstrument: ids, pausableAuthority: by }],
      ['PATCH', '/financial-instruments/unpause', { financialInstrument: ids, pausableAuthority: by }],
      [
        'PATCH',
        '/financial-instruments',
        { mintAccount: ids, onchainData: { name: by.offchainId }, updateAuthority: by },
      ],
      [
        'PATCH',
        '/financial-instruments',
        { mintAccount: ids, scaledUiAmountMultiplier: 3, currentScaledUiAmountAuthority: by },
      ],
      [
        'PATCH',
        '/financial-instruments',
        { mintAccount: ids, transferHookProgram: second, currentTransferHookAuthority: by },
      ],
    ]
    for (const [method, path, body] of uses(first).filter(([, path]) => path !== '/financial-instruments/unpause'))
      await world.api.refuses(400, 'LOOKUP_MISMATCH', method, path, body)
    for (const [method, path, body] of uses(second)) {
      const { status, body: answer } = await world.api.send<Result & WithTransaction>(method, path, body)
      expect(status, JSON.stringify(answer)).toBeLessThan(300)
      expect((answer.chainTransaction ?? answer).success, JSON.stringify(answer)).toBe(true)
    }
    await world.records.instrumentEqualsChain(ids)
  })

  it('are each transferred alone, and back by the new holder, without changing the others', async () => {
    for (const member of ALL) {
      const ids = await full(first)
      expectSuccess(await change(ids, { [member]: second }))
      const chain = await equalsChain(ids)
      for (const each of ALL)
        expect(chain[each], `${each} after ${member}`).toBe(each === member ? second.onchainId : first.onchainId)
      expectSuccess(await change(ids, { [member]: first }))
      expect((await equalsChain(ids))[member], member).toBe(first.onchainId)
    }
  })

  it('are revoked for ever, with a confirmation', async () => {
    const ids = await full(first)
    const position = await world.records.position(holder, ids, 10n)
    expect((await refuses('CONFIRMATION_REQUIRED', ids, { freeze: null })).pointer).toBe('/itemData/confirm')
    expect((await refuses('CONFIRMATION_REQUIRED', ids, { freeze: null }, { confirm: false })).pointer).toBe(
      '/itemData/confirm',
    )
    expect((await equalsChain(ids)).freeze).toBe(first.onchainId)
    for (const member of ALL) {
      expectSuccess(await change(ids, { [member]: null }, { confirm: true }))
      expect((await equalsChain(ids))[member], member).toBeNull()
      expect((await refuses('NO_AUTHORITY', ids, { [member]: second })).pointer).toBe(`/itemData/authorities/${member}`)
      await refuses('NO_AUTHORITY', ids, { [member]: null }, { confirm: true })
    }
    await world.api.refuses(400, 'NO_AUTHORITY', 'POST', '/positions/mint', {
      destination: { position },
      lamports: '1',
    })
    await world.api.refuses(400, 'NO_AUTHORITY', 'PATCH', '/positions/freeze', { position: { position } })
    await world.api.refuses(400, 'NO_AUTHORITY', 'PATCH', '/financial-instruments/pause', { financialInstrument: ids })
    await world.api.refuses(400, 'NO_AUTHORITY', 'PATCH', '/financial-instruments', {
      mintAccount: ids,
      onchainData: { name: 'New' },
    })
    expect(await world.chain.supply(ids.onchainId)).toBe(10n)
  })

  it('of an SPL token are mint and freeze', async () => {
    const ids = await world.records.instrument('SPL', first, { freezeAuthority: first })
    expectSuccess(await change(ids, { mint: second, freeze: null }, { confirm: true }))
    const mint = await world.chain.mint(ids.onchainId)
    expect([addressOrNull(mint.mintAuthority), addressOrNull(mint.freezeAuthority)]).toEqual([second.onchainId, null])
    await world.records.instrumentEqualsChain(ids)
    for (const member of ALL.filter((each) => each !== 'mint' && each !== 'freeze'))
      expect((await refuses('TOKEN_2022_REQUIRED', ids, { [member]: second })).pointer).toBe(
        `/itemData/authorities/${member}`,
      )
  })

  it('change together or not at all, each signed by its own holder', async () => {
    const ids = await full(first, { freezeAuthority: second })
    const { onchainId } = expectSuccess(await change(ids, { mint: second, freeze: first }))
    expect((await world.chain.transaction(onchainId!)).transaction.message.header.numRequiredSignatures).toBe(3)
    expect(await equalsChain(ids)).toMatchObject({ mint: second.onchainId, freeze: first.onchainId })
    await refuses('AUTHORITY_UNCHANGED', ids, { mint: first, freeze: first })
    expect(await equalsChain(ids)).toMatchObject({ mint: second.onchainId, freeze: first.onchainId })
  })
})

describe('a change of authorities', () => {
  it('can go to an account outside, whose signature brings it back', async () => {
    const ids = await full(first)
    const outside = Keypair.generate()
    const address = outside.publicKey.toBase58()
    expectSuccess(await change(ids, { mint: { onchainId: address, offPlatform: true } }))
    expect((await equalsChain(ids)).mint).toBe(address)
    const result = prepared(await change(ids, { mint: first, freeze: second }))
    const signed = new VersionedTransaction(
      VersionedMessage.deserialize(Buffer.from(result.serializedMessage, 'base64')),
    )
    signed.sign([outside])
    const place = signed.message.staticAccountKeys.findIndex((each) => each.equals(outside.publicKey))
    const signatures = [{ onchainId: address, signature: bs58.encode(signed.signatures[place]!) }]
    const transaction = { offchainId: result.offchainId }
    await world.api.ok(200, 'POST', '/transactions/sign', { transaction, signatures })
    expect(await world.api.ok<Result>(200, 'POST', '/transactions/submit', { transaction })).toMatchObject({
      success: true,
    })
    expect(await equalsChain(ids)).toMatchObject({ mint: first.onchainId, freeze: second.onchainId })
  })

  it('waits for the present holder outside, as the change of that authority with the instrument does', async () => {
    const onboarded = await world.records.account({ onchainId: newAddress(), managed: false })
    for (const closing of [{ onchainId: newAddress(), offPlatform: true }, onboarded]) {
      const ids = await full(first, { closingAuthority: closing })
      for (const answer of [
        await change(ids, { closing: second }),
        await world.api.ok<WithTransaction>(200, 'PATCH', '/financial-instruments', {
          mintAccount: ids,
          newClosingAuthority: second,
        }),
      ])
        prepared(answer)
      expect((await equalsChain(ids)).closing).toBe(closing.onchainId)
    }
  })

  it('waits for a holder of another tenant as for an address that nobody onboarded', async () => {
    const stranger = await newParty(world, `ORG-${randomUUID()}`)
    const { onchainId } = await stranger.records.account()
    const ids = await full(first, { closingAuthority: { onchainId, offPlatform: true } })
    prepared(await change(ids, { closing: second }))
    const filter = [{ fieldName: 'awaitsOurSignature', filterValues: [{ filterType: 'EQUALS', valueBoolean: true }] }]
    expect(await stranger.api.bulk('/transactions/bulk/compact', { filter })).toMatchObject({ count: 0 })
  })

  it('requires an open instrument of the organization, the extension, and at least one change', async () => {
    const plain = await world.records.instrument('TOKEN_2022', first, { closingAuthority: first })
    for (const member of ALL.filter((each) => !['mint', 'freeze', 'closing'].includes(each)))
      expect((await refuses('EXTENSION_MISSING', plain, { [member]: second })).pointer).toBe(
        `/itemData/authorities/${member}`,
      )
    await refuses('NO_AUTHORITY', plain, { freeze: second })
    await refuses('REQUIRED', plain, {})
    await refuses('UNKNOWN_MEMBER', plain, { mint: second, mintAuthority: second })
    await refuses('INSTRUMENT_NOT_FOUND', holder, { mint: second })
    await world.api.ok(200, 'PATCH', '/admin/freeze', { account: plain })
    await refuses('FROZEN', plain, { mint: second }, {}, 403)
    await world.api.ok(200, 'PATCH', '/admin/unfreeze', { account: plain })
    await world.api.ok(200, 'PATCH', '/financial-instruments/close', { financialInstrumentToClose: plain })
    await refuses('INSTRUMENT_NOT_FOUND', plain, { mint: second })
  })

  it('can be simulated, happens once, carries its reference and has an explanation', async () => {
    const ids = await full(first)
    const body = { financialInstrument: ids, authorities: { freeze: second }, externalReference: 'ROTATE-1' }
    const preview = await world.api.ok<{ dryRun: { signers: readonly { onchainId: string }[] } }>(
      200,
      'PATCH',
      PATH,
      body,
      {
        headers: { 'Holdfast-Dry-Run': 'true' },
      },
    )
    expect(preview.dryRun.signers.map(({ onchainId }) => onchainId)).toContain(first.onchainId)
    expect((await equalsChain(ids)).freeze).toBe(first.onchainId)
    const options = { headers: once(`rotate-${ids.offchainId}`) }
    const rotation = await world.api.ok<WithTransaction>(200, 'PATCH', PATH, body, options)
    const replay = await world.api.ok<WithTransaction>(200, 'PATCH', PATH, body, options)
    expect(replay.chainTransaction?.offchainId).toBe(expectSuccess(rotation).offchainId)
    const offchainId = rotation.chainTransaction!.offchainId
    expect(await world.api.read('/transactions/single', { offchainId })).toMatchObject({
      externalReference: 'ROTATE-1',
    })
    expect(JSON.stringify(await world.api.read('/transactions/explain', { offchainId }))).toContain('SET_AUTHORITY')
  })

  it('made by others is found when the record is compared with the chain', async () => {
    const fixture = await MintFixture.open(world)
    const { address } = await fixture.rich(2, 'Outside', ['k', 'v'])
    const { newFinancialInstrument: ids } = await world.api.ok<{ newFinancialInstrument: Ids }>(
      201,
      'POST',
      '/financial-instruments',
      {
        alreadyOnchain: true,
        mintAccount: { onchainId: address, managed: false },
      },
    )
    const next = Keypair.generate().publicKey
    const [mint, by] = [new PublicKey(address), fixture.payer.publicKey]
    await fixture.send([
      createSetAuthorityInstruction(mint, by, AuthorityType.MintTokens, next, [], TOKEN_2022_PROGRAM_ID),
      createSetAuthorityInstruction(mint, by, AuthorityType.MetadataPointer, null, [], TOKEN_2022_PROGRAM_ID),
    ])
    // A change compares the record with the chain first, and the holder outside has to sign it.
    prepared(await change(ids, { mint: second }))
    await eventually(async () =>
      expect(await equalsChain(ids)).toMatchObject({ mint: next.toBase58(), metadataPointer: null }),
    )
  })
})
