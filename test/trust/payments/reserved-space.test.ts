// Space that an account reserves before it is initialised: the first party that initialises it controls it. Rent for it
// has its own limit class, so that instruments can be created in two steps; any other payment to it is one to an
// unknown party.
import { NonceAccount, PublicKey, SystemProgram } from '@solana/web3.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startWorld, unwatched, type World } from '../../e2e/harness.ts'
import { PAY } from '../../e2e/limits/limit-fixture.ts'
import type { Ids, NewAccount } from '../../e2e/models.ts'
import { SOL } from '../../e2e/records.ts'
import { Attacker } from '../fixtures/attacker.ts'

let world: World
let attacker: Attacker
let wallet: Ids

beforeAll(async () => {
  world = await startWorld({}, unwatched)
  attacker = await Attacker.open(world)
  await world.records.feePayer()
  wallet = await world.records.funded({}, 100n * SOL)
})
afterAll(() => world.stop())

const reserve = (dataLength: number) => world.api.send<NewAccount>('POST', '/accounts', { dataLength })

async function reserveAccount(dataLength: number): Promise<Ids> {
  const { status, body } = await reserve(dataLength)
  expect([status, JSON.stringify(body)]).toEqual([201, expect.stringContaining('"success":true')])
  return body.newAccount
}

const pay = ({ onchainId }: Ids, lamports: bigint) =>
  world.api.send('POST', PAY, { source: wallet, destination: { onchainId }, lamports: lamports.toString() })

/** Initialises an account as a nonce account of the attacker. */
async function takeOver({ onchainId }: Ids): Promise<void> {
  const at = new PublicKey(onchainId)
  await attacker.fixture.send(
    [SystemProgram.nonceInitialize({ noncePubkey: at, authorizedPubkey: attacker.address })],
    [],
  )
  const account = await world.chain.connection.getAccountInfo(at)
  expect(NonceAccount.fromAccountData(account!.data.subarray(0, 80)).authorizedPubkey.equals(attacker.address)).toBe(
    true,
  )
}

describe('14.2: reserved space', () => {
  it('of at least a nonce account can be taken over by anyone, and receives nothing under default limits', async () => {
    for (const dataLength of [80, 202]) {
      const account = await reserveAccount(dataLength)
      const payment = await pay(account, SOL)
      expect([payment.status, JSON.stringify(payment.body)]).toEqual([
        400,
        expect.stringContaining('DEBIT_LIMIT_EXCEEDED'),
      ])
      await takeOver(account)
    }
  })

  it('control: of less is controlled by its key', async () => {
    expect((await pay(await reserveAccount(79), SOL)).status).toBe(201)
  })

  it('pays its rent within the limit of RENT, by default a tenth of a unit in 24 hours', async () => {
    expect((await reserve(165)).status).toBe(201)
    const { status, body } = await reserve(20_000)
    expect([status, JSON.stringify(body)]).toEqual([400, expect.stringContaining('"destination":"RENT"')])
  })
})
