// An address that another tenant onboarded and one that nobody did: whatever role it is named in, as it is or with `offPlatform`, meant or as
// a dry run, both get the same answer. One row for each endpoint and role.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addressOf } from './fixtures/addresses.ts'
import type { Client, Method } from '../e2e/client.ts'
import { startWorld, type World } from '../e2e/harness.ts'
import type { Ids, Result } from '../e2e/models.ts'
import { SOL } from '../e2e/records.ts'
import { everythingSeenBy, newParty, type Party } from './fixtures/parties.ts'

const PAY = '/positions/transfer-network-currency'

/** What the asking tenant has of its own; `spare` is made for each request. */
interface Own {
  readonly wallet: Ids
  readonly limited: Ids
  readonly instrument: Ids
  readonly position: Ids
  readonly spare: Ids
}

interface Row {
  readonly role: string
  readonly method: Method
  readonly path: string
  readonly body: (named: object, own: Own) => object
  readonly config?: (named: object, own: Own) => object
}

const row = (role: string, method: Method, path: string, body: Row['body'], config?: Row['config']): Row =>
  ({ role, method, path, body, ...(config === undefined ? {} : { config }) })
const held = ({ position }: Own): object => ({ position })

const ROWS: readonly Row[] = [
  row('account', 'POST', '/accounts/single', (named) => named),
  row('account', 'POST', '/accounts/single/balance', (named) => named),
  row('account', 'POST', '/accounts/single/private-key', (named) => named),
  row('account', 'PATCH', '/accounts', (account) => ({ account, comments: 'mine' })),
  row('account', 'PATCH', '/accounts/inactivate', (account) => ({ account })),
  row('refund', 'PATCH', '/accounts/inactivate', (refundDestination, { spare: account }) => ({ account, refundDestination })),
  row('destination', 'POST', PAY, (destination, { wallet: source }) => ({ source, destination, lamports: 1_000 })),
  row('destination within limits', 'POST', PAY, (destination, { limited: source }) => ({ source, destination, lamports: 1_000 })),
  row('destination over limits', 'POST', PAY, (destination, { limited: source }) => ({ source, destination, amount: 0.9 })),
  row('source', 'POST', PAY, (source, { wallet: destination }) => ({ source, destination, lamports: 1_000 })),
  row('entire source', 'POST', PAY, (source, { wallet: destination }) => ({ source, destination, transferEntireBalance: true })),
  row('source not to sign now', 'POST', PAY, (source, { wallet: destination }) => (
    { source: { ...source, autoSign: false }, destination, lamports: 1_000 })),
  row('fee payer', 'POST', PAY, (_named, { wallet: source, spare: destination }) => ({ source, destination, lamports: 1_000 }),
    (feePayer) => ({ feePayer })),
  row('owner', 'POST', '/positions', (owner, { instrument }) => ({ owner, financialInstrument: instrument })),
  row('owner of the destination', 'POST', '/positions/transfer', (owner, own) => ({
    source: held(own), destination: { owner, financialInstrument: own.instrument }, lamports: 1, initializeDestinationPositionIfNeeded: true,
  })),
  row('owner of the source', 'POST', '/positions/transfer', (owner, own) => (
    { source: { owner, financialInstrument: own.instrument }, destination: held(own), lamports: 1 })),
  row('position', 'POST', '/positions/transfer', (position, own) => ({ source: { position }, destination: held(own), lamports: 1 })),
  row('position paid to', 'POST', '/positions/transfer', (position, own) => ({ source: held(own), destination: { position }, lamports: 1 })),
  row('owner beside the position', 'POST', '/positions/single', (owner, { position }) => ({ position, owner })),
  row('owner of the destination', 'POST', '/positions/mint', (owner, { instrument }) => (
    { destination: { owner, financialInstrument: instrument }, lamports: 1, initializeDestinationPositionIfNeeded: true })),
  row('mint authority', 'POST', '/positions/mint', (mintAuthority, own) => ({ destination: { ...held(own), mintAuthority }, lamports: 1 })),
  row('owner', 'POST', '/positions/burn', (owner, { instrument }) => ({ source: { owner, financialInstrument: instrument }, lamports: 1 })),
  row('freeze authority', 'PATCH', '/positions/freeze', (freezeAuthority, own) => ({ position: held(own), freezeAuthority })),
  row('refund', 'PATCH', '/positions/close', (refundDestination, own) => ({ position: held(own), refundDestination })),
  row('leg', 'POST', '/positions/trade', (named, { wallet, spare }) => (
    { legs: [{ source: wallet, destination: named, lamports: 1_000 }, { source: wallet, destination: spare, lamports: 1_000 }] })),
  row('mint authority', 'POST', '/financial-instruments', (mintAuthority) => (
    { mintAccount: {}, version: 'SPL', mintAuthority, onchainData: { decimals: 2 } })),
  row('freeze authority', 'POST', '/financial-instruments', (freezeAuthority, { wallet }) => (
    { mintAccount: {}, version: 'TOKEN_2022', mintAuthority: wallet, freezeAuthority, closingAuthority: freezeAuthority, onchainData: { decimals: 2 } })),
  row('mint', 'POST', '/positions', (financialInstrument, { wallet: owner }) => ({ owner, financialInstrument })),
  row('nonce authority', 'POST', '/durable-nonce-accounts', (nonceAuthority) => ({ nonceAuthority, count: 1 })),
  row('table authority', 'POST', '/address-lookup-tables', (authority, { wallet }) => (
    { addressLookupTable: {}, authority, componentAddresses: [wallet.onchainId] })),
  row('strategy account', 'POST', '/loans/strategies', (strategyAccount, { instrument: financialInstrument }) => (
    { strategyAccount, financialInstrument, originationsEnabled: true, duration: { code: 'DAYS', unit: 1 }, collateral: [] })),
  row('account', 'PATCH', '/admin/freeze', (account) => ({ account })),
  row('account', 'PATCH', '/admin/lanes/suspend', (account) => ({ account })),
]

