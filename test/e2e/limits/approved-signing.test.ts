// What an approval does to a transaction that lacks signatures: it is signed once neither the approval nor a signature
// from outside is missing, in whichever order they come.
import { randomUUID } from 'node:crypto'
import { Keypair, VersionedMessage, VersionedTransaction } from '@solana/web3.js'
import bs58 from 'bs58'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { startWorld, type World } from '../harness.ts'
import { LimitFixture, perTransaction, stranger, to, type Held, type Person } from './limit-fixture.ts'
import type { Ids } from '../models.ts'
import { SOL, type Records } from '../records.ts'

let world: World
let fixture: LimitFixture
let records: Records
let clerk: Person
let approver: Person
let wallet: Ids

beforeAll(async () => {
  world = await startWorld()
  fixture = new LimitFixture(world)
  const organization = await fixture.organization()
  clerk = await fixture.person(organization, 'OPERATOR')
  approver = await fixture.person(organization, ['DEBIT_LIMIT_APPROVE'])
  records = world.records.with((await fixture.person(organization, 'ADMIN')).api)
  await records.feePayer()
})
afterAll(() => world.stop())

beforeEach(async () => {
  const limit = to('ANY', perTransaction(1, { approversForOverride: [approver.keyId] }))
  wallet = await records.funded({ networkCurrencyDebitLimits: [limit] }, 20n * SOL)
})

const approve = ({ offchainId }: Held): Promise<Held> =>
  approver.api.ok<Held>(200, 'POST', '/transactions/approve', { offchainId })
const submit = ({ offchainId }: Held): Promise<Held> =>
  clerk.api.ok<Held>(200, 'POST', '/transactions/submit', { transaction: { offchainId } })

async function recordOutside(): Promise<Keypair> {
  const keypair = Keypair.generate()
  const onchainId = keypair.publicKey.toBase58()
  await records.account({ managed: false, onchainId })
  await world.chain.airdrop(onchainId, SOL)
  return keypair
}

function signAs(keypair: Keypair, { offchainId, serializedMessage }: Held): Promise<Held> {
  const message = VersionedMessage.deserialize(Buffer.from(serializedMessage, 'base64'))
  const signed = new VersionedTransaction(message)
  signed.sign([keypair])
  const at = message.staticAccountKeys.findIndex((address) => address.equals(keypair.publicKey))
  const signatures = [{ onchainId: keypair.publicKey.toBase58(), signature: bs58.encode(signed.signatures[at]!) }]
  return clerk.api.ok<Held>(200, 'POST', '/transactions/sign', { transaction: { offchainId }, signatures })
}

it.each(['before', 'after'])('a signature from outside may come %s the approval', async (order) => {
  const outside = await recordOutside()
  const onchainId = outside.publicKey.toBase58()
  const legs = [
    { source: wallet, destination: { onchainId }, amount: 3 },
    { source: { onchainId }, destination: wallet, amount: 0.1 },
  ]
  const prepared = await clerk.api.ok<Held>(201, 'POST', '/positions/trade', { legs })
  expect(prepared).toMatchObject({ status: 'PREPARED', approval: { required: 1, given: 0 } })
  if (order === 'before') expect((await signAs(outside, prepared)).status).toBe('PARTIALLY_SIGNED')
  const approved = await approve(prepared)
  const { status } = order === 'before' ? approved : await signAs(outside, approved)
  expect(status).toBe('SIGNED')
  expect((await submit(prepared)).success).toBe(true)
})

it('an approval alone does not sign a transaction that is to wait for Sign', async () => {
  const prepared = await fixture.pay({ ...wallet, autoSign: false }, stranger(), 2n * SOL, {}, clerk.api)
  expect(await approve(prepared)).toMatchObject({ status: 'PREPARED', approval: { given: 1 } })
  const transaction = { offchainId: prepared.offchainId }
  expect((await clerk.api.ok<Held>(200, 'POST', '/transactions/sign', { transaction })).status).toBe('SIGNED')
})

it('another organization that pays the fee does not ask for the signatures of the requester', async () => {
  const [parent, child] = [await fixture.organization(), randomUUID()]
  await world.api.ok(201, 'POST', '/admin/organizations', { externalId: child, name: child, parentExternalId: parent })
  const [requester, payer] = [await fixture.person(parent, 'ADMIN'), await fixture.person(child, 'ADMIN')]
  const reviewer = await fixture.person(parent, ['DEBIT_LIMIT_APPROVE'])
  const limit = to('ANY', perTransaction(1, { approversForOverride: [reviewer.keyId] }))
  const source = await world.records.with(requester.api).funded({ networkCurrencyDebitLimits: [limit] }, 20n * SOL)
  await world.records.with(payer.api).funded({ globalFeePayerForOrgs: [parent], canPayFees: true }, SOL)
  const held = { ...source, autoSign: false }
  const { offchainId } = await fixture.pay(held, stranger(), 2n * SOL, {}, requester.api)
  await payer.api.ok<Held>(200, 'POST', '/transactions/sign', { transaction: { offchainId } })
  const approved = await reviewer.api.ok<Held>(200, 'POST', '/transactions/approve', { offchainId })
  expect(approved.status).toBe('PREPARED')
})
