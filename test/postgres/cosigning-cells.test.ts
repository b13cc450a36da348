// Transactions of a tenant with a fee payer of a tenant in another cell, on another node: the owner of the fee payer
// signs as a remote signer, by its own rules, once. As an outside reader of the chain sees it.
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { Connection, PublicKey } from '@solana/web3.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { BUNDLES } from '../../src/contract/roles.ts'
import { apiOf, isBusy, refOf, type Answer, type Api, type Ref } from '../crash/api.ts'
import { until as found } from '../crash/until.ts'
import { metricOf, openClusterFixture, type ClusterFixture, type NodeProcess } from './cluster-fixture.ts'
import { until } from './nodes-fixture.ts'
import { placeCells } from './place-cells.ts'
import { addressOf, sql } from './postgres.ts'

/** On a busy machine, a chain that is behind opens many slots at once. */
const LANDED: unknown = expect.stringMatching(/^(?:CONFIRMED|FINALIZED)$/)
const FUNDS = 100_000_000_000

let fixture: ClusterFixture
let nodes: NodeProcess[]
let acmeKey: string
let system: Api
let acme: Api
let payer: Ref
let chain: Connection

const ask = (text: string) => sql(addressOf(fixture.postgres), text)
const byId = ({ offchainId }: Ref) => ({ offchainId })
const onChain = ({ onchainId }: Ref) => chain.getBalance(new PublicKey(onchainId), 'confirmed')

async function lamportsOf(api: Api, account: Ref): Promise<number> {
  const { offchain } = (await api.get('/accounts/single/balance', byId(account))) as { offchain: { lamports: number } }
  return offchain.lamports
}

async function waitForBalance(api: Api, account: Ref): Promise<void> {
  await found(
    async () => (await lamportsOf(api, account)) === (await onChain(account)) || undefined,
    'the books are equal to the chain',
  )
}

/** Each client uses the node that does not own its cell. */
function useNodes(): void {
  acme = apiOf(nodes[0]!.url, acmeKey)
  system = apiOf(nodes[1]!.url, fixture.apiKey)
}

beforeAll(async () => {
  fixture = await openClusterFixture({ LEASE_MS: '3000' }, { slotMs: 300 })
  chain = new Connection(fixture.rpcUrl, { commitment: 'confirmed', disableRetryOnRateLimit: true })
  const node = await fixture.start('a')
  await until('it serves', async () => (await metricOf(node.url, 'holdfast_cell_owner')) === 1)
  system = apiOf(node.url, fixture.apiKey)
  await system.make('/admin/organizations', { externalId: 'ACME', name: 'Acme' })
  const roles = [...BUNDLES.OPERATOR]
  const key = await system.make('/admin/api-keys', { organizationExternalId: 'ACME', name: 'acme', roles })
  payer = refOf(
    await system.make('/accounts', { managed: true, globalFeePayerForOrgs: ['ACME'], networkCurrencyDebitLimits: [] }),
    'newAccount',
  )
  await chain.requestAirdrop(new PublicKey(payer.onchainId), FUNDS)
  await waitForBalance(system, payer)
  node.signal('SIGTERM')
  await node.ended
  await ask(`INSERT INTO holdfast.cell (cell, epoch) VALUES ('red', 0)`)
  await ask(`INSERT INTO holdfast.step VALUES ('red', 0, '00000000-0000-0000-0000-000000000000')`)
  await ask(`UPDATE holdfast.tenant SET cell = 'red' WHERE tenant = 'ACME'`)
  nodes = await Promise.all(['a', 'b'].map((id) => fixture.start(id)))
  await placeCells(addressOf(fixture.postgres), { main: 'a', red: 'b' })
  acmeKey = key['apiKey'] as string
  useNodes()
})
afterAll(async () => fixture[Symbol.asyncDispose]())

const PAY = '/positions/transfer-network-currency'
const FEE = 10_000
const LAMPORTS = 1_000_000

interface Payment {
  readonly source: Ref
  readonly destination: Ref
}

const newAccount = async (): Promise<Ref> => refOf(await acme.make('/accounts', { managed: true }), 'newAccount')

async function newPayment(): Promise<Payment> {
  const source = await newAccount()
  await chain.requestAirdrop(new PublicKey(source.onchainId), FUNDS)
  await waitForBalance(acme, source)
  return { source, destination: await newAccount() }
}

const itemOf = ({ source, destination }: Payment) => ({
  source: byId(source),
  destination: byId(destination),
  lamports: LAMPORTS,
})
const pay = (payment: Payment, key: string, body: object = {}): Promise<Answer> =>
  acme.send('POST', PAY, itemOf(payment), { headers: { 'idempotency-key': key }, body })

const codeOf = ({ status, body }: Answer): string =>
  `${status} ${(body['errors'] as readonly { code: string }[] | undefined)?.[0]?.code ?? ''}`

