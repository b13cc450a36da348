// A transaction with a signature request to a tenant of another cell, on another node: the tenant finds it, signs it
// with its own key and by its own rules, once, and gets the same answers as within one cell.
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { VersionedTransaction } from '@solana/web3.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Answer, Client } from '../e2e/client.ts'
import { eventually } from '../e2e/harness.ts'
import type { Balance, Ids, Problems, Result, TransactionRecord } from '../e2e/models.ts'
import { allows, Screener, SECRET } from '../e2e/limits/screener.ts'
import { Onchain } from '../e2e/onchain.ts'
import { SOL } from '../e2e/records.ts'
import { until as found } from '../crash/until.ts'
import { openClusterFixture, type ClusterFixture, type NodeProcess } from './cluster-fixture.ts'
import { until } from './nodes-fixture.ts'
import { placeCells } from './place-cells.ts'
import { addressOf } from './postgres.ts'
import { SECOND } from './second-cell.ts'
import { askAt, divideCells, firstNode, killAndRestart, newTenant, untilServed, type Tenant } from './two-nodes.ts'

const PAY = '/positions/transfer-network-currency'
const SIGN = '/transactions/sign'
const LAMPORTS = 1_000
const MOST = 60
/** A blockhash lasts for 30 s, and longer on a busy machine. */
const EXPIRED_MS = 240_000

let screener: Screener
let fixture: ClusterFixture
let nodes: NodeProcess[]
let acme: Tenant
let beta: Tenant
let quiet: Tenant
let payer: Ids
let to: Ids

/** Each client uses the node that does not own its cell. */
function useNodes(): void {
  askAt(fixture, acme, nodes[0]!.url)
  for (const each of [beta, quiet]) askAt(fixture, each, nodes[1]!.url)
}

beforeAll(async () => {
  screener = await Screener.start()
  fixture = await openClusterFixture({ LEASE_MS: '3000', OUTBOUND_ALLOW: screener.host }, { slotMs: 200 })
  const node = await firstNode(fixture)
  acme = await newTenant(fixture, node, 'ACME')
  beta = await newTenant(fixture, node, 'BETA')
  quiet = await newTenant(fixture, node, 'QUIET')
  await beta.api.ok(200, 'PATCH', '/admin/organizations', { externalId: 'BETA', acceptsSigningRequests: true })
  payer = await acme.records.feePayer()
  to = await acme.records.funded({}, SOL)
  nodes = await divideCells(fixture, node, acme)
  useNodes()
  await untilServed([acme, beta])
})
afterAll(async () => {
  await fixture[Symbol.asyncDispose]()
  await screener.stop()
})

const reservedOf = async (account: Ids): Promise<unknown> =>
  (await beta.api.read<Balance>('/accounts/single/balance', account)).reserved.lamports
const newTheirs = (lamports = SOL): Promise<Ids> => beta.records.funded({ networkCurrencyDebitLimits: [] }, lamports)
const itemOf = (source: object) => ({ source, destination: to, lamports: LAMPORTS })
const config = () => ({ feePayer: { onchainId: payer.onchainId } })

async function requestSignature(wallet: Ids): Promise<{ readonly offchainId: string }> {
  const item = itemOf({ onchainId: wallet.onchainId })
  const { offchainId, status } = await acme.api.ok<Result>(201, 'POST', PAY, item, { config: config() })
  expect(status).toBe('PREPARED')
  return { offchainId }
}

const codeOf = ({ status, body }: Answer<unknown>): string => `${status} ${(body as Problems).errors?.[0]?.code ?? ''}`

interface Listed {
  readonly count: number
  readonly items: readonly TransactionRecord[]
}

/** Transactions that await the signature of BETA. */
async function listAwaiting(query: object = {}, filter: readonly object[] = []): Promise<Listed> {
  const awaited = { fieldName: 'awaitsOurSignature', filterValues: [{ filterType: 'EQUALS', valueBoolean: true }] }
  return (await beta.api.bulk('/transactions/bulk/detailed', { filter: [awaited, ...filter], ...query })) as Listed
}

const statusOf = async (api: Client, offchainId: string): Promise<string> =>
  (await api.read<Result>('/transactions/status', { offchainId })).status

