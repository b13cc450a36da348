// What cannot land after a transaction that is signed and has not landed: a second freeze or thaw of a position, a
// payment to a position that is being closed, its closing while it is paid, and what needs a mint that is being closed.
// Nor can a payment to a position that only a prepared transaction would open. The first transaction waits for its lane
// or for Submit, so that nothing depends on timing.
import {
  createAssociatedTokenAccountIdempotentInstruction,
  createCloseAccountInstruction,
  TOKEN_2022_PROGRAM_ID,
} from '@solana/spl-token'
import { Keypair, PublicKey, sendAndConfirmTransaction, Transaction } from '@solana/web3.js'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { eventually, startWorld, type World } from '../harness.ts'
import { LimitFixture } from '../limits/limit-fixture.ts'
import { newParty } from '../../trust/fixtures/parties.ts'
import type { Ids, NewPosition, Result, WithTransaction } from '../models.ts'
import { SOL } from '../records.ts'

const SIGN = '/transactions/sign'

let world: World
let feePayer: Ids
let authority: Ids
let instrument: Ids

beforeAll(async () => {
  world = await startWorld()
  feePayer = await world.records.feePayer()
  authority = await world.records.account()
})
afterAll(() => world.stop())

const held = () => ({ config: { feePayer: { offchainId: feePayer.offchainId, autoSign: false } } })
const named = ({ offchainId }: Result): object => ({ transaction: { offchainId } })
const patch = (path: string, itemData: object): Promise<Result> => world.api.ok<Result>(200, 'PATCH', path, itemData)
const prepare = (path: string, itemData: object): Promise<Result> =>
  world.api.ok<Result>(200, 'PATCH', path, itemData, held())
const refuses = (code: string, method: 'POST' | 'PATCH', path: string, itemData: object) =>
  world.api.refuses(400, code, method, path, itemData)

async function sign(prepared: Result): Promise<void> {
  expect((await world.api.ok<Result>(200, 'POST', SIGN, named(prepared))).status).toBe('SIGNED')
}

async function submit(signed: Result): Promise<void> {
  const sent = await world.api.ok<Result>(200, 'POST', '/transactions/submit', named(signed))
  expect(sent.success, JSON.stringify(sent)).toBe(true)
}

const LANDED = /^(?:CONFIRMED|FINALIZED)$/
const lanes = (to: 'suspend' | 'resume') =>
  world.api.ok(200, 'PATCH', `/admin/lanes/${to}`, { organizationExternalId: 'SYSTEM' })
const details = ({ offchainId }: Result) =>
  world.api.read<{ status: string; success: boolean }>('/transactions/single', { offchainId })

/** A signed transaction that is sent only once the lane is resumed. */
async function unsent(path: string, itemData: object): Promise<Result> {
  await lanes('suspend')
  const method = /mint|transfer$/.test(path) ? 'POST' : 'PATCH'
  const { body } = await world.api.send<Result>(method, path, itemData, { headers: { Prefer: 'respond-async' } })
  expect(body.status, JSON.stringify(body)).toBe('SIGNED')
  return body
}

async function sent(transaction: Result): Promise<void> {
  await lanes('resume')
  await eventually(async () => expect((await details(transaction)).status).toMatch(LANDED))
}