let world: World
let asker: Party
let owner: Party
let own: Omit<Own, 'spare'>
let onboarded: string
let unknown: string

beforeAll(async () => {
  world = await startWorld()
  ;[asker, owner] = [await newParty(world, 'ASKER'), await newParty(world, 'OWNER')]
  const wallet = await asker.records.feePayer({ networkCurrencyDebitLimits: [], tokenDebitLimits: [] })
  const limited = await asker.records.funded({}, 5n * SOL)
  const instrument = await asker.records.instrument('TOKEN_2022', wallet, { freezeAuthority: wallet })
  own = { wallet, limited, instrument, position: await asker.records.position(wallet, instrument, 1_000n) }
  onboarded = (await owner.records.funded({}, SOL)).onchainId
  unknown = addressOf('nobody knows it')
  await world.chain.airdrop(unknown, SOL)
})
afterAll(() => world.stop())

/** The answer without what differs between any two requests. */
function masked(status: number, body: unknown): unknown {
  const { requestId: _id, ...rest } = body as { requestId?: string }
  const text = JSON.stringify({ status, ...rest })
    .replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'ID')
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'AT')
    .replace(/"serializedMessage":"[^"]*"/g, '"serializedMessage":"BYTES"')
    .replace(/[1-9A-HJ-NP-Za-km-z]{32,88}/g, 'BASE58')
    // How far it has got when the answer is read.
    .replace(/"FINALIZED"/g, '"CONFIRMED"')
    // Deriving an address takes as many compute units as tries.
    .replace(/consumed \d+ of \d+/g, 'consumed N').replace(/"(computeUnits|confirmationsCount)":\d+/g, '"$1":0')
  return JSON.parse(text)
}

async function answerTo({ method, path, body, config }: Row, api: Client, named: object, headers: Record<string, string>): Promise<unknown> {
  const spare = await asker.records.funded({ networkCurrencyDebitLimits: [] }, SOL / 100n)
  const all = { ...own, spare }
  const chainTransactionConfig = config === undefined ? {} : { config: config(named, all) }
  const { status, body: answer } = await api.send<Result>(method, path, body(named, all), { ...chainTransactionConfig, headers })
  return masked(status, answer)
}

/** Roles in which the exact address of another tenant's account may be named without `offPlatform`, and an unknown one may not. */
const PAID = ['destination', 'destination within limits', 'destination over limits', 'owner of the destination', 'position paid to', 'leg']

describe("14.11 attack 17: answers tell another tenant's address from an unknown one", () => {
  describe.each(ROWS)('$role of $method $path', (each) => {
    it.each([
      ['plain', {}, {}],
      ['offPlatform', { offPlatform: true }, {}],
      ['dry run', { offPlatform: true }, { 'Holdfast-Dry-Run': 'true' }],
    ] as const)('%s', async (title, members, headers) => {
      const about = (onchainId: string): Promise<unknown> => answerTo(each, asker.api, { onchainId, ...members }, headers)
      const answers = [await about(onboarded), await about(unknown)]
      if (title === 'plain' && PAID.includes(each.role)) expect(answers[1]).toMatchObject({ status: 400 })
      else expect(answers[0]).toEqual(answers[1])
    })
  })

  it('and their owner has heard of nothing', async () => {
    const seen = await everythingSeenBy(world, owner)
    expect(seen).not.toContain('ASKER')
    expect(seen).not.toContain('transaction.')
  })
})
