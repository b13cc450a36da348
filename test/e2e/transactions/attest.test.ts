// Outcomes that cannot be proven: the answers of the cluster about signatures are lost permanently, and two operator
// keys attest the outcome of a transaction. The books then equal the chain.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ALWAYS, setFaults } from '../../chain-faults.ts'
import { once, type Client } from '../client.ts'
import { eventually, startWorld, type World } from '../harness.ts'
import type { Balance, Ids, Result, TransactionRecord } from '../models.ts'
import { Records, SOL } from '../records.ts'

const PAY = '/positions/transfer-network-currency'
const ATTEST = '/transactions/attest'
const ASYNC = { headers: { Prefer: 'respond-async' } }
/** Not as dropped requests: those of the same batch would stay unanswered too. */
const UNSEEN = { getSignatureStatuses: { code: -32005, message: 'Node is unhealthy', times: ALWAYS } }
/** The lifetime of a blockhash, the blocks that an attestation waits for after it, and those until they are final. */
const WINDOW_SLOTS = 250
const KEEPS_OPEN = ['SIGNED', 'SUBMITTED']

interface NewKey {
  readonly keyId: string
  readonly apiKey: string
}

let world: World
let second: Client
let secondKeyId: string
let tenant: { readonly api: Client; readonly records: Records }
let feePayer: Ids
let source: Ids
let destination: Ids

async function newKey(organizationExternalId: string, members: object): Promise<NewKey> {
  return await world.api.ok<NewKey>(201, 'POST', '/admin/api-keys', {
    organizationExternalId,
    name: 'test',
    ...members,
  })
}

beforeAll(async () => {
  world = await startWorld({ HOLDFAST_EMBEDDED_FAULTS: 'on' })
  const { apiKey, keyId } = await newKey('SYSTEM', { roles: ['PLATFORM_ADMIN'] })
  second = world.api.as(apiKey)
  secondKeyId = keyId
  for (const externalId of ['ACME', 'OTHER'])
    await world.api.ok(201, 'POST', '/admin/organizations', { externalId, name: externalId })
  const api = world.api.as((await newKey('ACME', { bundle: 'ADMIN' })).apiKey)
  tenant = { api, records: world.records.with(api) }
  feePayer = await tenant.records.feePayer()
  ;[source, destination] = await Promise.all([tenant.records.funded({}, 10n * SOL), tenant.records.funded({}, SOL)])
})
afterAll(() => world.stop())

const faults = (set: object) => setFaults(world.rpcUrl, set)
/** With an idempotency key, because an operator who gets no answer repeats the request. */
const attest = async (
  by: Client,
  { offchainId }: { offchainId: string },
  outcome: string,
  evidence = 'a letter of the validator',
): Promise<Result> => {
  const word = { offchainId, outcome, evidence }
  const headers = once(`${offchainId} ${outcome}`)
  const attested = await by.ok<Result>(200, 'PATCH', ATTEST, word, by === second ? {} : { headers })
  if (by !== second)
    expect((await by.ok<Result>(200, 'PATCH', ATTEST, word, { headers })).offchainId).toBe(attested.offchainId)
  return attested
}
/** The rows about it in the audit logs of the operator and of the tenant. */
const audited = async ({ offchainId }: Result): Promise<number[]> => {
  const filter = [
    { fieldName: 'resourceOffchainId', filterValues: [{ filterType: 'EQUALS', valueString: offchainId }] },
    { fieldName: 'action', filterValues: [{ filterType: 'CONTAINS', valueString: 'attest' }] },
  ]
  return await Promise.all(
    [world.api, tenant.api].map(
      async (api) =>
        (
          (await api.bulk('/audit/bulk', {
            filter: [
              ...filter,
              { fieldName: 'outcome', filterValues: [{ filterType: 'EQUALS', valueString: 'DONE' }] },
            ],
          })) as { count: number }
        ).count,
    ),
  )
}
const refuses = (
  by: Client,
  status: number,
  code: string,
  { offchainId }: { offchainId: string },
  outcome: string,
  options = {},
) => by.refuses(status, code, 'PATCH', ATTEST, { offchainId, outcome, evidence: 'a letter' }, options)
const recordOf = ({ offchainId }: Result): Promise<TransactionRecord> =>
  tenant.api.read('/transactions/single', { offchainId })

/** A payment whose outcome the service cannot observe. `config` may make it fail on chain. */
async function pay(lamports: number, config: object = {}): Promise<Result> {
  const { body } = await tenant.api.send<Result>('POST', PAY, { source, destination, lamports }, { ...ASYNC, config })
  expect(KEEPS_OPEN).toContain(body.status)
  return body
}

async function windowPasses(transaction: Result): Promise<void> {
  const { lastValidBlockHeight } = await recordOf(transaction)
  await world.passSlots(WINDOW_SLOTS)
  await eventually(async () => {
    expect(await world.chain.connection.getBlockHeight('finalized')).toBeGreaterThan(lastValidBlockHeight + 40)
  })
}

