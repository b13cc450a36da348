// Determines why the engine of a cell must stay open: work is under way, or only an open engine would notice the work.
// Work that is due at a known instant does not keep the engine open until then.
import type { Kind } from '../../../machines/kinds.ts'
import type { Entry } from '../../engine/records/entry.ts'
import { hasEnded, type RecordState } from '../../engine/records/record.ts'
import type { FeedRefresher } from '../market-data/refresher.ts'
import type { NonceMaintainer } from '../nonces/maintainer.ts'
import type { SigningQueue } from '../transactions/signing/signing-queue.ts'
import type { Platform } from '../context/platform.ts'
import { lapsesAt } from './lapse.ts'

/** A description of the work under way, the time at which work is due (Unix milliseconds), or null for neither. */
type Work = string | number | null

interface Upkeep {
  readonly feedRefreshers: readonly Pick<FeedRefresher, 'refreshes'>[]
  readonly maintainers: readonly Pick<NonceMaintainer, 'isReading'>[]
  readonly signingQueue: Pick<SigningQueue, 'waiting'>
}

type WorkByKind = { readonly [K in Kind]: (state: RecordState<K>, upkeep: Upkeep) => Work }

const nothing = (): null => null

/** Pending records count through their transaction, which has not ended. */
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
  // Its events include payments by others, which only an open engine finds, by comparison with the chain.
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
  /** A description of the work under way; null: none. */
  readonly holds: string | null
  /** Time of the next due work, Unix milliseconds; null: none, or work is under way. */
  readonly dueAt: number | null
}

export class OpenWork {
  readonly #platform: Platform
  readonly #upkeep: Upkeep
  #changes = 0
  /** The record with work under way that the last search found. */
  #busy: Entry | null = null

  constructor(platform: Platform, upkeep: Upkeep) {
    this.#platform = platform
    this.#upkeep = upkeep
    platform.engine.onCommitted(() => {
      this.#changes += 1
    })
  }

  /** Changes with every commit, after which an earlier result of `find` may be wrong. */
  get changes(): number {
    return this.#changes
  }

  /** A description of work under way that is known without a search; null: a search must tell. */
  get known(): string | null {
    const { engine } = this.#platform
    if (engine.outbox.waiting > 0) return 'a message to another tenant has not been taken'
    if (engine.outOfBalance.size > 0) return 'a balance is to be compared with the chain'
    if (this.#upkeep.signingQueue.waiting > 0) return 'a remote signer is being asked'
    if (this.#upkeep.maintainers.some(({ isReading }) => isReading)) return 'a nonce is expected to advance'
    const work = this.#busy === null ? null : this.#workOf(this.#busy)
    return typeof work === 'string' ? work : null
  }

  /** Searches all records, and yields to other work in between. */
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
    // Plain accounts and positions have no work, so they need not be parsed.
    if (entry.isStored) return null
    const { head } = entry
    return (WORK[head.kind] as (state: RecordState, upkeep: Upkeep) => Work)(head, this.#upkeep)
  }
}
