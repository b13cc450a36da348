// Scripted remote signers for tests, which are outside of the service and record the requests. They survive crashes of
// the service.
import { generateKeypair, type Keypair } from '../../../src/keys/keypair.ts'
import type { SignerAnswer } from '../../../src/keys/signer.ts'
import type { RemoteSigner } from '../../../src/operations/context/platform.ts'

export interface Question {
  readonly address: string
  readonly message: string
  readonly key: string
}

/** The answer to the next request. */
export type Manner = 'signature' | 'failure' | 'nonsense' | 'refusal' | 'finalRefusal' | 'silence'

export class Elsewhere {
  readonly asked: Question[] = []
  /** Used one by one; then `usual`. */
  script: Manner[] = []
  usual: Manner = 'signature'
  /** Set: the keys are those of this custodian. */
  custodian: string | null = null
  readonly #keys = new Map<string, Keypair>()
  readonly #silent: (() => void)[] = []

  newKey(): Keypair {
    const pair = generateKeypair()
    this.#keys.set(pair.address, pair)
    return pair
  }

  signer(address: string): RemoteSigner | null {
    const pair = this.#keys.get(address)
    if (pair === undefined) return null
    const own = this.custodian === null ? {} : { custodian: this.custodian }
    return { address, remote: true, ...own, sign: (message, key) => this.#answer(pair, message, key) }
  }

  sign(address: string, message: Uint8Array): Uint8Array {
    return this.#keys.get(address)!.sign(message)
  }

  /** Answers the requests that were not answered so far. */
  speak(): void {
    for (const answer of this.#silent.splice(0)) answer()
  }

  #answer(pair: Keypair, message: Uint8Array, key: string): Promise<SignerAnswer> {
    this.asked.push({ address: pair.address, message: Buffer.from(message).toString('base64'), key })
    const signature = pair.sign(message)
    switch (this.script.shift() ?? this.usual) {
      case 'signature':
        return Promise.resolve({ kind: 'signed', signature })
      case 'failure':
        return Promise.reject(new Error('out of order'))
      case 'nonsense':
        return Promise.resolve({ kind: 'signed', signature: new Uint8Array(64).fill(7) })
      case 'refusal':
        return Promise.resolve({ kind: 'refused', reason: 'not during the audit' })
      case 'finalRefusal':
        return Promise.resolve({ kind: 'refused', reason: 'no such key', neverSigned: true })
      case 'silence':
        return new Promise((resolve) => {
          this.#silent.push(() => resolve({ kind: 'signed', signature }))
        })
    }
  }
}
