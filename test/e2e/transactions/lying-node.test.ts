// The service on a single RPC endpoint that reports more than the chain has done. Results are checked on the chain
// itself.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loadSettings } from '../../../src/config/settings.ts'
import { generateApiKey } from '../../../src/keys/api-key.ts'
import { startService, type Service } from '../../../src/service/service.ts'
import { serveChain, type ServedChain } from '../../localnet/rpc-chain.ts'
import { Client } from '../client.ts'
import { eventually } from '../harness.ts'
import { LyingNode } from './lying-node.ts'
import type { Balance, Ids, Result } from '../models.ts'
import { Onchain } from '../onchain.ts'
import { Records, SOL } from '../records.ts'

/**
 * Blockhashes live for half a minute: a transaction that the node withholds for 80 blocks must land afterwards, even on
 * a busy machine.
 */
const SLOT_MS = 200
const dataDir = mkdtempSync(join(tmpdir(), 'holdfast-lied-to-'))
const { apiKey } = generateApiKey()
let chain: ServedChain
let node: LyingNode
let service: Service
let api: Client
let onchain: Onchain
let payer: Ids
let source: Ids
let destination: Ids

beforeAll(async () => {
  chain = await serveChain({ slotMs: SLOT_MS })
  node = await LyingNode.before(chain.url)
  const settings = loadSettings({
    HOLDFAST_DATA_DIR: dataDir,
    HOLDFAST_PORT: '0',
    HOLDFAST_BOOTSTRAP_KEY: apiKey,
    HOLDFAST_MASTER_KEY: Buffer.alloc(32, 7).toString('base64'),
    HOLDFAST_CLUSTERS: JSON.stringify({ CHAIN_DEVNET: { endpoints: node.url, minSlotMs: SLOT_MS / 2 } }),
    HOLDFAST_RATE_LIMIT: '1000000/1000000',
    HOLDFAST_LOG_LEVEL: 'silent',
  })
  service = await startService(settings)
  api = new Client(service.url, apiKey)
  onchain = new Onchain(chain.url)
  const records = new Records(api, onchain)
  payer = await records.feePayer()
  source = await records.funded()
  destination = await records.funded({}, SOL)
})
afterAll(async () => {
  await service.stop()
  await node.stop()
  await chain.close()
  rmSync(dataDir, { recursive: true, force: true })
})

const statusOf = async (ids: Pick<Ids, 'offchainId'>): Promise<string> =>
  (await api.read<{ status: string }>('/transactions/single', { offchainId: ids.offchainId })).status
const height = (): Promise<number> => chain.connection().getBlockHeight()

describe('an endpoint that claims more than the chain has done', () => {
  it('and withholds transactions ends no payment before it has expired', async () => {
    const before = await onchain.lamports(destination.onchainId)
    node.keeps = true
    node.lie = { methods: ['getEpochInfo', 'getSignatureStatuses'], offset: 200, answers: Infinity }
    const body = {
      source: { offchainId: source.offchainId },
      destination: { offchainId: destination.offchainId },
      lamports: 1_000,
    }
    const config = { feePayer: { offchainId: payer.offchainId } }
    const payment = await api.send<Result>('POST', '/positions/transfer-network-currency', body, {
      config,
      headers: { prefer: 'respond-async' },
    })
    await eventually(async () => {
      await Promise.resolve()
      expect(node.kept.length).toBeGreaterThan(1)
    })
    const sentHeight = await height()
    await eventually(async () => expect(await height()).toBeGreaterThan(sentHeight + 80))
    expect(['SIGNED', 'SUBMITTED']).toContain(await statusOf(payment.body))
    node.lie = null
    await node.release()
    await eventually(async () => expect(await statusOf(payment.body)).toBe('FINALIZED'))
    expect(await onchain.lamports(destination.onchainId)).toBe(before + 1_000n)
  })

  it('once, by a million slots, does not block balances or the spending of deposits', async () => {
    node.lie = {
      methods: ['getMultipleAccounts', 'getSignatureStatuses', 'getSlot', 'getLatestBlockhash'],
      offset: 1_000_000,
      answers: 3,
    }
    const answer = { offchainId: destination.offchainId }
    await eventually(async () => {
      await onchain.airdrop(destination.onchainId, SOL)
      const lamports = await onchain.lamports(destination.onchainId)
      const balance = await api.read<Balance>('/accounts/single/balance', answer)
      expect(JSON.stringify(balance)).toContain(String(lamports))
    })
    expect(node.lie.answers).toBe(0)
    const metrics = await (await fetch(`${service.url}/metrics`)).text()
    expect(metrics).toContain('holdfast_rpc_endpoint_suspect')
  })
})
