// Accounts in use are subscribed, so that a deposit is in the books before a query; a notification is only a hint.
// Records are compared with the chain at the start only: the service observes a deposit because of a notification.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PublicKey } from '@solana/web3.js'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { EMBEDDED_CLUSTER } from '../../../src/rpc/cluster-settings.ts'
import { QUICK } from '../../submission/linked.ts'
import { loadSettings } from '../../../src/config/settings.ts'
import { generateApiKey } from '../../../src/keys/api-key.ts'
import type { PlatformCluster } from '../../../src/operations/context/platform.ts'
import { AccountsInUse } from '../../../src/operations/background/accounts-in-use.ts'
import { startService, type Service } from '../../../src/service/service.ts'
import { Client } from '../../e2e/client.ts'
import { eventually } from '../../e2e/harness.ts'
import type { Ids, Result } from '../../e2e/models.ts'
import { Onchain } from '../../e2e/onchain.ts'
import { Records, SOL } from '../../e2e/records.ts'
import { serveChain, type ServedChain } from '../../localnet/rpc-chain.ts'
import { Notifier } from '../fixtures/notifier.ts'
import { startPayers } from '../fixtures/payers.ts'

const PAY = '/positions/transfer-network-currency'
const BOUND = 40
const unlimited = { networkCurrencyDebitLimits: [] }

const dataDir = mkdtempSync(join(tmpdir(), 'holdfast-in-use-'))
const { apiKey } = generateApiKey()
let chain: ServedChain
let notifier: Notifier
let service: Service
let api: Client
let records: Records
let onchain: Onchain
let fees: Ids
/** Reads of accounts with statuses: the reads of a reconciliation. */
let readings = 0

beforeAll(async () => {
  chain = await serveChain({ slotMs: 50 })
  notifier = await Notifier.before(chain.wsUrl)
  const settings = loadSettings({
    HOLDFAST_DATA_DIR: dataDir,
    HOLDFAST_PORT: '0',
    HOLDFAST_BOOTSTRAP_KEY: apiKey,
    HOLDFAST_MASTER_KEY: Buffer.alloc(32, 7).toString('base64'),
    HOLDFAST_CLUSTERS: JSON.stringify({ CHAIN_DEVNET: [{ url: chain.url, websocket: notifier.url }] }),
    HOLDFAST_RATE_LIMIT: '1000000/1000000',
    HOLDFAST_LOG_LEVEL: 'silent',
  })
  const comparison = { roundMs: 3_600_000, questionsPerSecond: 20, subscribedAccounts: BOUND }
  service = await startService(settings, {
    tune: () => ({ ...EMBEDDED_CLUSTER, pool: QUICK.pool, comparison }),
    opened: ({ platform }) => platform.clusters.forEach(countReadings),
  })
  api = new Client(service.url, apiKey)
  onchain = new Onchain(chain.url)
  records = new Records(api, onchain)
  fees = await records.feePayer()
})
afterAll(async () => {
  await service.stop()
  notifier.close()
  await chain.close()
  rmSync(dataDir, { recursive: true, force: true })
})

function countReadings(cluster: PlatformCluster): void {
  const cut = cluster.cut.bind(cluster)
  Object.assign(cluster, { cut: (...args: Parameters<typeof cut>) => ((readings += 1), cut(...args)) })
}

/** The balance in the books, without a query that would update it. */
const booked = async (ids: Ids): Promise<bigint> => BigInt((await records.accountRecord(ids)).offchain.lamportsBalance)
const shows = (ids: Ids, lamports: bigint): Promise<void> =>
  eventually(async () => expect(await booked(ids)).toBe(lamports))
const subscribed = (...all: readonly Ids[]): Promise<void> =>
  eventually(() =>
    Promise.resolve().then(() =>
      expect(notifier.subscribed).toEqual(expect.arrayContaining(all.map(({ onchainId }) => onchainId))),
    ),
  )

async function pay(source: Ids, destination: Ids, lamports: bigint): Promise<void> {
  const body = { source, destination, lamports: lamports.toString() }
  expect(await api.ok<Result>(201, 'POST', PAY, body, { config: { feePayer: fees } })).toMatchObject({ success: true })
}

/** Accounts with 1 SOL each, by a notification. */
async function twoInUse(): Promise<[Ids, Ids]> {
  const [wallet, shop] = [await records.account(unlimited), await records.account()]
  await subscribed(wallet, shop)
  for (const account of [wallet, shop]) await deposit(account, SOL)
  for (const account of [wallet, shop]) await shows(account, SOL)
  return [wallet, shop]
}

/** Resolves when the chain has confirmed it, without informing the service. */
async function deposit(to: Ids, lamports: bigint): Promise<void> {
  const signature = await onchain.connection.requestAirdrop(new PublicKey(to.onchainId), Number(lamports))
  await eventually(async () => {
    const { value } = await onchain.connection.getSignatureStatuses([signature])
    expect(['confirmed', 'finalized']).toContain(value[0]?.confirmationStatus)
  })
}

