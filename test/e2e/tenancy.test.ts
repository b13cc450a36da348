// The owner of a record: what other tenants, other organizations and keys with fewer rights can see and do.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { once, type Client } from './client.ts'
import { startWorld, type World } from './harness.ts'
import type { Account, Balance, NewAccount, NewPosition, Problems, Result, TransactionRecord } from './models.ts'
import { Records, SOL } from './records.ts'

const PAY = '/positions/transfer-network-currency'

interface NewKey {
  readonly keyId: string
  readonly apiKey: string
}

/** An organization with a key that holds every right of its tenant. */
interface Party {
  readonly name: string
  readonly keyId: string
  readonly api: Client
  readonly records: Records
}

let world: World
let alpha: Party
let beta: Party
let parent: Party
let child: Party
let sibling: Party

async function newKey(
  organizationExternalId: string,
  members: object,
  by: Client = world.api,
): Promise<NewKey & { readonly api: Client }> {
  const key = await by.ok<NewKey>(201, 'POST', '/admin/api-keys', { organizationExternalId, name: 'test', ...members })
  return { ...key, api: world.api.as(key.apiKey) }
}

async function party(name: string, parentExternalId?: string): Promise<Party> {
  const body = {
    externalId: name,
    name: `${name} Ltd`,
    ...(parentExternalId === undefined ? {} : { parentExternalId }),
  }
  await world.api.ok(201, 'POST', '/admin/organizations', body)
  const { api, keyId } = await newKey(name, { bundle: 'ADMIN' })
  return { name, keyId, api, records: world.records.with(api) }
}

beforeAll(async () => {
  world = await startWorld()
  alpha = await party('ALPHA')
  beta = await party('BETA')
  parent = await party('PARENT')
  child = await party('CHILD', 'PARENT')
  sibling = await party('SIBLING', 'PARENT')
  for (const { records } of [alpha, beta, parent, child, sibling]) await records.feePayer()
})
afterAll(() => world.stop())

/** The content of a refusal without the id of the request and the repeated lookup. */
async function answerTo(api: Client, path: string, lookup: object): Promise<object> {
  const { status, body } = await api.send<Problems>('POST', path, lookup)
  return {
    status,
    errors: body.errors?.map(({ message, ...rest }) => ({
      ...rest,
      message: message.replace(/[0-9a-f-]{36}|[1-9A-HJ-NP-Za-km-z]{32,44}/, 'ID'),
    })),
  }
}

