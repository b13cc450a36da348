// Rights of an account beyond the defaults are policy, at its creation as well as later; and a position lifts no limit
// of its wallet.
import { Keypair } from '@solana/web3.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isLooser } from '../../machines/debit-limits.ts'
import type { DebitLimit } from '../../machines/holding.ts'
import { startWorld, type World } from '../e2e/harness.ts'
import { LimitFixture, perTransaction, to, within, type Person } from '../e2e/limits/limit-fixture.ts'
import type { Ids, NewPosition, Result } from '../e2e/models.ts'
import { Records, SOL } from '../e2e/records.ts'

let world: World
let fixture: LimitFixture
let organization: string
let admin: Person
let operator: Person
let records: Records
let gold: Ids

beforeAll(async () => {
  world = await startWorld()
  fixture = new LimitFixture(world)
  organization = await fixture.organization()
  ;[admin, operator] = [await fixture.person(organization, 'ADMIN'), await fixture.person(organization, 'OPERATOR')]
  records = world.records.with(admin.api)
  await records.feePayer()
  gold = await records.instrument('TOKEN_2022', await records.account())
})
afterAll(() => world.stop())

const STRICTER = [to('OFF_PLATFORM', perTransaction(0)), to('NON_MANAGED', within('0.5', 'DAYS'))]

describe('14.5 without ACCOUNT_POLICY_WRITE', () => {
  const beyond = (): Readonly<Record<string, object>> => ({
    'no limits': { networkCurrencyDebitLimits: [] },
    'no token limits': { tokenDebitLimits: [] },
    'limits of one class only': { networkCurrencyDebitLimits: [to('OFF_PLATFORM', perTransaction(0))] },
    'a larger amount': { networkCurrencyDebitLimits: [to('ANY', perTransaction('1.5'))] },
    'larger fees': { networkCurrencyDebitLimits: [...STRICTER, to('FEES', within(2, 'DAYS'))] },
    'a shorter window of rent': { networkCurrencyDebitLimits: [...STRICTER, to('RENT', within('0.1', 'HOURS', 1))] },
    'a beneficiary': {
      networkCurrencyDebitLimits: [
        ...STRICTER,
        { ...to('FEES', within(1, 'DAYS')), organizationExternalId: organization },
      ],
    },
    'limits that somebody lifts': {
      networkCurrencyDebitLimits: [...STRICTER, to('ANY', perTransaction(1, { approversForOverride: [admin.keyId] }))],
    },
    'a fee payer': { canPayFees: true },
    'a fee payer of others': { globalFeePayerForOrgs: ['SYSTEM'] },
    'a signer for others': { orgsAllowedToSignWithPrivateKey: [organization] },
  })

  it('attack 11: no account gets more rights than the defaults; control: a key with the role grants each', async () => {
    for (const [what, members] of Object.entries(beyond())) {
      const { status, body } = await operator.api.send<{ errors?: readonly { code: string }[] }>(
        'POST',
        '/accounts',
        members,
      )
      expect([what, status, body.errors?.[0]?.code]).toEqual([what, 403, 'ROLE_REQUIRED'])
      await admin.api.ok(201, 'POST', '/accounts', { ...members, canPayFees: false })
    }
    await operator.api.ok(201, 'POST', '/accounts', {
      networkCurrencyDebitLimits: STRICTER,
      tokenDebitLimits: STRICTER,
    })
    await operator.api.ok(201, 'POST', '/accounts', {})
  })

  it('attack 11: also for positions, mints, tables and nonces', async () => {
    const owner = await records.account()
    const refuses = (path: string, itemData: object) =>
      operator.api.refuses(403, 'ROLE_REQUIRED', 'POST', path, itemData)
    await refuses('/positions', { owner, financialInstrument: gold, tokenDebitLimits: [] })
    await refuses('/positions', {
      owner,
      financialInstrument: gold,
      position: { managed: true, orgsAllowedToSignWithPrivateKey: [organization] },
    })
    await refuses('/financial-instruments', {
      mintAccount: { orgsAllowedToSignWithPrivateKey: [organization] },
      mintAuthority: owner,
      onchainData: { decimals: 2 },
    })
    await refuses('/address-lookup-tables', {
      addressLookupTable: { orgsAllowedToSignWithPrivateKey: [organization] },
      authority: owner,
      componentAddresses: [],
    })
    await refuses('/durable-nonce-accounts', {
      nonceAuthority: owner,
      nonceAccounts: [{ orgsAllowedToSignWithPrivateKey: [organization] }],
    })
    expect(await operator.api.ok(201, 'POST', '/positions', { owner, financialInstrument: gold })).toBeDefined()
  })
})

