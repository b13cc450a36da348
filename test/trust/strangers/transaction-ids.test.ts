// No record, event or audit row of one tenant contains the id of a transaction of another, which would reveal activity
// of strangers.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { eventually, startWorld, type World } from '../../e2e/harness.ts'
import type { Ids, Result } from '../../e2e/models.ts'
import { SOL } from '../../e2e/records.ts'
import { everythingSeenBy, newParty, type Party } from '../fixtures/parties.ts'

const PAY = '/positions/transfer-network-currency'

let world: World
let owner: Party
let stranger: Party
let payer: Ids

beforeAll(async () => {
  world = await startWorld()
  owner = await newParty(world, 'OWNER')
  stranger = await newParty(world, 'STRANGER')
  payer = await owner.records.feePayer({ networkCurrencyDebitLimits: [] })
})
afterAll(() => world.stop())

const pay = (destination: object, lamports: number): Promise<Result> =>
  owner.api.ok<Result>(
    201,
    'POST',
    PAY,
    { source: payer, destination, lamports },
    { config: { commitmentConfig: { commitmentLevel: 'finalized' } } },
  )

async function seesNothingOf(party: Party, { offchainId, onchainId }: Result): Promise<void> {
  const visibleText = await everythingSeenBy(world, party)
  expect([offchainId, visibleText.includes(offchainId)]).toEqual([offchainId, false])
  expect([onchainId, visibleText.includes(onchainId!)]).toEqual([onchainId, false])
}

describe('attack 17: a note of an address follows what its owner does (14.11)', () => {
  it('shows balances, and no transaction of the owner', async () => {
    const note = await stranger.records.account({ managed: false, alreadyOnchain: true, onchainId: payer.onchainId })
    const before = await stranger.records.accountRecord(note)
    const payment = await pay({ onchainId: (await owner.records.account()).onchainId }, Number(SOL))
    await eventually(() => stranger.records.accountsEqualChain(note))
    const { onchain, offchain } = await stranger.records.accountRecord(note)
    expect({ ...onchain, ids: offchain.lastTransactionId }).toEqual({ ...before.onchain, ids: null })
    await seesNothingOf(stranger, payment)
    // Its owner sees it.
    expect(await owner.records.accountRecord(payer)).toMatchObject({
      onchain: { lastTransactionId: payment.onchainId },
      offchain: { lastTransactionId: payment.offchainId },
    })
  })

  it('keeps its own last transaction after a payment to another tenant', async () => {
    const strangerPayer = await stranger.records.feePayer()
    const sink = await stranger.records.account()
    const own = await stranger.api.ok<Result>(201, 'POST', PAY, {
      source: strangerPayer,
      destination: sink,
      lamports: Number(SOL),
    })
    const payment = await pay({ onchainId: strangerPayer.onchainId, offPlatform: true }, Number(SOL))
    await eventually(() => stranger.records.accountsEqualChain(strangerPayer))
    expect(await stranger.records.accountRecord(strangerPayer)).toMatchObject({
      onchain: { lastTransactionId: own.onchainId },
      offchain: { lastTransactionId: own.offchainId },
    })
    await seesNothingOf(stranger, payment)
    await owner.records.accountsEqualChain(payer)
  })

  it('shows a tenant whose key countersigned the signature, and not the id', async () => {
    const sponsor = await stranger.records.funded({ canPayFees: true, globalFeePayerForOrgs: ['OWNER'] }, SOL)
    await owner.api.ok(200, 'PATCH', '/admin/organizations', {
      externalId: 'OWNER',
      acceptedFeePayers: [sponsor.onchainId],
    })
    const body = { source: payer, destination: await owner.records.account(), lamports: Number(SOL) }
    const config = { feePayer: { onchainId: sponsor.onchainId }, commitmentConfig: { commitmentLevel: 'finalized' } }
    const { offchainId, onchainId } = await owner.api.ok<Result>(201, 'POST', PAY, body, { config })
    expect(await stranger.records.accountRecord(sponsor)).toMatchObject({
      onchain: { lastTransactionId: onchainId },
      offchain: { lastTransactionId: null },
    })
    expect((await everythingSeenBy(world, stranger)).includes(offchainId)).toBe(false)
    await stranger.records.accountsEqualChain(sponsor)
  })
})
