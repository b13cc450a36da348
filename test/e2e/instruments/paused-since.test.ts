// Messages that waited for a signature or an approval while the instrument was paused: none gets its first signature,
// and a later one is possible once the instrument is resumed. What was signed before the pause keeps its signatures.
import { createMintToInstruction, pause, resume, TOKEN_2022_PROGRAM_ID } from '@solana/spl-token'
import { Keypair, PublicKey } from '@solana/web3.js'
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Client } from '../client.ts'
import { startWorld, type World } from '../harness.ts'
import { LimitFixture, perTransaction, to as toClass, type Held, type Person } from '../limits/limit-fixture.ts'
import type { Ids, Problems, Result } from '../models.ts'
import { SOL, type Records } from '../records.ts'

const CODE = 'INSTRUMENT_PAUSED'
const SIGN = '/transactions/sign'

let world: World
let fixture: LimitFixture
let api: Client
let records: Records
let approver: Person
let organization: string
let feePayer: Ids
let authority: Ids
let instrument: Ids
let from: Ids
let to: Ids

beforeAll(async () => {
  world = await startWorld()
  fixture = new LimitFixture(world)
  organization = await fixture.organization()
  api = (await fixture.person(organization, 'ADMIN')).api
  approver = await fixture.person(organization, ['DEBIT_LIMIT_APPROVE'])
  records = world.records.with(api)
  feePayer = await records.feePayer()
  authority = await records.account()
})
afterAll(() => world.stop())

beforeEach(async () => {
  instrument = await records.instrument('TOKEN_2022', authority, { pausableAuthority: authority })
  from = await records.position(await limited(), instrument, 100_000_000n)
  to = await records.position(await records.account(), instrument)
})

/** Payments of more than one token need an approval. */
const limited = (): Promise<Ids> =>
  records.account({ tokenDebitLimits: [toClass('ANY', perTransaction(1, { approversForOverride: [approver.keyId] }))] })
const held = () => ({ config: { feePayer: { offchainId: feePayer.offchainId, autoSign: false } } })
const switchTo = (path: 'pause' | 'unpause'): Promise<Result> =>
  api.ok<Result>(200, 'PATCH', `/financial-instruments/${path}`, { financialInstrument: instrument })
const named = ({ offchainId }: Result): object => ({ transaction: { offchainId } })
const sign = (prepared: Result): Promise<Result> => api.ok<Result>(200, 'POST', SIGN, named(prepared))
const submit = (signed: Result): Promise<Result> => api.ok<Result>(200, 'POST', '/transactions/submit', named(signed))

