// One process with two threads and two cells on LevelDB: tenants of both cells build the same message at the same time,
// which any tenant can do, because a request may name any address as fee payer.
import { Keypair, PublicKey } from '@solana/web3.js'
import { beforeAll, expect, it } from 'vitest'
import { apiOf, refOf, type Answer } from '../api.ts'
import {
  lamportsOf,
  openFixture,
  repeatUntilDecided,
  runCommand,
  startThreads,
  type Fixture,
  type Threads,
} from '../threads-fixture.ts'
import { until } from '../until.ts'

const PAIRS = 8
const MAX_PAIRS = 60
const FUNDS = 10_000_000_000
const PAY = '/positions/transfer-network-currency'

let fixture: Fixture
let service: Threads

beforeAll(async () => {
  fixture = await openFixture()
  await runCommand(fixture.dataDir, 'cells', 'create', 'red')
  await runCommand(fixture.dataDir, 'cells', 'move', 'ACME', 'red')
  service = await startThreads(fixture.dataDir)
})

interface Payment {
  readonly url: string
  readonly key: string
  readonly from: object
  readonly lamports: number
}

/** A payment to ACME, whose source pays the fee. */
function pay({ url, key, from, lamports }: Payment): Promise<Answer> {
  const itemData = { source: from, destination: { onchainId: fixture.acme.destination.onchainId }, lamports }
  const body = { chainTransactionConfig: { feePayer: from } }
  return repeatUntilDecided(() => apiOf(url, key).send('POST', PAY, itemData, { body }))
}

const messageOf = ({ body }: Answer): unknown => body['serializedMessage']
const statusesOf = (answers: readonly Answer[]): unknown[] =>
  answers.map(({ status, body }) => [status, body['status'] ?? body])

it('two cells without the key of the fee payer make two messages', async () => {
  const { acme, bank } = fixture
  const [main, red] = service.urls as [string, string]
  const from = { onchainId: Keypair.generate().publicKey.toBase58(), offPlatform: true }
  for (let lamports = 1_000_001; lamports <= 1_000_000 + PAIRS; lamports += 1) {
    const answers = await Promise.all([
      pay({ url: main, key: bank.key, from, lamports }),
      pay({ url: red, key: acme.key, from, lamports }),
    ])
    expect(statusesOf(answers)).toEqual(answers.map(() => [201, 'PREPARED']))
    expect(messageOf(answers[0])).not.toBe(messageOf(answers[1]))
  }
})

it('a message of the cell with the key is not completed a second time with its signature', async () => {
  const { acme, bank } = fixture
  const [main, red] = service.urls as [string, string]
  const [ofAcme, ofBank] = [apiOf(red, acme.key), apiOf(main, bank.key)]
  const managed = { managed: true, canPayFees: true, networkCurrencyDebitLimits: [] }
  const payer = refOf(await ofBank.make('/accounts', managed), 'newAccount')
  await service.connection.requestAirdrop(new PublicKey(payer.onchainId), FUNDS)
  await until(async () => (await lamportsOf(ofBank, payer)) === FUNDS || undefined, 'the payer is funded')
  const before = await lamportsOf(ofAcme, acme.destination)
  let paid = 0
  let same = 0
  // On a busy machine the two may have different blockhashes.
  for (let lamports = 2_000_001; same < 2 && lamports <= 2_000_000 + MAX_PAIRS; lamports += 1) {
    const [made, copied] = await Promise.all([
      pay({ url: main, key: bank.key, from: { offchainId: payer.offchainId }, lamports }),
      pay({ url: red, key: acme.key, from: { onchainId: payer.onchainId, offPlatform: true }, lamports }),
    ])
    paid += lamports
    expect([made.status, made.body['success'], copied.status]).toEqual([201, true, 201])
    expect(copied.body['status']).toBe('PREPARED')
    const signature = made.body['onchainId'] as string
    const signing = {
      transaction: { offchainId: copied.body['offchainId'] },
      signatures: [{ onchainId: payer.onchainId, signature }],
    }
    const { status, body } = await repeatUntilDecided(() => ofAcme.send('POST', '/transactions/sign', signing))
    const [problem] = body['errors'] as readonly { code: string }[]
    if (problem?.code === 'ALREADY_EXISTS') same += 1
    expect([status, problem?.code]).toEqual([400, expect.stringMatching(/^(?:ALREADY_EXISTS|SIGNATURE_INVALID)$/)])
  }
  expect(same, 'messages that both cells made').toBeGreaterThan(0)
  await until(async () => (await lamportsOf(ofAcme, acme.destination)) === before + paid || undefined, 'it is booked')
  expect(await service.stop()).toBe(0)
})
