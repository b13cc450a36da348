// What an attacker does on the simulated chain without the service: token accounts that belong to somebody else and
// that he can close, closed and opened again for himself. Built with the public libraries, so that nothing of the
// service is taken for granted.
import { createCloseAccountInstruction } from '@solana/spl-token'
import { Keypair, PublicKey, Transaction, type TransactionInstruction } from '@solana/web3.js'
import { addressBytes } from '../../../src/solana/address.ts'
import { handOver, opening, TOKEN_ACCOUNT_BYTES } from '../../e2e/transactions/trap-instructions.ts'
import type { SimulatedChain } from '../chain.ts'
import type { Random } from '../random.ts'

const FUNDS_LAMPORTS = 5_000_000_000n

/**
 * A token account whose owner is the victim and whose close authority is the attacker, until it is reopened for the
 * attacker.
 */
export interface Trap {
  readonly address: string
  readonly key: Keypair
  readonly owner: string
  readonly mint: string
  reopened: boolean
}

export class AttackerChain {
  readonly key: Keypair
  readonly #chain: SimulatedChain
  readonly #random: Random

  constructor(chain: SimulatedChain, random: Random) {
    this.#chain = chain
    this.#random = random
    this.key = Keypair.fromSeed(random.bytes(32))
  }

  get address(): string {
    return this.key.publicKey.toBase58()
  }

  async fund(): Promise<void> {
    await this.#chain.bank.airdrop(this.key.publicKey.toBytes(), FUNDS_LAMPORTS)
  }

  /** null: the chain refused it, such as for a mint that is gone with a dead fork. */
  async setTrap(owner: string, mint: string): Promise<Trap | null> {
    const key = Keypair.fromSeed(this.#random.bytes(32))
    const own = this.key.publicKey
    const program = this.#programOf(mint)
    if (program === null) return null
    const hasLanded = await this.#send(
      [...this.#opening(key, mint, program), ...handOver(key.publicKey, own, new PublicKey(owner), program)],
      key,
    )
    return hasLanded ? { address: key.publicKey.toBase58(), key, owner, mint, reopened: false } : null
  }

  /** Closes it and opens it again for the attacker. False: it holds tokens already, or is gone. */
  async springTrap(trap: Trap): Promise<boolean> {
    const own = this.key.publicKey
    const program = this.#programOf(trap.mint)
    if (program === null) return false
    const closing = createCloseAccountInstruction(trap.key.publicKey, own, own, [], program)
    const hasLanded = await this.#send([closing, ...this.#opening(trap.key, trap.mint, program)], trap.key)
    if (hasLanded) trap.reopened = true
    return hasLanded
  }

  #opening(account: Keypair, mint: string, program: PublicKey): TransactionInstruction[] {
    const own = this.key.publicKey
    const lamports = this.#chain.bank.rentExemptLamports(TOKEN_ACCOUNT_BYTES)
    return opening({
      payer: own,
      account: account.publicKey,
      mint,
      program,
      owner: own,
      space: TOKEN_ACCOUNT_BYTES,
      lamports,
    })
  }

  /** SPL mints and Token-2022 mints without extensions of accounts only: others want more bytes, and refuse. */
  #programOf(mint: string): PublicKey | null {
    const account = this.#chain.bank.account(addressBytes(mint))
    return account === null ? null : new PublicKey(account.owner)
  }

  async #send(instructions: readonly TransactionInstruction[], ...others: readonly Keypair[]): Promise<boolean> {
    const { blockhash } = this.#chain.bank.latestBlockhash('finalized')
    const transaction = new Transaction({ feePayer: this.key.publicKey, recentBlockhash: blockhash } as never)
    transaction.add(...instructions)
    transaction.sign(this.key, ...others)
    const outcome = await this.#chain.send(transaction.serialize())
    return outcome.kind === 'executed' && outcome.error === null
  }
}
