// The watcher and its sender, with a node that answers when the test requests it: time does not advance by itself.
import { Keypair, SystemProgram, TransactionMessage, VersionedTransaction } from '@solana/web3.js'
import bs58 from 'bs58'
import { describe, expect, it } from 'vitest'
import { Admission } from '../../src/submission/admission.ts'
import type { BlockTimes } from '../../src/submission/block-times.ts'
import { EMBEDDED_CLUSTER, REMOTE_CLUSTER } from '../../src/rpc/cluster-settings.ts'
import { Dispatch } from '../../src/submission/dispatch.ts'
import type { ExpiryVerdict } from '../../src/rpc/expiry/prove.ts'
import type { Lanes } from '../../src/submission/lanes.ts'
import type { Commitment, SignatureStatus } from '../../src/rpc/rpc.ts'
import type { ChainFact, Submission } from '../../src/submission/submission.ts'
import {
  carriedOver,
  planFirstAsks,
  recoveredEntry,
  submittedEntry,
  type WatchEntry,
} from '../../src/submission/watch-entry.ts'
import { noTurnYet, SharedTurns } from '../../src/submission/shared-turns.ts'
import { WatchList } from '../../src/submission/watch-list.ts'
import { Watcher } from '../../src/submission/watcher.ts'
import { TurnedClock } from '../operations/webhooks/turned-clock.ts'

const { watch: settings, admission } = EMBEDDED_CLUSTER
const EVERYTHING = { tenant: null, organization: null, lane: null }
const LAST_HEIGHT = 100
const payer = Keypair.fromSeed(new Uint8Array(32).fill(7))

function signedTransfer(): { readonly signature: string; readonly bytes: Uint8Array } {
  const instructions = [
    SystemProgram.transfer({ fromPubkey: payer.publicKey, toPubkey: payer.publicKey, lamports: 1n }),
  ]
  const recentBlockhash = bs58.encode(new Uint8Array(32).fill(9))
  const transaction = new VersionedTransaction(
    new TransactionMessage({ payerKey: payer.publicKey, recentBlockhash, instructions }).compileToV0Message(),
  )
  transaction.sign([payer])
  return { signature: bs58.encode(transaction.signatures[0]!), bytes: transaction.serialize() }
}

const SUBMISSION: Submission = {
  transactionId: 't',
  tenant: 'T',
  lane: 'L',
  ...signedTransfer(),
  blockhash: 'b',
  blockhashSlot: 10,
  lastValidBlockHeight: LAST_HEIGHT,
}

interface Question {
  readonly deep: boolean
  answer(status: SignatureStatus | null): void
  fail(): void
}

class Scene {
  readonly clock: TurnedClock
  readonly list: WatchList
  readonly facts: ChainFact[] = []
  readonly questions: Question[] = []
  /** Times and signatures of all queries. */
  readonly askedAt: number[] = []
  readonly asked: (readonly string[])[] = []
  readonly verdicts: ((verdict: ExpiryVerdict) => void)[] = []
  /** Ids handed to the lanes, first sends and repeats. */
  readonly sent: string[] = []
  readonly dispatch: Dispatch
  readonly watcher: Watcher
  height = 50
  #slot = 20

