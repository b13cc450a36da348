// Transactions of a tenant whose fee payer is of a tenant in another cell, on another node: the owner of the fee payer
// signs as a remote signer, by its own rules, once. As an outside reader of the chain sees it.
import { Connection, PublicKey } from '@solana/web3.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { BUNDLES } from '../../src/contract/roles.ts'
import { apiOf, refOf, type Api, type Ref } from '../crash/api.ts'
import { until as found } from '../crash/until.ts'
import { metricOf, openClusterYard, type ClusterYard, type NodeProcess } from './cluster-yard.ts'
import { until } from './nodes-yard.ts'
import { addressOf, sql } from './postgres.ts'

const FUNDS = 100_000_000_000

let yard: ClusterYard
let nodes: NodeProcess[]
let system: Api
let acme: Api
let payer: Ref
let chain: Connection

const ask = (text: string) => sql(addressOf(yard.postgres), text)
const byId = ({ offchainId }: Ref) => ({ offchainId })
const onChain = ({ onchainId }: Ref) => chain.getBalance(new PublicKey(onchainId), 'confirmed')

async function lamportsOf(api: Api, account: Ref): Promise<number> {
  const { offchain } = (await api.get('/accounts/single/balance', byId(account))) as { offchain: { lamports: number } }
  return offchain.lamports
}

async function settled(api: Api, account: Ref): Promise<void> {
  await found(
    async () => (await lamportsOf(api, account)) === (await onChain(account)) || undefined,
    'the books are equal to the chain',
  )
}

beforeAll(async () => {
  yard = await openClusterYard({ LEASE_MS: '3000' })
  chain = new Connection(yard.rpcUrl, { commitment: 'confirmed', disableRetryOnRateLimit: true })
  let node = await yard.start('a')
  await until('it serves', async () => (await metricOf(node.url, 'holdfast_cell_owner')) === 1)
  system = apiOf(node.url, yard.apiKey)
  await system.make('/admin/organizations', { externalId: 'ACME', name: 'Acme' })
  const roles = [...BUNDLES.OPERATOR]
  const key = await system.make('/admin/api-keys', { organizationExternalId: 'ACME', name: 'acme', roles })
  payer = refOf(
    await system.make('/accounts', { managed: true, globalFeePayerForOrgs: ['ACME'], networkCurrencyDebitLimits: [] }),
    'newAccount',
  )
  await chain.requestAirdrop(new PublicKey(payer.onchainId), FUNDS)
  await settled(system, payer)
  node.signal('SIGTERM')
  await node.ended
  await ask(`INSERT INTO holdfast.cell (cell, epoch) VALUES ('red', 0)`)
  await ask(`INSERT INTO holdfast.step VALUES ('red', 0, '00000000-0000-0000-0000-000000000000')`)
  await ask(`UPDATE holdfast.tenant SET cell = 'red' WHERE tenant = 'ACME'`)
  nodes = await Promise.all(['a', 'b'].map((id) => yard.start(id)))
  await ask(`UPDATE holdfast.cell SET wanted = CASE cell WHEN 'main' THEN 'a' ELSE 'b' END`)
  await until('each node has a cell', async () => {
    const rows = await ask('SELECT cell, node FROM holdfast.cell ORDER BY cell')
    return (
      JSON.stringify(rows) ===
      JSON.stringify([
        ['main', 'a'],
        ['red', 'b'],
      ])
    )
  })
  const urls = nodes.map(({ url }) => url)
  system = apiOf(urls[1]!, yard.apiKey)
  acme = apiOf(urls[0]!, key['apiKey'] as string)
})
afterAll(async () => yard[Symbol.asyncDispose]())

describe('a fee payer in another cell', () => {
  it('pays for a transfer, within its own limits and books', async () => {
    const [from, to] = await Promise.all(
      [0, 1].map(async () => refOf(await acme.make('/accounts', { managed: true }), 'newAccount')),
    )
    await chain.requestAirdrop(new PublicKey(from!.onchainId), FUNDS)
    await settled(acme, from!)
    const before = await onChain(payer)
    const answer = await acme.make('/positions/transfer-network-currency', {
      source: byId(from!),
      destination: byId(to!),
      amount: '0.005',
    })
    expect(answer).toMatchObject({ success: true })
    expect(await onChain(to!)).toBe(5_000_000)
    expect(before - (await onChain(payer))).toBe(10_000)
    await settled(system, payer)
  })
})
