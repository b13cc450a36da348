// A wallet is an address that tokens and authorities can belong to before a transaction pays it. If that transaction
// never lands, the key of a wallet that something belongs to still signs.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Client } from '../client.ts'
import { startWorld, type World } from '../harness.ts'
import { newParty } from '../../trust/fixtures/parties.ts'
import type { Ids, NewAccount, NewPosition, Result } from '../models.ts'
import type { Records } from '../records.ts'
import { NONCES, type CreatedNonces } from '../transactions/nonce-fixture.ts'

let world: World
let api: Client
let records: Records
let payer: Ids
let issuer: Ids
let mint: Ids

beforeAll(async () => {
  world = await startWorld()
  ;({ api, records } = await newParty(world, 'GIVEN-UP'))
  payer = await records.feePayer()
  issuer = await records.account()
  mint = await records.instrument('TOKEN_2022', issuer)
})
afterAll(() => world.stop())

const unsigned = () => ({ config: { feePayer: { ...payer, autoSign: false } } })

/** A wallet whose creation waits for a signature, and the giving up of that creation. */
async function prepared(): Promise<{ readonly wallet: Ids; readonly giveUp: () => Promise<unknown> }> {
  const { newAccount: wallet, chainTransaction } = await api.ok<NewAccount>(
    201,
    'POST',
    '/accounts',
    { seedLamports: 5_000_000 },
    unsigned(),
  )
  expect(chainTransaction).toMatchObject({ status: 'PREPARED' })
  const { offchainId } = chainTransaction!
  return { wallet, giveUp: () => api.ok(200, 'PATCH', '/transactions/cancel', { offchainId }) }
}
const pay = (wallet: Ids) =>
  api.ok<Result>(201, 'POST', '/positions/transfer', {
    source: { owner: wallet, financialInstrument: mint },
    destination: { owner: issuer, financialInstrument: mint },
    initializeDestinationPositionIfNeeded: true,
    lamports: '7',
  })

describe('a wallet whose creation is given up', () => {
  it('is closed if nothing belongs to it, also if what would have belonged to it is closed', async () => {
    const { wallet, giveUp } = await prepared()
    const position = await records.position(wallet, mint)
    await api.ok(200, 'PATCH', '/positions/close', { position: { position }, refundDestination: payer })
    await giveUp()
    expect(await records.accountRecord(wallet)).toMatchObject({ status: 'CLOSED' })
  })

  it('signs for the tokens that it owns', async () => {
    const { wallet, giveUp } = await prepared()
    const position = await records.position(wallet, mint, 10n)
    await giveUp()
    expect(await records.accountRecord(wallet)).toMatchObject({ status: 'ACTIVE', offchain: { lamportsBalance: 0 } })
    expect(await pay(wallet)).toMatchObject({ success: true })
    await records.positionsEqualChain(position)
    await records.accountsEqualChain(wallet)
    await api.refuses(400, 'ACCOUNT_IN_USE', 'PATCH', '/accounts/inactivate', { account: wallet })
  })

  it('signs for a position that is created only afterwards', async () => {
    const { wallet, giveUp } = await prepared()
    const body = { owner: wallet, financialInstrument: mint }
    const { newPosition, chainTransaction } = await api.ok<NewPosition>(201, 'POST', '/positions', body, unsigned())
    await giveUp()
    const transaction = { offchainId: chainTransaction!.offchainId }
    await api.ok(200, 'POST', '/transactions/sign', { transaction })
    await api.ok(200, 'POST', '/transactions/submit', { transaction })
    await records.mint(newPosition, 10n)
    expect(await pay(wallet)).toMatchObject({ success: true })
    await records.positionsEqualChain(newPosition)
  })

  it('signs as the authority of a mint', async () => {
    const { wallet, giveUp } = await prepared()
    const instrument = await records.instrument('TOKEN_2022', wallet)
    await giveUp()
    const position = await records.position(issuer, instrument, 10n)
    await records.positionsEqualChain(position)
  })

  it('signs as the authority of a nonce, whose lamports come back', async () => {
    const { wallet, giveUp } = await prepared()
    const { newDurableNonceAccounts } = await api.ok<CreatedNonces>(201, 'POST', NONCES, {
      nonceAuthority: wallet,
      count: 1,
    })
    await giveUp()
    const [nonce] = newDurableNonceAccounts
    await api.ok(200, 'PATCH', '/accounts/inactivate', { account: nonce, refundDestination: payer })
    expect(await world.chain.lamports(nonce!.onchainId)).toBe(0n)
  })
})
