// Who is given an authority over a mint can take what the mint holds: handing it on is a debit of the present holder,
// and what is paid into the mint afterwards is paid to the new one.
import { createCloseAccountInstruction, TOKEN_2022_PROGRAM_ID } from '@solana/spl-token'
import { Keypair } from '@solana/web3.js'
import bs58 from 'bs58'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { DrainFixture, key } from './drain-fixture.ts'
import { PAY } from './limit-fixture.ts'
import type { Ids } from '../models.ts'
import { SOL } from '../records.ts'

const AUTHORITIES = '/financial-instruments/authorities'

let fixture: DrainFixture
let wallet: Ids

beforeAll(async () => {
  fixture = await DrainFixture.start()
  wallet = await fixture.records.funded({}, 20n * SOL)
})
afterAll(() => fixture.world.stop())

const instrument = (members: object = {}): Promise<Ids> =>
  fixture.records.instrument('TOKEN_2022', wallet, { closingAuthority: wallet, ...members })
const deposit = (mint: Ids, amount: number): Promise<unknown> =>
  fixture.operator.api.ok(201, 'POST', PAY, { source: wallet, destination: { onchainId: mint.onchainId }, amount })
const handOn = (mint: Ids, authorities: object, confirm = false): Promise<unknown> =>
  fixture.operator.api.ok(200, 'PATCH', AUTHORITIES, { financialInstrument: mint, authorities, confirm })
const refusesToHandOn = (mint: Ids, authorities: object, confirm = false): Promise<unknown> =>
  fixture.operator.api.refuses(400, 'DEBIT_LIMIT_EXCEEDED', 'PATCH', AUTHORITIES, {
    financialInstrument: mint,
    authorities,
    confirm,
  })

it('counts what the mint holds when its closing authority goes outside', async () => {
  const mint = await instrument()
  await deposit(mint, 3)
  await refusesToHandOn(mint, { closing: fixture.outside })
  const closing = createCloseAccountInstruction(
    key(mint),
    fixture.thief.publicKey,
    fixture.thief.publicKey,
    [],
    TOKEN_2022_PROGRAM_ID,
  )
  await expect(fixture.steal([closing])).rejects.toThrow()
  expect(await fixture.world.chain.lamports(mint.onchainId)).toBeGreaterThan(3n * SOL)
})

it('counts what the mint holds beyond its rent when its mint authority goes outside', async () => {
  const mint = await instrument()
  await deposit(mint, 3)
  await refusesToHandOn(mint, { mint: fixture.outside })
})

it('counts the rent of the mint in the class of rent', async () => {
  const mint = await instrument()
  await handOn(mint, { mint: fixture.outside, closing: fixture.outside })
  const noRent = [{ destination: 'RENT', maxAllowedDebit: { limitType: 'PER_TRANSACTION', limitAmount: 0 } }]
  const strict = await fixture.records.funded({ networkCurrencyDebitLimits: noRent }, SOL)
  const other = await fixture.records.instrument('TOKEN_2022', wallet, { closingAuthority: strict })
  await refusesToHandOn(other, { closing: fixture.outside })
})

it('hands authorities on to accounts that are held here, whatever the mint holds', async () => {
  const mint = await instrument()
  await deposit(mint, 3)
  const next = await fixture.records.account()
  await handOn(mint, { closing: next, mint: next })
})

it('counts the excess that remains to the key of a mint which was brought along', async () => {
  const privateKey = bs58.encode(Keypair.generate().secretKey)
  const brought = await instrument({ mintAccount: { managed: true, privateKeyDetails: { privateKey } } })
  const made = await instrument()
  for (const mint of [brought, made]) await deposit(mint, 3)
  await refusesToHandOn(brought, { mint: null }, true)
  await handOn(made, { mint: null }, true)
})
