// A link to a real embedded chain, with its reported facts and transactions to submit.
import bs58 from 'bs58'
import {
  NONCE_ACCOUNT_LENGTH,
  NonceAccount,
  PublicKey,
  SystemProgram,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js'
import type { Keypair, TransactionInstruction } from '@solana/web3.js'
import { systemClock } from '../../src/time/clock.ts'
import { openCluster, type Cluster } from '../../src/rpc/cluster.ts'
import { EMBEDDED_CLUSTER, type ClusterSettings } from '../../src/rpc/cluster-settings.ts'
import { openLink } from '../../src/submission/link.ts'
import type { ChainAlarm, ChainFact, ClusterLink, Submission } from '../../src/submission/submission.ts'
import { eventually, serveChain, type ServedChain } from '../localnet/rpc-chain.ts'

/**
 * Impatient, so that lost replies are noticed quickly. Not with answers: a connection that is lost needs no timeout,
 * and one that is slow has none to hit.
 */
export const QUICK: ClusterSettings = {
  ...EMBEDDED_CLUSTER,
  pool: { ...EMBEDDED_CLUSTER.pool, pace: { ...EMBEDDED_CLUSTER.pool.pace, minSlotMs: 10 } },
  lanes: { ...EMBEDDED_CLUSTER.lanes, timeoutMs: 60_000 },
  watch: {
    ...EMBEDDED_CLUSTER.watch,
    progressMs: 20,
    unansweredMs: 50,
    resendMs: 60,
    slowestResendMs: 200,
    proofMs: 50,
    slowestProofMs: 200,
  },
}

export class Linked {
  readonly chain: ServedChain
  readonly cluster: Cluster
  readonly facts: ChainFact[] = []
  readonly alarms: ChainAlarm[] = []
  link: ClusterLink

  constructor(chain: ServedChain, cluster: Cluster) {
    this.chain = chain
    this.cluster = cluster
    this.link = this.open()
  }

  open(): ClusterLink {
    return openLink(this.cluster, systemClock, {
      onFacts: (facts) => void this.facts.push(...facts),
      onAlarm: (alarm) => void this.alarms.push(alarm),
    })
  }

  faults(faults: object): Promise<unknown> {
    return this.chain.result('holdfast_setFaults', [faults])
  }

  of(submission: Submission): ChainFact[] {
    return this.facts.filter((fact) => fact.transactionId === submission.transactionId)
  }

  /** The observed levels of it, in order. */
  levels(submission: Submission): string[] {
    return this.of(submission).flatMap((fact) =>
      fact.kind === 'seen' ? [fact.commitment] : fact.kind === 'sent' ? [] : [fact.kind],
    )
  }

  until(submission: Submission, end: string): Promise<true> {
    return eventually(() => this.levels(submission).includes(end))
  }

  async balance(address: PublicKey): Promise<bigint> {
    const { accounts } = await this.cluster.accounts([address.toBase58()])
    return accounts[0]?.lamports ?? 0n
  }

  /** A signed transfer with the present blockhash. `id` makes it another transaction, not another message. */
  async transfer(
    from: Keypair,
    to: PublicKey,
    lamports: bigint,
    id = `${from.publicKey.toBase58()}:${lamports}`,
  ): Promise<Submission> {
    const { blockhash, slot, lastValidBlockHeight } = await this.cluster.blockhash.fresh()
    const transfer = SystemProgram.transfer({ fromPubkey: from.publicKey, toPubkey: to, lamports })
    const signed = sign([from], blockhash, [transfer])
    const lane = from.publicKey.toBase58()
    return { transactionId: id, tenant: 'T', lane, ...signed, blockhash, blockhashSlot: slot, lastValidBlockHeight }
  }

  /** An initialized nonce account of `authority`, and its value. */
  async nonceAccount(authority: Keypair, nonce: Keypair): Promise<{ account: string; value: string; slot: number }> {
    const lamports = Number(await this.cluster.rentExemptLamports(NONCE_ACCOUNT_LENGTH))
    const { blockhash, slot, lastValidBlockHeight } = await this.cluster.blockhash.fresh()
    const create = SystemProgram.createNonceAccount({
      fromPubkey: authority.publicKey,
      noncePubkey: nonce.publicKey,
      authorizedPubkey: authority.publicKey,
      lamports,
    })
    const signed = sign([authority, nonce], blockhash, create.instructions)
    const lane = authority.publicKey.toBase58()
    const submission = {
      transactionId: 'nonce',
      tenant: 'T',
      lane,
      ...signed,
      blockhash,
      blockhashSlot: slot,
      lastValidBlockHeight,
    }
    this.link.submit(submission)
    await this.until(submission, 'finalized')
    const read = await this.cluster.accounts([nonce.publicKey.toBase58()])
    const { nonce: value } = NonceAccount.fromAccountData(Buffer.from(read.accounts[0]!.data))
    return { account: nonce.publicKey.toBase58(), value, slot: read.slot }
  }

  nonceTransfer(
    authority: Keypair,
    nonce: { account: string; value: string; slot: number },
    to: PublicKey,
    lamports: bigint,
  ): Submission {
    const advance = SystemProgram.nonceAdvance({
      noncePubkey: new PublicKey(nonce.account),
      authorizedPubkey: authority.publicKey,
    })
    const transfer = SystemProgram.transfer({ fromPubkey: authority.publicKey, toPubkey: to, lamports })
    return {
      transactionId: `nonce:${lamports}`,
      tenant: 'T',
      lane: nonce.account,
      ...sign([authority], nonce.value, [advance, transfer]),
      blockhash: nonce.value,
      blockhashSlot: nonce.slot,
      lastValidBlockHeight: null,
      nonce,
    }
  }

  async close(): Promise<void> {
    await this.link.close()
    await this.cluster.close()
    await this.chain.close()
  }
}

/**
 * A blockhash lives for half a minute, the time that a slow machine needs to sign and send; a test may advance slots
 * sooner.
 */
const SLOT_MS = 200

export async function openLinkedWorld(
  options: { slotMs?: number; finalitySlots?: number } = {},
  settings: ClusterSettings = QUICK,
): Promise<Linked> {
  const chain = await serveChain({ slotMs: SLOT_MS, ...options, faults: true })
  const cluster = await openCluster({ id: 'CHAIN_DEVNET', endpoints: [chain.url], settings, clock: systemClock })
  return new Linked(chain, cluster)
}

function sign(
  signers: Keypair[],
  blockhash: string,
  instructions: TransactionInstruction[],
): { signature: string; bytes: Uint8Array } {
  const message = new TransactionMessage({
    payerKey: signers[0]!.publicKey,
    recentBlockhash: blockhash,
    instructions,
  }).compileToV0Message()
  const transaction = new VersionedTransaction(message)
  transaction.sign(signers)
  return { signature: bs58.encode(transaction.signatures[0]!), bytes: transaction.serialize() }
}
