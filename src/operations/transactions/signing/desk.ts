// Asks remote signers for signatures. The question is durable before it is sent, and it stays the same message until
// the transaction has ended, across failures, timeouts and restarts. A signature is verified and stored before it has
// any effect.
import { messageHash } from '../../../solana/message.ts'
import type { Clock } from '../../../time/clock.ts'
import type { Entry } from '../../../engine/records/entry.ts'
import { isHolding, ofKind, type RecordState } from '../../../engine/records/record.ts'
import { verifySignature } from '../../../keys/keypair.ts'
import { SigningRefused } from '../../../keys/signer.ts'
import type { Desk, Platform, RemoteSigner } from '../../context/platform.ts'
import { isFrozen } from '../../authorization/signers.ts'
import { keepAnswer, keepRefusal, waitsFor } from './answers.ts'
import { newQuestion, pauseBeforeNext, type Question } from './question.ts'
import { checkDestinations } from './send.ts'
import { withKnownAccounts } from '../known-accounts.ts'

export interface DeskLog {
  warn(fields: object, message: string): void
}

export class SigningDesk implements Desk {
  #opened: Platform | null = null
  readonly #clock: Clock
  readonly #log: DeskLog
  /** By transaction id, then by address. */
  readonly #questions = new Map<string, Map<string, Question>>()
  #stopped = false

  constructor(clock: Clock, log: DeskLog) {
    this.#clock = clock
    this.#log = log
  }

  ask(entry: Entry): void {
    this.#take(entry, false)
  }

  /**
   * Starts the desk: asks again for every signature that was, or may have been, requested when the service stopped.
   * Returns the number of transactions that wait.
   */
  open(platform: Platform): number {
    this.#opened = platform
    let resumed = 0
    for (const entry of platform.engine.directory.entries()) {
      if (entry.head.kind === 'transaction' && entry.head.value === 'partiallySigned' && this.#take(entry, true))
        resumed += 1
    }
    return resumed
  }

  asks(transactionId: string): boolean {
    const questions = this.#questions.get(transactionId)
    return (
      questions !== undefined &&
      [...questions.values()].some(({ entry, place }) => this.#waiting(entry, place.address) !== null)
    )
  }

  /** Stops asking. Answers that arrive later are ignored, and requested again after the next start. */
  stop(): void {
    this.#stopped = true
    for (const questions of this.#questions.values()) {
      for (const { timer } of questions.values()) if (timer !== null) this.#clock.clearTimeout(timer)
    }
    this.#questions.clear()
  }

  get #platform(): Platform {
    if (this.#opened === null) throw new Error('the signing desk is not open')
    return this.#opened
  }

  #take(entry: Entry, recovered: boolean): boolean {
    const transaction = ofKind(entry.head, 'transaction')
    if (this.#stopped || transaction === undefined) return false
    const { asked = [] } = this.#platform.engine.payload(transaction)
    const waiting = asked.filter(({ address }) => this.#waiting(entry, address) !== null)
    const questions = this.#questions.get(transaction.id) ?? new Map<string, Question>()
    for (const each of waiting) {
      if (questions.has(each.address)) continue
      const question = newQuestion(entry, { ...each, cluster: transaction.cluster }, recovered)
      questions.set(each.address, question)
      this.#questions.set(transaction.id, questions)
      this.#put(question)
    }
    return waiting.length > 0
  }

  #waiting(entry: Entry, address: string): RecordState<'transaction'> | null {
    return waitsFor(this.#platform.engine, entry, address)
  }

  #put(question: Question): void {
    question.timer = null
    const { entry, place } = question
    const transaction = this.#waiting(entry, place.address)
    if (this.#stopped || transaction === null) {
      this.#drop(question)
      return
    }
    const signer = this.#signer(question)
    // The signer is frozen, or its key is unavailable: nothing is asked while this lasts.
    if (signer === null) {
      this.#later(question)
      return
    }
    const message = Buffer.from(transaction.context.fixed.message, 'base64')
    question.attempts += 1
    const attempt = question.attempts
    question.timer = this.#clock.setTimeout(() => {
      this.#log.warn({ transactionId: transaction.id, address: place.address }, 'a remote signer does not respond')
      this.#later(question)
    }, question.timeoutMs)
    const key = `${messageHash(message)}:${place.address}`
    // An answer after the timeout is still accepted. A failure to store it ends the process and is not caught here.
    void this.#asks(transaction, () => verified(signer, message, key)).then(
      (signature) => this.#answered(question, signature),
      (error: unknown) => this.#failed(question, attempt, error),
    )
  }

  /** Nothing is asked while a destination may not be paid: an address may have been blocked since the last attempt. */
  async #asks(transaction: RecordState<'transaction'>, ask: () => Promise<Uint8Array>): Promise<Uint8Array> {
    await withKnownAccounts(this.#platform, transaction, async (chain) => {
      checkDestinations(this.#platform, transaction, chain)
      await Promise.resolve()
    })
    return await ask()
  }

  #signer({ place }: Question): RemoteSigner | null {
    const { engine, keys } = this.#platform
    const state = engine.directory.byId(place.id)?.head
    if (state === undefined || !isHolding(state) || isFrozen(engine, state)) return null
    const signer = keys.signerFor(place)
    if (signer === null || signer.remote) return signer
    // The key has been moved into this service in the meantime.
    return { address: signer.address, remote: true, sign: (message) => Promise.resolve(signer.sign(message)) }
  }

  #answered(question: Question, signature: Uint8Array): void {
    if (this.#stopped || question.done) return
    this.#drop(question)
    keepAnswer(this.#platform, question, signature, this.#now())
  }

  #failed(question: Question, attempt: number, error: unknown): void {
    if (this.#stopped || question.done) return
    const { entry, place } = question
    if (error instanceof SigningRefused) {
      const neverAsked = error.neverAsked && attempt === 1 && !question.recovered
      this.#drop(question)
      keepRefusal(this.#platform, question, error.message, neverAsked, this.#now())
      return
    }
    // A later attempt is under way.
    if (attempt !== question.attempts) return
    const reason = error instanceof Error ? error.message : 'unknown failure'
    this.#log.warn({ transactionId: entry.head.id, address: place.address, reason }, 'a remote signer did not sign')
    this.#later(question)
  }

  #later(question: Question): void {
    if (question.timer !== null) this.#clock.clearTimeout(question.timer)
    question.timer = this.#clock.setTimeout(() => this.#put(question), pauseBeforeNext(question, this.#clock.random()))
  }

  #drop(question: Question): void {
    question.done = true
    if (question.timer !== null) this.#clock.clearTimeout(question.timer)
    question.timer = null
    const { id } = question.entry.head
    const questions = this.#questions.get(id)
    if (questions?.delete(question.place.address) === true && questions.size === 0) this.#questions.delete(id)
  }

  #now(): string {
    return new Date(this.#clock.now()).toISOString()
  }
}

/** Rejects if the signer rejects, or if its answer is not a valid signature of the message. */
async function verified(signer: RemoteSigner, message: Uint8Array, key: string): Promise<Uint8Array> {
  const signature = await signer.sign(message, key)
  if (!verifySignature(message, signature, signer.address))
    throw new Error('the answer is no signature of this message by this key')
  return signature
}