describe('another tenant', () => {
  it('gets the same answer for an existing record as for a missing one', async () => {
    const wallet = await alpha.records.account({ offchainReferences: { code: 'secret' } })
    const instrument = await alpha.records.instrument('SPL', wallet)
    const position = await alpha.records.position(wallet, instrument, 5n)
    const absent = randomUUID()
    for (const path of ['/accounts/single', '/accounts/single/balance', '/financial-instruments/single']) {
      expect(await answerTo(beta.api, path, { offchainId: wallet.offchainId })).toEqual(
        await answerTo(beta.api, path, { offchainId: absent }),
      )
      expect(await answerTo(beta.api, path, { offchainId: instrument.offchainId })).toEqual(
        await answerTo(beta.api, path, { offchainId: absent }),
      )
      expect((await beta.api.send('POST', path, { onchainId: wallet.onchainId })).status).toBe(404)
      expect((await beta.api.send('POST', path, { offchainReferences: { code: 'secret' } })).status).toBe(404)
      expect(
        (await beta.api.send('POST', path, { onchainId: wallet.onchainId, otherTenantOrganizationExternalId: 'ALPHA' }))
          .status,
      ).toBe(404)
    }
    for (const path of ['/positions/single', '/positions/single/balance']) {
      expect(await answerTo(beta.api, path, { position: { offchainId: position.offchainId } })).toEqual(
        await answerTo(beta.api, path, { position: { offchainId: absent } }),
      )
      expect((await beta.api.send('POST', path, { owner: wallet, financialInstrument: instrument })).status).toBe(404)
    }
    const { offchainId, onchainId } = await alpha.records.mint(position, 1n)
    for (const path of ['/transactions/single', '/transactions/status']) {
      await beta.api.refuses(400, 'TRANSACTION_NOT_FOUND', 'POST', path, { offchainId })
      await beta.api.refuses(400, 'TRANSACTION_NOT_FOUND', 'POST', path, { onchainId })
      await alpha.api.read(path, { offchainId })
    }
    await beta.api.refuses(404, 'POSITION_NOT_FOUND', 'PATCH', '/positions/close', {
      position: { position: { offchainId: absent } },
    })
  })

  it('has its own address and reference namespaces', async () => {
    const body = { offchainReferences: { code: 'both', accountNumber: '1' } }
    const alphaAccount = await alpha.records.account(body)
    await beta.records.account(body)
    const betaAccount = await beta.records.account({ managed: false, onchainId: alphaAccount.onchainId })
    expect(betaAccount.offchainId).not.toBe(alphaAccount.offchainId)
    expect((await beta.records.accountRecord(betaAccount)).managed).toBe(false)
    const answer = await beta.api.read<Account>('/accounts/single', { onchainId: alphaAccount.onchainId })
    expect(answer.offchain.id).toBe(betaAccount.offchainId)
    // A deposit is in both books.
    const payer = await alpha.records.funded({}, SOL)
    await alpha.api.ok(201, 'POST', PAY, { source: payer, destination: alphaAccount, amount: '0.25' })
    await alpha.records.accountsEqualChain(alphaAccount, payer)
    await beta.records.accountsEqualChain(betaAccount)
  })

  it('cannot use a key that is not its own', async () => {
    const rich = await alpha.records.funded({}, SOL)
    const instrument = await alpha.records.instrument('TOKEN_2022', rich)
    const position = await alpha.records.position(rich, instrument, 10n)
    const betaWallet = await beta.records.funded({}, SOL)
    const send = (path: string, itemData: object, config?: object) =>
      beta.api.send<Result>('POST', path, itemData, config === undefined ? {} : { config })
    const answers = [
      await send(PAY, { source: rich, destination: betaWallet, lamports: 1_000_000 }),
      await send(PAY, { source: betaWallet, destination: rich, lamports: 1 }, { feePayer: rich }),
      await send('/positions/mint', { destination: { position: { onchainId: position.onchainId } }, lamports: 1 }),
      await send('/positions/transfer', {
        source: { position },
        destination: { owner: betaWallet, financialInstrument: instrument },
        lamports: 1,
        initializeDestinationPositionIfNeeded: true,
      }),
      await send('/positions/burn', { source: { position }, lamports: 1 }),
    ]
    for (const { status, body } of answers) {
      // If its key is not named, as the mint authority is, the transaction waits for an outside signature.
      if (status === 201) expect(body).toMatchObject({ status: 'PREPARED', success: false, onchainId: null })
      else expect(status, JSON.stringify(body)).toBe(400)
    }
    expect(answers[0]?.status).toBe(400)
    const outside = await send(PAY, {
      source: { onchainId: rich.onchainId, offPlatform: true },
      destination: betaWallet,
      lamports: 1_000_000,
    })
    expect([outside.status, outside.body]).toMatchObject([201, { status: 'PREPARED', success: false, onchainId: null }])
    expect(await world.chain.lamports(rich.onchainId)).toBe(SOL)
    expect(await world.chain.supply(instrument.onchainId)).toBe(10n)
    await alpha.records.accountsEqualChain(rich)
    await alpha.records.positionsEqualChain(position)
    await beta.records.accountsEqualChain(betaWallet)
  })

  it('can use a key granted by its owner', async () => {
    const sharedWallet = await alpha.records.funded(
      { orgsAllowedToSignWithPrivateKey: ['BETA'], networkCurrencyDebitLimits: [] },
      SOL,
    )
    const betaWallet = await beta.records.funded({}, SOL)
    const result = await beta.api.ok<Result>(201, 'POST', PAY, {
      source: sharedWallet,
      destination: betaWallet,
      amount: '0.5',
    })
    expect(result.success, JSON.stringify(result)).toBe(true)
    await alpha.records.accountsEqualChain(sharedWallet)
    await beta.records.accountsEqualChain(betaWallet)
    await beta.api.refuses(404, 'ACCOUNT_NOT_FOUND', 'POST', '/accounts/single', {
      offchainId: sharedWallet.offchainId,
    })
    await alpha.api.refuses(400, 'ORGANIZATION_NOT_FOUND', 'POST', '/accounts', {
      orgsAllowedToSignWithPrivateKey: ['NOBODY'],
    })
  })

  it('can be paid, by address or id', async () => {
    const from = await alpha.records.funded({ networkCurrencyDebitLimits: [] }, SOL)
    const to = await beta.records.funded({}, SOL)
    for (const destination of [
      { onchainId: to.onchainId },
      { offchainId: to.offchainId },
      { onchainId: to.onchainId, offPlatform: true },
    ]) {
      await alpha.api.ok(201, 'POST', PAY, { source: from, destination, lamports: 1_000 })
    }
    expect(await world.chain.lamports(to.onchainId)).toBe(SOL + 3_000n)
    await alpha.records.accountsEqualChain(from)
    await beta.records.accountsEqualChain(to)
  })

  it('has its own idempotency keys', async () => {
    const key = once('the same for both')
    const body = { comments: 'mine' }
    const [one, other] = [
      await alpha.api.ok<NewAccount>(201, 'POST', '/accounts', body, { headers: key }),
      await beta.api.ok<NewAccount>(201, 'POST', '/accounts', body, { headers: key }),
    ]
    expect(one.newAccount.offchainId).not.toBe(other.newAccount.offchainId)
  })
})