async function endOf(offchainId: string): Promise<string | undefined> {
  const status = await statusOf(acme.api, offchainId).catch(() => '')
  return ['FINALIZED', 'EXPIRED'].includes(status) ? status : undefined
}

interface Audited {
  readonly items: readonly {
    readonly action: string
    readonly outcome: string
    readonly resource: { readonly offchainId: string | null }
  }[]
}

/** The number of rows in the log of BETA about signing the transaction. */
async function signedBy(offchainId: string): Promise<number> {
  const { items } = (await beta.api.bulk('/audit/bulk', { limit: 1000 })) as Audited
  const isOf = ({ action, outcome, resource }: Audited['items'][number]): boolean =>
    action.endsWith(SIGN) && outcome === 'DONE' && resource.offchainId === offchainId
  return items.filter(isOf).length
}

/** ACME completes and sends it. */
async function complete(transaction: { readonly offchainId: string }): Promise<void> {
  await acme.api.ok<Result>(200, 'POST', SIGN, { transaction })
  const result = await acme.api.ok<Result>(200, 'POST', '/transactions/submit', { transaction })
  expect(result.success, JSON.stringify(result)).toBe(true)
}

describe('a request for a signature of another cell', () => {
  it('is listed there while it is pending, is shown, signed, and completed by its owner', async () => {
    const betaWallet = await newTheirs()
    const transaction = await requestSignature(betaWallet)
    const { offchainId } = transaction
    const record = await beta.api.read<TransactionRecord>('/transactions/single', transaction)
    expect([record.status, record.tenantOrganizationId]).toEqual(['PREPARED', 'ACME'])
    expect(record.accounts).toContainEqual(betaWallet)
    expect(JSON.stringify(record)).not.toContain(payer.offchainId)
    expect((await listAwaiting()).items).toEqual([record])
    await eventually(async () => {
      const { body } = await beta.api.get<{ items: { type: string; resource: { offchainId: string } }[] }>(
        '/events?after=0&limit=1000',
      )
      const about = body.items.filter(({ resource }) => resource.offchainId === offchainId)
      expect(about.map(({ type }) => type)).toEqual(['transaction.signature_requested'])
    })
    const signing = { transaction, signers: [{ offchainId: betaWallet.offchainId }] }
    const headers = { 'idempotency-key': randomUUID() }
    const signed = await beta.api.send<Result>('POST', SIGN, signing, { headers })
    expect([signed.status, signed.body.status, await reservedOf(betaWallet)]).toEqual([
      200,
      'PARTIALLY_SIGNED',
      LAMPORTS,
    ])
    expect(await listAwaiting()).toEqual({ count: 0, items: [] })
    const replay = await beta.api.send<Result>('POST', SIGN, signing, { headers })
    expect([replay.status, replay.headers.get('idempotency-replayed'), replay.body]).toEqual([200, 'true', signed.body])
    const other = await beta.api.send('POST', SIGN, { ...signing, returnSerialized: true }, { headers })
    expect(codeOf(other)).toBe('400 IDEMPOTENCY_KEY_REUSED')
    // The key is known in its own cell, too.
    await eventually(async () => {
      const unknownTransaction = { transaction: { offchainId: randomUUID() }, signers: signing.signers }
      expect(codeOf(await beta.api.send('POST', SIGN, unknownTransaction, { headers }))).toBe(
        '400 IDEMPOTENCY_KEY_REUSED',
      )
    })
    await eventually(async () => expect(await signedBy(offchainId)).toBe(1))
    await complete(transaction)
    expect((await beta.api.read<Result>('/transactions/status', transaction)).success).toBe(true)
    const { signature } = { signature: (await acme.api.read<Result>('/transactions/status', transaction)).onchainId }
    expect((await beta.api.read<Result>('/transactions/status', { onchainId: signature, offchainId })).success).toBe(
      true,
    )
    await eventually(async () => expect(await reservedOf(betaWallet)).toBe(0))
    await eventually(() => beta.records.accountsEqualChain(betaWallet))
    await acme.records.accountsEqualChain(to)
    // The replay shows the present state of the transaction.
    const replayed = await beta.api.send<Result>('POST', SIGN, signing, { headers })
    expect([replayed.status, replayed.body.success]).toEqual([200, true])
    expect(await signedBy(offchainId)).toBe(1)
  })

  it('is signed by bytes, and the answer contains the signatures of its own keys', async () => {
    const betaWallet = await newTheirs()
    const { offchainId } = await requestSignature(betaWallet)
    const { serializedMessage } = await beta.api.read<Result>('/transactions/status', { offchainId })
    const message = Buffer.from(serializedMessage, 'base64')
    const signers = message[1]! // after the version
    const unsigned = Buffer.concat([Buffer.from([signers]), Buffer.alloc(signers * 64), message]).toString('base64')
    const answer = await beta.api.ok<Result & { serializedTransaction: string }>(200, 'POST', SIGN, {
      serializedTransaction: unsigned,
      signers: [betaWallet],
      returnSerialized: true,
    })
    expect([answer.offchainId, answer.status]).toEqual([offchainId, 'PARTIALLY_SIGNED'])
    const signed = VersionedTransaction.deserialize(Buffer.from(answer.serializedTransaction, 'base64'))
    const at = signed.message.staticAccountKeys.findIndex((key) => key.toBase58() === betaWallet.onchainId)
    expect(signed.signatures.map((signature) => signature.some((byte) => byte !== 0))).toEqual(
      signed.signatures.map((_, index) => index === at),
    )
    await complete({ offchainId })
  })

  it('is refused like one within one cell, with the same codes', async () => {
    const betaWallet = await newTheirs()
    const transaction = await requestSignature(betaWallet)
    const expectRefusal = async (code: string, method: 'POST' | 'PATCH', path: string, item: object): Promise<void> =>
      expect(codeOf(await beta.api.send(method, path, item)), path).toBe(code)
    await expectRefusal('400 SIGNERS_REQUIRED', 'POST', SIGN, { transaction })
    await expectRefusal('403 SUBMIT_NOT_ALLOWED', 'POST', '/transactions/submit', { transaction })
    for (const path of ['/transactions/explain', '/transactions/approve'])
      await expectRefusal('400 TRANSACTION_NOT_FOUND', 'POST', path, transaction)
    await expectRefusal('400 TRANSACTION_NOT_FOUND', 'PATCH', '/transactions/cancel', transaction)
    await expectRefusal('400 SIGNER_UNKNOWN', 'POST', SIGN, { transaction, signers: [await beta.records.account()] })
    await beta.api.ok(200, 'PATCH', '/admin/freeze', { account: betaWallet })
    await expectRefusal('403 FROZEN', 'POST', SIGN, { transaction, signers: [betaWallet] })
    await beta.api.ok(200, 'PATCH', '/admin/unfreeze', { account: betaWallet })
    const limits = [{ maxAllowedDebit: { limitType: 'PER_TRANSACTION', limitAmount: '0.0000001' } }]
    await beta.api.ok(200, 'PATCH', '/accounts', { account: betaWallet, networkCurrencyDebitLimits: limits })
    await expectRefusal('400 DEBIT_LIMIT_EXCEEDED', 'POST', SIGN, { transaction, signers: [betaWallet] })
    expect([await statusOf(acme.api, transaction.offchainId), await reservedOf(betaWallet)]).toEqual(['PREPARED', 0])
    expect(await signedBy(transaction.offchainId)).toBe(0)
    // It does not wait any more, so it is not listed any more.
    await acme.api.ok(200, 'PATCH', '/transactions/cancel', transaction)
    await eventually(async () =>
      expect(codeOf(await beta.api.send('POST', '/transactions/status', transaction))).toBe(
        '400 TRANSACTION_NOT_FOUND',
      ),
    )
    expect((await listAwaiting()).count).toBe(0)
  })

  it('is invisible to organizations that accept none, and to all others', async () => {
    const betaWallet = await quiet.records.funded({}, SOL)
    for (const source of [{ onchainId: betaWallet.onchainId }, { offchainId: betaWallet.offchainId }, betaWallet])
      expect(codeOf(await acme.api.send('POST', PAY, itemOf(source)))).toBe('400 ACCOUNT_NOT_FOUND')
    const item = itemOf({ onchainId: betaWallet.onchainId, offPlatform: true })
    const { offchainId } = await acme.api.ok<Result>(201, 'POST', PAY, item)
    const open = await requestSignature(await newTheirs())
    for (const transaction of [{ offchainId }, open]) {
      for (const path of ['/transactions/status', '/transactions/single'])
        expect(codeOf(await quiet.api.send('POST', path, transaction))).toBe('400 TRANSACTION_NOT_FOUND')
      const signing = { transaction, signers: [betaWallet] }
      expect(codeOf(await quiet.api.send('POST', SIGN, signing))).toBe('400 TRANSACTION_NOT_FOUND')
    }
    await acme.api.ok(200, 'PATCH', '/transactions/cancel', open)
  })

  it('is listed in pages, in order and by filters, beside the requests in its own cell', async () => {
    const betaWallet = await newTheirs()
    await quiet.records.feePayer()
    const ids: string[] = []
    for (const by of [acme, quiet, acme, quiet, acme]) {
      const item = {
        source: { onchainId: betaWallet.onchainId },
        destination: { onchainId: to.onchainId },
        lamports: 7,
      }
      ids.push((await by.api.ok<Result>(201, 'POST', PAY, item)).offchainId)
      // The clocks of two cells differ by some milliseconds.
      await sleep(50)
    }
    const sort = [{ fieldName: 'preparedAt', sortDirection: 'ASC' }]
    const page = async (
      query: object,
      filter: readonly object[] = [],
    ): Promise<readonly [number, readonly string[]]> => {
      const { count, items } = await listAwaiting({ sort, ...query }, filter)
      return [count, items.map(({ offchainId }) => offchainId)]
    }
    await eventually(async () => expect(await page({})).toEqual([5, ids]))
    expect(await page({ skip: 1, limit: 3 })).toEqual([5, ids.slice(1, 4)])
    expect(await page({ skip: 4, limit: 3 })).toEqual([5, ids.slice(4)])
    expect(await page({ limit: 2, sort: [{ ...sort[0], sortDirection: 'DESC' }] })).toEqual([5, ids.slice(3).reverse()])
    const only = { fieldName: 'offchainId', filterValues: [{ filterType: 'EQUALS', valueString: ids[2] }] }
    expect(await page({}, [only])).toEqual([1, [ids[2]]])
    for (const [index, offchainId] of ids.entries())
      await (index % 2 === 0 ? acme : quiet).api.ok(200, 'PATCH', '/transactions/cancel', { offchainId })
    await eventually(async () => expect(await page({})).toEqual([0, []]))
  })

  it('signs nothing for a key that was disabled while the request waited', async () => {
    const thief = await beta.api.ok<{ keyId: string; apiKey: string }>(201, 'POST', '/admin/api-keys', {
      organizationExternalId: 'BETA',
      name: 'thief',
      bundle: 'OPERATOR',
    })
    const setScreening = (screening: object | null) =>
      beta.api.ok(200, 'PATCH', '/admin/organizations', { externalId: 'BETA', screening })
    const betaWallet = await newTheirs()
    const transaction = await requestSignature(betaWallet)
    await setScreening({ url: screener.url, secret: SECRET, timeoutMs: 10_000 })
    screener.behave = (response, question) =>
      void beta.api
        .ok(200, 'PATCH', '/admin/api-keys/disable', { keyId: thief.keyId })
        .then(() => allows(response, question))
    const signing = { transaction, signers: [betaWallet] }
    expect(codeOf(await beta.api.as(thief.apiKey).send('POST', SIGN, signing))).toBe('401 CREDENTIALS_INVALID')
    expect(screener.asked.length).toBe(1)
    expect([await statusOf(acme.api, transaction.offchainId), await reservedOf(betaWallet)]).toEqual(['PREPARED', 0])
    await setScreening(null)
    await acme.api.ok(200, 'PATCH', '/transactions/cancel', transaction)
  })

  it('reserves nothing for ever: an abandoned one is released by proof, even if its owner was killed', async () => {
    const betaWallet = await newTheirs()
    const transaction = await requestSignature(betaWallet)
    await beta.api.ok(200, 'POST', SIGN, { transaction, signers: [betaWallet] })
    expect(await reservedOf(betaWallet)).toBe(LAMPORTS)
    await killAndRestart(fixture, nodes, 'b')
    useNodes()
    await untilServed([acme, beta])
    await eventually(async () => expect(await reservedOf(betaWallet)).toBe(0), EXPIRED_MS)
    expect(await new Onchain(fixture.rpcUrl).lamports(betaWallet.onchainId)).toBe(SOL)
    await eventually(async () => expect(await statusOf(acme.api, transaction.offchainId)).toBe('EXPIRED'), EXPIRED_MS)
    await beta.records.accountsEqualChain(betaWallet)
  })

  it('is signed once, while each node is killed', async () => {
    const betaWallet = await newTheirs()
    const item = itemOf({ onchainId: betaWallet.onchainId })
    const transactions: { readonly offchainId: string }[] = []
    let goesOn = true
    const work = async (): Promise<void> => {
      while (goesOn && transactions.length < MOST) {
        const [payHeaders, signHeaders] = [{ 'idempotency-key': randomUUID() }, { 'idempotency-key': randomUUID() }]
        const options = { config: config(), headers: payHeaders }
        const { body } = await insist(() => acme.api.send<Result>('POST', PAY, item, options))
        const transaction = { offchainId: body.offchainId }
        transactions.push(transaction)
        // A pending transaction is known a moment later.
        const answer = await insist(async () => {
          const response = await beta.api.send<Result>(
            'POST',
            SIGN,
            { transaction, signers: [betaWallet] },
            { headers: signHeaders },
          )
          return codeOf(response) === '400 TRANSACTION_NOT_FOUND' ? { ...response, status: 503 } : response
        })
        expect(answer.status, JSON.stringify(answer.body)).toBe(200)
        await insist(() => acme.api.send('POST', SIGN, { transaction }))
        await insist(() => acme.api.send('POST', '/transactions/submit', { transaction }))
      }
    }
    const all = [work(), work(), work()]
    for (const name of ['a', 'b']) {
      const goal = transactions.length + 4
      await until('some more are made', () => transactions.length >= goal)
      await killAndRestart(fixture, nodes, name)
      useNodes()
    }
    goesOn = false
    await Promise.all(all)
    // On a slow machine a message may expire while a node is down.
    const ends = await Promise.all(transactions.map(({ offchainId }) => found(() => endOf(offchainId), 'it has ended')))
    const landed = ends.filter((end) => end === 'FINALIZED').length
    expect(landed).toBeGreaterThan(0)
    await eventually(async () => expect(await reservedOf(betaWallet)).toBe(0), EXPIRED_MS)
    await eventually(() => beta.records.accountsEqualChain(betaWallet))
    expect(await new Onchain(fixture.rpcUrl).lamports(betaWallet.onchainId)).toBe(SOL - BigInt(landed * LAMPORTS))
    for (const { offchainId } of transactions) expect(await signedBy(offchainId), offchainId).toBe(1)
  })

  it('shows the effects of the own requests, even if other records of other cells were read an hour ago', async () => {
    for (const name of ['a', 'b']) await killAndRestart(fixture, nodes, name, { isRemembering: true })
    await placeCells(addressOf(fixture.postgres), { main: 'a', [SECOND]: 'b' })
    useNodes()
    await untilServed([acme, beta])
    const betaWallet = await newTheirs()
    await beta.api.ok(200, 'PATCH', '/admin/freeze', { account: betaWallet })
    const transaction = await requestSignature(betaWallet)
    const readStatus = async (): Promise<readonly [string, number]> => [
      await statusOf(beta.api, transaction.offchainId),
      (await listAwaiting()).count,
    ]
    expect(await readStatus()).toEqual(['PREPARED', 1])
    const sign = () => beta.api.send<Result>('POST', SIGN, { transaction, signers: [betaWallet] })
    expect(codeOf(await sign())).toBe('403 FROZEN')
    await beta.api.ok(200, 'PATCH', '/admin/unfreeze', { account: betaWallet })
    expect(codeOf(await sign())).toBe('200 ')
    expect(await readStatus()).toEqual(['PARTIALLY_SIGNED', 0])
    await complete(transaction)
  })
})

/** Repeats, as a client does, until the outcome is known. */
function insist<T>(send: () => Promise<Answer<T>>): Promise<Answer<T>> {
  return found(async () => {
    const answer = await send().catch(() => undefined)
    const isUnknown = answer === undefined || [429, 503, 504].includes(answer.status)
    return isUnknown ? undefined : answer
  }, 'the request is decided')
}
