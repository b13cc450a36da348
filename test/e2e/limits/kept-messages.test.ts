// Messages that are signed first and kept land in any order: what one of them changes about an account counts for the
// others before they are signed, and nothing reaches the thief.
import { Keypair, type PublicKey } from '@solana/web3.js'
import {
  createAssociatedTokenAccountIdempotentInstruction,
  createCloseAccountInstruction,
  createTransferCheckedInstruction,
  getAssociatedTokenAddressSync,
  TOKEN_2022_PROGRAM_ID,
} from '@solana/spl-token'
import bs58 from 'bs58'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { DrainFixture, key } from './drain-fixture.ts'
import { PAY, perTransaction, to } from './limit-fixture.ts'
import type { Ids, NewInstrument, NewPosition, Result, WithTransaction } from '../models.ts'
import { SOL } from '../records.ts'

const CLOSE = '/positions/close'

let fixture: DrainFixture
let mint: Ids
let wallet: Ids

beforeAll(async () => {
  fixture = await DrainFixture.start()
  mint = await fixture.records.instrument('TOKEN_2022', fixture.feePayer)
})
afterAll(() => fixture.world.stop())

beforeEach(async () => {
  wallet = await fixture.records.funded({}, 10n * SOL)
})

const close = (account: Ids, to: { readonly onchainId: string }, owner = wallet) =>
  createCloseAccountInstruction(key(account), key(to), key(owner), [], TOKEN_2022_PROGRAM_ID)
const transfer = (from: Ids, to: Ids) =>
  createTransferCheckedInstruction(key(from), key(mint), key(to), key(wallet), 1_000n, 6, [], TOKEN_2022_PROGRAM_ID)
const pay = (destination: Ids, amount: number) =>
  fixture.limits.answer(PAY, { source: wallet, destination, amount }, fixture.operator.api)

/** A position of the wallet at an address whose key somebody else has as well. */
async function brought(): Promise<Ids> {
  const privateKey = bs58.encode(Keypair.generate().secretKey)
  const position = { managed: true, privateKeyDetails: { privateKey } }
  const item = { owner: wallet, financialInstrument: mint, position }
  return (await fixture.operator.api.ok<NewPosition>(201, 'POST', '/positions', item)).newPosition
}

describe('a closing that was signed first', () => {
  it('sends what is paid into the account to its destination', async () => {
    const position = await fixture.paidOutside(wallet, mint)
    const kept = await fixture.signed([close(position, fixture.outside)])
    const before = await fixture.loot()
    const { status, body } = await pay(position, 5)
    expect(status, JSON.stringify(body)).toBe(400)
    expect(body.errors?.[0]?.code).toBe('DEBIT_LIMIT_EXCEEDED')
    await fixture.submitted(kept.offchainId)
    const rent = (await fixture.loot()) - before
    expect(rent).toBeLessThan(SOL / 100n)
  })

  it('holds nothing up where its destination is held here', async () => {
    const position = await fixture.paidOutside(wallet, mint)
    await fixture.signed([close(position, wallet)])
    const { status, body } = await pay(position, 5)
    expect(status, JSON.stringify(body)).toBe(201)
  })

  it('leaves the address to whoever else has its key', async () => {
    const position = await brought()
    await fixture.signed([close(position, wallet)])
    const { status, body } = await pay(position, 5)
    expect(status, JSON.stringify(body)).toBe(400)
    expect(body.errors?.[0]?.code).toBe('DEBIT_LIMIT_EXCEEDED')
  })
})

describe('a mint authority that was given up first', () => {
  it('counts what is paid to the mint as paid to the other holder of its key', async () => {
    const { api } = fixture.operator
    const made = async (): Promise<Ids> => {
      const privateKey = bs58.encode(Keypair.generate().secretKey)
      const mintAccount = { managed: true, privateKeyDetails: { privateKey } }
      const item = { mintAccount, version: 'TOKEN_2022', mintAuthority: wallet, onchainData: { decimals: 0 } }
      return (await api.ok<NewInstrument>(201, 'POST', '/financial-instruments', item)).newFinancialInstrument
    }
    expect((await pay(await made(), 2)).status).toBe(201)
    const financialInstrument = await made()
    // The fee payer signs later, so that the message waits with the signature of the authority.
    const { chainTransaction } = await api.ok<WithTransaction>(
      200,
      'PATCH',
      '/financial-instruments/authorities',
      { financialInstrument, authorities: { mint: null }, confirm: true },
      { config: { feePayer: { onchainId: fixture.feePayer.onchainId, autoSign: false } } },
    )
    const signing = {
      transaction: { offchainId: chainTransaction?.offchainId },
      signers: [{ onchainId: wallet.onchainId }],
    }
    expect((await api.ok<Result>(200, 'POST', '/transactions/sign', signing)).status).toBe('PARTIALLY_SIGNED')
    const { status, body } = await pay(financialInstrument, 2)
    expect(status, JSON.stringify(body)).toBe(400)
    expect(body.errors?.[0]?.code).toBe('DEBIT_LIMIT_EXCEEDED')
  })
})

describe('a transfer that was signed first', () => {
  it('keeps an account open whose key somebody else has as well', async () => {
    const full = await fixture.records.position(wallet, mint, 1_000n)
    const position = await brought()
    const kept = await fixture.signed([transfer(full, position)])
    const { api } = fixture.operator
    const busy = await api.refuses(400, 'POSITION_BUSY', 'PATCH', CLOSE, { position: { position } })
    expect(busy.retryable).toBe(true)
    await fixture.refuses([close(position, wallet)], 'POSITION_BUSY')
    await fixture.submitted(kept.offchainId)
    expect(await fixture.world.chain.tokens(position.onchainId)).toBe(1_000n)
  })

  it('does not keep an associated account open', async () => {
    const full = await fixture.records.position(wallet, mint, 1_000n)
    const other = await fixture.records.funded({}, SOL)
    const position = await fixture.records.position(other, mint)
    await fixture.signed([transfer(full, position)])
    await fixture.signed([close(position, other, other)])
  })
})

describe('rent of associated accounts that exist when the message is signed', () => {
  const openFor = (owner: PublicKey, payer: PublicKey) => {
    const account = getAssociatedTokenAddressSync(key(mint), owner, false, TOKEN_2022_PROGRAM_ID)
    const create = createAssociatedTokenAccountIdempotentInstruction(
      payer,
      account,
      owner,
      key(mint),
      TOKEN_2022_PROGRAM_ID,
    )
    return { account, create }
  }

  it('counts as if they did not exist, in a class of its own', async () => {
    const { thief } = fixture
    const { account, create } = openFor(thief.publicKey, thief.publicKey)
    await fixture.steal([create])
    await fixture.signed([openFor(thief.publicKey, key(await fixture.records.funded({}, SOL))).create])
    const networkCurrencyDebitLimits = [to('RENT', perTransaction('0.001'))]
    await fixture.admin.api.ok(200, 'PATCH', '/accounts', { account: wallet, networkCurrencyDebitLimits })
    const before = await fixture.world.chain.lamports(wallet.onchainId)
    await fixture.refuses([openFor(thief.publicKey, key(wallet)).create])
    await fixture.steal([
      createCloseAccountInstruction(account, thief.publicKey, thief.publicKey, [], TOKEN_2022_PROGRAM_ID),
    ])
    expect(await fixture.world.chain.lamports(wallet.onchainId)).toBe(before)
  })

  it('counts for nothing where the owner is held here', async () => {
    await fixture.records.position(wallet, mint)
    await fixture.signed([openFor(key(wallet), key(fixture.feePayer)).create])
  })
})
