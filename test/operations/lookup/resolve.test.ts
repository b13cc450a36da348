// Lookups in every form: by each member, by several that must agree, across organizations and tenants, and of closed
// records.
import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { generateKeypair } from '../../../src/keys/keypair.ts'
import type { JsonText } from '../../../src/contract/json-bytes.ts'
import { accountDetails } from '../../../src/operations/accounts/details.ts'
import { instrumentDetails } from '../../../src/operations/instruments/details.ts'
import type { AccountLookup } from '../../../src/contract/values/lookup.ts'
import { positionDetails } from '../../../src/operations/positions/details.ts'
import { Refusal } from '../../../src/contract/refusal.ts'
import { resolveParty } from '../../../src/operations/lookup/account.ts'
import { ownRecord } from '../../../src/operations/lookup/own.ts'
import { resolvePosition } from '../../../src/operations/lookup/position.ts'
import { TOKEN_2022_PROGRAM } from '../../../src/solana/address.ts'
import { associatedTokenAddress } from '../../../src/solana/derive.ts'
import type { References } from '../../../machines/holding.ts'
import { AT } from '../../machines/records.ts'
import { TenantsFixture, type Wallet } from '../tenants-fixture.ts'

const references = (more: Partial<References>): { references: References } => ({
  references: {
    type: 'WALLET',
    organizationExternalId: '',
    code: null,
    alId: null,
    accountNumber: null,
    name: null,
    ...more,
  },
})

async function verdict(attempt: () => unknown): Promise<string> {
  try {
    await attempt()
    return 'done'
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return `${error.status} ${error.problems[0]?.code} ${error.problems[0]?.pointer}`
  }
}

let fixture: TenantsFixture
let wallet: Wallet
let sister: Wallet
let foreignWallet: Wallet
let sharedWallet: Wallet
let closedWallet: Wallet

beforeAll(async () => {
  fixture = await TenantsFixture.open(false)
  wallet = await fixture.wallet(
    'MINE',
    references({ organizationExternalId: 'MINE', code: 'main', accountNumber: '1', name: 'Till' }),
  )
  sister = await fixture.wallet(
    'MINE',
    references({ organizationExternalId: 'MINE', code: 'main', accountNumber: '2' }),
  )
  foreignWallet = await fixture.wallet(
    'THEIRS',
    references({ organizationExternalId: 'THEIRS', code: 'main', accountNumber: '3' }),
  )
  sharedWallet = await fixture.wallet('SYSTEM', {
    shared: true,
    ...references({ organizationExternalId: 'SYSTEM', code: 'public' }),
  })
  closedWallet = await fixture.wallet('MINE', references({ organizationExternalId: 'MINE', code: 'gone' }))
  const touch = { transactionId: 't', signature: 's', at: AT }
  await fixture.engine.transact((unit) => unit.send<'account'>(closedWallet.entry, { type: 'chain.closed', touch }))
    .durable
})

