// Accounts with `subscribeToNetworkEvents` follow the chain at once: over a websocket that breaks and reconnects, and
// over a restart. The chain is a separate process, as a remote one is. The service compares records with the chain only
// at its start.
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, connect, type AddressInfo, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Keypair } from '@solana/web3.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loadSettings } from '../../src/config/settings.ts'
import { generateApiKey } from '../../src/keys/api-key.ts'
import { startService, type Service } from '../../src/service/service.ts'
import { serveChain, type ServedChain } from '../localnet/rpc-chain.ts'
import { Client } from './client.ts'
import { eventually, unwatched } from './harness.ts'
import type { Ids } from './models.ts'
import { Onchain } from './onchain.ts'
import { Records, SOL } from './records.ts'

/** A proxy before the websocket of the chain that can close every connection. */
class Gate {
  readonly #server: Server
  readonly #open = new Set<Socket>()
  isShut = false
  connections = 0

  private constructor(target: number) {
    this.#server = createServer((client) => {
      this.connections += 1
      if (this.isShut) return void client.destroy()
      const chain = connect(target, '127.0.0.1')
      for (const [from, to] of [
        [client, chain],
        [chain, client],
      ] as const) {
        this.#open.add(from)
        from.pipe(to)
        from
          .on('error', () => to.destroy())
          .on('close', () => {
            this.#open.delete(from)
            to.destroy()
          })
      }
    })
  }

  static async before(url: string): Promise<Gate> {
    const gate = new Gate(Number(new URL(url).port))
    await new Promise<void>((resolve) => gate.#server.listen(0, '127.0.0.1', resolve))
    return gate
  }

  get url(): string {
    return `ws://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  shut(): void {
    this.isShut = true
    for (const socket of this.#open) socket.destroy()
  }

  close(): void {
    this.shut()
    this.#server.close()
  }
}

const dataDir = mkdtempSync(join(tmpdir(), 'holdfast-subscribed-'))
const { apiKey } = generateApiKey()
let chain: ServedChain
let gate: Gate
let service: Service
let api: Client
let records: Records
let onchain: Onchain

async function start(): Promise<void> {
  const settings = loadSettings({
    HOLDFAST_DATA_DIR: dataDir,
    HOLDFAST_PORT: '0',
    HOLDFAST_BOOTSTRAP_KEY: apiKey,
    HOLDFAST_MASTER_KEY: Buffer.alloc(32, 7).toString('base64'),
    HOLDFAST_CLUSTERS: JSON.stringify({
      CHAIN_DEVNET: { endpoints: [{ url: chain.url, websocket: gate.url }], minSlotMs: 10 },
    }),
    HOLDFAST_RATE_LIMIT: '1000000/1000000',
    HOLDFAST_LOG_LEVEL: 'silent',
  })
  service = await startService(settings, { tune: unwatched })
  api = new Client(service.url, apiKey)
  onchain = new Onchain(chain.url)
  records = new Records(api, onchain)
}

beforeAll(async () => {
  chain = await serveChain({ slotMs: 50 })
  gate = await Gate.before(chain.wsUrl)
  await start()
})
afterAll(async () => {
  await service.stop()
  gate.close()
  await chain.close()
  rmSync(dataDir, { recursive: true, force: true })
})

const lamportsOf = async (ids: Ids): Promise<number | string> =>
  (await records.accountRecord(ids)).offchain.lamportsBalance
const shows = (ids: Ids, lamports: bigint): Promise<void> =>
  eventually(async () => expect(await lamportsOf(ids)).toBe(Number(lamports)))
interface ActivityEvent {
  readonly type: string
  readonly resource: { readonly onchainId: string; readonly offchainId: string }
  readonly data: { readonly slot: number; readonly offchain?: { readonly lamportsBalance: number } }
}

/** `account.network_activity` of an account, in order. */
async function activity({ offchainId }: Ids): Promise<ActivityEvent[]> {
  const response = await fetch(`${service.url}/api/v1/events?after=0&limit=1000`, {
    headers: { authorization: api.bearer },
  })
  const { items } = (await response.json()) as { items: ActivityEvent[] }
  return items.filter(({ type, resource }) => type === 'account.network_activity' && resource.offchainId === offchainId)
}

const metric = async (name: string): Promise<number> =>
  Number(new RegExp(`^${name} (\\d+)`, 'm').exec(await (await fetch(`${service.url}/metrics`)).text())?.[1])
const subscribed = (count: number): Promise<void> =>
  eventually(async () => expect(await metric('holdfast_network_subscriptions')).toBe(count))

describe('a subscribed account', () => {
  it('shows a deposit at once, unlike an account without a subscription', async () => {
    const [watched, unsubscribed] = [
      await records.account({ canPayFees: true, subscribeToNetworkEvents: true }),
      await records.account(),
    ]
    await subscribed(1)
    for (const { onchainId } of [watched, unsubscribed]) await onchain.airdrop(onchainId, SOL)
    await shows(watched, SOL)
    expect(await lamportsOf(unsubscribed)).toBe(0)
    const [event, ...others] = await activity(watched)
    expect(event).toMatchObject({
      resource: { onchainId: watched.onchainId },
      data: { offchain: { lamportsBalance: Number(SOL) } },
    })
    expect(event!.data.slot).toBeGreaterThan(0)
    expect(others).toEqual([])
    await api.ok(200, 'PATCH', '/accounts', { account: unsubscribed, subscribeToNetworkEvents: true })
    await shows(unsubscribed, SOL)
    const body = { source: watched, destination: unsubscribed, lamports: '1000' }
    const result = await api.ok<{ success: boolean }>(201, 'POST', '/positions/transfer-network-currency', body, {
      config: { feePayer: watched },
    })
    expect(result.success).toBe(true)
    await eventually(async () => expect(await onchain.lamports(unsubscribed.onchainId)).toBe(SOL + 1_000n))
    await shows(unsubscribed, SOL + 1_000n)
    // Transactions of the service itself cause no such event.
    expect([(await activity(watched)).length, (await activity(unsubscribed)).length]).toEqual([1, 1])
    for (const account of [watched, unsubscribed])
      await api.ok(200, 'PATCH', '/accounts', { account, subscribeToNetworkEvents: false })
    await subscribed(0)
    const before = await lamportsOf(watched)
    await onchain.airdrop(watched.onchainId, SOL)
    expect(await lamportsOf(watched)).toBe(before)
  })

  it('shows a deposit made while the websocket was down, and later ones', async () => {
    const account = await records.account({ subscribeToNetworkEvents: true })
    await subscribed(1)
    gate.shut()
    const { connections } = gate
    await subscribed(0)
    await onchain.airdrop(account.onchainId, SOL)
    await eventually(() => Promise.resolve().then(() => expect(gate.connections).toBeGreaterThan(connections)))
    expect(await lamportsOf(account)).toBe(0)
    gate.isShut = false
    await shows(account, SOL)
    await onchain.airdrop(account.onchainId, SOL)
    await shows(account, 2n * SOL)
  })

  it('is watched for all records of its address, until the last is closed', async () => {
    const address = Keypair.generate().publicKey.toBase58()
    await onchain.airdrop(address, SOL)
    const before = await metric('holdfast_network_subscriptions')
    const account = await records.account({
      managed: false,
      alreadyOnchain: true,
      onchainId: address,
      subscribeToNetworkEvents: true,
    })
    await subscribed(before + 1)
    await onchain.airdrop(address, SOL)
    await shows(account, 2n * SOL)
    await api.ok(200, 'PATCH', '/accounts/inactivate', { account })
    await subscribed(before)
  })

  it('and every other account show deposits made while the service was down, after a restart', async () => {
    const [watched, unsubscribed] = [await records.account({ subscribeToNetworkEvents: true }), await records.account()]
    await service.stop()
    for (const { onchainId } of [watched, unsubscribed]) await onchain.airdrop(onchainId, 3n * SOL)
    await start()
    await shows(watched, 3n * SOL)
    await shows(unsubscribed, 3n * SOL)
    await onchain.airdrop(watched.onchainId, SOL)
    await shows(watched, 4n * SOL)
    await records.accountsEqualChain(watched, unsubscribed)
  })
})
