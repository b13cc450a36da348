// Threshold keys: created by all their threshold signers together, so that the whole key exists nowhere, and used by
// any `threshold` of them. A signer that does not answer is skipped; one that returned an invalid share is logged and
// excluded. All cryptography runs in the signers' processes.
import { randomUUID } from 'node:crypto'
import { encodeBase58 } from '../../solana/base58.ts'
import type { ThresholdKeyRequest } from '../external-keys.ts'
import { KeyPlaceError, type ExternalKey, type RemoteKeys } from '../key-place.ts'
import type { RemoteSigner, SignerAnswer } from '../signer.ts'
import type { Commitments, GivenShare, PublicJson, Round1Package } from './frost.ts'
import type { PlayerProcess } from './player-process.ts'
import type { AnswerOf, DkgSession } from './protocol.ts'

const DEFAULT_THRESHOLD = 2
/** Number of recent signatures cached by question: the same question has the same answer while the service runs. */
const ANSWERS_KEPT = 1_000

export type PlayerHandle = Pick<PlayerProcess, 'ask' | 'stop' | 'code'> & {
  /** The signer's identity, once it runs. */
  identity(): Promise<string>
}

export interface PlayersOptions {
  readonly players: readonly PlayerHandle[]
  readonly combiner: Pick<PlayerProcess, 'ask' | 'stop'>
  readonly log: { warn(fields: object, message: string): void }
}

export class Players implements RemoteKeys<ThresholdKeyRequest> {
  readonly #players: ReadonlyMap<string, PlayerHandle>
  readonly #combiner: PlayersOptions['combiner']
  readonly #log: PlayersOptions['log']
  readonly #answers = new Map<string, Promise<Uint8Array>>()

  constructor({ players, combiner, log }: PlayersOptions) {
    this.#players = new Map(players.map((player) => [player.code, player]))
    this.#combiner = combiner
    this.#log = log
  }

  async make(request: ThresholdKeyRequest): Promise<ExternalKey> {
    const players = this.#named(request.players)
    const threshold = request.threshold ?? DEFAULT_THRESHOLD
    if (threshold < 2 || threshold > players.length) {
      throw new KeyPlaceError(
        'THRESHOLD_INVALID',
        `the threshold of ${players.length} players is 2 to ${players.length}, not ${threshold}`,
      )
    }
    try {
      return await generate(players, threshold)
    } catch (error) {
      throw new KeyPlaceError('KEY_STORE_UNAVAILABLE', `the players could not make a key: ${(error as Error).message}`)
    }
  }

