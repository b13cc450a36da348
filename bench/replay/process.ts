// The baseline of operations with several transactions: one thread that builds with web3.js, signs with node:crypto and
// executes in LiteSVM the same transactions as the service, repeatedly, on copies of the accounts.
import { createRequire } from 'node:module'
import {
  PublicKey,
  TransactionInstruction,
  TransactionMessage,
  VersionedMessage,
  VersionedTransaction,
} from '@solana/web3.js'
import { sign } from 'node:crypto'
import type * as Engine from 'litesvm/dist/internal.js'
import { answerParent } from '../measure/child.ts'
import { mappingOf, type Mapping } from './mapping.ts'

export interface CopiedAccount {
  readonly address: string
  readonly lamports: bigint
  readonly data: Uint8Array
  readonly owner: string
}

export type ReplayQuestion =
  /** Messages of one cycle in their order, base64: afterwards the state is as before, except for moved amounts. */
  | { readonly kind: 'scene'; readonly messages: readonly string[]; readonly accounts: readonly CopiedAccount[] }
  | { readonly kind: 'round'; readonly windowMs: number }

export interface ReplayRound {
  readonly cycles: number
  readonly seconds: number
  readonly cpuUs: number
}

const engine = createRequire(import.meta.url)('litesvm/dist/internal.js') as typeof Engine
const FUNDS_LAMPORTS = 1_000_000_000_000_000n
const RENT_EPOCH = 0xffff_ffff_ffff_ffffn
const SYSTEM = new PublicKey('11111111111111111111111111111111')
const [AMOUNT_OFFSET, TOKEN_ACCOUNT_BYTES] = [64, 165]

interface Step {
  readonly payer: PublicKey
  readonly instructions: TransactionInstruction[]
  readonly signers: readonly PublicKey[]
}

class Replay {
  readonly #svm = new engine.LiteSvm()
  readonly #mapping: Mapping
  readonly #steps: readonly Step[]
  readonly #watched: readonly PublicKey[]
  #cycles = 0
  /** Lamports and tokens of all accounts before the first cycle, and their changes by a cycle. */
  readonly #before: readonly bigint[]
  readonly #change: readonly bigint[]

  constructor(messages: readonly VersionedMessage[], accounts: readonly CopiedAccount[]) {
    this.#svm.setTransactionHistory(0n)
    this.#svm.setSigverify(true)
    this.#mapping = mappingOf(messages)
    for (const { address, lamports, data, owner } of accounts) {
      // A payer pays the fees of any number of cycles.
      const funds = owner === SYSTEM.toBase58() ? lamports + FUNDS_LAMPORTS : lamports
      const copy = new engine.Account(
        funds,
        this.#mapping.bytes(data),
        new PublicKey(owner).toBytes(),
        false,
        RENT_EPOCH,
      )
      this.#svm.setAccount(this.#mapping.address(new PublicKey(address)).toBytes(), copy)
    }
    this.#steps = messages.map((message) => this.#stepOf(message))
    this.#watched = accounts.map(({ address }) => this.#mapping.address(new PublicKey(address)))
    this.#before = this.#held()
    this.#cycle()
    const after = this.#held()
    this.#change = after.map((held, index) => held - this.#before[index]!)
    if (this.#change.every((change) => change === 0n)) throw new Error('a cycle changes nothing')
  }

  round(windowMs: number): ReplayRound {
    this.#svm.expireBlockhash()
    const begun = this.#cycles
    const cpuBefore = process.cpuUsage()
    const startedAt = performance.now()
    while (performance.now() - startedAt < windowMs) this.#cycle()
    const seconds = (performance.now() - startedAt) / 1000
    const { user, system } = process.cpuUsage(cpuBefore)
    this.#check()
    return { cycles: this.#cycles - begun, seconds, cpuUs: user + system }
  }

  #cycle(): void {
    const recentBlockhash = this.#svm.latestBlockhash()
    for (const { payer, instructions, signers } of this.#steps) {
      const message = new TransactionMessage({ payerKey: payer, recentBlockhash, instructions }).compileToV0Message()
      const transaction = new VersionedTransaction(message)
      const bytes = message.serialize()
      for (const signer of signers)
        transaction.addSignature(signer, sign(null, bytes, this.#mapping.keys.get(signer.toBase58())!.key))
      const result = this.#svm.sendVersionedTransaction(transaction.serialize())
      if (result instanceof engine.FailedTransactionMetadata)
        throw new Error(`the bare loop failed: ${result.toString()}`)
    }
    this.#cycles += 1
  }

  /** Every counted cycle has the same effect as the first one. */
  #check(): void {
    this.#held().forEach((held, index) => {
      if (held !== this.#before[index]! + BigInt(this.#cycles) * this.#change[index]!)
        throw new Error('the bare loop did not do its transactions')
    })
  }

  /** Lamports and token amount of each account, in one number; a missing account has none. */
  #held(): bigint[] {
    return this.#watched.flatMap((address) => {
      const account = this.#svm.getAccount(address.toBytes())
      if (account === null) return [0n, 0n]
      const data = Buffer.from(account.data())
      return [account.lamports(), data.length >= TOKEN_ACCOUNT_BYTES ? data.readBigUInt64LE(AMOUNT_OFFSET) : 0n]
    })
  }

  #stepOf(message: VersionedMessage): Step {
    const { payerKey, instructions } = TransactionMessage.decompile(message)
    const signers = message.staticAccountKeys.slice(0, message.header.numRequiredSignatures)
    return {
      payer: this.#mapping.address(payerKey),
      signers: signers.map((key) => this.#mapping.address(key)),
      instructions: instructions.map(
        ({ programId, keys, data }) =>
          new TransactionInstruction({
            programId,
            keys: keys.map((meta) => ({ ...meta, pubkey: this.#mapping.address(meta.pubkey) })),
            data: this.#mapping.bytes(data),
          }),
      ),
    }
  }
}

let replay: Replay | null = null

answerParent((question: ReplayQuestion): Promise<ReplayRound | null> => {
  if (question.kind === 'scene') {
    const messages = question.messages.map((text) => VersionedMessage.deserialize(Buffer.from(text, 'base64')))
    replay = new Replay(messages, question.accounts)
    return Promise.resolve(null)
  }
  if (replay === null) throw new Error('no scene')
  return Promise.resolve(replay.round(question.windowMs))
})
