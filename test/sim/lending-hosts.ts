// A lending provider of a simulated world: it lends from its own account, splits each order into transactions and signs
// them with its key. Its answers follow from the seed. Sometimes it refuses, fails, answers with invalid data or too
// late, and sometimes it lies.
import {
  createApproveInstruction,
  createAssociatedTokenAccountIdempotentInstruction,
  getAssociatedTokenAddressSync,
} from '@solana/spl-token'
import { Keypair, PublicKey, TransactionInstruction } from '@solana/web3.js'
import {
  OutboundFailed,
  type OutboundAnswer,
  type OutboundRequest,
} from '../../src/operations/context/outbound/outbound.ts'
import { MEMO_PROGRAM } from '../e2e/onchain.ts'
import { instructionOf, wireOf, type Order, type Part, type Step } from '../e2e/loans/scripted-provider.ts'
import type { SimulatedChain } from './chain.ts'
import { Random } from './random.ts'
import type { Tally } from './audits/tally.ts'
import type { Life, Time } from './time.ts'
import type { Sky } from './faults.ts'

export const LENDING_HOST = 'https://lending.sim'
export const PROVIDER = 'SCRIPTED'

const NONSENSE = ['', '[]', '{"transactions":[]}', '{"transactions":["#"]}', '<html>busy</html>']
type Lie =
  | 'more'
  | 'amount'
  | 'destination'
  | 'lamports'
  | 'leftOut'
  | 'swapped'
  | 'twice'
  | 'unsigned'
  | 'stale'
  | 'delegate'
  | 'payer'
const LIES: Readonly<Record<Lie, number>> = {
  more: 2,
  amount: 2,
  destination: 2,
  lamports: 2,
  leftOut: 1,
  swapped: 1,
  twice: 1,
  unsigned: 1,
  stale: 1,
  delegate: 1,
  payer: 1,
}

interface Dependencies {
  readonly seed: string
  readonly time: Time
  readonly sky: Sky
  readonly tally: Tally
  readonly chain: SimulatedChain
}

