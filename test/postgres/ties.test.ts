// The records that keep a tenant in its cell, found in the rows of a real PostgreSQL: only those that could not end, or
// not be used any more, apart from the other tenants of the cell.
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { Postgres } from '../../bench/postgres/server.ts'
import { tieRowsOf } from '../../src/cli/cells/move-tenant.ts'
import { tiesOf } from '../../src/cli/cells/ties.ts'
import { Engine } from '../../src/engine/engine.ts'
import type { UnitOfWork } from '../../src/engine/records/unit-of-work.ts'
import type { TransactionFixed } from '../../machines/transactions/transaction-record.ts'
import type { Database } from '../../snapshots/postgres/database.ts'
import { prepareDatabase, type PostgresStore } from '../../snapshots/postgres/postgres-store.ts'
import { place } from '../engine/engine-fixture.ts'
import { account, countersignature, fixed, loan } from '../machines/records.ts'
import { addressOf, claimedStore, emptySchema, ownPostgres } from './postgres.ts'

let postgres: Postgres
let database: Database
let store: PostgresStore
let engine: Engine
beforeAll(async () => {
  postgres = await ownPostgres()
})
afterAll(() => postgres[Symbol.asyncDispose]())
beforeEach(async () => {
  const address = addressOf(postgres)
  await emptySchema(address)
  store = await claimedStore(address)
  database = (await prepareDatabase({ address, waitMs: 30_000 })).database
  engine = await Engine.open({ store })
  for (const tenant of ['ACME', 'BANK', 'CORP']) await commit((unit) => newOrganization(unit, tenant))
  return async () => {
    database.close()
    await store.close()
  }
})

const commit = async (work: (unit: UnitOfWork) => unknown): Promise<void> => await engine.transact(work).durable
const ties = (tenant: string) => tiesOf(tieRowsOf(database, 'main'), tenant)

function newOrganization(unit: UnitOfWork, externalId: string): void {
  unit.create(
    'organization',
    { tenant: externalId, cluster: '*', id: `org ${externalId}` },
    {
      organization: { externalId, name: externalId, parentExternalId: null, allowedPrograms: [], system: false },
    },
  )
}

function newPayer(unit: UnitOfWork, tenant: string, permissions: object): void {
  unit.create('account', place(`payer of ${tenant}`, tenant), {
    holding: { ...account, address: `payer of ${tenant}`, organization: tenant, ...permissions },
    state: 'active',
  })
}

function newTransaction(unit: UnitOfWork, id: string, more: Partial<TransactionFixed>): void {
  const completeFixed: TransactionFixed = { ...fixed, entries: [], ...more }
  unit.also('ACME', { type: 'payload', ...place(id), payload: { fixed: completeFixed, signedBytes: null } })
  unit.create('transaction', place(id), { fixed: completeFixed })
}

it('do not include a tenant whose open transactions are its own', async () => {
  await commit((unit) => newTransaction(unit, 'alone', {}))
  await commit((unit) => newTransaction(unit, 'own', { waitsFor: [{ tenant: 'ACME', organization: 'ACME' }] }))
  expect(await ties('ACME')).toEqual([])
})

it('include transactions that wait for keys of another tenant', async () => {
  await commit((unit) => newTransaction(unit, 'asked', { waitsFor: [{ tenant: 'BANK', organization: 'BANK' }] }))
  expect(await ties('ACME')).toEqual(['transaction asked is signed with keys of BANK, and has not ended'])
  expect(await ties('CORP')).toEqual([])
})

it('include countersignatures that have not ended, and no text that resembles one', async () => {
  const requester = { tenant: 'BANK', organization: 'BANK' }
  const contents = { ...countersignature, transactionId: 'theirs', requester }
  await commit((unit) => unit.create('countersignature', place('c', 'ACME'), { countersignature: contents }))
  const open = await ties('ACME')
  expect(open).toEqual(['transaction theirs of BANK is signed with keys of ACME, and has not ended'])
  const entry = engine.directory.byId('c')!
  const { messageHash } = contents
  expect(messageHash).not.toBe('')
  await commit((unit) => unit.send(entry, { type: 'chain.expired', at: new Date(0).toISOString(), proof: null }))
  await commit((unit) => newPayer(unit, 'ACME', { comments: '["countersignature",1,1,"given"' }))
  expect(await ties('ACME')).toEqual([])
})

it('do not include grants: keys can be granted across cells', async () => {
  await commit((unit) => newPayer(unit, 'BANK', { globalFeePayerForOrgs: ['ACME', 'BANK'] }))
  await commit((unit) => newPayer(unit, 'CORP', { orgsAllowedToSignWithPrivateKey: ['BANK'] }))
  for (const tenant of ['ACME', 'BANK', 'CORP']) expect(await ties(tenant)).toEqual([])
})

it('include open loans between two tenants of the cell', async () => {
  const lender = { ...loan.lender, tenant: 'BANK', organization: 'BANK' }
  const context = { ...loan, organization: 'ACME', lender }
  await commit((unit) => unit.create('loan', place('l', 'ACME'), { loan: context }))
  for (const tenant of ['ACME', 'BANK']) expect(await ties(tenant)).toEqual(['loan l of ACME by BANK is open'])
  expect(await ties('CORP')).toEqual([])
  await commit((unit) =>
    unit.create('loan', place('own', 'CORP'), { loan: { ...context, lender: { ...lender, tenant: 'CORP' } } }),
  )
  expect(await ties('CORP')).toEqual([])
})
