// A transaction under a nonce can be attested as unable to land once the value of the nonce is used for good, and not
// while a fork may restore it.
import { PublicKey, SystemProgram, Transaction } from '@solana/web3.js'
import { beforeAll, expect, it } from 'vitest'
import { attestTransaction } from '../../../src/operations/signing/attest.ts'
import { createNonces } from '../../../src/operations/nonces/create.ts'
import type { Call, JsonObject } from '../../../src/contract/call.ts'
import type { PlatformCluster, Write } from '../../../src/operations/context/platform.ts'
import { signTransaction } from '../../../src/operations/signing/sign.ts'
import { transferNetworkCurrency } from '../../../src/operations/positions/transfer-network-currency.ts'
import { ofKind } from '../../../src/engine/records/record.ts'
import { eventually } from '../../localnet/rpc-chain.ts'
import { CLUSTER, Station, type Wallet } from './station.ts'

let station: Station
let feePayer: Wallet
let authority: Wallet
let to: Wallet

beforeAll(async () => {
  station = await Station.open('ACME')
  feePayer = await station.wallet('ACME')
  authority = await station.wallet('ACME')
  to = await station.wallet('ACME')
})

/** A request with its `chainTransactionConfig`. */
async function runWrite<Input>(write: Write<Input>, itemData: object, config: object): Promise<JsonObject> {
  const chainTransactionConfig = { feePayer: { onchainId: feePayer.onchainId }, ...config }
  const writeWithConfig: Write<{ itemData: object }> = (context, body) =>
    write(context, { ...body, chainTransactionConfig } as Input)
  return await station.run('ACME', writeWithConfig, itemData)
}

async function nonceAtHand(): Promise<string> {
  await runWrite(createNonces, { nonceAuthority: { onchainId: authority.onchainId }, count: 1 }, {})
  return await eventually(() => {
    const nonces = [...station.platform.engine.directory.entries()].flatMap(
      ({ committed }) => ofKind(committed, 'nonce') ?? [],
    )
    return nonces.find(({ value, context }) => value === 'active' && context.value !== null)?.context.address
  })
}

async function signedUnderNonce(): Promise<string> {
  const itemData = {
    source: { onchainId: authority.onchainId, autoSign: false },
    destination: { onchainId: to.onchainId },
    lamports: '1000',
  }
  const prepared = await runWrite(transferNetworkCurrency, itemData, { messageLifetimeStrategy: 'DURABLE_NONCE' })
  const offchainId = prepared['offchainId'] as string
  const signed = await station.run('ACME', signTransaction, { transaction: { offchainId }, returnSerialized: true })
  expect(signed['status']).toBe('SIGNED')
  return offchainId
}

/** The outside holder of the key of the authority. */
async function advance(nonce: string): Promise<void> {
  const connection = station.chain.connection()
  const payer = await station.chain.payer()
  const authorizedPubkey = new PublicKey(authority.onchainId)
  const instruction = SystemProgram.nonceAdvance({ noncePubkey: new PublicKey(nonce), authorizedPubkey })
  const noise = SystemProgram.transfer({ fromPubkey: payer.publicKey, toPubkey: payer.publicKey, lamports: 1 })
  const transaction = new Transaction({ feePayer: payer.publicKey, ...(await connection.getLatestBlockhash()) }).add(
    noise,
    instruction,
  )
  transaction.partialSign(payer)
  transaction.addSignature(authorizedPubkey, Buffer.from(authority.pair.sign(transaction.serializeMessage())))
  const signature = await connection.sendRawTransaction(transaction.serialize())
  await eventually(
    async () => (await connection.getSignatureStatuses([signature])).value[0]?.confirmationStatus !== undefined,
  )
}

/**
 * A cluster whose finalized state does not change: what was confirmed since is not final yet. It no longer watches the
 * transaction, which would end once the real cluster proves its expiry.
 */
async function finalityStops(nonce: string, offchainId: string): Promise<void> {
  const clusters = station.platform.clusters as Map<string, PlatformCluster>
  const access = clusters.get(CLUSTER)!
  access.forget(offchainId)
  const before = await access.finalizedAccounts([nonce])
  const get = (_: object, name: keyof PlatformCluster): unknown => {
    if (name === 'finalizedAccounts') return () => Promise.resolve(before)
    const member: unknown = Reflect.get(access, name)
    return typeof member === 'function' ? (member as () => unknown).bind(access) : member
  }
  clusters.set(CLUSTER, new Proxy({}, { get }) as PlatformCluster)
}

it('is refused while the advance of its nonce is confirmed and not final', async () => {
  const nonce = await nonceAtHand()
  // It is final, and used in a later slot than the slot of its value.
  await station.chain.bank.advance(2)
  const offchainId = await signedUnderNonce()
  await finalityStops(nonce, offchainId)
  await advance(nonce)
  const caller = {
    keyId: 'first',
    organization: 'SYSTEM',
    tenant: 'SYSTEM',
    system: true,
    roles: new Set(['PLATFORM_ADMIN']),
    clusters: null,
  }
  const call: Partial<Call> = { caller, organization: 'SYSTEM', tenant: 'SYSTEM' }
  const word = { offchainId, outcome: 'EXPIRED', evidence: 'its nonce has moved on' } as const
  await expect(station.run('SYSTEM', attestTransaction, word, call)).rejects.toMatchObject({
    problems: [{ code: 'MAY_STILL_LAND' }],
  })
})
