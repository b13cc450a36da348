// The content of the pages: records of every kind, transactions in every state, hostile names, and keys with few
// rights. Created once, through the interface.
import { Keypair } from '@solana/web3.js'
import type { World } from '../e2e/harness.ts'
import type { Ids, Result } from '../e2e/models.ts'
import { SOL } from '../e2e/records.ts'

/** Markup, a bidirectional override, and an invisible character. */
export const HOSTILE_NAME = '<img src=x onerror=alert(1)>\u202egnp.exe\u200b'
export const HOSTILE_MEMO = '"><script>document.title="owned"</script>\u2066'
export const OTHER_TENANT = '</title><svg onload=alert(2)>'

const UNIT = 1_000_000n
const DURABLE = { messageLifetimeStrategy: 'DURABLE_NONCE' }
const PAY = '/positions/transfer-network-currency'

export interface Scene {
  readonly account: Ids
  readonly hostile: Ids
  readonly payer: Ids
  readonly instrument: Ids
  readonly pausable: Ids
  readonly position: Ids
  readonly transfer: string
  readonly loan: Ids
  readonly feed: Ids
  readonly table: Ids
  readonly strategy: string
  readonly webhook: string
  readonly schedule: string
  readonly paymentRequest: string
  readonly counterparty: string
  readonly distribution: string
  /** Two that wait for an approval: one to approve, one to cancel. */
  readonly waiting: readonly [string, string]
  /** Leased by a transaction that waits for Submit. */
  readonly nonce: { readonly ids: Ids; readonly holder: string }
  /** May read accounts, and nothing else. */
  readonly accountsOnly: string
  readonly approver: string
  /** May read everything, and change nothing. */
  readonly viewer: string
  readonly otherKey: string
}

