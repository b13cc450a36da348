// Records whose accounts the chain lacks. Anybody can hold messages that name an account: they neither keep the balance
// of an emptied account, nor keep a record open whose account is gone.
import { beforeEach, describe, expect, it } from 'vitest'
import type { AccountCut } from '../../../src/rpc/account-cut.ts'
import type { SignatureStatus } from '../../../src/rpc/rpc.ts'
import type { PlatformCluster, Platform } from '../../../src/operations/context/platform.ts'
import { reconcile } from '../../../src/operations/reconcile/reconcile.ts'
import { SYSTEM_PROGRAM } from '../../../src/solana/address.ts'
import { AT, fixed } from '../../machines/records.ts'
import { CLUSTER, EngineFixture, newAccount, newPosition, place, sign, TENANT } from '../../engine/engine-fixture.ts'
import { readingPlatform } from './platform.ts'

const STRANGER = 'STRANGER'
/** Slot of the first reading; a message of this slot was made before it. */
const FIRST = 100

let fixture: EngineFixture
let platform: Platform
let slot: number
/** What the chain shows of every message. */
let landed: SignatureStatus | null

/** Only nonce accounts exist, with a value of zero bytes. */
function shown(addresses: readonly string[]): AccountCut['accounts'] {
  const data = Buffer.alloc(80)
  data.writeUInt32LE(1, 0)
  data.writeUInt32LE(1, 4)
  const nonce = { lamports: 1n, owner: SYSTEM_PROGRAM, data, executable: false }
  return addresses.map((address) => (address.startsWith('nonce') ? nonce : null))
}

const access = {
  id: CLUSTER,
  confirmsOnDisk: false,
  state: () => null,
  cut: (addresses: readonly string[], signatures: readonly string[]): Promise<AccountCut> => {
    const statuses = new Map(signatures.map((signature) => [signature, landed]))
    return Promise.resolve({ slot, afterSlot: slot, before: statuses, after: statuses, accounts: shown(addresses) })
  },
  finalizedAccounts: (addresses: readonly string[]) => Promise.resolve({ slot: slot - 1, accounts: shown(addresses) }),
} as unknown as PlatformCluster

beforeEach(async () => {
  fixture = await EngineFixture.open()
  platform = readingPlatform(fixture, access)
  slot = FIRST
  landed = null
  await fixture.commit((unit) => {
    newAccount(unit, 'wallet')
    newPosition(unit, 'position', 'initialized')
  })
})

interface Message {
  readonly tenant?: string
  readonly nonceAccount?: string | null
  /** Slot of its blockhash. */
  readonly madeAt?: number
}

/** A signed message that pays into both accounts; it is not sent. */
async function held(id: string, { tenant = STRANGER, nonceAccount = null, madeAt = FIRST }: Message): Promise<void> {
  const entries = (['wallet', 'position'] as const).map((record) => {
    const asset = record === 'wallet' ? 'lamports' : 'tokens'
    const movement = { asset, released: '0', debited: '0', credited: '1' } as const
    return { tenant: TENANT, record, movements: [movement], charge: [], facts: [] }
  })
  const lifetime =
    nonceAccount === null
      ? { nonceAccount, blockhashSlot: madeAt }
      : { nonceAccount: { address: nonceAccount, id: null }, blockhash: SYSTEM_PROGRAM, blockhashSlot: madeAt }
  const complete = { ...fixed, entries, ...lifetime }
  await fixture.commit((unit) => {
    unit.also(tenant, { type: 'payload', ...place(id, tenant), payload: { fixed: complete, signedBytes: 'AA==' } })
    sign(unit, unit.create('transaction', place(id, tenant), { fixed: complete }))
  })
}

/** Two answers without the accounts: the second confirms the first one. */
async function compareTwice(): Promise<void> {
  for (const at of [FIRST, FIRST + 1]) {
    slot = at
    const heads = ['wallet', 'position'].map((id) => fixture.entry(id).head)
    await reconcile(platform, CLUSTER, heads, { patient: true })
  }
}
const context = (id: string): object => fixture.entry(id).head.context
const state = (): unknown => fixture.entry('position').head.value

const EMPTIED = { lamports: { balance: '0' } }
const CLOSED = { ...EMPTIED, tokens: { balance: '0' } }

describe('an account that the chain lacks', () => {
  it.each([
    ['no message', null],
    ['a message of another tenant under a nonce', { nonceAccount: 'nonce' }],
    ['a message of its own tenant under a nonce', { tenant: TENANT, nonceAccount: 'nonce' }],
    ['a later message of another tenant', { madeAt: FIRST + 1 }],
  ] as const)('is emptied or closed, beside %s', async (_, message) => {
    if (message !== null) await held('t', message)
    await compareTwice()
    expect(context('wallet')).toMatchObject(EMPTIED)
    expect(context('position')).toMatchObject(CLOSED)
    expect(state()).toBe('closed')
  })

  it.each([
    ['of its own tenant', { tenant: TENANT, madeAt: FIRST + 1 }],
    ['of another tenant, made before the account was missing', {}],
  ] as const)('stays as it is while a message can land: %s', async (_, message) => {
    await held('t', message)
    await compareTwice()
    expect(context('wallet')).toMatchObject({ lamports: { balance: '1000' } })
    expect(state()).toBe('initialized')
  })

  it.each([
    ['after the answer', 'nonce', FIRST + 2, '0', '1'],
    ['before the answer', 'used nonce', FIRST - 1, '-1', '0'],
  ] as const)('counts a payment once that landed %s', async (_, nonceAccount, at, emptied, settled) => {
    landed = nonceAccount === 'nonce' ? null : { commitment: 'confirmed', slot: at, error: null }
    await held('t', { nonceAccount })
    await compareTwice()
    expect(context('wallet')).toMatchObject({ lamports: { balance: emptied } })
    const seen = { type: 'chain.seen', commitment: 'finalized', slot: at, blockTime: null } as const
    await fixture.settle('t', { ...seen, error: null, computeUnits: null, at: AT })
    expect(context('wallet')).toMatchObject({ lamports: { balance: settled } })
  })
})