describe('a message that waited for Sign', () => {
  const movements: readonly (readonly [string, 'POST' | 'PATCH', string, () => object])[] = [
    ['transfer', 'POST', '/positions/transfer', () => ({ source: { position: from }, destination: { position: to } })],
    ['mint', 'POST', '/positions/mint', () => ({ destination: { position: to } })],
    ['burn', 'POST', '/positions/burn', () => ({ source: { position: from } })],
  ]

  it.each(movements)('%s is not signed while the instrument is paused', async (_name, method, path, body) => {
    const prepared = await api.ok<Result>(201, method, path, { ...body(), lamports: 1 }, held())
    expect(prepared.status).toBe('PREPARED')
    await switchTo('pause')
    const before = await world.chain.lamports(feePayer.onchainId)
    await api.refuses(400, CODE, 'POST', SIGN, named(prepared))
    expect(await world.chain.lamports(feePayer.onchainId)).toBe(before)
    expect((await api.read<Result>('/transactions/status', { offchainId: prepared.offchainId })).status).toBe(
      'PREPARED',
    )
    await switchTo('unpause')
    expect((await sign(prepared)).status).toBe('SIGNED')
    expect((await submit(prepared)).success).toBe(true)
    await records.positionsEqualChain(from, to)
    await records.accountsEqualChain(feePayer)
  })

  it('keeps the signatures that it got before the pause, and is sent once the instrument is resumed', async () => {
    const body = { source: { position: from }, destination: { position: to }, lamports: 1 }
    const prepared = await api.ok<Result>(201, 'POST', '/positions/transfer', body, held())
    expect((await sign(prepared)).status).toBe('SIGNED')
    await switchTo('pause')
    // Its signature may be known to others: it is not withdrawn, and its bytes are still returned.
    const request = { ...named(prepared), returnSerialized: true }
    const shown = await api.ok<Result & { serializedTransaction: string }>(200, 'POST', SIGN, request)
    expect([shown.status, typeof shown.serializedTransaction]).toEqual(['SIGNED', 'string'])
    await api.refuses(400, CODE, 'POST', '/transactions/submit', named(prepared))
    await switchTo('unpause')
    expect((await submit(prepared)).success).toBe(true)
  })

  it('is signed if the instrument was resumed outside of this service', async () => {
    const outsider = Keypair.generate()
    await world.chain.airdrop(outsider.publicKey.toBase58(), SOL)
    const outside = { onchainId: outsider.publicKey.toBase58(), offPlatform: true }
    const token = await records.instrument('TOKEN_2022', authority, { pausableAuthority: outside })
    const position = await records.position(await records.account(), token)
    const mint = new PublicKey(token.onchainId)
    const prepared = await api.ok<Result>(
      201,
      'POST',
      '/positions/mint',
      { destination: { position }, lamports: 1 },
      held(),
    )
    await pause(world.chain.connection, outsider, mint, outsider)
    await api.read('/financial-instruments/single/circulating-supply', { financialInstrument: token })
    await api.refuses(400, CODE, 'POST', SIGN, named(prepared))
    await resume(world.chain.connection, outsider, mint, outsider)
    expect((await sign(prepared)).status).toBe('SIGNED')
    expect((await submit(prepared)).success).toBe(true)
  })

  it('is not signed if it was made elsewhere', async () => {
    await switchTo('pause')
    const [mint, position, signer] = [instrument, to, authority].map(({ onchainId }) => new PublicKey(onchainId))
    const minting = createMintToInstruction(mint!, position!, signer!, 1, [], TOKEN_2022_PROGRAM_ID)
    const serializedTransaction = await fixture.foreign(feePayer.onchainId, [minting])
    const { status, body } = await api.send<Problems>('POST', SIGN, { serializedTransaction })
    expect([status, body.errors?.map(({ code }) => code)]).toEqual([400, [CODE]])
  })
})

describe('a message that waited for an approval', () => {
  it('is not sent by the approval while the instrument is paused', async () => {
    const body = { source: { position: from }, destination: { position: to }, amount: 2 }
    const waiting = await api.ok<Held>(201, 'POST', '/positions/transfer', body)
    expect(waiting).toMatchObject({ status: 'PREPARED', approval: { required: 1, given: 0 } })
    await switchTo('pause')
    const approval = { offchainId: waiting.offchainId }
    await approver.api.refuses(400, CODE, 'POST', '/transactions/approve', approval)
    await switchTo('unpause')
    const approved = await approver.api.ok<Held>(200, 'POST', '/transactions/approve', approval)
    expect(approved.success).toBe(true)
    await records.positionsEqualChain(from, to)
  })

  it('records an approval that signs nothing', async () => {
    const body = { source: { position: from }, destination: { position: to }, amount: 2 }
    const waiting = await api.ok<Held>(201, 'POST', '/positions/transfer', body, held())
    await switchTo('pause')
    const approval = { offchainId: waiting.offchainId }
    expect(await approver.api.ok<Held>(200, 'POST', '/transactions/approve', approval)).toMatchObject({
      status: 'PREPARED',
      approval: { given: 1 },
    })
    await api.refuses(400, CODE, 'POST', SIGN, named(waiting))
  })
})

it('the key of another tenant does not sign while the instrument is paused', async () => {
  const externalId = `OTHER-${randomUUID()}`
  await world.api.ok(201, 'POST', '/admin/organizations', { externalId, name: externalId })
  await world.api.ok(200, 'PATCH', '/admin/organizations', { externalId, acceptsSigningRequests: true })
  const other = (await fixture.person(externalId, 'ADMIN')).api
  const payer = await world.records.with(other).funded({ canPayFees: true }, SOL)
  await api.ok(200, 'PATCH', '/admin/organizations', {
    externalId: organization,
    acceptedFeePayers: [payer.onchainId],
  })
  const body = { source: { position: from }, destination: { position: to }, lamports: 1 }
  const { offchainId } = await api.ok<Result>(201, 'POST', '/positions/transfer', body, {
    config: { feePayer: { onchainId: payer.onchainId } },
  })
  await switchTo('pause')
  const request = { transaction: { offchainId }, signers: [payer] }
  await other.refuses(400, CODE, 'POST', SIGN, request)
  await switchTo('unpause')
  expect((await other.ok<Result>(200, 'POST', SIGN, request)).status).toBe('PARTIALLY_SIGNED')
})