describe('a freeze or thaw of a position', () => {
  const CODE = 'POSITION_BUSY'
  const FREEZE = '/positions/freeze'
  const UNFREEZE = '/positions/unfreeze'
  let position: Ids
  let body: object

  beforeEach(async () => {
    instrument = await world.records.instrument('TOKEN_2022', authority, { freezeAuthority: authority })
    position = await world.records.position(await world.records.account(), instrument, 10n)
    body = { position: { position } }
  })

  it('is refused while another is being sent, and possible again after it has landed', async () => {
    for (const [path, back] of [
      [FREEZE, UNFREEZE],
      [UNFREEZE, FREEZE],
    ] as const) {
      const second = await prepare(path, body)
      const before = await world.chain.lamports(feePayer.onchainId)
      const first = await unsent(path, body)
      expect(await refuses(CODE, 'PATCH', path, body)).toMatchObject({ retryable: true })
      await refuses(CODE, 'POST', SIGN, named(second))
      expect(await world.chain.lamports(feePayer.onchainId)).toBe(before)
      await sent(first)
      expect(await patch(back, body)).toMatchObject({ success: true })
      expect(await patch(path, body)).toMatchObject({ success: true })
    }
    await world.records.positionsEqualChain(position)
    await world.records.accountsEqualChain(feePayer)
  })

  it('is not prevented by one that is held for Submit', async () => {
    const first = await prepare(FREEZE, body)
    await sign(first)
    expect(await patch(FREEZE, body)).toMatchObject({ success: true })
    await world.records.positionsEqualChain(position)
    const late = await world.api.ok<Result>(200, 'POST', '/transactions/submit', named(first))
    expect(late.success, JSON.stringify(late)).toBe(false)
  })

  it('is not prevented by one that is only prepared, or was cancelled', async () => {
    const first = await prepare(FREEZE, body)
    expect(await patch(FREEZE, body)).toMatchObject({ success: true })
    expect(await patch(UNFREEZE, body)).toMatchObject({ success: true })
    await world.api.ok(200, 'PATCH', '/transactions/cancel', { offchainId: first.offchainId })
    expect(await patch(FREEZE, body)).toMatchObject({ success: true })
  })

  it('counts within another operation, unless the operation restores the state', async () => {
    const MINT = '/positions/mint'
    const mint = (flags: object): object => ({ destination: { position }, lamports: 1, ...flags })
    const freezing = await unsent(MINT, mint({ freezeDestination: true }))
    await refuses(CODE, 'POST', MINT, mint({ freezeDestination: true }))
    await refuses(CODE, 'PATCH', FREEZE, body)
    await sent(freezing)
    const restoring = mint({ unfreezeDestination: true, freezeDestination: true })
    const first = await unsent(MINT, restoring)
    const second = await world.api.send<Result>('POST', MINT, restoring, { headers: { Prefer: 'respond-async' } })
    expect(second.body.status).toBe('SIGNED')
    await sent(first)
    await eventually(async () => expect((await details(second.body)).status).toMatch(LANDED))
    await world.records.positionsEqualChain(position)
  })

  it('of several at once, one is signed', async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => world.api.send<Result>('PATCH', FREEZE, body)))
    expect(answers.filter(({ status }) => status === 200).map(({ body: { success } }) => success)).toEqual([true])
    await world.records.accountsEqualChain(feePayer)
  })
})

describe('tokens that a transaction under way freezes or pauses', () => {
  const [MINT, TRANSFER] = ['/positions/mint', '/positions/transfer'] as const
  let position: Ids
  let movements: readonly (readonly [string, object])[]

  beforeEach(async () => {
    instrument = await world.records.instrument('TOKEN_2022', authority, {
      freezeAuthority: authority,
      pausableAuthority: authority,
    })
    const another = await world.records.position(await world.records.account(), instrument, 10n)
    position = await world.records.position(await world.records.account(), instrument, 10n)
    const [own, other] = [{ position }, { position: another }]
    movements = [
      [MINT, { destination: own, lamports: 1 }],
      [TRANSFER, { source: other, destination: own, lamports: 1 }],
      [TRANSFER, { source: own, destination: other, lamports: 1 }],
      ['/positions/burn', { source: own, lamports: 1 }],
    ]
  })

  it.each([
    ['POSITION_BUSY', '/positions/freeze', () => ({ position: { position } })],
    ['INSTRUMENT_BUSY', '/financial-instruments/pause', () => ({ financialInstrument: instrument })],
  ])('are not moved: %s', async (code, path, body) => {
    const late = await world.api.ok<Result>(201, 'POST', MINT, movements[0]![1], held())
    const stopping = await prepare(path, body())
    await sign(stopping)
    for (const [each, movement] of movements)
      expect(await world.api.ok<Result>(201, 'POST', each, movement)).toMatchObject({ success: true })
    await world.api.ok(200, 'PATCH', '/transactions/cancel', { offchainId: stopping.offchainId })
    const before = await world.chain.lamports(feePayer.onchainId)
    const stop = await unsent(path, body())
    for (const [each, movement] of movements)
      expect(await refuses(code, 'POST', each, movement)).toMatchObject({ retryable: true })
    await refuses(code, 'POST', SIGN, named(late))
    expect(await world.chain.lamports(feePayer.onchainId)).toBe(before)
    await sent(stop)
    await world.records.accountsEqualChain(feePayer)
  })
})