describe('attack 11: a position that lifts the limits of its wallet', () => {
  it('14.5 is impossible by a stricter list or by reopening; control: a list set by a policy key', async () => {
    const wallet = await records.account()
    const externalAccount = await records.account({
      managed: false,
      onchainId: Keypair.generate().publicKey.toBase58(),
    })
    const strict = [to('OFF_PLATFORM', perTransaction(0)), to('NON_MANAGED', perTransaction(1))]
    const { newPosition } = await operator.api.ok<NewPosition>(201, 'POST', '/positions', {
      owner: wallet,
      financialInstrument: gold,
      position: { managed: true },
      tokenDebitLimits: strict,
    })
    await records.mint(newPosition, 5_000_000n)
    const destination = { owner: { onchainId: externalAccount.onchainId }, financialInstrument: gold }
    const send = (lamports: number) => ({
      source: { position: newPosition },
      destination,
      lamports: String(lamports),
      initializeDestinationPositionIfNeeded: true,
    })
    await admin.api.refuses(400, 'DEBIT_LIMIT_EXCEEDED', 'POST', '/positions/transfer', send(1_000_001))
    expect((await admin.api.ok<Result>(201, 'POST', '/positions/transfer', send(1_000_000))).success).toBe(true)
    await operator.api.refuses(403, 'ROLE_REQUIRED', 'PATCH', '/positions', {
      position: { position: newPosition },
      tokenDebitLimits: [],
    })
    await admin.api.ok(200, 'PATCH', '/positions', { position: { position: newPosition }, tokenDebitLimits: [] })
    expect((await admin.api.ok<Result>(201, 'POST', '/positions/transfer', send(2_000_000))).success).toBe(true)
  })

  it('14.5 keeps its window after its record is closed', async () => {
    const wallet = await records.funded({ tokenDebitLimits: [to('ANY', within(2, 'DAYS'))] }, SOL)
    const other = await records.account()
    const place = { owner: wallet, financialInstrument: gold }
    const destination = { owner: other, financialInstrument: gold }
    await records.position(other, gold)
    for (const allowed of [2_000_000, null]) {
      const position = await records.position(wallet, gold, 3_000_000n)
      const send = (lamports: number) => ({ source: place, destination, lamports: String(lamports) })
      if (allowed !== null)
        expect((await admin.api.ok<Result>(201, 'POST', '/positions/transfer', send(allowed))).success).toBe(true)
      await admin.api.refuses(400, 'DEBIT_LIMIT_EXCEEDED', 'POST', '/positions/transfer', send(1))
      if (allowed === null) continue
      await admin.api.ok(200, 'PATCH', '/accounts', { account: wallet, tokenDebitLimits: null })
      await admin.api.ok(200, 'PATCH', '/positions/close', { position: { position }, burnRemainingTokenBalance: true })
      await admin.api.ok(200, 'PATCH', '/accounts', {
        account: wallet,
        tokenDebitLimits: [to('ANY', within(2, 'DAYS'))],
      })
    }
  })
})

describe('14.5 looser than the default', () => {
  const entry = (
    destination: DebitLimit['destination'],
    limitAmount: string | null,
    hours: number | null,
    more: Partial<DebitLimit> = {},
  ): DebitLimit => ({
    operationType: 'ANY',
    destination,
    mintAuthority: null,
    ...more,
    maxAllowedDebit: {
      limitType: hours === null ? 'PER_TRANSACTION' : 'DURATION',
      limitAmount,
      duration: hours === null ? null : { code: 'HOURS', unit: hours },
      approversForOverride: [],
      requiredApproversCount: 0,
    },
  })
  const nothingAllowed = entry('OFF_PLATFORM', '0', null)

  it.each<[string, readonly DebitLimit[] | null, boolean]>([
    ['nothing', null, false],
    ['an empty list', [], true],
    ['zero of all', [entry('ANY', '0', null)], false],
    ['the defaults', [nothingAllowed, entry('NON_MANAGED', '1', null)], false],
    ['one unit a minute in all', [nothingAllowed, entry('ANY', '1', 1)], false],
    ['a lamport more', [nothingAllowed, entry('NON_MANAGED', '1.000000001', null)], true],
    ['no limit for others', [nothingAllowed], true],
    ['unlimited', [nothingAllowed, entry('NON_MANAGED', null, null)], true],
    [
      'of some mints',
      [nothingAllowed, entry('NON_MANAGED', '1', null, { mintAuthority: { address: 'A', id: null } })],
      true,
    ],
    ['of what is burned', [nothingAllowed, entry('NON_MANAGED', '1', null, { operationType: 'BURN' })], true],
    ['fees of a day', [nothingAllowed, entry('NON_MANAGED', '1', null), entry('FEES', '1', 24)], false],
    ['fees of two days', [nothingAllowed, entry('NON_MANAGED', '1', null), entry('FEES', '1', 48)], false],
    ['fees of an hour', [nothingAllowed, entry('NON_MANAGED', '1', null), entry('FEES', '1', 1)], true],
    [
      'fees per transaction',
      [nothingAllowed, entry('NON_MANAGED', '1', null), entry('PRIORITY_FEES', '1', null)],
      true,
    ],
    [
      'fees of one beneficiary',
      [nothingAllowed, entry('NON_MANAGED', '1', null), entry('FEES', '1', 24, { organizationExternalId: 'X' })],
      true,
    ],
  ])('%s: %#', (_what, limits, expected) => {
    expect(isLooser(limits)).toBe(expected)
  })
})
