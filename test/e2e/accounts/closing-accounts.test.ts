// An account that is being inactivated: what would lie in it, or belong to it, after its key signs no more.
import { createCloseAccountInstruction } from '@solana/spl-token'
import { PublicKey } from '@solana/web3.js'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Client, Method } from '../client.ts'
import { startWorld, type World } from '../harness.ts'
import { LimitFixture, PAY } from '../limits/limit-fixture.ts'
import type { Ids, NewPosition, Problems, Result, WithTransaction } from '../models.ts'
import type { Records } from '../records.ts'
import { NONCES, type CreatedNonces } from '../transactions/nonce-fixture.ts'
import { newParty } from '../../trust/fixtures/parties.ts'

let world: World
let api: Client
let records: Records
let refund: Ids
let mint: Ids
let wallet: Ids

beforeAll(async () => {
  world = await startWorld()
  ;({ api, records } = await newParty(world, 'CLOSING'))
  await records.feePayer()
  refund = await records.funded()
  mint = await records.instrument('TOKEN_2022', refund)
})
afterAll(() => world.stop())
beforeEach(async () => {
  wallet = await records.funded()
})

interface Closing {
  readonly sign: () => Promise<{ readonly status: number; readonly body: Problems }>
  readonly submit: () => Promise<Result>
}
/** A closing that waits for its signature, then for Submit. */
async function prepared(account: Ids = wallet): Promise<Closing> {
  const itemData = { account: { ...account, autoSign: false }, refundDestination: refund }
  const { chainTransaction } = await api.ok<WithTransaction>(200, 'PATCH', '/accounts/inactivate', itemData)
  expect(chainTransaction).toMatchObject({ status: 'PREPARED' })
  const transaction = { offchainId: chainTransaction!.offchainId }
  return {
    sign: () => api.send('POST', '/transactions/sign', { transaction }),
    submit: () => api.ok(200, 'POST', '/transactions/submit', { transaction }),
  }
}
async function signed(account: Ids = wallet): Promise<Closing> {
  const closing = await prepared(account)
  expect((await closing.sign()).status).toBe(200)
  return closing
}
const pay = (to: Ids): [Method, string, object] => [
  'POST',
  PAY,
  { source: refund, destination: to, lamports: '5000000' },
]
const initialize = (owner: Ids): [Method, string, object] => [
  'POST',
  '/positions',
  { owner, financialInstrument: mint },
]
const status = async (account: Ids) => (await records.accountRecord(account)).status

describe('before the closing is signed', () => {
  it('refuses the signature once a position or a nonce belongs to the account', async () => {
    const closing = await prepared()
    const { newPosition } = await api.ok<NewPosition>(201, ...initialize(wallet))
    const first = await closing.sign()
    expect([first.status, first.body.errors]).toMatchObject([
      400,
      [{ code: 'ACCOUNT_IN_USE', message: expect.stringContaining(`position ${newPosition.offchainId}`) as string }],
    ])
    await api.ok(200, 'PATCH', '/positions/close', { position: { position: newPosition }, refundDestination: refund })
    const body = { nonceAuthority: wallet, count: 1 }
    const { newDurableNonceAccounts } = await api.ok<CreatedNonces>(201, 'POST', NONCES, body)
    const second = await closing.sign()
    expect([second.status, second.body.errors?.[0]?.code]).toEqual([400, 'ACCOUNT_IN_USE'])
    const [nonce] = newDurableNonceAccounts
    await api.ok(200, 'PATCH', '/accounts/inactivate', { account: nonce, refundDestination: refund })
    expect((await closing.sign()).status).toBe(200)
    expect(await closing.submit()).toMatchObject({ success: true })
    expect([await status(wallet), await world.chain.lamports(wallet.onchainId)]).toEqual(['CLOSED', 0n])
  })

  it('keeps what is paid into the account meanwhile: it stays active', async () => {
    const closing = await prepared()
    await api.ok(201, ...pay(wallet))
    expect((await closing.sign()).status).toBe(200)
    expect(await closing.submit()).toMatchObject({ success: true })
    expect([await status(wallet), await world.chain.lamports(wallet.onchainId)]).toEqual(['ACTIVE', 5_000_000n])
    await records.accountsEqualChain(wallet)
    await api.ok(200, 'PATCH', '/accounts/inactivate', { account: wallet, refundDestination: refund })
    expect([await status(wallet), await world.chain.lamports(wallet.onchainId)]).toEqual(['CLOSED', 0n])
  })
})