describe('an attestation', () => {
  it('ends a landed transaction that is no longer visible, if two keys attest it', async () => {
    await faults({ answerError: UNSEEN })
    const payment = await pay(1_000)
    await eventually(async () => expect(await world.chain.signatures(source.onchainId)).toContain(payment.onchainId))
    const first = await attest(world.api, payment, 'FINALIZED')
    expect(KEEPS_OPEN).toContain(first.status)
    expect(BigInt((await tenant.api.read<Balance>('/accounts/single/balance', source)).reserved.lamports)).toBe(1_000n)
    await refuses(world.api, 400, 'ALREADY_ATTESTED', payment, 'FINALIZED')
    const conflict = await refuses(second, 400, 'ATTESTATION_DIFFERS', payment, 'BLOCKCHAIN_ERROR')
    expect(conflict.message).toContain('FINALIZED')
    expect(await attest(second, payment, 'FINALIZED')).toMatchObject({
      success: true,
      status: 'FINALIZED',
      onchainId: payment.onchainId,
    })
    await refuses(second, 400, 'ENDED', payment, 'FINALIZED')
    await tenant.records.accountsEqualChain(source, destination, feePayer)
    const attestations = (await recordOf(payment)).history.filter(({ detail }) => detail?.includes('attest') === true)
    expect(attestations).toHaveLength(2)
    expect(attestations[1]!.detail).toContain(secondKeyId)
    expect(await audited(payment)).toEqual([2, 2])
    // The link has stopped watching the transaction: it queries, sends and reports nothing more.
    await faults({})
    const laterPayment = await pay(1)
    await eventually(async () => expect((await recordOf(laterPayment)).status).toBe('FINALIZED'))
    expect((await recordOf(payment)).status).toBe('FINALIZED')
  })

  it('of a failed transaction charges the fee only', async () => {
    await faults({ answerError: UNSEEN })
    const failedPayment = await pay(2_000, { computeUnitConfig: { limit: 10 } })
    await eventually(async () =>
      expect(await world.chain.signatures(feePayer.onchainId)).toContain(failedPayment.onchainId),
    )
    await attest(second, failedPayment, 'BLOCKCHAIN_ERROR')
    expect(await attest(world.api, failedPayment, 'BLOCKCHAIN_ERROR')).toMatchObject({
      success: false,
      status: 'BLOCKCHAIN_ERROR',
    })
    await faults({})
    await tenant.records.accountsEqualChain(source, destination, feePayer)
  })

  it('of an absent transaction releases the reservation once it cannot land; a key may change it', async () => {
    await faults({ answerError: UNSEEN, dropRequests: { sendTransaction: ALWAYS } })
    const lostPayment = await pay(3_000)
    await refuses(world.api, 400, 'MAY_STILL_LAND', lostPayment, 'EXPIRED')
    await attest(world.api, lostPayment, 'FINALIZED')
    await windowPasses(lostPayment)
    // The service may hold an older blockhash, and with it an older height, for some seconds.
    await eventually(() => attest(world.api, lostPayment, 'EXPIRED'))
    await refuses(second, 400, 'ATTESTATION_DIFFERS', lostPayment, 'FINALIZED')
    const key = { headers: { 'Idempotency-Key': 'the second word' } }
    const body = { offchainId: lostPayment.offchainId, outcome: 'EXPIRED', evidence: 'its blocks' }
    for (const replayed of [null, 'true']) {
      const answer = await second.send<Result>('PATCH', ATTEST, body, key)
      expect(answer.status).toBe(200)
      expect(answer.headers.get('idempotency-replayed')).toBe(replayed)
      expect(answer.body).toMatchObject({ success: false, status: 'EXPIRED' })
    }
    await faults({})
    await tenant.records.accountsEqualChain(source, destination, feePayer)
    const explained = await tenant.api.read<{ expiryProof: object }>('/transactions/explain', {
      offchainId: lostPayment.offchainId,
    })
    expect(explained.expiryProof).toMatchObject({
      attested: 'EXPIRED',
      by: [{ evidence: 'a letter of the validator' }, { evidence: 'its blocks' }],
    })
  })

  it('requires the operator, and a transaction that may have landed', async () => {
    await faults({ answerError: UNSEEN })
    const payment = await pay(10)
    await refuses(tenant.api, 403, 'ROLE_REQUIRED', payment, 'FINALIZED')
    await refuses(world.api, 400, 'TRANSACTION_NOT_FOUND', payment, 'FINALIZED', { organization: 'OTHER' })
    await world.api.ok(
      200,
      'PATCH',
      ATTEST,
      { offchainId: payment.offchainId, outcome: 'FINALIZED', evidence: 'x' },
      { organization: 'ACME' },
    )
    await refuses(world.api, 400, 'TRANSACTION_NOT_FOUND', { offchainId: source.offchainId }, 'FINALIZED')
    await faults({})
    await eventually(async () => expect((await recordOf(payment)).status).toBe('FINALIZED'))
    // Observed on the chain itself: the attestation of the first key was not needed.
    await refuses(second, 400, 'ENDED', payment, 'FINALIZED')
    const prepared = await tenant.api.ok<Result>(201, 'POST', PAY, {
      source: { ...source, autoSign: false },
      destination,
      lamports: 1,
    })
    expect(prepared.status).toBe('PREPARED')
    await refuses(world.api, 400, 'NOT_SIGNED', prepared, 'FINALIZED')
    const { offchainId } = prepared
    await tenant.api.ok(200, 'POST', '/transactions/sign', { transaction: { offchainId }, signers: [source, feePayer] })
    for (const outcome of ['EXPIRED', 'FINALIZED']) await refuses(world.api, 400, 'NEVER_SENT', prepared, outcome)
    await tenant.records.accountsEqualChain(destination)
  })
})
