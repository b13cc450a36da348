// A transaction with a signature request to a tenant that has ended and was evicted: the tenant gets the same answers
// about it in another cell, on another node, as in the cell of the owner.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Client, type Answer } from '../../e2e/client.ts'
import { eventually } from '../../e2e/harness.ts'
import type { Ids, Problems, Result } from '../../e2e/models.ts'
import { SOL } from '../../e2e/records.ts'
import { openClusterFixture, type ClusterFixture, type NodeProcess } from '../cluster-fixture.ts'
import { addressOf, sql } from '../postgres.ts'
import { askAt, divideCells, firstNode, newTenant, untilServed, type Tenant } from '../two-nodes.ts'

const PAY = '/positions/transfer-network-currency'
const SIGN = '/transactions/sign'
const SUBMIT = '/transactions/submit'
const CANCEL = '/transactions/cancel'
const READ = ['/transactions/status', '/transactions/single', '/transactions/explain'] as const

let fixture: ClusterFixture
let nodes: NodeProcess[]
let acme: Tenant
let beta: Tenant
let quiet: Tenant
let payer: Ids
let to: Ids
let betaWallet: Ids

/** The answers in one cell. */
let before: { readonly finalized: Answers; readonly expired: Answers }

beforeAll(async () => {
  fixture = await openClusterFixture({ LEASE_MS: '10000', RESIDENT_TRANSACTIONS: '0' })
  const node = await firstNode(fixture)
  acme = await newTenant(fixture, node, 'ACME')
  beta = await newTenant(fixture, node, 'BETA')
  quiet = await newTenant(fixture, node, 'QUIET')
  nodes = [node]
  await beta.api.ok(200, 'PATCH', '/admin/organizations', { externalId: 'BETA', acceptsSigningRequests: true })
  payer = await acme.records.feePayer()
  to = await acme.records.funded({}, SOL)
  betaWallet = await beta.records.funded({ networkCurrencyDebitLimits: [] }, SOL)
  before = await readAnswers()
  nodes = await divideCells(fixture, node, acme)
  // Each client uses the node that does not own its cell.
  askAt(fixture, acme, nodes[0]!.url)
  for (const each of [beta, quiet]) askAt(fixture, each, nodes[1]!.url)
  await untilServed([acme, beta])
})
afterAll(async () => fixture[Symbol.asyncDispose]())

interface Asked extends Result {
  readonly signature: string
  readonly bytes: string
}

/** BETA has signed; `complete`: and ACME has sent it. */
async function prepareSigned(complete: boolean): Promise<Asked> {
  const item = { source: { onchainId: betaWallet.onchainId }, destination: to, lamports: 1_000 }
  const config = { feePayer: { onchainId: payer.onchainId } }
  const { offchainId } = await acme.api.ok<Result>(201, 'POST', PAY, item, { config })
  const transaction = { offchainId }
  // Queried while it is not in the cold store.
  for (const api of [beta.api, quiet.api, systemApi()])
    for (const path of READ) await api.send('POST', path, transaction)
  await beta.api.ok(200, 'POST', SIGN, { transaction, signers: [betaWallet] })
  const signing = complete
    ? await acme.api.ok<Result & { serializedTransaction: string }>(200, 'POST', SIGN, {
        ...{ transaction, returnSerialized: true },
      })
    : await acme.api.read<Result>('/transactions/status', transaction)
  if (complete) await acme.api.ok(200, 'POST', SUBMIT, { transaction })
  const message = Buffer.from(signing.serializedMessage, 'base64')
  const signers = message[1]!
  const bytes = Buffer.concat([Buffer.from([signers]), Buffer.alloc(signers * 64), message]).toString('base64')
  return { ...signing, signature: signing.onchainId ?? '', bytes }
}

const systemApi = (): Client => new Client(nodes.at(-1)!.url, fixture.apiKey)

/** Waits until it is only in the store. */
async function waitForEviction(offchainId: string): Promise<void> {
  await eventually(async () => {
    const [row] = await sql(
      addressOf(fixture.postgres),
      `SELECT 1 FROM holdfast.row
      WHERE key = 't!${offchainId}' AND value IS NOT NULL`,
    )
    expect(row).toBeDefined()
  }, 120_000)
}

type Answers = Readonly<Record<string, string>>

/** Codes and states, without the parts that differ between transactions. */
function outcomeOf({ status, body }: Answer<unknown>): string {
  const { errors, ...rest } = body as Problems & Partial<Result>
  return errors === undefined
    ? `${status} ${String(rest.status)} ${Object.keys(rest).sort().join()}`
    : `${status} ${errors[0]!.code}`
}

async function answersAbout({ offchainId, signature, bytes }: Asked): Promise<Answers> {
  const names =
    signature === ''
      ? [{ offchainId }]
      : [{ offchainId }, { onchainId: signature }, { offchainId, onchainId: signature }]
  const transaction = { offchainId }
  const requests: (readonly [method: 'POST' | 'PATCH', path: string, body: object])[] = [
    ...READ.flatMap((path) => names.map((name) => ['POST', path, name] as const)),
    ['POST', SIGN, { transaction, signers: [betaWallet] }],
    ['POST', SIGN, { transaction }],
    ['POST', SIGN, { serializedTransaction: bytes, signers: [betaWallet] }],
    ['POST', SUBMIT, { transaction }],
    ['POST', SUBMIT, { serializedTransaction: bytes }],
    ['PATCH', CANCEL, transaction],
  ]
  const answers: Record<string, string> = {}
  for (const [who, api] of Object.entries({ beta: beta.api, quiet: quiet.api, system: systemApi() }))
    for (const [method, path, body] of requests)
      answers[`${who} ${path} ${Object.keys(body).join()}`] = outcomeOf(await api.send(method, path, body))
  const attested = { offchainId, outcome: 'EXPIRED', evidence: 'none' }
  answers['system attests'] = outcomeOf(await systemApi().send('PATCH', '/transactions/attest', attested))
  return answers
}

async function readAnswers(): Promise<typeof before> {
  const [finalized, expired] = [await prepareSigned(true), await prepareSigned(false)]
  for (const { offchainId } of [finalized, expired]) await waitForEviction(offchainId)
  return { finalized: await answersAbout(finalized), expired: await answersAbout(expired) }
}

describe('an ended record that its owner has evicted', () => {
  it('is answered about as within one cell', async () => {
    expect(before.finalized['beta /transactions/status offchainId']).toMatch(/^200 FINALIZED /)
    expect(before.expired['beta /transactions/single offchainId']).toMatch(/^200 EXPIRED /)
    expect(await readAnswers()).toEqual(before)
  })
})