export class LendingHosts {
  readonly lender: Keypair
  /** The account to which it diverts funds. */
  readonly thief: Keypair
  /** Ids of orders that it answered with other instructions than ordered. */
  readonly lied = new Set<string>()
  readonly #dependencies: Dependencies
  #asked = 0

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies
    const random = new Random(dependencies.seed, 'lending provider')
    this.lender = Keypair.fromSeed(random.bytes(32))
    this.thief = Keypair.fromSeed(random.bytes(32))
  }

  get address(): string {
    return this.lender.publicKey.toBase58()
  }

  ask({ body = '{}', timeoutMs }: OutboundRequest, life: Life): Promise<OutboundAnswer> {
    const { seed, sky, tally, time } = this.#dependencies
    const random = new Random(seed, 'lending order', (this.#asked += 1))
    const fate = (kind: string, probability: number): boolean =>
      !sky.healed && random.chance(probability) && tally.fault(kind)
    const silent = fate('lending provider silent', 0.04)
    const status = fate('lending provider refuses', 0.05) ? 422 : fate('lending provider fails', 0.05) ? 503 : 200
    const nonsense = fate('lending provider answers nonsense', 0.04)
    const tookMs = fate('lending provider slow', 0.1) ? random.between(1_000, 12_000) : random.between(5, 500)
    return new Promise((resolve, reject) => {
      if (silent || tookMs > timeoutMs) {
        time.plan(timeoutMs, () => reject(new OutboundFailed('it takes too long')), life)
        return
      }
      // The blockhash is from the time of the order: a late answer has an old one.
      const answer = nonsense
        ? random.pick(NONSENSE)
        : this.#answer(JSON.parse(body) as Order, random, fate('lending provider lies', 0.15))
      const response = {
        status,
        contentType: 'application/json',
        body: Buffer.from(status === 200 ? answer : '{}'),
        retryAfter: null,
      }
      time.plan(tookMs, () => resolve(response), life)
    })
  }

  #answer(order: Order, random: Random, lies: boolean): string {
    const lie = lies ? random.weighted(LIES) : null
    const steps = this.#stepsOf(order, lie, random)
    const { blockhash } = this.#dependencies.chain.bank.latestBlockhash(random.chance(0.3) ? 'finalized' : 'confirmed')
    const instructions = [...steps.map(instructionOf), ...this.#beside(order, lie)]
    const cutIndex = random.chance(0.3) ? 0 : this.#cut(order)
    const halves =
      cutIndex === 0 || cutIndex >= instructions.length
        ? [instructions]
        : [instructions.slice(0, cutIndex), instructions.slice(cutIndex)]
    const parts = halves.map((half, index) =>
      this.#part(order, [this.#memo(`${order.orderId} ${index}`), ...half], blockhash),
    )
    const reply = this.#tampered(parts, lie, random)
    // If there is nothing to lie about, the answer is honest after all.
    const isHonest = lie === null || (reply === parts && steps === order.steps && this.#beside(order, lie).length === 0)
    if (!isHonest) this.lied.add(order.orderId)
    return JSON.stringify({ transactions: reply.map(wireOf) })
  }

  #part({ feePayer }: Order, instructions: readonly TransactionInstruction[], blockhash: string): Part {
    return { payer: feePayer, instructions, signers: [this.lender], blockhash }
  }

  /**
   * The last transaction moves the funds of the provider. Of the other steps, all but the last one are in the first
   * transaction.
   */
  #cut({ steps }: Order): number {
    const own = steps.findIndex(({ authority }) => authority === this.address)
    return own === -1 ? steps.length - 1 : own
  }

  #stepsOf({ steps }: Order, lie: Lie | null, random: Random): readonly Step[] {
    const moves = steps.filter(({ kind }) => kind === 'transfer')
    if (lie === 'leftOut') return steps.filter((step) => step !== steps.at(-1))
    if (moves.length === 0 || (lie !== 'amount' && lie !== 'destination' && lie !== 'more')) return steps
    const move = random.pick(moves)
    const { amount = '0', mint = '', program = '' } = move
    const to = getAssociatedTokenAddressSync(
      new PublicKey(mint),
      this.thief.publicKey,
      true,
      new PublicKey(program),
    ).toBase58()
    if (lie === 'more') return [...steps, { ...move, to, amount: '1' }]
    const other: Step =
      lie === 'amount' ? { ...move, amount: String(BigInt(amount) + (random.chance(0.5) ? 1n : -1n)) } : { ...move, to }
    return steps.map((step) => (step === move ? other : step))
  }

  /** Instructions that no order requested. */
  #beside({ feePayer, steps }: Order, lie: Lie | null): readonly TransactionInstruction[] {
    const thief = this.thief.publicKey.toBase58()
    if (lie === 'lamports') return [instructionOf({ kind: 'lamports', from: feePayer, to: thief, lamports: '1000000' })]
    const own = steps.find(({ kind, authority }) => kind === 'transfer' && authority === feePayer)
    if (lie !== 'delegate' || own === undefined) return []
    const { from = '', mint = '', program = '' } = own
    const [owner, tokenProgram] = [new PublicKey(feePayer), new PublicKey(program)]
    const account = getAssociatedTokenAddressSync(new PublicKey(mint), this.thief.publicKey, true, tokenProgram)
    return [
      createApproveInstruction(new PublicKey(from), this.thief.publicKey, owner, 1_000_000_000n, [], tokenProgram),
      createAssociatedTokenAccountIdempotentInstruction(
        owner,
        account,
        this.thief.publicKey,
        new PublicKey(mint),
        tokenProgram,
      ),
    ]
  }

  #tampered(parts: readonly Part[], lie: Lie | null, random: Random): readonly Part[] {
    switch (lie) {
      case 'swapped':
        return parts.length < 2 ? parts : parts.toReversed()
      case 'twice':
        return [...parts, parts[0]!]
      case 'unsigned':
        return parts.map((part) => ({ ...part, signers: [] }))
      case 'stale':
        return parts.map((part) => ({ ...part, blockhash: new PublicKey(random.bytes(32)).toBase58() }))
      case 'payer':
        return parts.map((part) => ({
          ...part,
          payer: this.thief.publicKey.toBase58(),
          signers: [this.lender, this.thief],
        }))
      default:
        return parts
    }
  }

  #memo(text: string): TransactionInstruction {
    const keys = [{ pubkey: this.lender.publicKey, isSigner: true, isWritable: false }]
    return new TransactionInstruction({ programId: new PublicKey(MEMO_PROGRAM), keys, data: Buffer.from(text) })
  }
}