describe('a payment to a position and its closing', () => {
  const CODE = 'POSITION_BUSY'
  const [CLOSE, MINT, TRANSFER] = ['/positions/close', '/positions/mint', '/positions/transfer'] as const
  let owner: Ids
  let position: Ids
  let full: Ids
  let payments: readonly (readonly [string, object])[]

  beforeEach(async () => {
    instrument = await world.records.instrument('TOKEN_2022', authority)
    owner = await world.records.account()
    position = await world.records.position(owner, instrument)
    full = await world.records.position(await world.records.account(), instrument, 10n)
    const [source, destination] = [{ position: full }, { position }]
    payments = [
      [MINT, { destination, lamports: 1 }],
      [TRANSFER, { source, destination, lamports: 1 }],
      ['/positions/trade', { legs: [{ source, destination, lamports: 1 }, otherLeg()] }],
    ]
  })

  /** Moves tokens of another position. */
  const otherLeg = (): object => ({
    source: { position: full },
    destination: { owner: authority, financialInstrument: instrument },
    initializeDestinationPositionIfNeeded: true,
    lamports: 1,
  })

  it('exclude each other while one of them is being sent', async () => {
    const prepared = await world.api.ok<Result>(201, 'POST', MINT, payments[0]![1], held())
    const closing = await unsent(CLOSE, { position: { position } })
    const before = await world.chain.lamports(feePayer.onchainId)
    for (const [path, body] of payments)
      expect(await refuses(CODE, 'POST', path, body)).toMatchObject({ retryable: true })
    const taking = { position: { position: full }, transferRemainingTokenBalanceTo: { position } }
    await refuses(CODE, 'PATCH', CLOSE, taking)
    await refuses(CODE, 'POST', SIGN, named(prepared))
    expect(await world.chain.lamports(feePayer.onchainId)).toBe(before)
    await sent(closing)
    const again = await world.records.position(owner, instrument)
    for (const [path] of payments.slice(0, 2)) {
      const source = path === MINT ? {} : { source: { position: full } }
      const payment = await unsent(path, { ...source, destination: { position: again }, lamports: 1 })
      await refuses(CODE, 'PATCH', CLOSE, { position: { position: again }, burnRemainingTokenBalance: true })
      await sent(payment)
    }
    await world.records.positionsEqualChain(again, full)
    await world.records.accountsEqualChain(feePayer)
  })

  it('do not while the first of them is held for Submit', async () => {
    const closing = await prepare(CLOSE, { position: { position } })
    await sign(closing)
    const [path, body] = payments[0]!
    expect((await world.api.ok<Result>(201, 'POST', path, body)).success).toBe(true)
    await world.api.ok(200, 'PATCH', '/transactions/cancel', { offchainId: closing.offchainId })
    const next = await world.records.position(await world.records.account(), instrument)
    const minting = await world.api.ok<Result>(
      201,
      'POST',
      MINT,
      { destination: { position: next }, lamports: 1 },
      held(),
    )
    await sign(minting)
    expect(await patch(CLOSE, { position: { position: next } })).toMatchObject({ success: true })
    const late = await world.api.ok<Result>(200, 'POST', '/transactions/submit', named(minting))
    expect(late.success, JSON.stringify(late)).toBe(false)
  })
})

describe('a position that a prepared transaction would open', () => {
  let source: Ids
  let position: Ids
  let payments: readonly (readonly ['POST' | 'PATCH', string, object])[]

  beforeEach(async () => {
    instrument = await world.records.instrument('TOKEN_2022', authority)
    source = await world.records.position(await world.records.account(), instrument, 10n)
    const owner = await world.records.account()
    const body = { owner, financialInstrument: instrument }
    position = (await world.api.ok<NewPosition>(201, 'POST', '/positions', body, held())).newPosition
    const [from, destination] = [{ position: source }, { position }]
    payments = [
      ['POST', '/positions/mint', { destination, lamports: 1 }],
      ['POST', '/positions/transfer', { source: from, destination, lamports: 1 }],
      ['PATCH', '/positions/close', { position: from, transferRemainingTokenBalanceTo: destination }],
    ]
  })

  it('is not paid while nothing of it is signed, unless the payment may open it', async () => {
    const before = await world.chain.lamports(feePayer.onchainId)
    for (const [method, path, body] of payments) await refuses('POSITION_NOT_FOUND', method, path, body)
    expect(await world.chain.lamports(feePayer.onchainId)).toBe(before)
    const [, path, body] = payments[0]!
    const paying = { ...body, initializeDestinationPositionIfNeeded: true }
    expect((await world.api.ok<Result>(201, 'POST', path, paying)).success).toBe(true)
    expect(await world.chain.tokens(position.onchainId)).toBe(1n)
  })

  it('is paid where somebody else has opened it', async () => {
    const stranger = Keypair.generate()
    await world.chain.airdrop(stranger.publicKey.toBase58(), SOL)
    const { owner } = await world.records.positionRecord(position)
    const instruction = createAssociatedTokenAccountIdempotentInstruction(
      stranger.publicKey,
      new PublicKey(position.onchainId),
      new PublicKey(owner.onchain.id),
      new PublicKey(instrument.onchainId),
      TOKEN_2022_PROGRAM_ID,
    )
    await sendAndConfirmTransaction(world.chain.connection, new Transaction().add(instruction), [stranger])
    for (const [method, path, body] of payments) {
      const { status, body: paid } = await world.api.send<Result>(method, path, body)
      expect([status < 300, paid.success], JSON.stringify(paid)).toEqual([true, true])
    }
    expect(await world.chain.tokens(position.onchainId)).toBe(11n)
  })
})