describe('a party of a transaction', () => {
  const find = (lookup: AccountLookup): string | null | undefined =>
    resolveParty({ platform: fixture.platform, call: fixture.call('MINE') }, lookup, '/here').entry?.head.id
  const verdictOf = (lookup: AccountLookup) => verdict(() => find(lookup))

  it('is found by id, by address, and by a combination of references that all match', () => {
    expect(find({ offchainId: wallet.offchainId })).toBe(wallet.offchainId)
    expect(find({ onchainId: wallet.onchainId })).toBe(wallet.offchainId)
    expect(find({ offchainReferences: { code: 'main', accountNumber: '1' } })).toBe(wallet.offchainId)
    expect(find({ offchainReferences: { name: 'Till' } })).toBe(wallet.offchainId)
    expect(find({ offchainReferences: { type: 'WALLET', accountNumber: '2' } })).toBe(sister.offchainId)
    const { offchainId, onchainId } = wallet
    expect(find({ offchainId, onchainId, offchainReferences: { name: 'Till' } })).toBe(offchainId)
  })

  it('is never guessed', async () => {
    expect(await verdictOf({ offchainReferences: { code: 'main' } })).toBe('400 LOOKUP_AMBIGUOUS /here')
    expect(await verdictOf({ offchainId: wallet.offchainId, onchainId: sister.onchainId })).toBe(
      '400 LOOKUP_MISMATCH /here',
    )
    expect(await verdictOf({ onchainId: wallet.onchainId, offchainReferences: { accountNumber: '2' } })).toBe(
      '400 LOOKUP_MISMATCH /here',
    )
    expect(await verdictOf({ offchainReferences: { accountNumber: '1', code: 'other' } })).toBe(
      '400 ACCOUNT_NOT_FOUND /here',
    )
    for (const lookup of [{ offchainId: wallet.offchainId }, { onchainId: wallet.onchainId }]) {
      expect(await verdictOf({ ...lookup, offchainReferences: { code: 'nowhere' } })).toBe('400 LOOKUP_MISMATCH /here')
      expect(await verdictOf({ ...lookup, offchainReferences: { type: 'NONCE' } })).toBe('400 LOOKUP_MISMATCH /here')
    }
    expect(await verdictOf({ offchainId: randomUUID(), onchainId: wallet.onchainId })).toBe(
      '400 ACCOUNT_NOT_FOUND /here',
    )
    expect(await verdictOf({})).toBe('400 LOOKUP_EMPTY /here')
  })

  it('may belong to another tenant if named by exact id or address, not by references', async () => {
    expect(await verdictOf({ onchainId: foreignWallet.onchainId })).toBe('400 ACCOUNT_NOT_FOUND /here')
    for (const lookup of [
      { onchainId: foreignWallet.onchainId, offPlatform: true },
      { offchainId: foreignWallet.offchainId, otherTenantOrganizationExternalId: 'THEIRS' },
    ])
      expect(resolveParty({ platform: fixture.platform, call: fixture.call('MINE') }, lookup, '/here')).toMatchObject({
        address: foreignWallet.onchainId,
        entry: null,
      })
    expect(await verdictOf({ offchainReferences: { accountNumber: '3' } })).toBe('400 ACCOUNT_NOT_FOUND /here')
    expect(await verdictOf({ onchainId: foreignWallet.onchainId, otherTenantOrganizationExternalId: 'MINE' })).toBe(
      '400 ACCOUNT_NOT_FOUND /here',
    )
  })

  it('is found by references if it is shared, or if its owner is named and grants signatures', async () => {
    expect(find({ offchainReferences: { code: 'public' } })).toBe(sharedWallet.offchainId)
    const signableWallet = await fixture.wallet('THEIRS', {
      orgsAllowedToSignWithPrivateKey: ['MINE'],
      ...references({ organizationExternalId: 'THEIRS', alId: 'lent' }),
    })
    expect(await verdictOf({ offchainReferences: { alId: 'lent' } })).toBe('400 ACCOUNT_NOT_FOUND /here')
    expect(find({ offchainReferences: { alId: 'lent' }, otherTenantOrganizationExternalId: 'THEIRS' })).toBe(
      signableWallet.offchainId,
    )
    expect(find({ onchainId: signableWallet.onchainId })).toBe(signableWallet.offchainId)
  })

  it('belongs to the requesting organization before another one of its tenant', async () => {
    const code = 'everywhere'
    const own = await fixture.wallet('MINE', references({ organizationExternalId: 'MINE', code }))
    const branchs = await fixture.wallet('MINE', {
      organization: 'BRANCH',
      ...references({ organizationExternalId: 'BRANCH', code }),
    })
    const lookup = { offchainReferences: { code } }
    const asBranch = resolveParty(
      { platform: fixture.platform, call: fixture.call('BRANCH', { tenant: 'MINE' }) },
      lookup,
      '/here',
    )
    expect([find(lookup), asBranch.entry?.head.id]).toEqual([own.offchainId, branchs.offchainId])
    // An address that both have recorded.
    const { address } = generateKeypair()
    await fixture.wallet('MINE', { address, organization: 'BRANCH' }, 0n, null)
    const notedWallet = await fixture.wallet('MINE', { address }, 0n, null)
    expect(find({ onchainId: address })).toBe(notedWallet.offchainId)
  })

  it('is the own record of an address that others have recorded too', async () => {
    const { address } = generateKeypair()
    await fixture.wallet('THEIRS', { address }, 0n, null)
    const own = await fixture.wallet('MINE', { address }, 0n, null)
    expect(find({ onchainId: address })).toBe(own.offchainId)
  })

  it('must be open, and is off the platform only without a record', async () => {
    expect(await verdictOf({ offchainId: closedWallet.offchainId })).toBe('400 ACCOUNT_NOT_FOUND /here')
    expect(await verdictOf({ onchainId: closedWallet.onchainId })).toBe('400 ACCOUNT_NOT_FOUND /here')
    const { address } = generateKeypair()
    expect(await verdictOf({ onchainId: address })).toBe('400 ACCOUNT_NOT_FOUND /here')
    expect(find({ onchainId: address, offPlatform: true })).toBeUndefined()
    expect(find({ onchainId: wallet.onchainId, offPlatform: true })).toBe(wallet.offchainId)
  })

  it('belongs to the requested cluster', async () => {
    const call = fixture.call('MINE', { cluster: 'CHAIN_MAINNET' })
    expect(
      await verdict(() =>
        resolveParty({ platform: fixture.platform, call }, { offchainId: wallet.offchainId }, '/here'),
      ),
    ).toBe('400 ACCOUNT_NOT_FOUND /here')
  })
})

