// How players know each other: an X25519 key of each, pinned by the others at their first meeting. What one sends another is sealed under
// what only these two can agree on, for this session and as both saw its public part, so that whoever carries it can neither read nor
// replace it, nor tell two players two stories.
import { createHash, createPrivateKey, createPublicKey, diffieHellman, generateKeyPairSync, hkdfSync, type KeyObject } from 'node:crypto'
import { open, seal } from '../aead.ts'
import { hex, type Round1Package } from './frost.ts'
import type { PlayerStore } from './player-store.ts'
import { PlayerProblem, type DkgSession } from './protocol.ts'

const IDENTITY = 'identity'
const PEERS = 'peers'

export class Identity {
  readonly #store: PlayerStore
  readonly #key: KeyObject
  /** X25519 public key, hex. */
  readonly address: string

  /** Made the first time. */
  constructor(store: PlayerStore) {
    this.#store = store
    const kept = store.read(IDENTITY)
    if (kept === null) {
      this.#key = generateKeyPairSync('x25519').privateKey
      store.write(IDENTITY, this.#key.export({ format: 'der', type: 'pkcs8' }))
    } else {
      this.#key = createPrivateKey({ key: kept, format: 'der', type: 'pkcs8' })
      kept.fill(0)
    }
    this.address = Buffer.from(createPublicKey(this.#key).export({ format: 'jwk' }).x!, 'base64url').toString('hex')
  }

  /** Throws PlayerProblem when one of them is another than the one met before under this name. */
  meet(players: DkgSession['players']): void {
    const kept = this.#store.read(PEERS)
    const known = (kept === null ? {} : JSON.parse(kept.toString())) as Record<string, string>
    let isNew = false
    for (const [code, identity] of Object.entries(players)) {
      if (Object.hasOwn(known, code) && known[code] !== identity) {
        throw new PlayerProblem(`player ${code} is not the one that was met before: its identity is another`)
      }
      if (!Object.hasOwn(known, code)) isNew = true
      known[code] = identity
    }
    if (isNew) this.#store.write(PEERS, Buffer.from(JSON.stringify(known)))
  }

  sealFor(peer: string, transcript: Buffer, from: string, to: string, plain: Uint8Array): string {
    return seal(this.#agreed(peer, transcript), plain, routeOf(from, to))
  }

  /** Null when it was not sealed by the peer for this player, in this session. */
  openFrom(peer: string, transcript: Buffer, from: string, to: string, sealed: string): Buffer | null {
    return open(this.#agreed(peer, transcript), sealed, routeOf(from, to))
  }

  #agreed(peer: string, transcript: Buffer): Uint8Array {
    const jwk = { kty: 'OKP', crv: 'X25519', x: Buffer.from(peer, 'hex').toString('base64url') }
    const secret = diffieHellman({ privateKey: this.#key, publicKey: createPublicKey({ key: jwk, format: 'jwk' }) })
    const key = new Uint8Array(hkdfSync('sha256', secret, transcript, 'holdfast dkg package', 32))
    secret.fill(0)
    return key
  }
}

/** One hash of all that is public about a session, in one order. */
export function transcriptOf({ session, threshold, players }: DkgSession, packages: Readonly<Record<string, Round1Package>>): Buffer {
  const told = Object.keys(players)
    .sort()
    .map((code) => {
      const { identifier, commitment, proofOfKnowledge } = packages[code]!
      return [code, players[code], identifier, commitment.map(hex), hex(proofOfKnowledge)]
    })
  return createHash('sha256')
    .update(JSON.stringify(['holdfast dkg 1', session, threshold, told]))
    .digest()
}

function routeOf(from: string, to: string): Buffer {
  return Buffer.from(JSON.stringify(['holdfast dkg package', from, to]))
}
