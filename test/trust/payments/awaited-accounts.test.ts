// Rent of an associated account that another transaction is to create: the one that lands first pays it. Balances are
// read from the chain.
import { getAssociatedTokenAddressSync, TOKEN_2022_PROGRAM_ID } from '@solana/spl-token'
import { Keypair, PublicKey } from '@solana/web3.js'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startWorld, unwatched, type World } from '../../e2e/harness.ts'
import { perTransaction, to } from '../../e2e/limits/limit-fixture.ts'
import type { Ids, NewPosition, Problems, Result } from '../../e2e/models.ts'
import { tenant, type Tenant } from '../fixtures/tenants.ts'

type Owner = Ids | { readonly onchainId: string; readonly offPlatform: boolean }

let world: World
let user: Tenant
/** Fee payers without limits, of another tenant, and of another organization of the user's tenant. */
let payers: Readonly<Record<'tenant' | 'organization', Ids>>
let own: Ids
let financialInstrument: Ids
let source: Ids
let thief: Owner

beforeAll(async () => {
  world = await startWorld({}, unwatched)
  user = await tenant(world, 'USER')
  const other = await tenant(world, 'OTHER')
  const sibling = await tenant(world, 'SIBLING', 'USER')
  own = await user.records.funded({ canPayFees: true, networkCurrencyDebitLimits: [] })
  financialInstrument = await user.records.instrument('TOKEN_2022', await user.records.account())
  source = await user.records.position(
    await user.records.account({ tokenDebitLimits: [] }),
    financialInstrument,
    1_000n,
  )
  const pays = { globalFeePayerForOrgs: ['USER'], canPayFees: true, networkCurrencyDebitLimits: [] }
  payers = { tenant: await other.records.funded(pays), organization: await sibling.records.funded(pays) }
  const acceptedFeePayers = [payers.tenant.onchainId]
  await user.api.ok(200, 'PATCH', '/admin/organizations', { externalId: 'USER', acceptedFeePayers })
})
afterAll(() => world.stop())
beforeEach(() => {
  thief = { onchainId: Keypair.generate().publicKey.toBase58(), offPlatform: true }
})

/** A position whose creation is prepared, and not signed. */
async function awaited(owner: Owner, { onchainId }: Ids): Promise<void> {
  const config = { feePayer: { onchainId, autoSign: false } }
  await user.api.ok<NewPosition>(201, 'POST', '/positions', { owner, financialInstrument }, { config })
}

function transfer(owner: Owner, { onchainId }: Ids) {
  const destination = { owner, financialInstrument }
  const body = { source: { position: source }, destination, lamports: '1', initializeDestinationPositionIfNeeded: true }
  return user.api.send<Result & Problems>('POST', '/positions/transfer', body, { config: { feePayer: { onchainId } } })
}

async function isNotPaid(code: string, owner: Owner, payer: Ids): Promise<void> {
  const before = await world.chain.lamports(payer.onchainId)
  const { status, body } = await transfer(owner, payer)
  expect([status, body.errors?.[0]?.code], JSON.stringify(body)).toEqual([400, code])
  expect(await world.chain.lamports(payer.onchainId)).toBe(before)
}

async function isPaid(owner: Owner, payer: Ids): Promise<void> {
  const { status, body } = await transfer(owner, payer)
  expect([status, body.success], JSON.stringify(body)).toEqual([201, true])
  const [mint, wallet] = [new PublicKey(financialInstrument.onchainId), new PublicKey(owner.onchainId)]
  const account = getAssociatedTokenAddressSync(mint, wallet, false, TOKEN_2022_PROGRAM_ID)
  expect(await world.chain.tokens(account.toBase58())).toBeGreaterThan(0n)
}

describe.each(['tenant', 'organization'] as const)('14.3: a fee payer of another %s', (of) => {
  it('pays no rent of an awaited account of a stranger', async () => {
    await awaited(thief, own)
    await isNotPaid('RENT_NOT_COVERED', thief, payers[of])
    await isPaid(thief, own)
  })

  it('pays no rent of an awaited account of the user, to whom it would return', async () => {
    const owner = await user.records.account()
    await awaited(owner, own)
    await isNotPaid('RENT_NOT_COVERED', owner, payers[of])
  })

  it('control: pays the rent of an account that awaits its own payment', async () => {
    const owner = await user.records.account()
    await awaited(owner, payers[of])
    await isPaid(owner, payers[of])
  })

  it('control: pays the fee once the account exists', async () => {
    await isPaid(thief, own)
    await isPaid(thief, payers[of])
  })
})

it('14.3: the rent of an awaited account of a stranger counts against the limits of an own payer', async () => {
  const networkCurrencyDebitLimits = [to('RENT', perTransaction('0.001'))]
  const limited = await user.records.funded({ canPayFees: true, networkCurrencyDebitLimits })
  await awaited(thief, own)
  await isNotPaid('DEBIT_LIMIT_EXCEEDED', thief, limited)
  await isPaid(thief, own)
})