describe('a record to be changed', () => {
  const verdictOf = (organization: string, tenant: string, lookup: AccountLookup) =>
    verdict(
      () =>
        ownRecord({ platform: fixture.platform, call: fixture.call(organization, { tenant }) }, lookup, '/here').state
          .id,
    )

  it('belongs to the acting organization: others, even of its tenant, are answered like missing ones', async () => {
    const branch = await fixture.wallet('MINE', { organization: 'BRANCH' })
    const lookupsOf = (target: Wallet): AccountLookup[] => [
      { offchainId: target.offchainId },
      { onchainId: target.onchainId },
    ]
    for (const [wanted, organization, other] of [
      [wallet, 'MINE', 'BRANCH'],
      [branch, 'BRANCH', 'MINE'],
    ] as const) {
      for (const lookup of lookupsOf(wanted)) {
        expect(
          ownRecord(
            { platform: fixture.platform, call: fixture.call(organization, { tenant: 'MINE' }) },
            lookup,
            '/here',
          ).state.id,
        ).toBe(wanted.offchainId)
        expect(await verdictOf(other, 'MINE', lookup)).toBe('400 ACCOUNT_NOT_FOUND /here')
      }
    }
    // A record that all may read can be changed by its owner only.
    const visibleWallets = [
      await fixture.wallet('MINE', { organization: 'BRANCH', shared: true }),
      await fixture.wallet('SYSTEM', { organization: 'MINE', shared: true }),
    ]
    for (const lookup of visibleWallets.flatMap(lookupsOf))
      expect(await verdictOf('MINE', 'MINE', lookup)).toBe('400 ACCOUNT_NOT_FOUND /here')
    // Any organization of another tenant, and one that may sign with the account.
    const signableWallet = await fixture.wallet('THEIRS', { orgsAllowedToSignWithPrivateKey: ['MINE'] })
    for (const lookup of [...lookupsOf(foreignWallet), ...lookupsOf(signableWallet), ...lookupsOf(sharedWallet)]) {
      expect(await verdictOf('MINE', 'MINE', lookup)).toBe('400 ACCOUNT_NOT_FOUND /here')
      expect(await verdictOf('THEIRS', 'MINE', lookup)).toBe('400 ACCOUNT_NOT_FOUND /here')
    }
  })
})

describe('a record that is read', () => {
  const read = async (organization: string, itemData: AccountLookup): Promise<unknown> =>
    JSON.parse(((await fixture.read(organization, accountDetails, { itemData })) as unknown as JsonText).text)

  it('is an own one, a shared one, or a closed one', async () => {
    expect(await read('MINE', { onchainId: wallet.onchainId })).toMatchObject({
      offchain: { id: wallet.offchainId },
      status: 'ACTIVE',
    })
    expect(await read('MINE', { offchainId: sharedWallet.offchainId })).toMatchObject({
      offchain: { id: sharedWallet.offchainId },
    })
    expect(await read('MINE', { onchainId: closedWallet.onchainId })).toMatchObject({
      offchain: { id: closedWallet.offchainId },
      status: 'CLOSED',
    })
  })

  it('never belongs to another organization of the tenant', async () => {
    const branchs = await fixture.wallet('MINE', { organization: 'BRANCH' })
    expect(await verdict(() => read('MINE', { onchainId: branchs.onchainId }))).toBe('404 ACCOUNT_NOT_FOUND /itemData')
  })

  it('of another tenant is answered like a missing one, with any other members', async () => {
    const { address } = generateKeypair()
    for (const more of [{}, { offchainId: wallet.offchainId }, { offchainReferences: { code: 'main' } }]) {
      const [absent, foreign] = [address, foreignWallet.onchainId].map((onchainId) =>
        verdict(() => read('MINE', { onchainId, ...more })),
      )
      const answer = 'offchainId' in more ? '400 LOOKUP_MISMATCH /itemData' : '404 ACCOUNT_NOT_FOUND /itemData'
      expect([await absent, await foreign]).toEqual([answer, answer])
    }
  })

  it('refers to an account of another tenant by address only', async () => {
    const mint = await fixture.instrument('MINE', foreignWallet.onchainId)
    const position = await fixture.position('MINE', foreignWallet, mint)
    const view = await fixture.read('MINE', positionDetails, {
      itemData: { position: { offchainId: position.offchainId } },
    })
    expect(view['owner']).toEqual({ onchain: { id: foreignWallet.onchainId } })
    expect(view['financialInstrument']).toMatchObject({ offchain: { id: mint.offchainId } })
    const authorities = await fixture.read('MINE', instrumentDetails, { itemData: { offchainId: mint.offchainId } })
    expect(authorities['mintAuthority']).toEqual({ onchain: { id: foreignWallet.onchainId } })
  })
})

