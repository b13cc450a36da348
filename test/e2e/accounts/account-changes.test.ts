// Update and inactivate over HTTP: changed and unchanged members, the required rights, and the reasons against closing
// an account.
import { Keypair } from '@solana/web3.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Client } from '../client.ts'
import { startWorld, type World } from '../harness.ts'
import type { Ids, NewAccount } from '../models.ts'
import { SOL } from '../records.ts'

let world: World

beforeAll(async () => {
  world = await startWorld()
  await world.records.feePayer({ offchainReferences: { code: 'FEES' } })
})
afterAll(() => world.stop())

const clientOf = async (organizationExternalId: string): Promise<Client> => {
  const key = { organizationExternalId, name: 'k', bundle: 'OPERATOR' }
  return world.api.as((await world.api.ok<{ apiKey: string }>(201, 'POST', '/admin/api-keys', key)).apiKey)
}
const create = async (itemData: object): Promise<Ids> =>
  (await world.api.ok<NewAccount>(201, 'POST', '/accounts', itemData)).newAccount
interface Changed {
  readonly updatedAccount: Ids
  readonly inactivatedAccount: Ids
  readonly chainTransaction?: { readonly success: boolean }
}

const update = (account: object, changes: object, api: Client = world.api) =>
  api.ok<Changed>(200, 'PATCH', '/accounts', { account, ...changes })

describe('update', () => {
  it('changes the given members, clears those that are null, and keeps the others', async () => {
    const { onchainId, offchainId } = await create({
      offchainReferences: { code: 'before', alId: 'AL', accountNumber: '1', name: 'n' },
      comments: 'c',
      domain: 'd',
      canPayFees: true,
    })
    const { updatedAccount } = await update(
      { onchainId },
      {
        offchainReferences: { code: 'after', alId: null },
        comments: null,
        canPayFees: false,
        globalFeePayerForOrgs: ['SYSTEM'],
        networkCurrencyDebitLimits: [
          { destination: 'ANY', maxAllowedDebit: { limitType: 'PER_TRANSACTION', limitAmount: '2.5' } },
        ],
        subscribeToNetworkEvents: true,
      },
    )
    expect(updatedAccount).toEqual({ onchainId, offchainId })
    const record = await world.records.accountRecord({ onchainId, offchainId })
    expect(record).toMatchObject({
      offchain: { code: 'after', alId: null, accountNumber: '1', name: 'n', type: 'WALLET' },
      comments: null,
      domain: 'd',
      canPayFees: false,
      globalFeePayerForOrgs: ['SYSTEM'],
      subscribeToNetworkEvents: true,
    })
    expect(record.networkCurrencyDebitLimits).toHaveLength(1)
    expect(record).toMatchObject({ defaultDebitLimits: ['tokenDebitLimits'] })
    await update(
      { offchainReferences: { code: 'after' } },
      { networkCurrencyDebitLimits: null, globalFeePayerForOrgs: null },
    )
    expect(await world.records.accountRecord({ onchainId, offchainId })).toMatchObject({
      networkCurrencyDebitLimits: [],
      defaultDebitLimits: ['networkCurrencyDebitLimits', 'tokenDebitLimits'],
      globalFeePayerForOrgs: [],
      comments: null,
    })
  })

  it('refuses duplicates of other records, invalid account types, and an empty change', async () => {
    await create({ offchainReferences: { code: 'taken' } })
    const { onchainId } = await create({ offchainReferences: { code: 'free' } })
    const refuses = (code: string, changes: object) =>
      world.api.refuses(400, code, 'PATCH', '/accounts', { account: { onchainId }, ...changes })
    await refuses('ALREADY_EXISTS', { offchainReferences: { code: 'taken' } })
    await refuses('MEMBER_NOT_CHANGEABLE', { offchainReferences: { type: 'NONCE' } })
    await refuses('MEMBER_NOT_CHANGEABLE', { offchainReferences: { organizationExternalId: 'OTHER' } })
    const problem = await refuses('ORGANIZATION_NOT_FOUND', { globalFeePayerForOrgs: ['NOBODY'] })
    expect(problem.pointer).toBe('/itemData/globalFeePayerForOrgs/0')
    await refuses('REQUIRED', {})
    expect((await refuses('UNKNOWN_MEMBER', { comments: 'x', commments: 'x' })).pointer).toBe('/itemData/commments')
    await update({ onchainId }, { offchainReferences: { code: 'free' } })
  })

  it('requires the role for each member, and hides records of other organizations', async () => {
    const { onchainId } = await create({})
    const operator = await clientOf('SYSTEM')
    const account = { onchainId }
    await operator.refuses(403, 'ROLE_REQUIRED', 'PATCH', '/accounts', { account, canPayFees: true })
    await operator.refuses(403, 'ROLE_REQUIRED', 'PATCH', '/accounts', { account, tokenDebitApiKeys: [] })
    await update(account, { comments: 'fine' }, operator)
    await world.api.ok(201, 'POST', '/admin/organizations', { externalId: 'OUTSIDE', name: 'Outside' })
    const outsider = await clientOf('OUTSIDE')
    await outsider.refuses(400, 'ACCOUNT_NOT_FOUND', 'PATCH', '/accounts', { account, comments: 'x' })
  })
})

