// The records that keep a tenant in its cell, found in the rows of a real PostgreSQL: only those that could not end, or
// not be used any more, apart from the other tenants of the cell.
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { Postgres } from '../../bench/postgres/server.ts'
import { tieRowsOf } from '../../src/cli/cells/move-tenant.ts'
import { tiesOf } from '../../src/cli/cells/ties.ts'
import { Engine } from '../../src/engine/engine.ts'
import type { UnitOfWork } from '../../src/engine/records/unit-of-work.ts'
import type { TransactionFixed } from '../../machines/transaction-record.ts'
import type { Database } from '../../snapshots/postgres/database.ts'
import { prepareDatabase, type PostgresStore } from '../../snapshots/postgres/postgres-store.ts'
import { place } from '../engine/engine-fixture.ts'
import { account, countersignature, fixed, loan } from '../machines/records.ts'
import { addressOf, claimedStore, emptied, ownPostgres } from './postgres.ts'

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
  await emptied(address)
  store = await claimedStore(address)
  database = (await prepareDatabase({ address, waitMs: 30_000 })).database
  engine = await Engine.open({ store })
  for (const tenant of ['ACME', 'BANK', 'CORP']) await written((unit) => newOrganization(unit, tenant))
  return async () => {
    database.close()
    await store.close()
  }
})

const written = async (work: (unit: UnitOfWork) => unknown): Promise<void> => await engine.transact(work).durable
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

function newPayer(unit: UnitOfWork, tenant: string, granted: object): void {
  unit.create('account', place(`payer of ${tenant}`, tenant), {
    holding: { ...account, address: `payer of ${tenant}`, organization: tenant, ...granted },
    state: 'active',
  })
}

function newTransaction(unit: UnitOfWork, id: string, more: Partial<TransactionFixed>): void {
  const whole: TransactionFixed = { ...fixed, entries: [], ...more }
  unit.also('ACME', { type: 'payload', ...place(id), payload: { fixed: whole, signedBytes: null } })
  unit.create('transaction', place(id), { fixed: whole })
}

it('do not include a tenant whose open transactions are its own', async () => {
  await written((unit) => newTransaction(unit, 'alone', {}))
  await written((unit) => newTransaction(unit, 'own', { waitsFor: [{ tenant: 'ACME', organization: 'ACME' }] }))
  expect(await ties('ACME')).toEqual([])
})

it('include transactions that wait for keys of another tenant', async () => {
  await written((unit) => newTransaction(unit, 'asked', { waitsFor: [{ tenant: 'BANK', organization: 'BANK' }] }))
  expect(await ties('ACME')).toEqual(['transaction asked is signed with keys of BANK, and has not ended'])
  expect(await ties('CORP')).toEqual([])
})

it('include countersignatures that have not ended, and no text that resembles one', async () => {
  const requester = { tenant: 'BANK', organization: 'BANK' }
  const given = { ...countersignature, transactionId: 'theirs', requester }
  await written((unit) => unit.create('countersignature', place('c', 'ACME'), { countersignature: given }))
  const open = await ties('ACME')
  expect(open).toEqual(['transaction theirs of BANK is signed with keys of ACME, and has not ended'])
  const entry = engine.directory.byId('c')!
  const { messageHash } = given
  expect(messageHash).not.toBe('')
  await written((unit) => unit.send(entry, { type: 'chain.expired', at: new Date(0).toISOString(), proof: null }))
  await written((unit) => newPayer(unit, 'ACME', { comments: '["countersignature",1,1,"given"' }))
  expect(await ties('ACME')).toEqual([])
})

it('do not include grants: keys can be granted across cells', async () => {
  await written((unit) => newPayer(unit, 'BANK', { globalFeePayerForOrgs: ['ACME', 'BANK'] }))
  await written((unit) => newPayer(unit, 'CORP', { orgsAllowedToSignWithPrivateKey: ['BANK'] }))
  for (const tenant of ['ACME', 'BANK', 'CORP']) expect(await ties(tenant)).toEqual([])
})

it('include open loans between two tenants of the cell', async () => {
  const lender = { ...loan.lender, tenant: 'BANK', organization: 'BANK' }
  const context = { ...loan, organization: 'ACME', lender }
  await written((unit) => unit.create('loan', place('l', 'ACME'), { loan: context }))
  for (const tenant of ['ACME', 'BANK']) expect(await ties(tenant)).toEqual(['loan l of ACME by BANK is open'])
  expect(await ties('CORP')).toEqual([])
  await written((unit) =>
    unit.create('loan', place('own', 'CORP'), { loan: { ...context, lender: { ...lender, tenant: 'CORP' } } }),
  )
  expect(await ties('CORP')).toEqual([])
})
