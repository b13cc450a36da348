// Asks remote signers for signatures. The question is durable before it is sent, and it stays the same message until
// the transaction has ended, across failures, timeouts and restarts. A signature is verified and stored before it has
// any effect.
import { signatureBytes } from '../../../solana/address.ts'
import { messageHash } from '../../../solana/message.ts'
import type { Clock } from '../../../time/clock.ts'
import { NotAtHand } from '../../../../snapshots/not-at-hand.ts'
import { atHand, whenAtHand } from '../../../../snapshots/at-hand.ts'
import type { Entry } from '../../../engine/records/entry.ts'
import { isHolding, ofKind, type RecordState } from '../../../engine/records/record.ts'
import { verifySignature } from '../../../keys/keypair.ts'
import type { CustodianAnswer } from '../../../keys/custodians/protocol.ts'
import { asRemote, type SignerAnswer, type SignerRefusal } from '../../../keys/signer.ts'
import type { KeyPlace, SigningQueuePort, Platform, RemoteSigner } from '../../context/platform.ts'
import type { CountersignQuestion, LentSignature } from '../countersign/question.ts'
import { isFrozen } from '../../authorization/signers.ts'
import { keepAnswer, keepRefusal, waitsFor } from './answers.ts'
import { ownerAsRemoteSigner } from './owner-as-remote-signer.ts'
import { newQuestion, pauseBeforeNext, pauseWhilePending, type SignatureQuestion } from './question.ts'
import { checkDestinations } from './send.ts'
import { LentKeys } from './lent-keys.ts'
import { factsOf, subjectOf } from './subject.ts'
import { runAttempts } from '../attempt.ts'

export interface SigningQueueLog {
  warn(fields: object, message: string): void
}

/** `invalid`: a signature of another message or by another key. `failed`: no usable answer. */
export type AnswerKind = 'signed' | 'pending' | 'refused' | 'invalid' | 'failed'

/** `invalid`: the answer is no signature of the message by the key. */
type VerifiedAnswer = SignerAnswer | { readonly kind: 'invalid' }

/** Pause before the rows of a transaction are read again if its remote signers could not be asked. */
const READ_AGAIN_MS = 5_000

/** Label of remote signers that are not custodians: key stores and threshold signers. */
const KEY_STORE = 'key-store'

export class SigningQueue implements SigningQueuePort {
  #opened: Platform | null = null
  readonly #clock: Clock
  readonly #log: SigningQueueLog
  /** By transaction id, then by address. */
  readonly #questions = new Map<string, Map<string, SignatureQuestion>>()
  readonly #byAskId = new Map<string, SignatureQuestion>()
  /** Transactions whose questions are about to be asked. */
  readonly #beginning = new Set<string>()
  readonly #lent: LentKeys
  /** Numbers of answers, by signer and kind of answer. */
  readonly #counts = new Map<string, { readonly signer: string; readonly answer: AnswerKind; count: number }>()
  #stopped = false

  constructor(clock: Clock, log: SigningQueueLog) {
    this.#clock = clock
    this.#log = log
    this.#lent = new LentKeys(clock, log)
  }