describe('an instrument that is being closed', () => {
  const CODE = 'INSTRUMENT_BUSY'
  let owner: Ids
  let empty: Ids
  let source: Ids

  beforeEach(async () => {
    instrument = await world.records.instrument('TOKEN_2022', authority, {
      closingAuthority: authority,
      freezeAuthority: authority,
    })
    owner = await world.records.account()
    source = await world.records.account()
    empty = await world.records.position(source, instrument)
  })

  async function close(): Promise<Result> {
    const body = { financialInstrumentToClose: instrument }
    const path = '/financial-instruments/close'
    return (await world.api.ok<WithTransaction>(200, 'PATCH', path, body, held())).chainTransaction!
  }
  const requests = (): readonly (readonly ['POST' | 'PATCH', string, object])[] => [
    ['POST', '/positions/mint', { destination: { position: empty }, lamports: 1 }],
    ['POST', '/positions', { owner, financialInstrument: instrument }],
    ['POST', '/positions', { owner, financialInstrument: instrument, position: {} }],
    [
      'POST',
      '/positions/mint',
      {
        destination: { owner, financialInstrument: instrument },
        initializeDestinationPositionIfNeeded: true,
        lamports: 1,
      },
    ],
    ['PATCH', '/positions/freeze', { position: { position: empty } }],
  ]

  it('has nothing minted and no position opened or frozen while the closing is under way', async () => {
    const minting = await world.api.ok<Result>(
      201,
      'POST',
      '/positions/mint',
      { destination: { position: empty }, lamports: 1 },
      held(),
    )
    const closing = await close()
    await sign(closing)
    const before = await world.chain.lamports(feePayer.onchainId)
    for (const [method, path, body] of requests())
      expect(await refuses(CODE, method, path, body), path).toMatchObject({ retryable: true })
    await refuses(CODE, 'POST', SIGN, named(minting))
    expect(await world.chain.lamports(feePayer.onchainId)).toBe(before)
    await submit(closing)
    expect(await world.chain.account(instrument.onchainId)).toBeNull()
  })

  it('can be used while its closing lacks the signature of the authority', async () => {
    const { records } = await newParty(world, 'ISSUER')
    const sibling = await newParty(world, 'SIBLING', 'ISSUER')
    await records.feePayer()
    const issuing = await records.account()
    const token = await records.instrument('TOKEN_2022', issuing, { closingAuthority: issuing })
    const position = await records.position(await records.account(), token)
    const payer = await sibling.records.feePayer()
    const closing = createCloseAccountInstruction(
      new PublicKey(token.onchainId),
      new PublicKey(payer.onchainId),
      new PublicKey(issuing.onchainId),
      [],
      TOKEN_2022_PROGRAM_ID,
    )
    const itemData = {
      serializedTransaction: await new LimitFixture(world).foreign(payer.onchainId, [closing]),
      signers: [{ onchainId: payer.onchainId }],
    }
    const { status, body: signed } = await sibling.api.send<Result>('POST', SIGN, itemData)
    expect([status, signed.status], JSON.stringify(signed)).toEqual([200, 'PARTIALLY_SIGNED'])
    await records.mint(position, 1n)
  })

  it('can be used while its closing is only prepared', async () => {
    await close()
    for (const [method, path, body] of requests()) {
      const { status, body: answer } = await world.api.send<Result>(method, path, body)
      expect(status, JSON.stringify(answer)).toBe(method === 'POST' ? 201 : 200)
    }
    expect(await world.chain.supply(instrument.onchainId)).toBe(2n)
  })
})
