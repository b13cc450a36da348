// The explanation of a transaction: every rule with the values it was evaluated on, every send with its answer, and
// every signature. For transactions of the service, for one that waits for other signers, and for one made elsewhere.
import { Keypair, PublicKey, SystemProgram, TransactionMessage, VersionedTransaction } from '@solana/web3.js'
import bs58 from 'bs58'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startWorld, type World } from '../harness.ts'
import type { Ids, Result } from '../models.ts'
import { SOL } from '../records.ts'

const PAY = '/positions/transfer-network-currency'

interface Check {
  readonly rule: string
  readonly verdict: string
  readonly detail: string
  readonly judgedOn: Readonly<Record<string, unknown>>
}

interface Explanation {
  readonly checks: readonly Check[]
  readonly attempts: readonly { readonly attempt: number; readonly endpoint: string; readonly answer: string }[]
  readonly signatures: readonly {
    readonly onchainId: string
    readonly signed: boolean
    readonly ours: boolean
    readonly signature: string | null
  }[]
  readonly reservations: readonly { readonly offchainId: string; readonly asset: string; readonly amount: number }[]
  readonly expiryProof?: object
}

let world: World
let feePayer: Ids
let source: Ids
let destination: Ids

beforeAll(async () => {
  // What is signed and submitted later must still land on a busy machine.
  world = await startWorld({ HOLDFAST_EMBEDDED_SLOT_MS: '200' })
  feePayer = await world.records.feePayer()
  ;[source, destination] = await Promise.all([world.records.funded({}, 10n * SOL), world.records.funded({}, SOL)])
})
afterAll(() => world.stop())

const explain = (reference: { offchainId: string }): Promise<Explanation> =>
  world.api.read('/transactions/explain', { offchainId: reference.offchainId })

function check({ checks }: Explanation, rule: string): Check {
  const matches = checks.filter((each) => each.rule === rule)
  expect(matches.map(({ rule: name }) => name)).toEqual([rule])
  return matches[0]!
}

it('explains the checks, the sending and the signatures of a transaction of the service', async () => {
  const { keyId } = await world.api.ok<{ keyId: string }>(201, 'POST', '/admin/api-keys', {
    organizationExternalId: 'SYSTEM',
    name: 'other',
    bundle: 'OPERATOR',
  })
  const first = await world.api.ok<Result>(201, 'POST', PAY, { source, destination, lamports: 5 })
  const requestedBy = check(await explain(first), 'DEBIT_KEYS').judgedOn['keyId']
  const guarded = await world.records.funded({ solDebitApiKeys: [requestedBy, keyId] }, SOL)
  const config = { computeUnitConfig: { enable: true, price: 1_000 } }
  const payment = await world.api.ok<Result>(
    201,
    'POST',
    PAY,
    { source: guarded, destination, lamports: 5 },
    { config },
  )
  const explanation = await explain(payment)
  expect(explanation.checks.map(({ verdict }) => verdict)).toEqual(explanation.checks.map(() => 'PASSED'))
  const { instructions } = check(explanation, 'INSTRUCTION_TABLE').judgedOn as {
    instructions: { type: string; effect: object; verdict: string }[]
  }
  expect(instructions.map(({ verdict }) => verdict)).toEqual(instructions.map(() => 'ALLOWED'))
  expect(instructions.at(-1)).toMatchObject({
    effect: { kind: 'lamports', from: guarded.onchainId, to: destination.onchainId, lamports: 5 },
  })
  expect(check(explanation, 'DEBIT_KEYS').judgedOn).toEqual({ keyId: requestedBy, lists: [guarded.onchainId] })
  expect(check(explanation, 'FEE_CAP').judgedOn).toMatchObject({ maxFeeLamports: 10_000_000, feePayer })
  expect(check(explanation, 'COMPUTE_LIMIT').judgedOn).toMatchObject({ by: 'SIMULATION', price: 1_000 })
  expect(check(explanation, 'LIFETIME').judgedOn).toMatchObject({ strategy: 'RECENT_BLOCKHASH', nonceAccount: null })
  expect(check(explanation, 'BALANCE').judgedOn['reserved']).toEqual(explanation.reservations)
  expect(explanation.reservations).toContainEqual({ offchainId: guarded.offchainId, asset: 'lamports', amount: 5 })
  expect(check(explanation, 'ADMISSION').judgedOn).toEqual({ lane: feePayer.onchainId })
  expect(explanation.attempts[0]).toMatchObject({ attempt: 1, endpoint: world.rpcUrl })
  expect(explanation.attempts[0]!.answer).toMatch(/accepted/)
  const wire = await world.chain.transaction(payment.onchainId!)
  expect(explanation.signatures).toMatchObject(
    [feePayer, guarded].map(({ onchainId }, index) => ({
      onchainId,
      signed: true,
      ours: true,
      signature: wire.transaction.signatures[index],
    })),
  )
})

