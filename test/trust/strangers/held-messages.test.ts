// A stranger holds messages that name accounts of another tenant, and records a mint of that tenant with a limit: none
// of this stops an operation of that tenant.
import { createUpdateFieldInstruction } from '@solana/spl-token-metadata'
import { TOKEN_2022_PROGRAM_ID } from '@solana/spl-token'
import { AddressLookupTableProgram, PublicKey, SystemProgram, type TransactionInstruction } from '@solana/web3.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Client } from '../../e2e/client.ts'
import { LimitFixture } from '../../e2e/limits/limit-fixture.ts'
import { LoanFixture, type Feed } from '../../e2e/loans/loan-fixture.ts'
import type { Ids, Result } from '../../e2e/models.ts'
import { newParty, type Party } from '../fixtures/parties.ts'

const INSTRUMENTS = '/financial-instruments'
const TABLES = '/address-lookup-tables'

let fixture: LoanFixture
let limits: LimitFixture
let owner: Party
let stranger: Party
let key: PublicKey
let fees: Ids
let authority: Ids
let mint: Ids
let table: Ids
let feed: Feed
let closable: Ids
let idle: Ids
let position: Ids

beforeAll(async () => {
  // The messages outlive the test.
  fixture = await LoanFixture.open({ HOLDFAST_EMBEDDED_SLOT_MS: '400' })
  limits = new LimitFixture(fixture.world)
  ;[owner, stranger] = [await newParty(fixture.world, 'OWNER'), await newParty(fixture.world, 'STRANGER')]
  const { records, api } = owner
  await records.feePayer()
  fees = await stranger.records.feePayer({ networkCurrencyDebitLimits: [] })
  key = new PublicKey(fees.onchainId)
  ;[authority, idle] = [await records.account(), await records.account()]
  const token = {
    pausableAuthority: authority,
    closingAuthority: authority,
    onchainData: { name: 'Bond', symbol: 'B' },
  }
  mint = await records.instrument('TOKEN_2022', authority, token)
  closable = await records.instrument('TOKEN_2022', authority, token)
  feed = await fixture.feed(mint, '1', api)
  const components = [{ onchainId: fees.onchainId }]
  const made = { addressLookupTable: {}, authority, componentAddresses: components }
  table = (await api.ok<{ newAddressLookupTable: Ids }>(201, 'POST', TABLES, made)).newAddressLookupTable
  for (const account of [mint, table, feed, closable, idle]) await holds(await pays(account))
  for (const account of [mint, feed, closable]) await holds(await renames(account))
  await holds(await extendsTable())
  position = await records.position(await records.account(), mint)
  await stranger.api.ok(201, 'POST', INSTRUMENTS, {
    mintAccount: { onchainId: mint.onchainId },
    alreadyOnChain: true,
    mintAuthority: { onchainId: authority.onchainId, offPlatform: true },
    maxSupply: '1',
  })
}, 60_000)
afterAll(() => fixture.world.stop())

const foreign = (instruction: TransactionInstruction) => limits.foreign(fees.onchainId, [instruction])
const pays = ({ onchainId }: Ids) =>
  foreign(SystemProgram.transfer({ fromPubkey: key, toPubkey: new PublicKey(onchainId), lamports: 1 }))
const renames = ({ onchainId }: Ids) =>
  foreign(
    createUpdateFieldInstruction({
      programId: TOKEN_2022_PROGRAM_ID,
      metadata: new PublicKey(onchainId),
      updateAuthority: key,
      field: 'k',
      value: 'v',
    }),
  )
const extendsTable = () =>
  foreign(
    AddressLookupTableProgram.extendLookupTable({
      lookupTable: new PublicKey(table.onchainId),
      authority: key,
      payer: key,
      addresses: [new PublicKey(mint.onchainId)],
    }),
  )

/** The stranger signs, and does not submit. */
async function holds(serializedTransaction: string): Promise<void> {
  const signed = await stranger.api.ok<Result>(200, 'POST', '/transactions/sign', { serializedTransaction })
  expect(signed.status).toBe('SIGNED')
}

type Send = (api: Client) => Promise<unknown>
const change =
  (path: string, itemData: () => object): Send =>
  (api) =>
    api.ok(200, 'PATCH', path, itemData())

// In this order: the last ones end what the others change.
const OPERATIONS: Readonly<Record<string, Send>> = {
  'update of an instrument': change(INSTRUMENTS, () => ({ mintAccount: mint, onchainData: { name: 'Two' } })),
  pause: change(`${INSTRUMENTS}/pause`, () => ({ financialInstrument: mint })),
  'end of a pause': change(`${INSTRUMENTS}/unpause`, () => ({ financialInstrument: mint })),
  'change of an authority': change(`${INSTRUMENTS}/authorities`, () => ({
    financialInstrument: mint,
    authorities: { update: idle },
  })),
  'close of an instrument': change(`${INSTRUMENTS}/close`, () => ({ financialInstrumentToClose: closable })),
  'mint of a batch beyond the limit of the stranger': (api) =>
    api.ok(201, 'POST', '/batches', {
      operation: 'MINT',
      items: [{ destination: { position }, lamports: '100' }],
    }),
  'refresh of a data source': change('/market-data/onchain-data-source/refresh', () => ({
    onchainDataSource: { offchainId: feed.offchainId },
  })),
  'extension of a lookup table': change(`${TABLES}/extend`, () => ({
    addressLookupTable: table,
    componentAddresses: [{ onchainId: mint.onchainId }],
  })),
  'change of a lookup table': change(TABLES, () => ({ addressLookupTable: table, action: 'DEACTIVATE' })),
  'inactivation of an account': change('/accounts/inactivate', () => ({ account: idle })),
}

describe('records of a stranger do not stop', () => {
  it.each(Object.entries(OPERATIONS))('%s', async (_, send) => {
    await send(owner.api)
  })
})