describe('within a tenant', () => {
  it('each organization sees its own records, and the parent others only by override', async () => {
    const childAccount = await child.records.account({ offchainReferences: { code: 'of the child' } })
    const lookup = { offchainId: childAccount.offchainId }
    for (const { api } of [parent, sibling, alpha])
      await api.refuses(404, 'ACCOUNT_NOT_FOUND', 'POST', '/accounts/single', lookup)
    const view = await parent.api.read<Account>('/accounts/single', lookup, { organization: 'CHILD' })
    expect(view.offchain.organizationExternalId).toBe('CHILD')
    expect(await world.api.read('/accounts/single', lookup, { organization: 'CHILD' })).toEqual(view)
    for (const { api } of [child, sibling, alpha]) {
      for (const organization of ['PARENT', 'ALPHA', 'NOBODY'].filter(
        (name) => !(api === alpha.api && name === 'ALPHA'),
      )) {
        await api.refuses(403, 'OVERRIDE_NOT_ALLOWED', 'POST', '/accounts/single', lookup, { organization })
      }
    }
    const parentAccount = await parent.records.account()
    await child.api.refuses(404, 'ACCOUNT_NOT_FOUND', 'POST', '/accounts/single', {
      offchainId: parentAccount.offchainId,
    })
    expect((await child.records.accountRecord(childAccount)).tenantOrganizationId).toBe('CHILD')
  })

  it('creates records for another organization only with the right for it', async () => {
    const body = { offchainReferences: { organizationExternalId: 'CHILD', code: 'made for it' } }
    const newAccount = await parent.records.account(body)
    expect((await child.records.accountRecord(newAccount)).offchain.code).toBe('made for it')
    expect((await parent.api.send('POST', '/accounts/single', newAccount)).status).toBe(404)
    const plain = await newKey('SIBLING', { bundle: 'OPERATOR' })
    await plain.api.refuses(403, 'ROLE_REQUIRED', 'POST', '/accounts', {
      offchainReferences: { organizationExternalId: 'CHILD' },
    })
    await parent.api.refuses(400, 'ORGANIZATION_NOT_FOUND', 'POST', '/accounts', {
      offchainReferences: { organizationExternalId: 'ALPHA' },
    })
    // The role of an organization below the root reaches no other organization.
    for (const organizationExternalId of ['CHILD', 'PARENT'])
      await sibling.api.refuses(403, 'OVERRIDE_NOT_ALLOWED', 'POST', '/accounts', {
        offchainReferences: { organizationExternalId },
      })
    await sibling.records.account({ offchainReferences: { organizationExternalId: 'SIBLING' } })
    // Unique in the tenant, for every creator.
    await child.api.refuses(409, 'ALREADY_EXISTS', 'POST', '/accounts', {
      managed: false,
      onchainId: newAccount.onchainId,
    })
    await sibling.api.refuses(409, 'ALREADY_EXISTS', 'POST', '/accounts', {
      managed: false,
      onchainId: newAccount.onchainId,
    })
  })
})

