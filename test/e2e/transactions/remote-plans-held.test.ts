// Plans and batches whose custodian decides late, when an account may not pay any more: what is signed waits for
// Submit, and continues after it.
import { Keypair, PublicKey } from '@solana/web3.js'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { callBack, CODE, Custodian, pending, signs } from '../../keys/custodian.ts'
import { eventually, startWorld, unwatched, type World } from '../harness.ts'
import type { Ids, Result, TransactionRecord } from '../models.ts'
import { UNLIMITED } from '../payouts/counterparty-setup.ts'
import { SOL } from '../records.ts'

const AMOUNT = 1_000_000n
const HOUR_SECONDS = 3_600
const ASYNC = { prefer: 'respond-async' }
/** Addresses of a table: more than fit into one transaction. */
const MANY = 60

let world: World
let custodian: Custodian
let feePayer: Ids

beforeAll(async () => {
  custodian = await Custodian.start()
  world = await startWorld(
    {
      HOLDFAST_SIGNERS: custodian.setting,
      HOLDFAST_OUTBOUND_ALLOW: new URL(custodian.url).host,
      // What waits for a person must still land on a busy machine.
      HOLDFAST_EMBEDDED_SLOT_MS: '400',
    },
    unwatched,
  )
  const privateKeyDetails = { location: ['REMOTE'], signer: CODE, publickKey: custodian.newKey() }
  feePayer = await world.records.funded({ ...UNLIMITED, canPayFees: true, privateKeyDetails }, SOL)
})
afterAll(async () => {
  await world.stop()
  await custodian.stop()
})
beforeEach(() => {
  custodian.forget()
  custodian.asked.length = 0
  custodian.usual = pending(HOUR_SECONDS)
})

const freeze = (which: 'freeze' | 'unfreeze', { offchainId }: Ids) =>
  world.api.ok(200, 'PATCH', `/admin/${which}`, { account: { offchainId } })

/** The account is frozen when the custodian signs, and later unfrozen. Returns the transaction that waits. */
async function signedWhileFrozen(account: Ids): Promise<TransactionRecord> {
  const [{ id, message }] = await eventually(async () => {
    await Promise.resolve()
    expect(custodian.questions).toHaveLength(1)
    return custodian.questions as [(typeof custodian.questions)[number]]
  })
  await freeze('freeze', account)
  const signature = custodian.sign(feePayer.onchainId, Buffer.from(message, 'base64'))
  expect(await callBack(world.url, { signer: CODE, id, status: 'SIGNED', signature })).toMatchObject({ status: 200 })
  const filter = [{ fieldName: 'status', filterValues: [{ filterType: 'EQUALS', valueString: 'SIGNED' }] }]
  const waiting = await eventually(async () => {
    const { items } = (await world.api.bulk('/transactions/bulk/detailed', { filter })) as {
      items: readonly TransactionRecord[]
    }
    expect(items).toHaveLength(1)
    return items[0]!
  })
  expect(waiting.history.at(-1)?.detail).toContain('it waits for Submit')
  await freeze('unfreeze', account)
  return waiting
}

const submit = ({ offchainId }: Pick<TransactionRecord, 'offchainId'>) =>
  world.api.ok<Result>(200, 'POST', '/transactions/submit', { transaction: { offchainId } })

it('a plan continues with its next transaction once the one that waits was submitted', async () => {
  const authority = await world.records.account()
  const componentAddresses = Array.from({ length: MANY }, () => ({
    onchainId: Keypair.generate().publicKey.toBase58(),
    offPlatform: true,
  }))
  const body = { addressLookupTable: {}, authority, componentAddresses }
  const { newAddressLookupTable: table } = await world.api.ok<{ newAddressLookupTable: Ids }>(
    201,
    'POST',
    '/address-lookup-tables',
    body,
    { config: { feePayer }, headers: ASYNC },
  )
  const countAddresses = async (): Promise<number | undefined> => {
    const { value } = await world.chain.connection.getAddressLookupTable(new PublicKey(table.onchainId))
    return value?.state.addresses.length
  }
  const waiting = await signedWhileFrozen(authority)
  custodian.usual = signs
  expect(await countAddresses()).toBeUndefined()
  expect((await submit(waiting)).success).toBe(true)
  await eventually(async () => expect(await countAddresses()).toBe(MANY))
})

it('a batch continues once its transaction that waits was submitted', async () => {
  const [source, to] = [await world.records.funded(UNLIMITED, SOL), await world.records.account()]
  const items = [{ source, destination: to, lamports: AMOUNT.toString() }]
  const { newBatch } = await world.api.ok<{ newBatch: { offchainId: string } }>(
    201,
    'POST',
    '/batches',
    { operation: 'TRANSFER_NETWORK_CURRENCY', items },
    { config: { feePayer } },
  )
  const statusOf = async () =>
    (await world.api.read<{ status: string }>('/batches/single', { offchainId: newBatch.offchainId })).status
  const waiting = await signedWhileFrozen(source)
  expect(await statusOf()).not.toBe('DONE')
  expect((await submit(waiting)).success).toBe(true)
  await eventually(async () => expect(await statusOf()).toBe('DONE'))
  expect(await world.chain.lamports(to.onchainId)).toBe(AMOUNT)
})