it('a nonce account that is paid before its closing is signed stays active', async () => {
  const body = { nonceAuthority: wallet, count: 1 }
  const [nonce] = (await api.ok<CreatedNonces>(201, 'POST', NONCES, body)).newDurableNonceAccounts
  const closing = await prepared(nonce)
  await api.ok(201, ...pay(nonce!))
  expect((await closing.sign()).status).toBe(200)
  expect(await closing.submit()).toMatchObject({ success: true })
  expect(await world.chain.lamports(nonce!.onchainId)).toBe(5_000_000n)
  await api.ok(200, 'PATCH', '/accounts/inactivate', { account: nonce, refundDestination: refund })
  expect(await world.chain.lamports(nonce!.onchainId)).toBe(0n)
})

describe('while the signed closing can land', () => {
  it('refuses what would be given to the account', async () => {
    const closing = await signed()
    const other = await records.funded()
    const position = await records.position(refund, mint)
    const attempts: readonly [Method, string, object][] = [
      pay(wallet),
      initialize(wallet),
      ['POST', NONCES, { nonceAuthority: wallet, count: 1 }],
      ['PATCH', '/accounts/inactivate', { account: other, refundDestination: wallet }],
      ['PATCH', '/positions/close', { position: { position }, refundDestination: wallet }],
      ['POST', '/positions/mint', { destination: { owner: wallet, financialInstrument: mint }, lamports: '1' }],
    ]
    for (const [method, path, itemData] of attempts) {
      const more = path.endsWith('mint') ? { initializeDestinationPositionIfNeeded: true } : {}
      const { status: code, body } = await api.send<Problems>(method, path, { ...itemData, ...more })
      expect([code, body.errors?.[0]], `${path} ${JSON.stringify(body)}`).toMatchObject([
        400,
        { code: 'ACCOUNT_BUSY', retryable: true },
      ])
    }
    expect(await closing.submit()).toMatchObject({ success: true })
    expect(await status(wallet)).toBe('CLOSED')
  })

  it('refuses what would be paid to a nonce account', async () => {
    const body = { nonceAuthority: wallet, count: 1 }
    const created = await api.ok<CreatedNonces>(201, 'POST', NONCES, body)
    const nonce = created.newDurableNonceAccounts[0]!
    const closing = await signed(nonce)
    expect(await api.refuses(400, 'ACCOUNT_BUSY', ...pay(nonce))).toMatchObject({ retryable: true })
    expect(await closing.submit()).toMatchObject({ success: true })
    expect(await world.chain.lamports(nonce.onchainId)).toBe(0n)
  })
})

describe('a message of another organization of the tenant', () => {
  it('keeps no payment from the account: it lacks the key of the account', async () => {
    const sibling = await newParty(world, 'SIBLING', 'CLOSING')
    const payee = await sibling.records.feePayer()
    const close = createCloseAccountInstruction(
      new PublicKey(wallet.onchainId),
      new PublicKey(payee.onchainId),
      new PublicKey(payee.onchainId),
    )
    const serializedTransaction = await new LimitFixture(world).foreign(payee.onchainId, [close])
    const { status: code, body } = await sibling.api.send<Result>('POST', '/transactions/sign', {
      serializedTransaction,
    })
    expect(code, JSON.stringify(body)).toBe(200)
    await api.ok(201, ...pay(wallet))
  })
})
