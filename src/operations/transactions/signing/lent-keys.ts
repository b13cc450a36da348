// Asks remote signers for signatures of keys that a tenant lends to transactions of other cells. Nothing is asked
// before the countersignature is durable, and a signature is verified and stored with it before it is given away.
// Pending questions are not stored here: the cell of the transaction repeats its request until it has the signature or
// the transaction has ended, always for the same message.
import { signatureText } from '../../../solana/address.ts'
import { messageHash } from '../../../solana/message.ts'
import type { Clock } from '../../../time/clock.ts'
import { atHand } from '../../../../snapshots/at-hand.ts'
import { isHolding } from '../../../engine/records/record.ts'
import { countersignatureFor } from '../../../engine/settlement/countersigned.ts'
import { verifySignature } from '../../../keys/keypair.ts'
import { asRemote } from '../../../keys/signer.ts'
import { isFrozen } from '../../authorization/signers.ts'
import type { KeyPlace, Platform, RemoteSigner } from '../../context/platform.ts'
import type { CountersignQuestion, LentSignature } from '../countersign/question.ts'
import { factsOfQuestion, subjectOf } from './subject.ts'

/** An answer that takes longer is taken when the cell of the transaction asks again. */
const MAX_WAIT_MS = 4_000
const ASK_AGAIN_MS = 250

export interface LentKeysLog {
  warn(fields: object, message: string): void
}

export class LentKeys {
  readonly #clock: Pick<Clock, 'setTimeout' | 'clearTimeout'>
  readonly #log: LentKeysLog
  /** By transaction, message and address. */
  readonly #underway = new Map<string, Promise<LentSignature>>()

  constructor(clock: Pick<Clock, 'setTimeout' | 'clearTimeout'>, log: LentKeysLog) {
    this.#clock = clock
    this.#log = log
  }

  /** The signatures of these keys that arrive within some seconds. Must be called after the commit is durable. */
  async signatures(
    platform: Platform,
    question: CountersignQuestion,
    places: readonly KeyPlace[],
  ): Promise<readonly LentSignature[]> {
    return await Promise.all(places.map((place) => this.#signature(platform, question, place)))
  }

  async #signature(platform: Platform, question: CountersignQuestion, place: KeyPlace): Promise<LentSignature> {
    const { address } = place
    const name = [question.transactionId, question.fixed.messageHash, address].join(' ')
    let answer = this.#underway.get(name)
    if (answer === undefined) {
      answer = this.#asked(platform, question, place).finally(() => this.#underway.delete(name))
      this.#underway.set(name, answer)
    }
    return await this.#withinWait(answer, waiting(address, ASK_AGAIN_MS))
  }

  async #withinWait(answer: Promise<LentSignature>, otherwise: LentSignature): Promise<LentSignature> {
    return await new Promise((resolve) => {
      const timer = this.#clock.setTimeout(() => resolve(otherwise), MAX_WAIT_MS)
      void answer.then((given) => {
        this.#clock.clearTimeout(timer)
        resolve(given)
      })
    })
  }

  /** Never rejects. */
  async #asked(platform: Platform, question: CountersignQuestion, place: KeyPlace): Promise<LentSignature> {
    const { address } = place
    try {
      const { signer, subject } = await atHand(platform.engine, () => ({
        signer: signerAt(platform, place),
        subject: subjectOf(platform, factsOfQuestion(question), place),
      }))
      // The account is frozen, its key is unavailable, or this node may not sign: nothing is asked while this lasts.
      if (signer === null) return waiting(address, null)
      const message = Buffer.from(question.message, 'base64')
      const key = `${messageHash(message)}:${address}`
      const answer = await signer.sign(message, key, subject)
      if (answer.kind === 'pending') return waiting(address, answer.retryMs)
      if (answer.kind === 'refused') return { address, signature: null, refused: answer.reason }
      if (answer.kind === 'unreached') throw new Error(answer.reason)
      if (!verifySignature(message, answer.signature, address))
        throw new Error('the answer is no signature of this message by this key')
      const given = { address, signature: signatureText(answer.signature) }
      await stored(platform, question, given)
      return given
    } catch (error) {
      const { transactionId } = question
      this.#log.warn({ err: error, transactionId, address }, 'a remote signer did not sign for another cell')
      return waiting(address, null)
    }
  }
}

function waiting(address: string, pendingMs: number | null): LentSignature {
  return { address, signature: null, pendingMs }
}

function signerAt({ engine, keys, mayAct }: Platform, place: KeyPlace): RemoteSigner | null {
  if (mayAct?.() === false) return null
  const state = engine.directory.resident(place.id)?.head
  if (state === undefined || !isHolding(state) || isFrozen(engine.directory, state)) return null
  const signer = keys.signerFor(place)
  // A local key has been moved into this service in the meantime.
  return signer === null || signer.remote ? signer : asRemote(signer)
}

/**
 * Resolves once the signature is durable with the countersignature. A transaction that has ended no longer needs it.
 */
async function stored(
  { engine }: Platform,
  { transactionId, owner, fixed: { messageHash: hash } }: CountersignQuestion,
  given: { readonly address: string; readonly signature: string },
): Promise<void> {
  const entry = countersignatureFor(engine, transactionId, hash, owner)
  if (entry === undefined) throw new Error(`transaction ${transactionId} was not countersigned`)
  const { durable } = engine.transact((unit) =>
    unit.send<'countersignature'>(entry, { type: 'command.sign', messageHash: hash, signatures: [given] }),
  )
  await durable
}