  signer({ address, more }: ExternalKey): RemoteSigner {
    const shared = more as PublicJson
    const sign = async (message: Uint8Array, question: string): Promise<SignerAnswer> => {
      return { kind: 'signed', signature: await this.#answerTo(question, address, shared, message) }
    }
    return { address, remote: true, sign }
  }

  stop(): void {
    for (const player of this.#players.values()) player.stop()
    this.#combiner.stop()
  }

  #named(codes: readonly string[] | null): PlayerHandle[] {
    if (codes === null) return [...this.#players.values()]
    const known = [...this.#players.keys()].join(', ')
    return codes.map((code, index) => {
      const player = this.#players.get(code)
      if (player === undefined)
        throw new KeyPlaceError('PLAYER_UNKNOWN', `there is no player ${code}: the players are ${known}`)
      if (codes.indexOf(code) !== index) throw new KeyPlaceError('PLAYER_UNKNOWN', `player ${code} is named twice`)
      return player
    })
  }

  /** A repeated question gets the answer of the first, also while that is in progress. */
  #answerTo(question: string, address: string, shared: PublicJson, message: Uint8Array): Promise<Uint8Array> {
    const known = this.#answers.get(question)
    if (known !== undefined) return known
    const answer = this.#sign(address, shared, message)
    this.#answers.set(question, answer)
    if (this.#answers.size > ANSWERS_KEPT) this.#answers.delete(this.#answers.keys().next().value!)
    answer.catch(() => this.#answers.delete(question))
    return answer
  }

  async #sign(address: string, shared: PublicJson, message: Uint8Array): Promise<Uint8Array> {
    const without = new Map<string, string>()
    for (;;) {
      const attempt = randomUUID()
      const committed = await this.#commitments(address, shared, attempt, without)
      const commitments = committed.map((each) => each.commitments)
      const given: GivenShare[] = []
      await Promise.all(
        committed.map(async ({ player, commitments: own }) => {
          try {
            const share = await player.ask('sign', { publicKey: address, attempt, message, commitments })
            given.push({ code: player.code, commitments: own, share })
          } catch (error) {
            without.set(player.code, (error as Error).message)
          }
        }),
      )
      if (given.length < committed.length) continue
      const result = await this.#combiner.ask('combine', { shared, message, given })
      if ('signature' in result) return result.signature
      if (result.cheaters.length === 0) throw new Error('the shares are true and make no signature')
      for (const code of result.cheaters) this.#blame(code, address, 'gave a false share', without)
    }
  }

  #blame(code: string, address: string, auditEntry: string, without: Map<string, string>): void {
    without.set(code, auditEntry)
    this.#log.warn(
      { player: code, address, deed: auditEntry },
      'a threshold signer returned an invalid share and is excluded',
    )
  }

  /**
   * Commitments of the first `threshold` signers that answer. Rejects when too few answer; adds the missing ones to
   * `without`, with the reason.
   */
  async #commitments(
    publicKey: string,
    shared: PublicJson,
    attempt: string,
    without: Map<string, string>,
  ): Promise<readonly { readonly player: PlayerHandle; readonly commitments: Commitments }[]> {
    const { threshold, verifyingShares } = shared
    const codes = Object.keys(verifyingShares)
    return await new Promise((resolve, reject) => {
      const answered: { player: PlayerHandle; commitments: Commitments }[] = []
      const checkLost = (): void => {
        if (codes.length - without.size >= threshold) return
        const missing = [...without].map(([code, reason]) => `${code} ${reason}`).join(', ')
        reject(new Error(`${threshold} of ${codes.length} players are needed to sign: ${missing}`))
      }
      for (const code of codes) {
        if (without.has(code)) continue
        const player = this.#players.get(code)
        if (player === undefined) {
          without.set(code, 'is not configured')
          continue
        }
        player.ask('commit', { publicKey, attempt }).then(
          (commitments) => {
            // Commitments under another signer's identifier would make that signer appear to have returned an invalid
            // share.
            if (commitments.identifier !== shared.identifiers[code]) {
              this.#blame(code, publicKey, 'speaks under the name of another', without)
              checkLost()
              return
            }
            answered.push({ player, commitments })
            if (answered.length === threshold) resolve([...answered])
          },
          (error: unknown) => {
            without.set(code, (error as Error).message)
            checkLost()
          },
        )
      }
      checkLost()
    })
  }
}

/** All signers have stored their share when this resolves. */
async function generate(players: readonly PlayerHandle[], threshold: number): Promise<ExternalKey> {
  const all = async <T>(ask: (player: PlayerHandle) => Promise<T>): Promise<Record<string, T>> =>
    Object.fromEntries(
      await Promise.all(players.map(async (player) => [player.code, await named(player.code, ask(player))] as const)),
    )
  const session: DkgSession = { session: randomUUID(), threshold, players: await all((player) => player.identity()) }
  const packages: Record<string, Round1Package> = await all((player) => player.ask('begin', session))
  const sealed = await all((player) => player.ask('distribute', { session: session.session, packages }))
  const made: Record<string, AnswerOf<'finish'>> = await all((player) => {
    const forIt = Object.fromEntries(
      Object.entries(sealed).flatMap(([from, to]) => (from === player.code ? [] : [[from, to[player.code]!]])),
    )
    return player.ask('finish', { session: session.session, sealed: forIt })
  })
  const [first, ...rest] = Object.values(made)
  const shared = JSON.stringify(first!.shared)
  if (rest.some((each) => JSON.stringify(each.shared) !== shared)) throw new Error('they do not agree on the key')
  const address = encodeBase58(first!.publicKey)
  return { v: 1, kept: 'players', address, name: address, more: first!.shared }
}

async function named<T>(code: string, answer: Promise<T>): Promise<T> {
  try {
    return await answer
  } catch (error) {
    throw new Error(`${code} ${(error as Error).message}`, { cause: error })
  }
}
