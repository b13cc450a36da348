// The matrix of visible records, tested cell by cell over HTTP: every form of a lookup, every kind of record, every
// relation. The expectation of a cell is the table in the code, which the documentation prints.
import { Keypair } from '@solana/web3.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { FORMS, RELATIONS, type LookupForm, type Relation } from '../../src/operations/lookup/whose-records.ts'
import { startWorld, unwatched, type World } from '../e2e/harness.ts'
import type { DryRun, Ids, NewInstrument, NewPosition, Problems, Result, TransactionRecord } from '../e2e/models.ts'
import { SOL } from '../e2e/records.ts'
import { unknownAccounts } from '../e2e/transactions/tables.ts'
import { tenant, type Tenant } from './fixtures/tenants.ts'

const PAY = '/positions/transfer-network-currency'
const KINDS = ['account', 'position', 'instrument', 'nonce', 'lookupTable', 'dataSource'] as const
const relations = Object.keys(RELATIONS) as Relation[]

type Kind = (typeof KINDS)[number]

interface Side extends Tenant {
  /** Of records created here: shared, or granted to the caller. */
  readonly members: object
  readonly authority: Ids
}

interface Made extends Ids {
  readonly references: {
    readonly code: string
    readonly accountNumber: string
    readonly alId: string
    readonly name: string
  }
}

let world: World
let caller: Tenant
let payer: Ids
let sides: Record<Relation, Side>
const records = new Map<string, Made>()

const recordOf = (kind: Kind, relation: Relation): Made => records.get(`${kind} ${relation}`)!
const job = JSON.stringify({ tasks: [{ valueTask: { big: '2' } }] })

beforeAll(async () => {
  world = await startWorld({}, unwatched)
  caller = await tenant(world, 'CALLER')
  payer = await caller.records.funded({ networkCurrencyDebitLimits: [] }, 100n * SOL)
  await world.records.feePayer()
  const system: Tenant = { name: 'SYSTEM', api: world.api, records: world.records }
  const side = async (of: Tenant, members: object = {}): Promise<Side> => ({
    ...of,
    members,
    authority: await of.records.funded({}, SOL),
  })
  sides = {
    OWN_ORGANIZATION: await side(caller),
    OWN_TENANT: await side(await tenant(world, 'SISTER', 'CALLER')),
    SHARED: await side(system, { shareAcrossTenants: true }),
    GRANTED: await side(await tenant(world, 'GRANTOR'), { orgsAllowedToSignWithPrivateKey: ['CALLER'] }),
    STRANGER: await side(await tenant(world, 'STRANGER')),
  }
  for (const relation of relations) await makeAll(relation, sides[relation])
})
afterAll(() => world.stop())

/** One record of every kind, each with its own references. */
async function makeAll(relation: Relation, side: Side): Promise<void> {
  const { api, authority, members } = side
  const keep = (kind: Kind, ids: Ids): void =>
    void records.set(`${kind} ${relation}`, {
      onchainId: ids.onchainId,
      offchainId: ids.offchainId,
      references: referencesOf(kind, relation),
    })
  const input = (kind: Kind): object => ({ ...members, offchainReferences: referencesOf(kind, relation) })
  keep('account', await side.records.funded({ ...input('account'), networkCurrencyDebitLimits: [] }, SOL))
  const { newFinancialInstrument } = await api.ok<NewInstrument>(201, 'POST', '/financial-instruments', {
    mintAccount: input('instrument'),
    version: 'SPL',
    mintAuthority: authority,
    onchainData: { decimals: 2 },
  })
  keep('instrument', newFinancialInstrument)
  const { newPosition } = await api.ok<NewPosition>(201, 'POST', '/positions', {
    position: { ...input('position'), managed: true },
    owner: authority,
    financialInstrument: { onchainId: newFinancialInstrument.onchainId },
  })
  keep('position', newPosition)
  const { newDurableNonceAccounts } = await api.ok<{ newDurableNonceAccounts: Ids[] }>(
    201,
    'POST',
    '/durable-nonce-accounts',
    {
      nonceAuthority: authority,
      nonceAccounts: [input('nonce')],
    },
  )
  keep('nonce', newDurableNonceAccounts[0]!)
  const { newAddressLookupTable } = await api.ok<{ newAddressLookupTable: Ids }>(
    201,
    'POST',
    '/address-lookup-tables',
    {
      addressLookupTable: input('lookupTable'),
      authority,
      componentAddresses: unknownAccounts(1),
    },
  )
  keep('lookupTable', newAddressLookupTable)
  const { newOnchainDataSource } = await api.ok<{ newOnchainDataSource: Ids }>(
    201,
    'POST',
    '/market-data/onchain-data-source',
    {
      defiProtocol: 'PUBLISHED_FEED',
      onchainDataSource: input('dataSource'),
      financialInstrument: { onchainId: newFinancialInstrument.onchainId },
      onchainDataSourceAuthority: authority,
      dataDetails: { kind: 'PRICE' },
      oracleProviderDetails: { kind: 'QUOTES', jobDefinition: job },
    },
  )
  keep('dataSource', newOnchainDataSource)
}