export async function setScene(world: World): Promise<Scene> {
  const { api, records } = world
  const referencesOf = (code: string, name: string): object => ({ offchainReferences: { code, name } })
  const key = async (
    name: string,
    rights: object,
    organizationExternalId = 'SYSTEM',
  ): Promise<{ keyId: string; apiKey: string }> =>
    await api.ok(201, 'POST', '/admin/api-keys', { organizationExternalId, name, ...rights })

  await api.ok(201, 'POST', '/admin/organizations', { externalId: OTHER_TENANT, name: HOSTILE_NAME })
  const [accountsOnly, approver, viewer, otherKey] = await Promise.all([
    key('accounts', { roles: ['ACCOUNTS_READ'] }),
    key('approver', { roles: ['DEBIT_LIMIT_APPROVE', 'TRANSACTIONS_READ'] }),
    key('viewer', { bundle: 'VIEWER' }),
    key('elsewhere', { bundle: 'ADMIN' }, OTHER_TENANT),
  ])
  const payer = await records.feePayer(referencesOf('PAYER', 'Fee payer'))
  const [issuer, alice, bob, hostile] = await Promise.all([
    records.account(referencesOf('ISSUER', 'Issuer')),
    records.funded({ ...referencesOf('ALICE', 'Alice Ltd'), canPayFees: true }, 5n * SOL),
    records.account(referencesOf('BOB', 'Bob & Sons')),
    records.account({ comments: HOSTILE_NAME, offchainReferences: { code: 'HOSTILE', name: HOSTILE_NAME } }),
  ])
  const data = (name: string, symbol: string): object => ({ name, symbol, decimals: 6 })
  const bond = await records.instrument('TOKEN_2022', issuer, {
    freezeAuthority: issuer,
    onchainData: data('Bond A 2031', 'BNDA'),
  })
  const cash = await records.instrument('TOKEN_2022', issuer, { onchainData: data('Cash', 'CASH') })
  const pausable = await records.instrument('TOKEN_2022', issuer, {
    pausableAuthority: issuer,
    onchainData: data('Note', 'NOTE'),
  })
  const [position] = await Promise.all([records.position(alice, bond, 1_250_000n * UNIT), records.position(bob, bond)])
  const of = (owner: Ids, financialInstrument: Ids): object => ({ owner, financialInstrument })
  const transfer = await api.ok<Result>(201, 'POST', '/positions/transfer', {
    source: of(alice, bond),
    destination: of(bob, bond),
    amount: '1234.567891',
    memo: HOSTILE_MEMO,
  })

  const { newAddressLookupTable: table } = await api.ok<{ newAddressLookupTable: Ids }>(
    201,
    'POST',
    '/address-lookup-tables',
    {
      authority: issuer,
      addressLookupTable: referencesOf('TABLE', 'Settlement'),
      componentAddresses: [alice, bob].map(({ onchainId }) => ({ onchainId })),
    },
  )
  const { newWebhook } = await api.ok<{ newWebhook: { offchainId: string } }>(201, 'POST', '/webhooks', {
    url: 'https://hooks.example/holdfast',
    eventTypes: ['loan.closed'],
  })
  const { loan, feed, strategy } = await lend(world, { issuer, alice, bond, cash, note: pausable })
  // A borrower pays the fees of the loan. With two accounts that can pay, the console would ask which one.
  await api.ok(200, 'PATCH', '/accounts', { account: alice, canPayFees: false })

  const limit = {
    destination: 'ANY',
    maxAllowedDebit: {
      limitType: 'PER_TRANSACTION',
      limitAmount: 1,
      approversForOverride: [approver.keyId],
      requiredApproversCount: 1,
    },
  }
  const wallet = await records.funded(
    { ...referencesOf('LIMITED', 'Petty cash'), networkCurrencyDebitLimits: [limit] },
    20n * SOL,
  )
  const pay = async (lamports: bigint): Promise<string> =>
    (await api.ok<Result>(201, 'POST', PAY, { source: wallet, destination: bob, lamports: lamports.toString() }))
      .offchainId
  const waitingPayments = [await pay(2n * SOL), await pay(3n * SOL)] as const

  await api.ok(201, 'POST', '/durable-nonce-accounts', { nonceAuthority: issuer, count: 2 })
  const heldPayment = await api.ok<Result>(
    201,
    'POST',
    PAY,
    { source: { ...alice, autoSign: false }, destination: bob, lamports: '1000' },
    { config: DURABLE },
  )
  await api.ok(200, 'POST', '/transactions/sign', { transaction: { offchainId: heldPayment.offchainId } })
  const nonce = await holding(world, heldPayment.offchainId)
  const plannedRecords = await plan(world, { alice, bob, bond })

  return {
    account: alice,
    hostile,
    payer,
    instrument: bond,
    pausable,
    position,
    transfer: transfer.offchainId,
    loan,
    feed,
    table,
    strategy,
    webhook: newWebhook.offchainId,
    ...plannedRecords,
    waiting: waitingPayments,
    nonce: { ids: nonce, holder: heldPayment.offchainId },
    accountsOnly: accountsOnly.apiKey,
    approver: approver.apiKey,
    viewer: viewer.apiKey,
    otherKey: otherKey.apiKey,
  }
}

/** Records that take effect later, or never. */
async function plan(
  { api }: World,
  { alice, bob, bond }: Record<'alice' | 'bob' | 'bond', Ids>,
): Promise<Pick<Scene, 'schedule' | 'paymentRequest' | 'counterparty' | 'distribution'>> {
  const laterTime = new Date(Date.now() + 30 * 86_400_000).toISOString()
  const create = async (path: string, itemData: object): Promise<string> => {
    const [ids] = Object.values(await api.ok<Record<string, Ids>>(201, 'POST', path, itemData))
    return ids!.offchainId
  }
  return {
    schedule: await create('/schedules', {
      operation: 'TRANSFER',
      itemData: {
        source: { owner: alice, financialInstrument: bond },
        destination: { owner: bob, financialInstrument: bond },
        amount: '7.5',
      },
      startAt: laterTime,
      every: { code: 'DAYS', unit: 7 },
      externalReference: 'WEEKLY',
    }),
    paymentRequest: await create('/payment-requests', {
      destination: alice,
      financialInstrument: bond,
      amount: '12.5',
      externalReference: 'INVOICE-1',
      memo: 'Table 4',
    }),
    counterparty: await create('/counterparties', {
      externalReference: 'CP-1',
      name: 'Acme GmbH',
      status: 'REVIEW',
      addresses: [{ onchainId: stranger().onchainId, label: 'cold' }],
    }),
    distribution: await create('/distributions', {
      financialInstrument: bond,
      recordAt: laterTime,
      source: { owner: alice, financialInstrument: bond },
      payout: { financialInstrument: bond, total: '10' },
      externalReference: 'COUPON-1',
    }),
  }
}