describe('inactivate', () => {
  const inactivate = (itemData: object) => world.api.ok<Changed>(200, 'PATCH', '/accounts/inactivate', itemData)
  const refuses = (code: string, itemData: object) =>
    world.api.refuses(400, code, 'PATCH', '/accounts/inactivate', itemData)

  it('closes an empty account without a transaction and frees its references', async () => {
    const account = await create({ offchainReferences: { code: 'short-lived' } })
    const { inactivatedAccount, chainTransaction } = await inactivate({ account: { offchainId: account.offchainId } })
    expect(inactivatedAccount).toEqual(account)
    expect(chainTransaction).toBeUndefined()
    expect(await world.records.accountRecord(account)).toMatchObject({ status: 'CLOSED' })
    await refuses('CLOSED', { account: { offchainId: account.offchainId } })
    await create({ offchainReferences: { code: 'short-lived' } })
  })

  it('transfers the remaining balance to the given destination, to the last lamport', async () => {
    const account = await create({ seedAmount: 1, networkCurrencyDebitLimits: [] })
    const problem = await refuses('REFUND_DESTINATION_REQUIRED', { account: { onchainId: account.onchainId } })
    expect(problem.pointer).toBe('/itemData/refundDestination')
    const refund = Keypair.generate().publicKey.toBase58()
    const answer = await inactivate({
      account: { onchainId: account.onchainId },
      refundDestination: { onchainId: refund, offPlatform: true },
    })
    expect(answer.chainTransaction).toMatchObject({ success: true })
    expect(await world.chain.lamports(refund)).toBe(SOL)
    expect(await world.chain.exists(account.onchainId)).toBe(false)
    expect(await world.records.accountRecord(account)).toMatchObject({
      status: 'CLOSED',
      offchain: { lamportsBalance: 0 },
    })
  })

  it('accepts the destination under its other name', async () => {
    const refund = await create({})
    const account = await create({ seedAmount: 1 })
    await refuses('ALIAS_CONFLICT', { account, refundDestination: refund, refundSolDestination: account })
    await inactivate({ account, refundSolDestination: refund })
    expect(await world.chain.lamports(refund.onchainId)).toBe(SOL)
  })

  it('closes an account emptied a moment ago once the transfer is final', async () => {
    const [account, other] = [await create({ seedAmount: 1 }), await create({ seedAmount: 1 })]
    const body = { source: account, destination: other, transferEntireBalance: true }
    const payment = await world.api.ok<{ offchainId: string }>(
      201,
      'POST',
      '/positions/transfer-network-currency',
      body,
    )
    await inactivate({ account })
    expect(await world.api.read('/transactions/status', { offchainId: payment.offchainId })).toMatchObject({
      status: 'FINALIZED',
    })
    expect(await world.records.accountRecord(account)).toMatchObject({ status: 'CLOSED' })
  })

  it('is refused while the account has an open position, and names the position', async () => {
    const owner = await create({})
    const instrument = await world.records.instrument('TOKEN_2022', { offchainId: owner.offchainId })
    const position = await world.records.position(owner, instrument)
    const { message } = await refuses('ACCOUNT_IN_USE', { account: { offchainId: owner.offchainId } })
    expect(message).toContain(position.offchainId)
  })

  it('ends the record of an unmanaged account, whatever its balance', async () => {
    const stranger = Keypair.generate().publicKey.toBase58()
    await world.chain.airdrop(stranger, SOL)
    const { onchainId, offchainId } = await create({ managed: false, alreadyOnchain: true, onchainId: stranger })
    await inactivate({ account: { offchainId } })
    expect(await world.records.accountRecord({ onchainId, offchainId })).toMatchObject({ status: 'CLOSED' })
    expect(await world.chain.exists(onchainId)).toBe(true)
  })
})