function referencesOf(kind: Kind, relation: Relation): Made['references'] {
  const name = `${kind}-${relation}`
  return { code: `code-${name}`, accountNumber: `number-${name}`, alId: `al-${name}`, name: `name-${name}` }
}

/** The address that a lookup names as a destination, or the refusal. */
async function findNamed(lookup: object): Promise<string> {
  const { status, body } = await caller.api.send<DryRun & Problems>(
    'POST',
    PAY,
    { source: payer, destination: lookup, lamports: 5_000_000 },
    { headers: { 'Holdfast-Dry-Run': 'true' } },
  )
  if (status !== 200) return body.errors?.[0]?.code ?? String(status)
  const record = [...records.values()].find(({ onchainId }) => body.dryRun.accounts.includes(onchainId))
  return record?.onchainId ?? JSON.stringify(body)
}

const answerOf = (form: LookupForm, relation: Relation): string => FORMS[form].answers[relation]
const cells = relations.flatMap((relation) => KINDS.map((kind) => [kind, relation] as const))

describe.each(cells)('14.1 %s, %s', (kind, relation) => {
  const expected = (form: LookupForm): string =>
    answerOf(form, relation) === 'NONE' ? 'ACCOUNT_NOT_FOUND' : recordOf(kind, relation).onchainId
  /** With members that include private ones. */
  const byAll = (form: LookupForm): string =>
    answerOf('PRIVATE_REFERENCES', relation) === 'NONE' ? 'ACCOUNT_NOT_FOUND' : expected(form)

  it('is found by offchainId and onchainId according to the table', async () => {
    const { onchainId, offchainId } = recordOf(kind, relation)
    expect(await findNamed({ offchainId })).toBe(expected('OFFCHAIN_ID'))
    expect(await findNamed({ onchainId })).toBe(expected('PAID_ADDRESS'))
    expect(await findNamed({ offchainId, onchainId })).toBe(expected('OFFCHAIN_ID'))
    expect(await findNamed({ onchainId, offPlatform: true })).toBe(onchainId)
  })

  it('is found by its references according to the table', async () => {
    const { references } = recordOf(kind, relation)
    for (const [member, value] of Object.entries(references)) {
      expect(await findNamed({ offchainReferences: { [member]: value } }), member).toBe(
        member === 'code' ? expected('REFERENCES') : byAll('REFERENCES'),
      )
    }
    expect(await findNamed({ offchainReferences: references })).toBe(byAll('REFERENCES'))
    expect(await findNamed({ offchainReferences: { ...references, code: 'another' } })).toBe('ACCOUNT_NOT_FOUND')
  })

  it('is found by its references and its organization according to the table', async () => {
    const { references } = recordOf(kind, relation)
    const of = (name: string): Promise<string> =>
      findNamed({ offchainReferences: references, otherTenantOrganizationExternalId: name })
    expect(await of(sides[relation].name)).toBe(byAll('OTHER_TENANT'))
    const { code } = references
    expect(
      await findNamed({ offchainReferences: { code }, otherTenantOrganizationExternalId: sides[relation].name }),
    ).toBe(expected('OTHER_TENANT'))
    expect(await of('ELSEWHERE')).toBe('ACCOUNT_NOT_FOUND')
  })

  it('is found by an id together with its references', async () => {
    const { onchainId, references } = recordOf(kind, relation)
    // A record that is not found by references has none for the caller.
    expect(await findNamed({ onchainId, offchainReferences: { code: references.code } })).toBe(expected('REFERENCES'))
    const answer = await findNamed({ onchainId, offchainReferences: references })
    const isPrivate = relation === 'SHARED'
    expect(answer).toBe(isPrivate ? 'LOOKUP_MISMATCH' : byAll('REFERENCES'))
    // A right guess of a private member gets the same answer as a wrong one.
    if (isPrivate)
      for (const name of [references.name, 'a guess'])
        expect(await findNamed({ onchainId, offchainReferences: { name } })).toBe(answer)
  })
})