async function holding({ api }: World, inUseByTransactionId: string): Promise<Ids> {
  const filter = [
    { fieldName: 'inUseByTransactionId', filterValues: [{ filterType: 'EQUALS', valueString: inUseByTransactionId }] },
  ]
  const { items } = (await api.bulk('/durable-nonce-accounts/bulk', { filter })) as {
    items: readonly { nonceAccount: { onchain: { id: string }; offchain: { id: string } } }[]
  }
  const { onchain, offchain } = items[0]!.nonceAccount
  return { onchainId: onchain.id, offchainId: offchain.id }
}

/** A loan of cash and notes against the bond, with a price for each. */
async function lend(
  { api, records }: World,
  { issuer, alice, bond, cash, note }: Record<'issuer' | 'alice' | 'bond' | 'cash' | 'note', Ids>,
): Promise<{ loan: Ids; feed: Ids; strategy: string }> {
  const priced = async ({ onchainId }: Ids, big: string): Promise<Ids> => {
    const body = {
      defiProtocol: 'PUBLISHED_FEED',
      onchainDataSource: {},
      financialInstrument: { onchainId },
      onchainDataSourceAuthority: issuer,
      dataDetails: { kind: 'PRICE' },
      oracleProviderDetails: { kind: 'QUOTES', jobDefinition: JSON.stringify({ tasks: [{ valueTask: { big } }] }) },
    }
    return (await api.ok<{ newOnchainDataSource: Ids }>(201, 'POST', '/market-data/onchain-data-source', body))
      .newOnchainDataSource
  }
  const vault = await records.account({ offchainReferences: { code: 'VAULT', name: 'Lending vault' } })
  const feed = await priced(bond, '1.02')
  const lends = async (financialInstrument: Ids, apy: number, days: number): Promise<string> => {
    await Promise.all([records.position(vault, financialInstrument, 100_000n * UNIT), priced(financialInstrument, '1')])
    const { newStrategy } = await api.ok<{ newStrategy: Ids }>(201, 'POST', '/loans/strategies', {
      strategyAccount: vault,
      financialInstrument,
      originationsEnabled: true,
      duration: { code: 'DAYS', unit: days },
      collateral: [
        {
          financialInstrument: bond,
          apy,
          loanToValueRatio: 500_000,
          liquidationRatio: 800_000,
          maxPriceAgeSeconds: 86_400,
        },
      ],
    })
    return newStrategy.offchainId
  }
  const [strategy] = await Promise.all([lends(cash, 82_500, 30), lends(note, 40_000, 60)])
  const { newLoan } = await api.ok<{ newLoan: Ids }>(201, 'POST', '/loans', {
    defiProtocol: 'ESCROW_VAULT',
    lendingDetails: { loanStrategyAddress: vault.onchainId },
    itemsToBorrow: [
      { positionLookup: { owner: alice, financialInstrument: cash }, amount: 40_000 },
      { positionLookup: { owner: alice, financialInstrument: note }, amount: 5_000 },
    ],
    itemsToPledge: [{ positionLookup: { owner: alice, financialInstrument: bond }, amount: 100_000 }],
  })
  return { loan: newLoan, feed, strategy }
}

/** An address that no tenant has onboarded. */
export function stranger(): { onchainId: string; offPlatform: true } {
  return { onchainId: Keypair.generate().publicKey.toBase58(), offPlatform: true }
}
