// A frozen account signs nothing: every endpoint that creates, signs or continues a transaction is tried under each of
// the three switches, and nothing has moved in the end.
import { PublicKey, SystemProgram } from '@solana/web3.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Client, Method } from './client.ts'
import { startWorld, type World } from './harness.ts'
import { LimitFixture, PAY, perTransaction, to, type Held, type Person } from './limits/limit-fixture.ts'
import type { Ids, Problems } from './models.ts'
import { SOL, type Records } from './records.ts'

let world: World
let api: Client
let records: Records
let fixture: LimitFixture
let organization: string
let approver: Person
/** The owner of all records, which signs for all of them. */
let owner: Ids
let payer: Ids
let other: Ids
let mint: Ids
let spare: Ids
let full: Ids
let empty: Ids
let receiving: Ids
let table: Ids
/** Created before the freeze, and not signed yet. */
let prepared: Held
let waitingPayment: Held

beforeAll(async () => {
  world = await startWorld()
  fixture = new LimitFixture(world)
  organization = await fixture.organization()
  const person = await fixture.person(organization, 'ADMIN')
  approver = await fixture.person(organization, ['DEBIT_LIMIT_APPROVE'])
  api = person.api
  records = world.records.with(api)
  payer = await records.feePayer()
  other = await records.account()
  owner = await records.funded({ canPayFees: true }, 50n * SOL)
  const authorities = {
    freezeAuthority: owner,
    permanentDelegateAuthority: owner,
    pausableAuthority: owner,
    closingAuthority: owner,
    updateAuthority: owner,
  }
  mint = await records.instrument('TOKEN_2022', owner, {
    ...authorities,
    scaledUiAmountMultiplier: 2,
    scaledUiAmountAuthority: owner,
  })
  spare = await records.instrument('TOKEN_2022', owner, authorities)
  full = await records.position(owner, mint, 1_000n)
  receiving = await records.position(other, mint)
  empty = await records.position(owner, spare)
  const request = { addressLookupTable: {}, authority: owner, componentAddresses: [mint] }
  table = (await api.ok<{ newAddressLookupTable: Ids }>(201, 'POST', '/address-lookup-tables', request))
    .newAddressLookupTable
  const pay = (source: object) => api.ok<Held>(201, 'POST', PAY, { source, destination: other, lamports: '1000' })
  prepared = await pay({ ...owner, autoSign: false })
  const limitedAccount = await records.funded({
    networkCurrencyDebitLimits: [to('ANY', perTransaction(0, { approversForOverride: [approver.keyId] }))],
  })
  waitingPayment = await pay(limitedAccount)
})
afterAll(() => world.stop())

const key = ({ onchainId }: Ids): PublicKey => new PublicKey(onchainId)
const foreign = async (): Promise<object> => {
  const transfer = SystemProgram.transfer({ fromPubkey: key(owner), toPubkey: key(other), lamports: 1_000 })
  return { serializedTransaction: await fixture.foreign(owner.onchainId, [transfer]) }
}

/** Every way to get a signature of the owner. */
const WAYS: Readonly<Record<string, () => readonly [Method, string, object | Promise<object>]>> = {
  'a payment': () => ['POST', PAY, { source: owner, destination: other, lamports: '1' }],
  'a transfer': () => [
    'POST',
    '/positions/transfer',
    { source: { position: full }, destination: { position: receiving }, lamports: '1' },
  ],
  'a forced transfer': () => [
    'POST',
    '/positions/transfer',
    { source: { position: full }, destination: { position: receiving }, lamports: '1', permanentDelegate: true },
  ],
  'a trade': () => [
    'POST',
    '/positions/trade',
    {
      legs: [
        { source: { position: full }, destination: { position: receiving }, lamports: '1' },
        { source: owner, destination: other, lamports: '1' },
      ],
    },
  ],
  'a mint': () => ['POST', '/positions/mint', { destination: { position: full }, lamports: '1' }],
  'a burn': () => ['POST', '/positions/burn', { source: { position: full }, lamports: '1' }],
  'a freeze on chain': () => ['PATCH', '/positions/freeze', { position: { position: full } }],
  'the end of a position': () => ['PATCH', '/positions/close', { position: { position: empty } }],
  'a pause': () => ['PATCH', '/financial-instruments/pause', { financialInstrument: mint }],
  'a change of an instrument': () => [
    'PATCH',
    '/financial-instruments',
    { mintAccount: mint, scaledUiAmountMultiplier: 3 },
  ],
  'the end of an instrument': () => ['PATCH', '/financial-instruments/close', { financialInstrumentToClose: spare }],
  'the growth of a table': () => [
    'PATCH',
    '/address-lookup-tables/extend',
    { addressLookupTable: table, componentAddresses: [other] },
  ],
  'the end of a table': () => ['PATCH', '/address-lookup-tables', { addressLookupTable: table, action: 'DEACTIVATE' }],
  'a transaction made elsewhere': () => ['POST', '/transactions/sign', foreign()],
  'its signature by name': () => [
    'POST',
    '/transactions/sign',
    foreign().then((bytes) => ({ ...bytes, signers: [owner], returnSerialized: true })),
  ],
  'a transaction that was prepared': () => [
    'POST',
    '/transactions/sign',
    { transaction: { offchainId: prepared.offchainId }, signers: [owner] },
  ],
  'a fee': () => ['POST', PAY, { source: payer, destination: other, lamports: '1' }],
}

const SWITCHES: readonly (readonly [name: string, target: () => object])[] = [
  ['the account', () => ({ account: owner })],
  ['its organization', () => ({ organizationExternalId: organization })],
  ['everything', () => ({})],
]

describe.each(SWITCHES)('with %s frozen', (name, target) => {
  beforeAll(() => world.api.ok(200, 'PATCH', '/admin/freeze', target()))
  afterAll(() => world.api.ok(200, 'PATCH', '/admin/unfreeze', target()))

  it.each(Object.keys(WAYS))('%s is refused', async (way) => {
    if (way === 'a fee' && name === 'the account') return
    const [method, path, itemData] = WAYS[way]!()
    const { status, body } = await api.send<Problems>(method, path, await itemData)
    expect([status, body.errors?.[0]?.code], JSON.stringify(body)).toEqual([403, 'FROZEN'])
  })

  it('stops approved and unapproved transactions', async () => {
    if (name === 'the account') return
    const { status, body } = await approver.api.send<Problems>('POST', '/transactions/approve', {
      offchainId: waitingPayment.offchainId,
    })
    expect([status, body.errors?.[0]?.code], JSON.stringify(body)).toEqual([403, 'FROZEN'])
  })
})
