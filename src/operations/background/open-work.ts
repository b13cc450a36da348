// What keeps the engine of a cell open: work that is under way, or that nothing but an open engine notices. Work that
// is due at a known instant does not keep it open before that.
import type { Kind } from '../../../machines/kinds.ts'
import type { Entry } from '../../engine/records/entry.ts'
import { hasEnded, type RecordState } from '../../engine/records/record.ts'
import type { FeedRefresher } from '../market-data/refresher.ts'
import type { NonceMaintainer } from '../nonces/maintainer.ts'
import type { SigningQueue } from '../transactions/signing/signing-queue.ts'
import type { Platform } from '../context/platform.ts'
import { lapsesAt } from './lapse.ts'

/** What is under way; or when work is due, in Unix milliseconds; or null: neither. */
type Work = string | number | null

interface Upkeep {
  readonly feedRefreshers: readonly Pick<FeedRefresher, 'refreshes'>[]
  readonly maintainers: readonly Pick<NonceMaintainer, 'isLooking'>[]
  readonly signingQueue: Pick<SigningQueue, 'waiting'>
}

type WorkByKind = { readonly [K in Kind]: (state: RecordState<K>, upkeep: Upkeep) => Work }

const nothing = (): null => null

/** Records that are pending have a transaction that has not ended. */
const WORK: WorkByKind = {
  account: nothing,
  position: nothing,
  instrument: nothing,
  lookupTable: nothing,
  nonce: nothing,
  dataSource: (source, { feedRefreshers }) =>
    feedRefreshers.some((each) => each.refreshes(source)) ? 'a data source is refreshed' : null,
  transaction: (state) => (hasEnded(state) ? null : (lapsesAt(state) ?? 'a transaction has not ended')),
  countersignature: ({ value }) =>
    value === 'given' || value === 'landed' ? 'a transaction of another tenant that was signed has not ended' : null,
  plan: ({ value }) => (value === 'running' ? 'an operation of several transactions has not ended' : null),
  batch: ({ value, context: { sweep, approval } }) => {
    if (sweep !== null || value === 'preparing' || value === 'underWay') return 'a batch is under way'
    return value === 'prepared' && approval !== null ? Date.parse(approval.expiresAt) : null
  },
  batchItem: ({ value }) => (value === 'underWay' ? 'an item of a batch is under way' : null),
  schedule: ({ value, context: { next } }) => (value === 'active' && next !== null ? Date.parse(next.at) : null),
  occurrence: ({ value }) => (value === 'underWay' ? 'an occurrence of a schedule is under way' : null),
  distribution: ({ value, context: { recordAt } }) => {
    if (value === 'paying') return 'a distribution is being paid'
    return value === 'waiting' ? Date.parse(recordAt) : null
  },
  paymentRequest: ({ context: { watched } }) => (watched ? 'a payment is being waited for' : null),
  pendingChange: (change) => lapsesAt(change),
  // Payments by others are found by comparing with the chain, which an open engine does.
  webhook: ({ value }) => (value === 'enabled' ? 'a webhook is enabled' : null),
  approvalPolicy: nothing,
  counterparty: nothing,
  organization: nothing,
  apiKey: nothing,
  strategy: nothing,
  loan: nothing,
  suspension: nothing,
}

export interface FoundWork {
  /** What is under way; null: nothing. */
  readonly holds: string | null
  /** When the next work is due, in Unix milliseconds; null: there is none. Only if nothing is under way. */
  readonly dueAt: number | null
}

export class OpenWork {
  readonly #platform: Platform
  readonly #upkeep: Upkeep
  #changes = 0
  /** The record that was under way when last looked at. */
  #busy: Entry | null = null

  constructor(platform: Platform, upkeep: Upkeep) {
    this.#platform = platform
    this.#upkeep = upkeep
    platform.engine.onCommitted(() => {
      this.#changes += 1
    })
  }

  /** Changes with every commit: what was found before may be wrong. */
  get changes(): number {
    return this.#changes
  }

  /** What is under way as far as that is known at once; null: perhaps nothing. */
  get known(): string | null {
    const { engine } = this.#platform
    if (engine.outbox.waiting > 0) return 'a message to another tenant has not been taken'
    if (engine.outOfBalance.size > 0) return 'a balance is to be compared with the chain'
    if (this.#upkeep.signingQueue.waiting > 0) return 'a remote signer is being asked'
    if (this.#upkeep.maintainers.some(({ isLooking }) => isLooking)) return 'a nonce is expected to advance'
    const work = this.#busy === null ? null : this.#workOf(this.#busy)
    return typeof work === 'string' ? work : null
  }

  /** Looks through all records, and lets other work run in between. */
  async find(): Promise<FoundWork> {
    const { known } = this
    if (known !== null) return { holds: known, dueAt: null }
    const pacer = this.#platform.engine.pacer()
    let dueAt: number | null = null
    this.#busy = null
    for (const entry of this.#platform.engine.directory.entries()) {
      const work = this.#workOf(entry)
      if (typeof work === 'string') {
        this.#busy = entry
        return { holds: work, dueAt: null }
      }
      if (work !== null && (dueAt === null || work < dueAt)) dueAt = work
      if (pacer.isDue) await pacer.rest()
    }
    return { holds: null, dueAt }
  }

  #workOf(entry: Entry): Work {
    // Plain accounts and positions have none, and are not parsed for it.
    if (entry.isStored) return null
    const { head } = entry
    return (WORK[head.kind] as (state: RecordState, upkeep: Upkeep) => Work)(head, this.#upkeep)
  }
}