describe.each(relations)('14.1 a position of %s', (relation) => {
  const own = (): Side => sides[relation]

  it('is found by owner and instrument according to the table, else the associated account is used', async () => {
    const position = recordOf('position', relation)
    const source = { position: await sourceOf(relation) }
    const destination = {
      owner: { onchainId: own().authority.onchainId, offPlatform: true },
      financialInstrument: { onchainId: recordOf('instrument', relation).onchainId },
    }
    const body = { source, destination, lamports: '1', initializeDestinationPositionIfNeeded: true }
    const { dryRun } = await caller.api.ok<DryRun>(200, 'POST', '/positions/transfer', body, {
      headers: { 'Holdfast-Dry-Run': 'true' },
    })
    const associated = own().records.associated(own().authority, recordOf('instrument', relation), 'SPL')
    const isRecord = answerOf('OWNER_AND_INSTRUMENT', relation) === 'RECORD'
    expect(dryRun.accounts.includes(position.onchainId)).toBe(isRecord)
    expect(dryRun.accounts.includes(associated)).toBe(!isRecord)
  })

  it('is found by owner and mint authority according to the table', async () => {
    const source = { position: await sourceOf(relation) }
    const authority = { onchainId: own().authority.onchainId, offPlatform: true }
    const body = {
      source,
      destination: { owner: authority, mintAuthority: authority },
      lamports: '1',
      initializeDestinationPositionIfNeeded: true,
    }
    const { status, body: answer } = await caller.api.send<DryRun & Problems>('POST', '/positions/transfer', body, {
      headers: { 'Holdfast-Dry-Run': 'true' },
    })
    if (answerOf('AUTHORITY', relation) === 'NONE')
      expect(answer.errors?.map(({ code }) => code)).toEqual(['INSTRUMENT_NOT_FOUND'])
    else
      expect([status, answer.dryRun.accounts.includes(recordOf('position', relation).onchainId)]).toEqual([200, true])
  })

  /** The caller holds some of the instrument of any owner: it names the mint by its address. */
  async function sourceOf(of: Relation): Promise<Ids> {
    const financialInstrument = { onchainId: recordOf('instrument', of).onchainId }
    const key = `held ${of}`
    const record = records.get(key)
    if (record !== undefined) return { onchainId: record.onchainId, offchainId: record.offchainId }
    const { newPosition } = await caller.api.ok<NewPosition>(201, 'POST', '/positions', {
      owner: payer,
      financialInstrument,
    })
    const { api } = own()
    const mintResult = await api.ok<Result>(201, 'POST', '/positions/mint', {
      destination: { position: { onchainId: newPosition.onchainId, offPlatform: true } },
      lamports: '10',
    })
    expect(mintResult.success, JSON.stringify(mintResult)).toBe(true)
    records.set(key, {
      onchainId: newPosition.onchainId,
      offchainId: newPosition.offchainId,
      references: referencesOf('position', of),
    })
    return newPosition
  }
})

describe.each(relations)('14.1 an account of %s', (relation) => {
  it('signs for the caller by an exact id if it is its own or granted', async () => {
    const { onchainId, offchainId, references } = recordOf('account', relation)
    const { code } = references
    const forms = {
      OFFCHAIN_ID: { offchainId },
      ONCHAIN_ID: { onchainId },
      REFERENCES: { offchainReferences: { code } },
    } as const
    for (const [form, source] of Object.entries(forms)) {
      const answer = answerOf(form as LookupForm, relation)
      const { status, body } = await caller.api.send<Result & Problems>('POST', PAY, {
        source,
        destination: payer,
        lamports: 1_000_000,
      })
      const signs = relation === 'OWN_ORGANIZATION' || answer === 'SIGNER'
      expect(status === 201 && body.success, `${form}: ${JSON.stringify(body)}`).toBe(signs)
    }
  })

  it('is referred to in a transaction according to the table', async () => {
    const { onchainId, offchainId } = recordOf('account', relation)
    const payment = await caller.api.ok<Result>(201, 'POST', PAY, {
      source: payer,
      destination: { onchainId, offPlatform: true },
      lamports: 1_000,
    })
    const { accounts } = await caller.api.read<TransactionRecord>('/transactions/single', {
      offchainId: payment.offchainId,
    })
    const shownId = accounts.find((account) => account.onchainId === onchainId)?.offchainId ?? null
    expect(shownId).toBe(answerOf('AT_ADDRESS', relation) === 'RECORD' ? offchainId : null)
  })
})

