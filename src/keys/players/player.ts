// One threshold signer: creates its share of a key together with the others, and its shares of signatures. A share
// never leaves the signer. The nonces of a signature are used once, for one message, and are never written to disk.
import { encodeBase58 } from '../../solana/base58.ts'
import {
  bytes,
  commit,
  dkg,
  hex,
  identifierOf,
  publicFromJson,
  publicToJson,
  signShare,
  type Commitments,
  type DkgSecret,
  type Nonces,
  type PublicJson,
  type Round1Package,
  type SecretShare,
} from './frost.ts'
import { Identity, transcriptOf } from './identity.ts'
import type { PlayerStore } from './player-store.ts'
import { PlayerProblem, type AnswerOf, type DkgSession, type CallInput } from './protocol.ts'

/** Unused nonces are dropped after this. */
const NONCES_KEPT_MS = 60_000
const MAX_NONCES = 1_000
const MAX_SESSIONS = 100

interface Session extends DkgSession {
  readonly secret: DkgSecret
  own: Round1Package
  packages: Readonly<Record<string, Round1Package>>
  transcript: Buffer | null
}

interface Committed {
  readonly publicKey: string
  readonly nonces: Nonces
  readonly at: number
}

export class Player {
  readonly #code: string
  readonly #store: PlayerStore
  readonly #identity: Identity
  readonly #sessions = new Map<string, Session>()
  /** By attempt, in order of creation. */
  readonly #nonces = new Map<string, Committed>()

  constructor(code: string, store: PlayerStore) {
    this.#code = code
    this.#store = store
    this.#identity = new Identity(store)
  }

  get identity(): string {
    return this.#identity.address
  }

  begin(input: CallInput<'begin'>): Round1Package {
    const { session, threshold, players } = input
    if (players[this.#code] !== this.identity)
      throw new PlayerProblem(`player ${this.#code} is named with an identity that is not its own`)
    this.#identity.meet(players)
    const { public: own, secret } = dkg.round1(identifierOf(this.#code), {
      min: threshold,
      max: Object.keys(players).length,
    })
    this.#sessions.set(session, { session, threshold, players, secret, own, packages: {}, transcript: null })
    if (this.#sessions.size > MAX_SESSIONS) this.#forget(this.#sessions.keys().next().value!)
    return own
  }

  distribute({ session, packages }: CallInput<'distribute'>): Record<string, string> {
    const open = this.#sessionOf(session)
    for (const code of Object.keys(open.players)) {
      if (packages[code]?.identifier !== identifierOf(code))
        throw new PlayerProblem(`player ${code} sent no package of its own`)
    }
    const all = { ...packages, [this.#code]: open.own }
    const transcript = transcriptOf(open, all)
    const shares = this.#step(`the packages of the other players are not in order`, () =>
      dkg.round2(open.secret, others(all, this.#code)),
    )
    this.#sessions.set(session, { ...open, packages: all, transcript })
    const sealed: Record<string, string> = {}
    for (const [code, identity] of Object.entries(open.players)) {
      if (code === this.#code) continue
      const { signingShare } = shares[identifierOf(code)]!
      sealed[code] = this.#identity.sealFor(identity, transcript, this.#code, { to: code, plain: signingShare })
      signingShare.fill(0)
    }
    return sealed
  }

  finish({ session, sealed }: CallInput<'finish'>): AnswerOf<'finish'> {
    const { players, packages, transcript, secret } = this.#sessionOf(session)
    if (transcript === null) throw new PlayerProblem('the packages of the other players are not here yet')
    const given = Object.entries(players)
      .filter(([code]) => code !== this.#code)
      .map(([code, identity]) => {
        const signingShare = this.#identity.openFrom(identity, transcript, code, {
          to: this.#code,
          sealed: sealed[code] ?? '',
        })
        if (signingShare === null)
          throw new PlayerProblem(`what player ${code} sent to ${this.#code} does not open: it was changed on the way`)
        return { identifier: identifierOf(code), signingShare: new Uint8Array(signingShare) }
      })
    const key = this.#step('the shares of the other players do not fit their packages', () =>
      dkg.round3(secret, others(packages, this.#code), given),
    )
    for (const { signingShare } of given) signingShare.fill(0)
    const publicKey = new Uint8Array(key.public.commitments[0]!)
    const shared = publicToJson(key.public, Object.keys(players))
    const share = hex(key.secret.signingShare)
    key.secret.signingShare.fill(0)
    this.#store.write(nameOf(encodeBase58(publicKey)), Buffer.from(JSON.stringify({ share, shared })))
    this.#forget(session)
    return { publicKey, shared }
  }

  commit({ publicKey, attempt }: CallInput<'commit'>): Commitments {
    const { secret } = this.#shareOf(publicKey)
    const { nonces, commitments } = commit(secret)
    secret.signingShare.fill(0)
    const now = performance.now()
    for (const [other, { at }] of this.#nonces) {
      if (at > now - NONCES_KEPT_MS && this.#nonces.size < MAX_NONCES) break
      this.#nonces.delete(other)
    }
    if (this.#nonces.has(attempt)) throw new PlayerProblem('this attempt was begun before')
    this.#nonces.set(attempt, { publicKey, nonces, at: now })
    return commitments
  }

  sign({ publicKey, attempt, message, commitments }: CallInput<'sign'>): Uint8Array {
    const committed = this.#nonces.get(attempt)
    // The nonces are never used again, whatever the result.
    this.#nonces.delete(attempt)
    if (committed?.publicKey !== publicKey) throw new PlayerProblem('there are no nonces for this attempt')
    const { secret, shared } = this.#shareOf(publicKey)
    try {
      return this.#step('the commitments are not in order', () =>
        signShare(secret, publicFromJson(shared), committed.nonces, { all: [...commitments], message }),
      )
    } finally {
      secret.signingShare.fill(0)
    }
  }

  #shareOf(publicKey: string): { secret: SecretShare; shared: PublicJson } {
    const kept = this.#store.read(nameOf(publicKey))
    if (kept === null) throw new PlayerProblem(`player ${this.#code} has no share of ${publicKey}`)
    const { share, shared } = JSON.parse(kept.toString()) as { share: string; shared: PublicJson }
    kept.fill(0)
    return { secret: { identifier: identifierOf(this.#code), signingShare: bytes(share) }, shared }
  }

  #sessionOf(session: string): Session {
    const open = this.#sessions.get(session)
    if (open === undefined) throw new PlayerProblem('there is no such session: the player was restarted since')
    return open
  }

  #forget(session: string): void {
    const open = this.#sessions.get(session)
    this.#sessions.delete(session)
    if (open !== undefined) dkg.clean(open.secret)
  }

  /** Replaces errors of the library, which may quote secret data. */
  #step<T>(problem: string, work: () => T): T {
    try {
      return work()
    } catch {
      throw new PlayerProblem(`player ${this.#code}: ${problem}`)
    }
  }
}

function others(packages: Readonly<Record<string, Round1Package>>, own: string): Round1Package[] {
  return Object.entries(packages).flatMap(([code, each]) => (code === own ? [] : [each]))
}

/** Base58 is safe in file names, except on file systems that ignore case: hex of the text. */
function nameOf(publicKey: string): string {
  return `share-${hex(Buffer.from(publicKey))}`
}