  constructor(pace = settings, { clock = new TurnedClock(), lastTurn = noTurnYet() } = {}) {
    this.clock = clock
    this.list = new WatchList(new Admission(admission), pace)
    const handOver = ({ transactionId }: { readonly transactionId: string }): void => void this.sent.push(transactionId)
    const lanes = { submit: handOver, repeat: handOver, withdraw: () => [] } as unknown as Lanes
    this.dispatch = new Dispatch(this.list, lanes, this.clock)
    const blockTimes = { learn: () => Promise.resolve(), get: () => null } as unknown as BlockTimes
    this.watcher = new Watcher(
      this.list,
      {
        statuses: (signatures, deep) =>
          new Promise((resolve, reject) => {
            this.askedAt.push(this.clock.elapsed())
            this.asked.push(signatures)
            this.questions.push({
              deep,
              answer: (status) => resolve({ contextSlot: (this.#slot += 1), statuses: signatures.map(() => status) }),
              fail: () => reject(new Error('no answer')),
            })
          }),
        progress: () => Promise.resolve({ slot: this.#slot, blockHeight: this.height }),
        knownHeight: () => this.height,
        prove: () =>
          new Promise((resolve) => {
            this.verdicts.push(resolve)
          }),
        proofHeight: ({ submission }) => submission.lastValidBlockHeight,
        attemptOf: () => undefined,
        send: (entry) => this.dispatch.send(entry),
      },
      this.clock,
      { settings: pace, blockTimes, lastTurn, report: (facts) => void this.facts.push(...facts) },
    )
  }

  add(entry: WatchEntry): WatchEntry {
    this.list.add(entry)
    this.watcher.wake()
    return entry
  }

  /** The next query, as soon as it is sent. */
  async question(): Promise<Question> {
    while (this.questions.length === 0) if (!(await this.clock.turn())) throw new Error('nothing is asked any more')
    return this.questions.shift()!
  }

  async answer(status: SignatureStatus | null): Promise<void> {
    const question = await this.question()
    question.answer(status)
    await this.clock.rest()
  }

  kinds(): string[] {
    return this.facts.map((fact) => (fact.kind === 'seen' ? fact.commitment : fact.kind))
  }
}

const status = (commitment: Commitment, slot = 15): SignatureStatus => ({ commitment, slot, error: null })
const PROVEN = { proven: true, proof: { rule: 'blockhash' } } as unknown as ExpiryVerdict

describe('a proof of expiry', () => {
  it('is discarded if an answer has shown the transaction, and accepted otherwise', async () => {
    for (const isSeen of [true, false]) {
      const scene = new Scene()
      scene.height = LAST_HEIGHT + 1
      scene.add(recoveredEntry(SUBMISSION, undefined, settings, scene.clock.elapsed()))
      await scene.answer(null)
      while (scene.verdicts.length === 0) await scene.answer(null)
      if (isSeen) await scene.answer(status('confirmed'))
      scene.verdicts[0]!(PROVEN)
      await scene.clock.rest()
      expect(scene.kinds()).toEqual([isSeen ? 'confirmed' : 'expired'])
      expect(scene.list.size).toBe(isSeen ? 1 : 0)
    }
  })
})

describe('after a restart', () => {
  it('nothing is sent before the history was queried and does not contain it', async () => {
    const scene = new Scene()
    scene.add(recoveredEntry(SUBMISSION, undefined, settings, scene.clock.elapsed()))
    for (let unanswered = 0; unanswered < 5; unanswered += 1) {
      const question = await scene.question()
      expect(question.deep).toBe(true)
      question.fail()
      await scene.clock.rest()
      expect(scene.sent).toEqual([])
    }
    await scene.answer(null)
    expect(scene.sent).toEqual(['t'])
  })

  it('nothing is sent that the history contains', async () => {
    const scene = new Scene()
    scene.add(recoveredEntry(SUBMISSION, undefined, settings, scene.clock.elapsed()))
    await scene.answer(status('processed'))
    for (const commitment of ['processed', 'confirmed', 'finalized'] as const) await scene.answer(status(commitment))
    expect([scene.sent, scene.kinds(), scene.list.size]).toEqual([[], ['processed', 'confirmed', 'finalized'], 0])
  })

  it('nothing is sent that a suspension held back, if the lane is resumed before the history answers', async () => {
    const scene = new Scene()
    scene.dispatch.suspend(EVERYTHING)
    const entry = scene.add(recoveredEntry(SUBMISSION, undefined, settings, scene.clock.elapsed()))
    entry.held = true
    const question = await scene.question()
    scene.dispatch.resume(EVERYTHING)
    expect(scene.sent).toEqual([])
    question.answer(null)
    await scene.clock.rest()
    expect(scene.sent).toEqual(['t'])
  })

  it('nothing is sent if its blockhash has expired meanwhile', async () => {
    const scene = new Scene()
    scene.height = LAST_HEIGHT + 1
    scene.add(recoveredEntry(SUBMISSION, undefined, settings, scene.clock.elapsed()))
    for (let turn = 0; turn < 5; turn += 1) await scene.answer(null)
    expect(scene.sent).toEqual([])
  })
})

describe('a query of the history', () => {
  it('requested while another one is pending is sent once that is answered', async () => {
    const scene = new Scene()
    const entry = scene.add({ ...submittedEntry(SUBMISSION, settings, 0), askAt: 0 })
    const first = await scene.question()
    expect(first.deep).toBe(false)
    scene.watcher.checkNow(entry)
    first.answer(null)
    await scene.clock.rest()
    expect((await scene.question()).deep).toBe(true)
  })
})

describe('a withdrawn transaction', () => {
  it('is not sent again: not at its turn, not when its lane is resumed, not with its last signature', async () => {
    const scene = new Scene()
    const entry = scene.add({ ...submittedEntry(SUBMISSION, settings, 0), askAt: 0, sendAt: 0 })
    scene.dispatch.recall(entry)
    for (let turn = 0; turn < 3; turn += 1) await scene.answer(null)
    scene.dispatch.suspend(EVERYTHING)
    scene.dispatch.send(entry)
    scene.dispatch.resume(EVERYTHING)
    // Until now it was only watched, because a signature was missing.
    const watchedSubmission = submittedEntry({ ...SUBMISSION, transactionId: 'u', bytes: null }, settings, 0)
    scene.list.add(watchedSubmission)
    scene.dispatch.recall(watchedSubmission)
    scene.list.remove(watchedSubmission)
    scene.dispatch.send(
      scene.add(carriedOver(submittedEntry({ ...SUBMISSION, transactionId: 'u' }, settings, 0), watchedSubmission, 0)),
    )
    expect(scene.sent).toEqual([])
  })
})

describe('the first status queries on a remote cluster', () => {
  const remote = REMOTE_CLUSTER.watch

  it('are sent at the configured times after the send, and less often later', async () => {
    const scene = new Scene(remote)
    const start = scene.clock.elapsed()
    const entry = submittedEntry(SUBMISSION, remote, start)
    planFirstAsks(entry, remote, start)
    scene.add(entry)
    const askedAtMs: number[] = []
    while (askedAtMs.length < 5) {
      await scene.answer(null)
      askedAtMs.push(scene.askedAt.at(-1)! - start)
    }
    expect(askedAtMs).toEqual([250, 500, 750, 1_750, 3_250])
  })

  it('are one query for all transactions that are due', async () => {
    const scene = new Scene(remote)
    const start = scene.clock.elapsed()
    for (let number = 0; number < 200; number += 1) {
      const entry = submittedEntry({ ...SUBMISSION, transactionId: `t${number}` }, remote, start)
      planFirstAsks(entry, remote, start - number)
      scene.add(entry)
    }
    const question = await scene.question()
    question.answer(null)
    await scene.clock.rest()
    expect([scene.askedAt, scene.asked.map(({ length }) => length)]).toEqual([[start + remote.turnMs], [200]])
  })

  it('are sent together by all watchers of a cluster, not with those of another cluster', async () => {
    const [clock, turns] = [new TurnedClock(), new SharedTurns()]
    const open = (cluster: string): Scene => new Scene(remote, { clock, lastTurn: turns.of(cluster) })
    const [first, second, other] = [open('CHAIN_DEVNET'), open('CHAIN_DEVNET'), open('CHAIN_TESTNET')]
    const start = clock.elapsed()
    const addTo = (scene: Scene): void => {
      const entry = submittedEntry(SUBMISSION, remote, clock.elapsed())
      planFirstAsks(entry, remote, clock.elapsed())
      scene.add({ ...entry, askAt: clock.elapsed() })
    }
    addTo(first)
    await first.answer(null)
    clock.nowMs += 100
    addTo(second)
    addTo(other)
    await Promise.all([other.question(), first.question(), second.question()])
    const together = start + remote.turnMs
    expect([first, second, other].map(({ askedAt }) => askedAt)).toEqual([[start, together], [together], [start + 100]])
  })

  it('are sent early after a notification, which alone settles nothing', async () => {
    const scene = new Scene(remote)
    const start = scene.clock.elapsed()
    const entry = submittedEntry(SUBMISSION, remote, start)
    planFirstAsks(entry, remote, start)
    scene.add(entry)
    scene.watcher.hint(entry)
    expect(scene.facts).toEqual([])
    await scene.answer(null)
    expect(scene.askedAt).toEqual([start])
    expect(scene.kinds()).toEqual([])
    scene.watcher.hint(entry)
    await scene.answer(status('confirmed'))
    expect(scene.askedAt).toEqual([start, start + remote.hintMs])
    expect(scene.kinds()).toEqual(['confirmed'])
    // It is confirmed: no further hint counts.
    scene.watcher.hint(entry)
    expect(scene.questions).toEqual([])
  })

  it('become less frequent while they fail, also with notifications', async () => {
    const scene = new Scene(remote)
    const entry = scene.add({ ...submittedEntry(SUBMISSION, remote, scene.clock.elapsed()), askAt: 0 })
    for (let failures = 0; failures < 6; failures += 1) {
      const question = await scene.question()
      question.fail()
      await scene.clock.rest()
      scene.watcher.hint(entry)
    }
    await scene.question()
    const gaps = scene.askedAt.slice(1).map((at, index) => at - scene.askedAt[index]!)
    expect(gaps).toEqual([250, 500, 1_000, 1_000, 1_000, 1_000])
  })
})
