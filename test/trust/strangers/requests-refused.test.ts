// What the tenant that is asked to sign learns when the requester's own rules stop its transaction in the meantime:
// that it is refused, and not which counterparty, policy or screening stopped it.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startWorld, type World } from '../../e2e/harness.ts'
import type { Ids, Problems, Result } from '../../e2e/models.ts'
import { SOL } from '../../e2e/records.ts'
import { addressOf } from '../fixtures/addresses.ts'
import { newParty, type Party } from '../fixtures/parties.ts'

const LISTED = 'Doubtful Limited'

let world: World
let asker: Party
/** Accepts requests for signatures. */
let open: Party
let payer: Ids
let theirs: Ids

beforeAll(async () => {
  world = await startWorld()
  asker = await newParty(world, 'ASKER')
  open = await newParty(world, 'OPEN')
  await open.api.ok(200, 'PATCH', '/admin/organizations', { externalId: 'OPEN', acceptsSigningRequests: true })
  payer = await asker.records.feePayer({ networkCurrencyDebitLimits: [] })
  theirs = await open.records.funded({ networkCurrencyDebitLimits: [] }, 5n * SOL)
})
afterAll(() => world.stop())

/** A transaction that the requester has signed, and that waits for the other tenant. */
async function signedByAsker(destination: string): Promise<Result> {
  const prepared = await asker.api.ok<Result>(201, 'POST', '/positions/trade', {
    legs: [
      { source: payer, destination: { onchainId: destination, offPlatform: true }, lamports: 10_000_000 },
      { source: { onchainId: theirs.onchainId }, destination: payer, lamports: 1_000 },
    ],
  })
  const { offchainId } = prepared
  return await asker.api.ok<Result>(200, 'POST', '/transactions/sign', {
    transaction: { offchainId },
    signers: [payer],
  })
}

it.each(['BLOCKED', 'REVIEW'])('14.11 a destination that became %s since is not named', async (status) => {
  const onchainId = addressOf(`destination ${status}`)
  const { offchainId } = await signedByAsker(onchainId)
  const addresses = [{ onchainId }]
  await asker.api.ok(201, 'POST', '/counterparties', { name: LISTED, status, addresses })
  const sign = { transaction: { offchainId }, signers: [theirs] }
  const { status: answered, body } = await open.api.send<Problems>('POST', '/transactions/sign', sign)
  expect([answered, body.errors?.[0]?.code]).toEqual([403, 'DESTINATION_NOT_ALLOWED'])
  expect(JSON.stringify(body)).not.toContain(LISTED)
  expect(JSON.stringify(body)).not.toMatch(/block|review/i)
})

it('14.11 a supply limit that was lowered since is not named', async () => {
  const mintAuthority = { onchainId: theirs.onchainId }
  const instrument = await asker.records.instrument('SPL', mintAuthority)
  const position = await asker.records.position(payer, instrument)
  const mint = { destination: { position, mintAuthority }, lamports: 5_000 }
  const { offchainId, status: prepared } = await asker.api.ok<Result>(201, 'POST', '/positions/mint', mint)
  expect(prepared).toBe('PREPARED')
  const limit = { mintAccount: instrument, maxSupply: '0.004321' }
  await asker.api.ok(200, 'PATCH', '/financial-instruments', limit)
  const sign = { transaction: { offchainId }, signers: [theirs] }
  const { message } = await open.api.refuses(400, 'DEBIT_LIMIT_EXCEEDED', 'POST', '/transactions/sign', sign)
  expect(message).not.toMatch(/4321|maxSupply|circulation/)
})