describe('14.1 a resource that the request does not name', () => {
  it.each(relations)('is a durable nonce account of %s according to the table', async (relation) => {
    const config = { messageLifetimeStrategy: 'DURABLE_NONCE', commitmentConfig: { commitmentLevel: 'finalized' } }
    const lone = await organizationBeside(relation)
    const { status, body } = await lone.api.send<Result & Problems>(
      'POST',
      PAY,
      { source: lone.payer, destination: sides.STRANGER.authority, lamports: 1_000_000 },
      { config },
    )
    if (answerOf('FREE_NONCE', relation) === 'RECORD') expect([status, body.success]).toEqual([201, true])
    else expect(body.errors?.map(({ code }) => code)).toEqual(['NONCE_UNAVAILABLE'])
  })

  it.each(relations)('is a price feed of %s according to the table', async (relation) => {
    const instrument = await noteInstrument(recordOf('instrument', relation))
    const vault = await caller.records.account({ offchainReferences: { type: 'DEFI_SETTLEMENT_WALLET' } })
    await caller.records.position(vault, instrument)
    const { status, body } = await caller.api.send<Problems>('POST', '/loans/strategies', {
      strategyAccount: vault,
      financialInstrument: instrument,
      collateral: [
        { financialInstrument: instrument, apy: 1, loanToValueRatio: 1, liquidationRatio: 2, maxPriceAgeSeconds: 60 },
      ],
      duration: { code: 'DAYS', unit: 1 },
      defiProtocol: 'ESCROW_VAULT',
      originationsEnabled: true,
    })
    const codes = body.errors?.map(({ code }) => code) ?? []
    expect(codes.includes('PRICE_MISSING'), `${status} ${JSON.stringify(body)}`).toBe(
      answerOf('PRICE_FEED', relation) === 'NONE',
    )
  })

  /** The own organization of the caller, or one that has no nonces itself while the side has. */
  async function organizationBeside(relation: Relation): Promise<Tenant & { readonly payer: Ids }> {
    if (relation === 'OWN_ORGANIZATION') return { ...caller, payer }
    const name = `LONE-${relation}`
    const lone = await tenant(world, name, relation === 'OWN_TENANT' ? 'CALLER' : undefined)
    return { ...lone, payer: await lone.records.funded({ networkCurrencyDebitLimits: [] }, SOL) }
  }

  /** The record of the instrument by the caller. */
  async function noteInstrument(instrument: Ids): Promise<Ids> {
    const { status, body } = await caller.api.send<NewInstrument>('POST', '/financial-instruments', {
      mintAccount: { onchainId: instrument.onchainId, managed: false },
      alreadyOnchain: true,
    })
    const { onchainId, offchainId } = status === 201 ? body.newFinancialInstrument : instrument
    return { onchainId, offchainId }
  }
})

describe('14.1 several records with the same references', () => {
  it('are LOOKUP_AMBIGUOUS only within the nearest class', async () => {
    const code = { code: 'TWICE' }
    const noteAccount = (side: Side, more: object = {}): Promise<Ids> =>
      side.records.account({
        managed: false,
        onchainId: Keypair.generate().publicKey.toBase58(),
        offchainReferences: { ...code, ...more },
        ...side.members,
      })
    const destination = { offchainReferences: code }
    const of = (ids: Ids, kind: string): void =>
      void records.set(`twice ${kind}`, { ...ids, references: referencesOf('account', 'STRANGER') })
    for (const side of [sides.STRANGER, sides.STRANGER, sides.GRANTED, sides.GRANTED])
      await noteAccount(side, { accountNumber: Keypair.generate().publicKey.toBase58() })
    expect(await findNamed(destination)).toBe('ACCOUNT_NOT_FOUND')
    const sharedNote = await noteAccount(sides.SHARED)
    of(sharedNote, 'shared')
    expect(await findNamed(destination)).toBe(sharedNote.onchainId)
    const sister = await noteAccount(sides.OWN_TENANT)
    of(sister, 'sister')
    expect(await findNamed(destination)).toBe(sister.onchainId)
    const own = await noteAccount(sides.OWN_ORGANIZATION)
    of(own, 'own')
    expect(await findNamed(destination)).toBe(own.onchainId)
    await noteAccount(sides.OWN_ORGANIZATION, { accountNumber: 'second' })
    expect(await findNamed(destination)).toBe('LOOKUP_AMBIGUOUS')
  })
})