describe('14.14 an account in use', () => {
  it('14.14 shows deposits before a query, also while 16 payers use it', async () => {
    const [wallet, shop] = await twoInUse()
    await deposit(wallet, SOL)
    await shows(wallet, 2n * SOL)
    const payers = startPayers(16, () => pay(wallet, shop, 1_000n))
    await payers.rounds(1)
    await deposit(wallet, 50n * SOL)
    await eventually(async () => expect(await booked(wallet)).toBeGreaterThan(50n * SOL))
    await payers.rounds(1)
    // A deposit that is less than the open payments is found too.
    await deposit(shop, 7n)
    await eventually(async () => expect((await booked(shop)) % 1_000n).toBe(7n))
    await payers.stop()
    await shows(wallet, 52n * SOL - 1_000n * BigInt(payers.paid))
    await shows(shop, SOL + 7n + 1_000n * BigInt(payers.paid))
  })

  it('14.14 shows deposits made while notifications were down, once they are back', async () => {
    const [wallet] = await twoInUse()
    notifier.leave()
    const { connections } = notifier
    await deposit(wallet, SOL)
    await eventually(() => Promise.resolve().then(() => expect(notifier.connections).toBeGreaterThan(connections)))
    // The control: there is no other source.
    expect(await booked(wallet)).toBe(SOL)
    notifier.isAway = false
    await shows(wallet, 2n * SOL)
    await deposit(wallet, SOL)
    await shows(wallet, 3n * SOL)
  })

  it('14.14 needs no query of the chain for each of its own transactions', async () => {
    const [wallet, shop] = await twoInUse()
    const [before, since, PAYMENTS] = [readings, performance.now(), 60]
    for (let payment = 0; payment < PAYMENTS; payment += 1) await pay(wallet, shop, 1_000n)
    // One read of each of the three accounts after seconds, for any number of payments.
    expect(readings - before).toBeLessThan(5 + (3 * (performance.now() - since)) / 1_000)
    await deposit(wallet, SOL)
    await shows(wallet, 2n * SOL - 1_000n * BigInt(PAYMENTS))
  })

  it('14.14 is one of a bounded number, the most recently used', async () => {
    const first = await records.account()
    await subscribed(first)
    const laterAccounts: Ids[] = []
    for (let number = 0; number < BOUND; number += 1) laterAccounts.push(await records.account())
    await subscribed(...laterAccounts)
    expect(new Set(notifier.subscribed)).toEqual(new Set(laterAccounts.map(({ onchainId }) => onchainId)))
    await deposit(first, SOL)
    await deposit(laterAccounts[0]!, SOL)
    await shows(laterAccounts[0]!, SOL)
    expect(await booked(first)).toBe(0n)
    // Used again: its change is known, and another one is no longer subscribed.
    await api.ok(200, 'PATCH', '/accounts', { account: first, comments: 'used' })
    await shows(first, SOL)
    await eventually(() => Promise.resolve().then(() => expect(notifier.subscribed).toHaveLength(BOUND)))
  })
})

