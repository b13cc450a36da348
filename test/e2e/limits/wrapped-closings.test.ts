// A closing takes wrapped network currency out of a position as a transfer of its tokens would: lists of keys, limits
// of tokens and freezes that hold for the transfer hold for the closing.
import { createCloseAccountInstruction, NATIVE_MINT } from '@solana/spl-token'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { DrainFixture, key } from './drain-fixture.ts'
import { perTransaction, to } from './limit-fixture.ts'
import type { Ids } from '../models.ts'
import { SOL } from '../records.ts'

let fixture: DrainFixture
let wallet: Ids
let other: Ids
let wrapped: Ids

beforeAll(async () => {
  fixture = await DrainFixture.start()
  await fixture.admin.api.ok(201, 'POST', '/financial-instruments', {
    mintAccount: { onchainId: NATIVE_MINT.toBase58() },
    alreadyOnChain: true,
    version: 'SPL',
  })
  other = await fixture.records.funded({}, SOL)
})
afterAll(() => fixture.world.stop())

beforeEach(async () => {
  wallet = await fixture.records.funded({}, 10n * SOL)
  wrapped = await fixture.wrapped(wallet, 5n * SOL)
})

const close = (destination: Ids) => [createCloseAccountInstruction(key(wrapped), key(destination), key(wallet))]
const change = (path: string, item: object) => fixture.admin.api.ok(200, 'PATCH', path, item)
const remains = async (): Promise<void> => {
  expect(await fixture.world.chain.tokens(wrapped.onchainId)).toBe(5n * SOL)
}

it('is for the listed keys of the wallet', async () => {
  await change('/accounts', { account: wallet, tokenDebitApiKeys: [fixture.admin.keyId] })
  await fixture.refuses(close(other), 'DEBIT_KEY_REQUIRED')
  await fixture.refuses(close(wallet), 'DEBIT_KEY_REQUIRED')
  await remains()
  await fixture.signed(close(other), fixture.admin)
})

it('is for the listed keys of the position', async () => {
  await change('/positions', { position: { position: wrapped }, tokenDebitApiKeys: [fixture.admin.keyId] })
  await fixture.refuses(close(other), 'DEBIT_KEY_REQUIRED')
  await remains()
  await fixture.signed(close(other), fixture.admin)
})

it('counts against the limits of tokens, unless it is to the own wallet', async () => {
  const tokenDebitLimits = [{ operationType: 'ANY', ...to('ANY', perTransaction(4)) }]
  await change('/accounts', { account: wallet, tokenDebitLimits })
  await fixture.refuses(close(other))
  await remains()
  await fixture.signed(close(wallet))
})

it('is refused while an operator has frozen the position', async () => {
  await change('/admin/freeze', { account: { offchainId: wrapped.offchainId } })
  await fixture.refuses(close(other), 'FROZEN')
  await remains()
})