it('reports how far a limit must be raised, and which checks only the chain makes', async () => {
  const body = { source, destination, lamports: 77 }
  const both = await Promise.all([1, 2].map(() => world.api.ok<Result>(201, 'POST', PAY, body)))
  const limits = (await Promise.all(both.map(explain))).map(
    (explanation) => check(explanation, 'COMPUTE_LIMIT').judgedOn,
  )
  const config = { computeUnitConfig: { limit: 5_000 } }
  const named = await world.api.ok<Result>(201, 'POST', PAY, body, { config })
  expect(check(await explain(named), 'COMPUTE_LIMIT').judgedOn).toMatchObject({ by: 'REQUEST', units: 5_000 })
  const noted = await world.api.ok<Result>(201, 'POST', PAY, { ...body, memo: 'invoice 7' })
  expect(check(await explain(noted), 'COMPUTE_LIMIT').judgedOn).toMatchObject({ by: 'OPERATION', raised: 0 })
  // The two may have different blockhashes.
  const bounds = limits.map((limit) => (limit['units'] as number) - (limit['raised'] as number))
  expect(bounds[1]).toBe(bounds[0])
  const poor = await world.records.funded({}, SOL)
  const unchecked = {
    source: poor,
    destination,
    lamports: (5n * SOL).toString(),
    offchainBalanceAvailabilityPrecheck: false,
  }
  const failedPayment = await world.api.ok<Result>(201, 'POST', PAY, unchecked)
  expect(failedPayment.success).toBe(false)
  expect(check(await explain(failedPayment), 'BALANCE')).toMatchObject({ verdict: 'LEFT_TO_CHAIN' })
})

it('reports the checks still due for a waiting transaction, and hides signatures that could be sent', async () => {
  const outsider = Keypair.generate()
  const address = outsider.publicKey.toBase58()
  await world.chain.airdrop(address, SOL)
  const owner = await world.records.account({ onchainId: address, managed: false })
  const body = { source: owner, destination, lamports: 9 }
  const prepared = await world.api.ok<Result>(201, 'POST', PAY, body)
  expect(prepared.status).toBe('PREPARED')
  const before = await explain(prepared)
  for (const rule of ['FREEZE', 'BALANCE', 'ADMISSION']) expect(check(before, rule).verdict).toBe('PENDING')
  expect(before.signatures.map(({ signed }) => signed)).toEqual([false, false])
  expect(before.attempts).toEqual([])

  const message = Buffer.from(prepared.serializedMessage, 'base64')
  const transaction = new VersionedTransaction(
    VersionedTransaction.deserialize(Buffer.concat([Buffer.from([2]), Buffer.alloc(128), message])).message,
  )
  transaction.sign([outsider])
  const signature = bs58.encode(transaction.signatures[1]!)
  const reference = { transaction: { offchainId: prepared.offchainId } }
  const signed = await world.api.ok<Result>(200, 'POST', '/transactions/sign', {
    ...reference,
    signatures: [{ onchainId: address, signature }],
  })
  expect(signed.status).toBe('SIGNED')
  const explanation = await explain(prepared)
  expect(explanation.signatures).toMatchObject([
    { onchainId: feePayer.onchainId, signed: true, ours: true, signature: null },
    { onchainId: address, signed: true, ours: false, signature },
  ])
  expect(check(explanation, 'BALANCE').verdict).toBe('PASSED')
  const result = await world.api.ok<Result>(200, 'POST', '/transactions/submit', reference)
  expect((await explain(prepared)).signatures).toMatchObject([
    { ours: true, signature: result.onchainId },
    { ours: false, signature },
  ])
})

it('reports which checks were never made of a transaction that ended without a signature of the service', async () => {
  const body = { source: { ...source, autoSign: false }, destination, lamports: 9 }
  const prepared = await world.api.ok<Result>(201, 'POST', PAY, body)
  const rulesOf = ({ checks }: Explanation, wanted: string): string[] =>
    checks.flatMap(({ rule, verdict }) => (verdict === wanted ? [rule] : []))
  const due = rulesOf(await explain(prepared), 'PENDING')
  expect(due).toEqual(['DEBIT_LIMITS', 'FREEZE', 'BALANCE', 'ADMISSION'])
  const { offchainId } = prepared
  expect((await world.api.ok<Result>(200, 'PATCH', '/transactions/cancel', { offchainId })).status).toBe('CANCELLED')
  const explanation = await explain(prepared)
  expect(rulesOf(explanation, 'PENDING')).toEqual([])
  expect(rulesOf(explanation, 'NOT_REACHED')).toEqual(due)
  expect(check(explanation, 'BALANCE').detail).toBe('the transaction ended before this service signed it')
})

it('explains the instructions of a transaction made elsewhere, and that its signatures are not ours', async () => {
  const outsider = Keypair.generate()
  await world.chain.airdrop(outsider.publicKey.toBase58(), SOL)
  const { blockhash } = await world.chain.connection.getLatestBlockhash('confirmed')
  const transfer = SystemProgram.transfer({
    fromPubkey: outsider.publicKey,
    toPubkey: new PublicKey(destination.onchainId),
    lamports: 13,
  })
  const message = new TransactionMessage({
    payerKey: outsider.publicKey,
    recentBlockhash: blockhash,
    instructions: [transfer],
  }).compileToV0Message()
  const foreign = new VersionedTransaction(message)
  foreign.sign([outsider])
  const serializedTransaction = Buffer.from(foreign.serialize()).toString('base64')
  const result = await world.api.ok<Result>(200, 'POST', '/transactions/submit', { serializedTransaction })
  const explanation = await explain(result)
  expect(check(explanation, 'INSTRUCTION_TABLE').judgedOn).toMatchObject({
    instructions: [{ verdict: 'ALLOWED', effect: { kind: 'lamports', lamports: 13 } }],
    allowedPrograms: [],
  })
  expect(explanation.signatures).toMatchObject([
    { onchainId: outsider.publicKey.toBase58(), signed: true, ours: false, signature: result.onchainId },
  ])
  expect(explanation.attempts.length).toBeGreaterThan(0)
})
