// Airdrops: ordinary signed transfers from the faucet's account, so that every method finds them.

import { decodeKey } from './base58.ts'
import type { SendOutcome } from './contract.ts'
import type { Signer } from './genesis.ts'

const COMPUTE_BUDGET = decodeKey('ComputeBudget111111111111111111111111111111')!
/** Range for varying the compute unit limit, so that equal airdrops of one block are different messages. */
const LIMITS = 1_000_000

export class Faucet {
  readonly #signer: Signer
  readonly #blockhash: () => Buffer
  readonly #send: (bytes: Uint8Array) => Promise<SendOutcome>
  #count = 0

  constructor(signer: Signer, blockhash: () => Buffer, send: (bytes: Uint8Array) => Promise<SendOutcome>) {
    this.#signer = signer
    this.#blockhash = blockhash
    this.#send = send
  }

  /**
   * Signature of the durable transfer. Throws when the chain rejected it or it failed, e.g. for more than the faucet's
   * balance.
   */
  async airdrop(address: Uint8Array, lamports: bigint): Promise<string> {
    if (address.length !== 32) throw new RangeError('an address has 32 bytes')
    if (lamports < 0n || lamports > 0xffff_ffff_ffff_ffffn) throw new RangeError('lamports out of range')
    const blockhash = this.#blockhash()
    for (let attempt = 0; attempt < 100; attempt += 1) {
      const outcome = await this.#send(this.#transfer(address, lamports, blockhash))
      // Another run may have used this count while the blockhash is valid.
      if (outcome.kind === 'duplicate') continue
      if (outcome.kind === 'executed' && outcome.error === null) return outcome.signature
      throw new Error(`airdrop failed: ${JSON.stringify('error' in outcome ? outcome.error : outcome.reason)}`)
    }
    throw new Error('airdrop failed: no unused message found')
  }

  #transfer(address: Uint8Array, lamports: bigint, blockhash: Buffer): Buffer {
    this.#count = (this.#count + 1) % LIMITS
    const limit = Buffer.from([2, 0, 0, 0, 0])
    limit.writeUInt32LE(10_000 + this.#count, 1)
    const transfer = Buffer.alloc(12)
    transfer.writeUInt32LE(2, 0)
    transfer.writeBigUInt64LE(lamports, 4)
    const toSelf = this.#signer.publicKey.equals(address)
    const keys = [this.#signer.publicKey, ...(toSelf ? [] : [address]), COMPUTE_BUDGET, Buffer.alloc(32)]
    const programs = keys.length - 2
    const message = Buffer.concat([
      Buffer.from([1, 0, 2, keys.length]),
      ...keys,
      blockhash,
      Buffer.from([2]),
      Buffer.from([programs, 0, limit.length]),
      limit,
      Buffer.from([programs + 1, 2, 0, toSelf ? 0 : 1, transfer.length]),
      transfer,
    ])
    return Buffer.concat([Buffer.from([1]), this.#signer.sign(message), message])
  }
}
