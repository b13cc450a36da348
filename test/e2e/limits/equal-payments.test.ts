// Equal payments that wait have equal messages but for the blockhash; each is signed under one that makes it new.
import { Keypair } from '@solana/web3.js'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startWorld, type World } from '../harness.ts'
import { LimitFixture, perTransaction, to, type Held, type Person } from './limit-fixture.ts'
import type { Options } from '../client.ts'
import type { Ids } from '../models.ts'
import { SOL } from '../records.ts'

const PAYMENTS = 4

let world: World
let fixture: LimitFixture
let clerk: Person
let anna: Person
let wallet: Ids

beforeAll(async () => {
  world = await startWorld({ HOLDFAST_EMBEDDED_FAULTS: 'on' })
  fixture = new LimitFixture(world)
  const organization = await fixture.organization()
  clerk = await fixture.person(organization, 'OPERATOR')
  anna = await fixture.person(organization, ['DEBIT_LIMIT_APPROVE'])
  const records = world.records.with((await fixture.person(organization, 'ADMIN')).api)
  await records.feePayer()
  const limit = to('ANY', perTransaction(1, { approversForOverride: [anna.keyId], requiredApproversCount: 1 }))
  wallet = await records.funded({ canPayFees: true, networkCurrencyDebitLimits: [limit] }, 20n * SOL)
})
afterAll(() => world.stop())

/** Equal payments, each made under a blockhash of its own. */
async function equalPayments(lamports: bigint, options: Options) {
  const destination = Keypair.generate().publicKey.toBase58()
  const to = { onchainId: destination, offPlatform: true }
  const waiting: Held[] = []
  for (let made = 0; made < PAYMENTS; made++) {
    waiting.push(await fixture.pay(wallet, to, lamports, options, clerk.api))
    await world.passSlots(2)
  }
  expect(waiting.map(({ status }) => status)).toEqual(waiting.map(() => 'PREPARED'))
  return { waiting, destination }
}

it('sends equal payments that are approved at the same time, each once', async () => {
  const { waiting, destination } = await equalPayments(2n * SOL, {})
  const approve = ({ offchainId }: Held) => anna.api.ok<Held>(200, 'POST', '/transactions/approve', { offchainId })
  const sent = await Promise.all(waiting.map(approve))
  expect(sent.map(({ success }) => success)).toEqual(waiting.map(() => true))
  expect(await world.chain.lamports(destination)).toBe(BigInt(PAYMENTS) * 2n * SOL)
})

it('signs equal payments that have expired at the same time, each under another blockhash', async () => {
  const { waiting, destination } = await equalPayments(SOL / 2n, {
    config: { feePayer: { ...wallet, autoSign: false } },
  })
  // One lifetime of a blockhash, and some.
  await world.passSlots(200)
  const call = (verb: string) =>
    Promise.all(
      waiting.map(({ offchainId }) =>
        clerk.api.ok<Held>(200, 'POST', `/transactions/${verb}`, { transaction: { offchainId } }),
      ),
    )
  expect(new Set((await call('sign')).map(({ status }) => status))).toEqual(new Set(['SIGNED']))
  expect((await call('submit')).map(({ success }) => success)).toEqual(waiting.map(() => true))
  expect(await world.chain.lamports(destination)).toBe((BigInt(PAYMENTS) * SOL) / 2n)
})
