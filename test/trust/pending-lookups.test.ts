// An approved change is the change that was approved: references of accounts that are exchanged between two approvals,
// or between the approval and the change, do not turn it into another one.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Person } from '../e2e/limits/limit-fixture.ts'
import type { Ids } from '../e2e/models.ts'
import { LendingTenants } from './fixtures/lending-tenants.ts'

interface Pending {
  readonly pendingChange: {
    readonly offchainId: string
    readonly status: string
    readonly approval: { readonly given: number; readonly required: number }
  }
}

let tenants: LendingTenants
let anna: Person
let bert: Person
let meant: Ids
let other: Ids

beforeAll(async () => {
  tenants = await LendingTenants.open()
  const { organization, admin } = tenants.lender
  ;[anna, bert] = (await Promise.all(
    [0, 1].map(() => tenants.limits.person(organization, ['DEBIT_LIMIT_APPROVE'])),
  )) as [Person, Person]
  await admin.api.ok(201, 'POST', '/approval-policies', {
    operations: ['STRATEGIES', 'APPROVAL_POLICIES', 'ACCOUNT_POLICY'],
    approvers: [anna.keyId, bert.keyId],
    requiredApproversCount: 2,
  })
})
afterAll(() => tenants.fixture.world.stop())

let count = 0
let code: string
const named = (name: string): object => ({ offchainReferences: { code: name } })

beforeEach(async () => {
  code = `MEANT-${(count += 1)}`
  ;[meant, other] = [await tenants.treasury(100n), await tenants.treasury(100n)]
  await rename(meant, code)
})

/** By a key that writes accounts and nothing else. */
async function rename(account: Ids, name: string): Promise<void> {
  await tenants.lender.operator.api.ok(200, 'PATCH', '/accounts', { account, offchainReferences: { code: name } })
}

async function exchange(): Promise<void> {
  await rename(meant, `${code}-before`)
  await rename(other, code)
}

const request = async (method: 'POST' | 'PATCH', path: string, itemData: object): Promise<Pending> =>
  await tenants.lender.admin.api.ok<Pending>(202, method, path, itemData)
const approve = async ({ api }: Person, { pendingChange: { offchainId } }: Pending): Promise<Pending> =>
  await api.ok<Pending>(200, 'POST', '/pending-changes/approve', { offchainId })

async function strategiesOf(vault: Ids): Promise<number> {
  const filter = [
    {
      fieldName: 'strategyAccountOnchainId',
      filterValues: [{ filterType: 'EQUALS', valueString: vault.onchainId }],
    },
  ]
  const { count: found } = (await tenants.lender.admin.api.bulk('/loans/strategies/bulk', { filter })) as {
    count: number
  }
  return found
}

describe('a new strategy that two persons approve', () => {
  it('is of the vault that the first of them approved', async () => {
    const change = await request('POST', '/loans/strategies', {
      ...tenants.strategy(meant),
      strategyAccount: named(code),
    })
    await approve(anna, change)
    await exchange()
    expect((await approve(bert, change)).pendingChange.status).toBe('PENDING')
    expect(await strategiesOf(other)).toBe(0)
    // Both approve what it is now.
    await approve(anna, change)
    expect((await approve(bert, change)).pendingChange.status).toBe('APPLIED')
    expect(await strategiesOf(other)).toBe(1)
  })

  it('control: is made by the second approval if nothing was exchanged', async () => {
    const change = await request('POST', '/loans/strategies', {
      ...tenants.strategy(meant),
      strategyAccount: named(code),
    })
    await approve(anna, change)
    expect((await approve(bert, change)).pendingChange.status).toBe('APPLIED')
    expect(await strategiesOf(meant)).toBe(1)
  })
})

/** The accounts to exchange are instruments from then on. */
async function makeInstruments(): Promise<void> {
  const { records } = tenants.lender
  code = `${code}-coin`
  ;[meant, other] = [
    await records.instrument('SPL', tenants.issuer, { mintAccount: named(code) }),
    await records.instrument('SPL', tenants.issuer),
  ]
}

describe('a change whose lookups find something else by the second approval', () => {
  const expectAskedAgain = async (change: Pending): Promise<void> => {
    await approve(anna, change)
    await exchange()
    expect((await approve(bert, change)).pendingChange.status).toBe('PENDING')
    await approve(anna, change)
    expect((await approve(bert, change)).pendingChange.status).toBe('APPLIED')
  }

  it('of the token limits of an account waits for approvals of what it is now', async () => {
    const account = await tenants.lender.records.account()
    const entry = { operationType: 'ANY', destination: 'ANY', mintAuthority: named(code) }
    const maxAllowedDebit = { limitType: 'PER_TRANSACTION', limitAmount: 1 }
    await expectAskedAgain(
      await request('PATCH', '/accounts', { account, tokenDebitLimits: [{ ...entry, maxAllowedDebit }] }),
    )
  })

  it('of the instrument of a policy waits for approvals of what it is now', async () => {
    await makeInstruments()
    const policy = { operations: ['MINT'], approvers: [anna.keyId], requiredApproversCount: 1 }
    await expectAskedAgain(await request('POST', '/approval-policies', { ...policy, financialInstrument: named(code) }))
  })

  it('of the collateral of a strategy waits for approvals of what it is now', async () => {
    const { admin } = tenants.lender
    const create = await request('POST', '/loans/strategies', tenants.strategy(meant))
    await approve(anna, create)
    await approve(bert, create)
    const filter = [
      {
        fieldName: 'strategyAccountOnchainId',
        filterValues: [{ filterType: 'EQUALS', valueString: meant.onchainId }],
      },
    ]
    const { items } = (await admin.api.bulk('/loans/strategies/bulk', { filter })) as { items: Ids[] }
    await makeInstruments()
    for (const instrument of [meant, other]) await tenants.fixture.feed(instrument, '1', admin.api)
    const terms = { apy: 0, loanToValueRatio: 500_000, liquidationRatio: 600_000, maxPriceAgeSeconds: 86_400 }
    await expectAskedAgain(
      await request('PATCH', '/loans/strategies', {
        strategy: { offchainId: items[0]!.offchainId },
        collateral: [{ financialInstrument: named(code), ...terms }],
      }),
    )
  })
})