describe('14.14 a notification', () => {
  it('14.14 that is forged changes nothing, and one with a future slot does not block others', async () => {
    const [wallet, other] = [await records.account(unlimited), await records.account()]
    await subscribed(wallet, other)
    const rich = {
      lamports: Number(50n * SOL),
      owner: '11111111111111111111111111111111',
      data: ['', 'base64'],
      executable: false,
      rentEpoch: 0,
      space: 0,
    }
    for (const slot of [0, 1, chain.bank.slot('confirmed') + 1, 2 ** 50]) notifier.forge(wallet.onchainId, slot, rich)
    await deposit(other, SOL)
    await shows(other, SOL)
    expect(await booked(wallet)).toBe(0n)
    const body = { source: wallet, destination: other, lamports: SOL.toString() }
    const problem = await api.refuses(400, 'INSUFFICIENT_BALANCE', 'POST', PAY, body, { config: { feePayer: fees } })
    expect(problem.retryable).toBe(false)
    await deposit(wallet, SOL)
    await shows(wallet, SOL)
  })

  const made = fc.oneof(
    fc.constant(undefined),
    fc.constant(null),
    fc.constant({}),
    fc.record({
      lamports: fc.oneof(fc.nat(), fc.constant(-1), fc.constant('1'), fc.constant(2 ** 60)),
      owner: fc.constantFrom('11111111111111111111111111111111', 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA', ''),
      data: fc.constantFrom(['', 'base64'], ['AAAA', 'base64'], [], 'AAAA'),
      executable: fc.constant(false),
    }),
  )
  const action = fc.oneof(
    {
      weight: 3,
      arbitrary: fc.record({
        kind: fc.constant('deposit' as const),
        lamports: fc.integer({ min: 1_000_000, max: 9_000_000 }),
      }),
    },
    {
      weight: 3,
      arbitrary: fc.record({ kind: fc.constant('pay' as const), lamports: fc.integer({ min: 1, max: 9_000 }) }),
    },
    {
      weight: 2,
      arbitrary: fc.record({
        kind: fc.constant('forge' as const),
        ahead: fc.constantFrom(-5, 0, 1, 300, 2 ** 40),
        value: made,
      }),
    },
    {
      weight: 2,
      arbitrary: fc.record({
        kind: fc.constant('treat' as const),
        treatment: fc.constantFrom('pass' as const, 'lose' as const, 'repeat' as const, 'hold' as const),
      }),
    },
    { weight: 1, arbitrary: fc.constant({ kind: 'break' as const }) },
  )

  it('14.14 may be lost, late, repeated, out of order or forged without an error in the books', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(action, { maxLength: 12 }), async (actions) => {
        const [wallet, shop] = await twoInUse()
        let [funds, spentLamports] = [SOL, 0n]
        const payments: Promise<void>[] = []
        for (const each of actions) {
          if (each.kind === 'deposit') {
            await deposit(wallet, BigInt(each.lamports))
            funds += BigInt(each.lamports)
          } else if (each.kind === 'pay') {
            payments.push(pay(wallet, shop, BigInt(each.lamports)))
            spentLamports += BigInt(each.lamports)
          } else if (each.kind === 'forge')
            notifier.forge(wallet.onchainId, Math.max(0, chain.bank.slot('confirmed') + each.ahead), each.value)
          else if (each.kind === 'treat') notifier.treatment = each.treatment
          else {
            notifier.leave()
            notifier.isAway = false
          }
          // Never more than the balance, for any notifications: unknown deposits may be missing.
          expect(await booked(wallet)).toBeLessThanOrEqual(funds)
        }
        await Promise.all(payments)
        notifier.treatment = 'pass'
        notifier.release()
        await subscribed(wallet, shop)
        for (const account of [wallet, shop]) await deposit(account, 1_000_000n)
        await shows(wallet, funds + 1_000_000n - spentLamports)
        await shows(shop, SOL + spentLamports + 1_000_000n)
        expect(await onchain.lamports(wallet.onchainId)).toBe(funds + 1_000_000n - spentLamports)
      }),
      { numRuns: 12 },
    )
  })
})

describe('14.14 the accounts in use', () => {
  const use = fc.record({ kind: fc.constant('use' as const), address: fc.integer({ min: 0, max: 9 }).map(String) })
  const turn = fc.record({ kind: fc.constant('turn' as const), most: fc.integer({ min: 1, max: 3 }) })
  const limits = fc.integer({ min: 0, max: 5 })
  const change = fc.record({ kind: fc.constant('limit' as const), limit: limits })

  it('14.14 are not subscribed beyond the limit, which may change, and end with the last used', () => {
    fc.assert(
      fc.property(
        limits,
        fc.array(fc.oneof({ weight: 6, arbitrary: use }, { weight: 2, arbitrary: turn }, change), { maxLength: 80 }),
        (first, steps) => {
          let limit = first
          const inUse = new AccountsInUse(() => limit)
          const subscriptions = new Set<string>()
          let usedAccounts: string[] = []
          const take = (most: number): void => {
            const { start, end } = inUse.turn(most)
            expect(Math.max(start.length, end.length)).toBeLessThanOrEqual(most)
            for (const address of end) expect(subscriptions.delete(address)).toBe(true)
            for (const address of start) expect(subscriptions.has(address)).toBe(false)
            for (const address of start) subscriptions.add(address)
            if (start.length > 0) expect(subscriptions.size).toBeLessThanOrEqual(limit)
            usedAccounts = limit === 0 ? [] : usedAccounts.slice(-limit)
          }
          for (const step of steps) {
            if (step.kind === 'turn') take(step.most)
            else if (step.kind === 'limit') limit = step.limit
            else {
              inUse.use(step.address)
              if (limit === 0) continue
              usedAccounts = [...usedAccounts.filter((address) => address !== step.address), step.address]
              if (usedAccounts.length > limit) usedAccounts.shift()
            }
          }
          for (let turns = 0; inUse.isTurnDue; turns += 1) {
            expect(turns).toBeLessThan(50)
            take(2)
          }
          expect(subscriptions.size).toBeLessThanOrEqual(limit)
          expect([...subscriptions].sort()).toEqual([...usedAccounts].sort())
          for (const address of usedAccounts) expect(inUse.isSubscribed(address)).toBe(true)
        },
      ),
      { numRuns: 2_000 },
    )
  })
})
