// Identities of threshold signers: each has an X25519 key, pinned by the others at their first contact. Packages
// between two signers are encrypted under a key that only these two can derive, bound to the session and to the
// transcript of its public part. The service that forwards the packages can neither read nor replace them, nor show two
// signers different transcripts.
import {
  createHash,
  createPrivateKey,
  createPublicKey,
  diffieHellman,
  generateKeyPairSync,
  hkdfSync,
  type KeyObject,
} from 'node:crypto'
import { open, seal } from '../aead.ts'
import { hex, type Round1Package } from './frost.ts'
import type { PlayerStore } from './player-store.ts'
import { PlayerProblem, type DkgSession } from './protocol.ts'

const IDENTITY = 'identity'
const PEERS = 'peers'
const PUBLIC_KEY_BYTES = 32

export class Identity {
  readonly #store: PlayerStore
  readonly #key: KeyObject
  /** X25519 public key, hex. */
  readonly address: string

  /** Creates the identity at the first start. */
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
    // Not as a JWK: of a key generated just now, that export can block the thread for ever (`keypair.ts`).
    const spki = createPublicKey(this.#key).export({ format: 'der', type: 'spki' })
    this.address = spki.subarray(-PUBLIC_KEY_BYTES).toString('hex')
  }

  /**
   * Pins the identities of the signers. Throws PlayerProblem when one of them differs from the identity pinned under
   * its code.
   */
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

  sealFor(
    peer: string,
    transcript: Buffer,
    from: string,
    { to, plain }: { readonly to: string; readonly plain: Uint8Array },
  ): string {
    return seal(this.#agreed(peer, transcript), plain, routeOf(from, to))
  }

  /** Null when the package was not sealed by the peer for this signer in this session. */
  openFrom(
    peer: string,
    transcript: Buffer,
    from: string,
    { to, sealed }: { readonly to: string; readonly sealed: string },
  ): Buffer | null {
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

/** A hash of all public data of a session, in canonical order. */
export function transcriptOf(
  { session, threshold, players }: DkgSession,
  packages: Readonly<Record<string, Round1Package>>,
): Buffer {
  const publicData = Object.keys(players)
    .sort()
    .map((code) => {
      const { identifier, commitment, proofOfKnowledge } = packages[code]!
      return [code, players[code], identifier, commitment.map(hex), hex(proofOfKnowledge)]
    })
  return createHash('sha256')
    .update(JSON.stringify(['holdfast dkg 1', session, threshold, publicData]))
    .digest()
}

function routeOf(from: string, to: string): Buffer {
  return Buffer.from(JSON.stringify(['holdfast dkg package', from, to]))
}