describe('system', () => {
  it('shares accounts with all tenants, which no other tenant can', async () => {
    const shared = await world.records.account({
      shareAcrossTenants: true,
      offchainReferences: { code: 'shared treasury' },
    })
    for (const { api } of [alpha, child]) {
      for (const lookup of [
        { offchainId: shared.offchainId },
        { onchainId: shared.onchainId },
        { offchainReferences: { code: 'shared treasury' } },
      ]) {
        expect(await api.read('/accounts/single', lookup)).toMatchObject({
          offchain: { id: shared.offchainId },
          sharedAcrossTenants: true,
        })
      }
    }
    const problem = await alpha.api.refuses(403, 'SHARING_NOT_ALLOWED', 'POST', '/accounts', {
      shareAcrossTenants: true,
    })
    expect(problem.pointer).toBe('/itemData/shareAcrossTenants')
  })

  it('pays fees and rent for an organization but no seeds, and receives the rent back', async () => {
    const gamma = await party('GAMMA')
    const sponsor = await world.records.funded({ globalFeePayerForOrgs: ['GAMMA'] }, 10n * SOL)
    const authority = await gamma.records.account()
    const instrument = await gamma.records.instrument('TOKEN_2022', authority)
    const position = await gamma.records.position(authority, instrument, 5n)
    const openingTransaction = await gamma.api.read<TransactionRecord>('/transactions/single', {
      offchainId: (await gamma.records.positionRecord(position)).offchain.creationTransactionId,
    })
    expect(openingTransaction.feePayer.onchainId).toBe(sponsor.onchainId)
    for (const seed of [{ seedAmount: '0.1' }, { seedLamports: 5_000_000 }, { dataLength: 8 }]) {
      await gamma.api.refuses(400, 'FEE_PAYER_NOT_OWN', 'POST', '/accounts', seed)
    }
    const close = { position: { position }, burnRemainingTokenBalance: true }
    await gamma.api.refuses(400, 'RENT_OWED', 'PATCH', '/positions/close', {
      ...close,
      refundSolDestination: authority,
    })
    const before = await world.chain.lamports(sponsor.onchainId)
    const rent = await world.chain.lamports(position.onchainId)
    const closing = await gamma.api.ok<Result>(200, 'PATCH', '/positions/close', close)
    expect(await world.chain.lamports(sponsor.onchainId)).toBe(
      before + rent - (await world.chain.fee(closing.onchainId!)),
    )
    await world.records.accountsEqualChain(sponsor)
  })
})