  ask(entry: Entry): void {
    const { id } = entry.head
    this.#beginning.add(id)
    whenAtHand(
      this.#platform.engine,
      () => {
        this.#take(entry, false)
        this.#beginning.delete(id)
      },
      (error) => {
        this.#log.warn({ err: error, transactionId: id }, 'remote signers could not be asked: it is tried again')
        if (!this.#stopped) this.#clock.setTimeout(() => this.ask(entry), READ_AGAIN_MS)
      },
    )
  }

  /**
   * Starts the queue: asks again for every signature that was, or may have been, requested when the service stopped.
   * Returns the number of transactions that wait.
   */
  async open(platform: Platform): Promise<number> {
    this.#opened = platform
    let resumed = 0
    for (const entry of platform.engine.directory.entries('transaction')) {
      if (entry.head.value !== 'partiallySigned') continue
      if (await atHand(platform.engine, () => this.#take(entry, true))) resumed += 1
    }
    return resumed
  }

  asks(transactionId: string): boolean {
    if (this.#beginning.has(transactionId)) return true
    const questions = this.#questions.get(transactionId)
    return (
      questions !== undefined &&
      // A listener that sees the commit of an answer must not wait for it any more.
      [...questions.values()].some(({ entry, place, storing }) => !storing && this.#mayWait(entry, place.address))
    )
  }

  /** True if the transaction waits for the signature. Also true while its signatures must be fetched first. */
  #mayWait(entry: Entry, address: string): boolean {
    try {
      return this.#waiting(entry, address) !== null
    } catch (error) {
      if (error instanceof NotAtHand) return true
      throw error
    }
  }

  askLent(question: CountersignQuestion, places: readonly KeyPlace[]): Promise<readonly LentSignature[]> {
    return this.#lent.signatures(this.#platform, question, places)
  }

  /** Questions without an answer. */
  get waiting(): number {
    return this.#byAskId.size
  }

  get answerCounts(): Iterable<{ readonly signer: string; readonly answer: AnswerKind; readonly count: number }> {
    return this.#counts.values()
  }

  /**
   * Takes an answer that a custodian sent by itself. Resolves once its effect is durable: false if no transaction waits
   * for it, or not for an answer of this custodian.
   */
  async receive(custodian: string, id: string, answer: CustodianAnswer): Promise<boolean | 'invalid'> {
    const question = this.#byAskId.get(id)
    if (this.#stopped || question === undefined || answer.status === 'PENDING') return false
    const { entry, place } = question
    const { transaction, signer } = await atHand(this.#platform.engine, () => ({
      transaction: this.#waiting(entry, place.address),
      signer: this.#signer(question),
    }))
    // Which custodian has a key that is lent by another cell is known there: only a signature that verifies counts.
    const isLent = !this.#platform.engine.owns(place.tenant)
    if (transaction === null || signer === null || (!isLent && signer.custodian !== custodian)) return false
    // Another answer came first.
    if (question.done || question.storing) return false
    if (answer.status === 'REFUSED') {
      if (isLent) return false
      this.#count(signer, 'refused')
      await this.#refused(question, { kind: 'refused', reason: answer.reason, neverSigned: true })
      return true
    }
    const signature = signatureIn(answer.signature)
    if (signature === null || !verifySignature(messageOf(transaction), signature, place.address)) {
      this.#count(signer, 'invalid')
      return 'invalid'
    }
    this.#count(signer, 'signed')
    return await this.#stored(question, () => keepAnswer(this.#platform, question, signature, this.#now()))
  }

  /** Stops asking. Answers that arrive later are ignored, and requested again after the next start. */
  stop(): void {
    this.#stopped = true
    for (const questions of this.#questions.values()) {
      for (const { timer } of questions.values()) if (timer !== null) this.#clock.clearTimeout(timer)
    }
    this.#questions.clear()
    this.#byAskId.clear()
  }

  get #platform(): Platform {
    if (this.#opened === null) throw new Error('the signing queue is not open')
    return this.#opened
  }

  #take(entry: Entry, recovered: boolean): boolean {
    const transaction = ofKind(entry.head, 'transaction')
    if (this.#stopped || transaction === undefined) return false
    const { asked = [] } = this.#platform.engine.payload(transaction)
    const waiting = asked.filter(({ address }) => this.#waiting(entry, address) !== null)
    const questions = this.#questions.get(transaction.id) ?? new Map<string, SignatureQuestion>()
    for (const each of waiting) {
      if (questions.has(each.address)) continue
      const place = { ...each, cluster: transaction.cluster }
      const question = newQuestion(entry, place, messageOf(transaction), recovered)
      questions.set(each.address, question)
      this.#byAskId.set(question.askId, question)
      this.#questions.set(transaction.id, questions)
      this.#put(question)
    }
    return waiting.length > 0
  }

  #waiting(entry: Entry, address: string): RecordState<'transaction'> | null {
    return waitsFor(this.#platform.engine, entry, address)
  }

  #put(question: SignatureQuestion): void {
    question.timer = null
    whenAtHand(
      this.#platform.engine,
      () => this.#send(question),
      (error) => {
        this.#log.warn({ err: error, transactionId: question.entry.head.id }, 'a remote signer could not be asked')
        this.#later(question)
      },
    )
  }

  #send(question: SignatureQuestion): void {
    const { entry, place } = question
    if (question.storing) return
    const transaction = this.#waiting(entry, place.address)
    if (this.#stopped || question.done || transaction === null) {
      this.#drop(question)
      return
    }
    const signer = this.#signerNow(question)
    if (signer === null) {
      this.#later(question)
      return
    }
    const message = messageOf(transaction)
    const subject = subjectOf(this.#platform, factsOf(transaction), place)
    question.attempts += 1
    const attempt = question.attempts
    question.timer = this.#clock.setTimeout(() => {
      this.#log.warn({ transactionId: transaction.id, address: place.address }, 'a remote signer does not respond')
      this.#later(question)
    }, question.timeoutMs)
    const key = `${messageHash(message)}:${place.address}`
    const ask = async (): Promise<VerifiedAnswer> => {
      // The checks before may have waited for the chain or another cell.
      const isStillAsked = this.#waiting(entry, place.address) !== null && this.#signerNow(question) !== null
      question.unanswered += 1
      if (!isStillAsked) return { kind: 'unreached', reason: 'it may not be asked now' }
      return verified(await signer.sign(message, key, subject), message, signer.address)
    }
    // An answer after the timeout is still accepted.
    void this.#asks(transaction, ask).then(
      (answer) => this.#answered(question, signer, attempt, answer),
      (error: unknown) => this.#failed(question, signer, attempt, error),
    )
  }