describe('a position', () => {
  let mint: Wallet
  let position: Wallet

  beforeAll(async () => {
    mint = await fixture.instrument('MINE', wallet.onchainId)
    position = await fixture.position('MINE', wallet, mint)
  })

  const by = (each: Wallet): AccountLookup => ({ onchainId: each.onchainId })
  const resolve = (lookup: Parameters<typeof resolvePosition>[1]) =>
    resolvePosition({ platform: fixture.platform, call: fixture.call('MINE') }, lookup, '/here')

  it('is found by id, or by owner and instrument', () => {
    expect(resolve({ position: by(position) }).entry?.head.id).toBe(position.offchainId)
    expect(resolve({ owner: by(wallet), financialInstrument: by(mint) }).entry?.head.id).toBe(position.offchainId)
    expect(resolve({ owner: by(wallet), mintAuthority: by(wallet) }).entry?.head.id).toBe(position.offchainId)
  })

  it('belongs to the owner and the instrument named beside it', async () => {
    const other = await fixture.instrument('MINE', sister.onchainId)
    expect(resolve({ position: by(position), owner: by(wallet), financialInstrument: by(mint) }).entry?.head.id).toBe(
      position.offchainId,
    )
    expect(
      await verdict(() => resolve({ position: by(position), owner: by(wallet), financialInstrument: by(other) })),
    ).toBe('400 LOOKUP_MISMATCH /here/financialInstrument')
    expect(await verdict(() => resolve({ position: by(position), owner: by(sister) }))).toBe(
      '400 LOOKUP_MISMATCH /here/owner',
    )
    expect(await verdict(() => resolve({ position: by(position), mintAuthority: by(sister) }))).toBe(
      '400 LOOKUP_MISMATCH /here/mintAuthority',
    )
    expect(await verdict(() => resolve({ position: by(wallet) }))).toBe('400 POSITION_NOT_FOUND /here/position')
  })

  it('with several addresses is the associated one, or ambiguous', async () => {
    const owned = await fixture.instrument('MINE', wallet.onchainId)
    const named = { owner: by(wallet), financialInstrument: by(owned) }
    const first = await fixture.position('MINE', wallet, owned)
    // The fork of a chain can leave two records of one address.
    await fixture.position('MINE', wallet, owned, { address: first.onchainId })
    expect(resolve(named).address).toBe(first.onchainId)
    await fixture.position('MINE', wallet, owned)
    expect(await verdict(() => resolve(named))).toBe('400 LOOKUP_AMBIGUOUS /here')
    const address = associatedTokenAddress(wallet.onchainId, owned.onchainId, TOKEN_2022_PROGRAM)
    for (let records = 0; records < 2; records += 1) {
      await fixture.position('MINE', wallet, owned, { address })
      expect(resolve(named).address).toBe(address)
    }
  })

  it('without a record is at the associated address', () => {
    expect(resolve({ owner: by(sister), financialInstrument: by(mint) })).toMatchObject({
      standing: 'missing',
      entry: null,
    })
  })

  it('of another organization cannot be read', async () => {
    const itemData = { position: by(position) }
    expect(await verdict(() => fixture.read('THEIRS', positionDetails, { itemData }))).toMatch('404 POSITION_NOT_FOUND')
    expect(
      await verdict(() =>
        fixture.read('THEIRS', positionDetails, { itemData: { owner: by(wallet), financialInstrument: by(mint) } }),
      ),
    ).toMatch('404 ACCOUNT_NOT_FOUND')
  })
})