/** Repeats, as a client does, until the outcome is known. */
const insist = (payment: Payment, key: string): Promise<Answer> =>
  found(async () => {
    const answer = await pay(payment, key).catch(() => undefined)
    return answer === undefined || isBusy(answer) || answer.status === 504 ? undefined : answer
  }, 'the payment is decided')

describe('a fee payer in another cell', () => {
  it('pays within the books of its owner, with the same answer as within one cell', async () => {
    const payment = await newPayment()
    const before = await onChain(payer)
    const dry = await acme.send('POST', PAY, itemOf(payment), { headers: { 'holdfast-dry-run': 'true' } })
    expect([dry.status, await onChain(payer)]).toEqual([200, before])
    const answer = await pay(payment, randomUUID())
    expect([answer.status, answer.body['success'], answer.body['status']]).toEqual([201, true, LANDED])
    expect(await onChain(payment.destination)).toBe(LAMPORTS)
    expect(before - (await onChain(payer))).toBe(FEE)
    await waitForBalance(system, payer)
    // The record of the owner is not shown, nor is the transaction to the owner.
    const { offchainId } = answer.body
    const record = await acme.get('/transactions/single', { offchainId })
    expect(record['feePayer']).toEqual({ onchainId: payer.onchainId, offchainId: null })
    expect(codeOf(await system.send('POST', '/transactions/single', { offchainId }))).toBe('400 TRANSACTION_NOT_FOUND')
  })

  it('is refused by the rules of its owner before anything is recorded', async () => {
    const payment = await newPayment()
    // A priority fee of 20,000 lamports.
    const computeUnitConfig = { limit: 100_000, price: 200_000 }
    const feePayer = { chainTransactionConfig: { feePayer: { onchainId: payer.onchainId }, computeUnitConfig } }
    const expectRefusal = async (code: string, patch: () => Promise<unknown>, mend: () => Promise<unknown>) => {
      await patch()
      try {
        expect(codeOf(await pay(payment, randomUUID(), feePayer))).toBe(code)
      } finally {
        await mend()
      }
    }
    const change = (path: string, itemData: object) => async () => {
      const answer = await system.send('PATCH', path, itemData)
      expect(answer.status, JSON.stringify(answer.body)).toBe(200)
    }
    const account = byId(payer)
    await expectRefusal('403 FROZEN', change('/admin/freeze', { account }), change('/admin/unfreeze', { account }))
    const setLimits = (limits: readonly object[]) =>
      change('/accounts', { account, networkCurrencyDebitLimits: limits })
    const most = { limitType: 'PER_TRANSACTION', limitAmount: '0.00001' }
    await expectRefusal(
      '400 DEBIT_LIMIT_EXCEEDED',
      setLimits([{ destination: 'PRIORITY_FEES', maxAllowedDebit: most }]),
      setLimits([]),
    )
    const count = await acme.query('/transactions/bulk/identifiers', { itemQuery: { limit: 1 } })
    expect((await pay(payment, randomUUID(), feePayer)).status).toBe(201)
    const after = await acme.query('/transactions/bulk/identifiers', { itemQuery: { limit: 1 } })
    expect((after['count'] as number) - (count['count'] as number)).toBe(1)
  })

  it('pays during a hand-over, once the cell has its next owner', async () => {
    const payment = await newPayment()
    for (const node of ['b', 'a']) {
      await ask(`UPDATE holdfast.cell SET wanted = '${node}' WHERE cell = 'main'`)
      const answers: string[] = []
      while (String(await ask(`SELECT node FROM holdfast.cell WHERE cell = 'main'`)) !== node)
        answers.push(codeOf(await insist(payment, randomUUID())))
      answers.push(codeOf(await insist(payment, randomUUID())))
      expect(new Set(answers)).toEqual(new Set(['201 ']))
    }
  })

  it('pays once for each payment, while each node is killed', async () => {
    const payment = await newPayment()
    const before = await onChain(payer)
    const keys = Array.from({ length: 40 }, () => randomUUID())
    let answerCount = 0
    const all = keys.map(async (key, at) => {
      await sleep(at * 150)
      const answer = await insist(payment, key)
      answerCount += 1
      expect(answer.status, JSON.stringify(answer.body)).toBe(201)
    })
    for (const name of ['a', 'b']) {
      const goal = answerCount + 5
      await until('some are answered', () => answerCount >= goal)
      const at = nodes.findIndex((node) => node.name === name)
      nodes[at]!.signal('SIGKILL')
      await nodes[at]!.ended
      nodes[at] = await fixture.start(name)
      useNodes()
    }
    await Promise.all(all)
    await found(
      async () => (await onChain(payment.destination)) === keys.length * LAMPORTS || undefined,
      'every payment has landed',
    )
    expect(before - (await onChain(payer))).toBe(keys.length * FEE)
    await waitForBalance(system, payer)
    await waitForBalance(acme, payment.source)
    const { reserved } = (await system.get('/accounts/single/balance', byId(payer))) as {
      reserved: { lamports: number }
    }
    expect(reserved.lamports).toBe(0)
  })
})