  /** Nothing is asked while a destination may not be paid: an address may have been blocked since the last attempt. */
  async #asks<T>(transaction: RecordState<'transaction'>, ask: () => Promise<T>): Promise<T> {
    await runAttempts(this.#platform, transaction, async ({ known }) => {
      checkDestinations(this.#platform, transaction, known)
      await Promise.resolve()
    })
    return await ask()
  }

  /**
   * null: nothing is asked while the signer is frozen, its key is unavailable, this node may not sign, or no answer can
   * be stored.
   */
  #signerNow(question: SignatureQuestion): RemoteSigner | null {
    if (question.entry.quarantined || this.#platform.mayAct?.() === false) return null
    return this.#signer(question)
  }

  #signer({ entry, place }: SignatureQuestion): RemoteSigner | null {
    const { engine, keys } = this.#platform
    if (!engine.owns(place.tenant)) return ownerAsRemoteSigner(this.#platform, entry, place)
    const state = engine.directory.resident(place.id)?.head
    if (state === undefined || !isHolding(state) || isFrozen(engine.directory, state)) return null
    const signer = keys.signerFor(place)
    // A local key has been moved into this service in the meantime.
    return signer === null || signer.remote ? signer : asRemote(signer)
  }

  #answered(question: SignatureQuestion, signer: RemoteSigner, attempt: number, answer: VerifiedAnswer): void {
    const { kind } = answer
    this.#count(signer, kind === 'unreached' ? 'failed' : kind)
    // The signer has stated that it has not signed, or was not asked.
    if (kind !== 'signed' && kind !== 'invalid') question.unanswered -= 1
    if (this.#stopped || question.done || question.storing) return
    switch (answer.kind) {
      case 'signed': {
        const { signature } = answer
        const keep = () => keepAnswer(this.#platform, question, signature, this.#now())
        this.#stored(question, keep).catch(() => undefined)
        return
      }
      case 'refused':
        this.#refused(question, answer).catch(() => undefined)
        return
      case 'pending':
        // Only the latest attempt schedules the next question.
        if (attempt === question.attempts)
          this.#later(question, pauseWhilePending(question, answer.retryMs, this.#clock.random()))
        return
      case 'invalid':
        this.#unsigned(question, attempt, 'the answer is no signature of this message by this key')
        return
      case 'unreached':
        this.#unsigned(question, attempt, answer.reason)
    }
  }

  #failed(question: SignatureQuestion, signer: RemoteSigner, attempt: number, error: unknown): void {
    this.#count(signer, 'failed')
    if (this.#stopped || question.done || question.storing) return
    this.#unsigned(question, attempt, error instanceof Error ? error.message : 'unknown failure')
  }

  #unsigned(question: SignatureQuestion, attempt: number, reason: string): void {
    // Only the latest attempt schedules the next question.
    if (attempt !== question.attempts) return
    const { entry, place } = question
    this.#log.warn({ transactionId: entry.head.id, address: place.address, reason }, 'a remote signer did not sign')
    this.#later(question)
  }

  async #refused(question: SignatureQuestion, refusal: SignerRefusal): Promise<void> {
    const neverSigned = refusal.neverSigned === true && !question.recovered && question.unanswered === 0
    const { reason } = refusal
    await this.#stored(question, () => keepRefusal(this.#platform, question, { reason, neverSigned, at: this.#now() }))
  }

  /**
   * The question ends when its answer is stored. If it cannot be, because a read is refused or the actor of a record
   * throws, the signer is asked again; a failed write ends the process. Rejects with what `keep` rejects with.
   */
  async #stored<T>(question: SignatureQuestion, keep: () => Promise<T>): Promise<T> {
    question.storing = true
    if (question.timer !== null) this.#clock.clearTimeout(question.timer)
    question.timer = null
    try {
      const kept = await keep()
      this.#drop(question)
      return kept
    } catch (error) {
      question.storing = false
      const { entry, place } = question
      const fields = { err: error, transactionId: entry.head.id, address: place.address }
      this.#log.warn(fields, 'the answer of a remote signer could not be stored: it is asked again')
      if (!this.#stopped) this.#later(question)
      throw error
    }
  }

  #count({ custodian = KEY_STORE }: RemoteSigner, answer: AnswerKind): void {
    const name = `${custodian} ${answer}`
    const counted = this.#counts.get(name) ?? { signer: custodian, answer, count: 0 }
    counted.count += 1
    this.#counts.set(name, counted)
  }

  #later(question: SignatureQuestion, pauseMs = pauseBeforeNext(question, this.#clock.random())): void {
    if (question.timer !== null) this.#clock.clearTimeout(question.timer)
    question.timer = this.#clock.setTimeout(() => this.#put(question), pauseMs)
  }

  #drop(question: SignatureQuestion): void {
    question.done = true
    if (question.timer !== null) this.#clock.clearTimeout(question.timer)
    question.timer = null
    this.#byAskId.delete(question.askId)
    const { id } = question.entry.head
    const questions = this.#questions.get(id)
    if (questions?.delete(question.place.address) === true && questions.size === 0) this.#questions.delete(id)
  }

  #now(): string {
    return new Date(this.#clock.now()).toISOString()
  }
}

function verified(answer: SignerAnswer, message: Uint8Array, address: string): VerifiedAnswer {
  if (answer.kind !== 'signed' || verifySignature(message, answer.signature, address)) return answer
  return { kind: 'invalid' }
}

function messageOf({ context }: RecordState<'transaction'>): Buffer {
  return Buffer.from(context.fixed.message, 'base64')
}

function signatureIn(text: string): Uint8Array | null {
  try {
    return signatureBytes(text)
  } catch {
    return null
  }
}