describe('keys', () => {
  it('are refused if missing, unknown, damaged or disabled', async () => {
    const key = await newKey('ALPHA', { bundle: 'VIEWER' }, alpha.api)
    await key.api
      .send('POST', '/accounts/single', { offchainReferences: { code: 'x' } })
      .then(({ status }) => expect(status).toBe(404))
    const damaged = `${key.apiKey.slice(0, -1)}${key.apiKey.endsWith('0') ? '1' : '0'}`
    for (const bearer of ['', 'nonsense', damaged]) {
      expect(
        (await world.api.as(bearer).send('POST', '/accounts/single', { offchainReferences: { code: 'x' } })).status,
      ).toBe(401)
    }
    await beta.api
      .send('PATCH', '/admin/api-keys/disable', { keyId: key.keyId })
      .then(({ status }) => expect([400, 403]).toContain(status))
    await alpha.api.ok(200, 'PATCH', '/admin/api-keys/disable', { keyId: key.keyId })
    expect((await key.api.send('POST', '/accounts/single', { offchainReferences: { code: 'x' } })).status).toBe(401)
  })

  it('are restricted to their roles', async () => {
    const wallet = await alpha.records.funded({}, SOL)
    const viewer = (await newKey('ALPHA', { bundle: 'VIEWER' })).api
    await viewer.read('/accounts/single', wallet)
    for (const [method, path, itemData] of [
      ['POST', '/accounts', {}],
      ['POST', PAY, { source: wallet, destination: wallet, lamports: 1 }],
      ['POST', '/positions/mint', {}],
      ['PATCH', '/positions/close', {}],
      ['POST', '/financial-instruments', {}],
      ['POST', '/admin/organizations', {}],
    ] as const) {
      await viewer.refuses(403, 'ROLE_REQUIRED', method, path, itemData)
    }
    const narrow = (await newKey('ALPHA', { roles: ['ACCOUNTS_READ'] })).api
    await narrow.read<Balance>('/accounts/single/balance', wallet)
    await narrow.refuses(403, 'ROLE_REQUIRED', 'POST', '/positions/single', { position: wallet })
    await alpha.api.refuses(403, 'ROLE_REQUIRED', 'POST', '/admin/organizations', {
      externalId: 'DELTA',
      name: 'Delta',
    })
    const granting = await alpha.api.send<Problems>('POST', '/admin/api-keys', {
      organizationExternalId: 'ALPHA',
      name: 'too much',
      roles: ['PLATFORM_ADMIN'],
    })
    expect(granting.status).toBe(403)
  })

  it('can be the only keys allowed to debit an account', async () => {
    const trader = await newKey('ALPHA', { bundle: 'OPERATOR' })
    const setter = await newKey('ALPHA', { roles: ['ACCOUNTS_WRITE', 'PLATFORM_UPDATE_DEBIT_API_KEYS'] })
    const restricted = { solDebitApiKeys: [trader.keyId] }
    await trader.api.refuses(403, 'ROLE_REQUIRED', 'POST', '/accounts', restricted)
    const { newAccount } = await setter.api.ok<NewAccount>(201, 'POST', '/accounts', restricted)
    await world.chain.airdrop(newAccount.onchainId, SOL)
    const destination = await alpha.records.funded({}, SOL)
    const body = { source: newAccount, destination, lamports: 10 }
    await alpha.api.refuses(403, 'DEBIT_KEY_REQUIRED', 'POST', PAY, body)
    expect((await trader.api.ok<Result>(201, 'POST', PAY, body)).success).toBe(true)
    expect(await world.chain.lamports(newAccount.onchainId)).toBe(SOL - 10n)
    await alpha.records.accountsEqualChain(newAccount, destination)
  })

  it('cannot sign with frozen accounts', async () => {
    const [wallet, destination] = [await alpha.records.funded({}, SOL), await alpha.records.funded({}, SOL)]
    const body = { source: wallet, destination, lamports: 1 }
    await alpha.api.ok(200, 'PATCH', '/admin/freeze', { account: wallet })
    await alpha.api.refuses(403, 'FROZEN', 'POST', PAY, body)
    await alpha.api.ok(200, 'PATCH', '/admin/unfreeze', { account: wallet })
    await alpha.api.ok(201, 'POST', PAY, body)
    await world.api.ok(200, 'PATCH', '/admin/freeze', { organizationExternalId: 'ALPHA' })
    await alpha.api.refuses(403, 'FROZEN', 'POST', PAY, body)
    await world.api.ok(200, 'PATCH', '/admin/unfreeze', { organizationExternalId: 'ALPHA' })
    await alpha.api.ok(201, 'POST', PAY, body)
    await alpha.records.accountsEqualChain(wallet, destination)
    const { newPosition } = await alpha.api.ok<NewPosition>(201, 'POST', '/positions', {
      owner: wallet,
      financialInstrument: await alpha.records.instrument('SPL', wallet),
    })
    await alpha.records.positionsEqualChain(newPosition)
  })
})
