// Subscribes to the landing of sent transactions. A notification proves nothing: it only advances the next status
// query, once per transaction. Without a notification the transaction is queried as planned.
import type { WatchEntry } from './watch-entry.ts'

/** The subscriptions of a cluster's websocket, as far as they concern signatures. */
export interface SignatureFeed {
  /** @param landed Called at most once. */
  watchSignature(signature: string, landed: () => void): void
  forgetSignature(signature: string): void
}

export class LandingHints {
  readonly #feed: SignatureFeed | undefined
  readonly #limit: () => number
  readonly #hinted: (transactionId: string) => void
  /** Signature subscribed to, by transaction. */
  readonly #signatures = new Map<string, string>()

  /** @param limit Maximum number of concurrent subscriptions; may change. */
  constructor(feed: SignatureFeed | undefined, limit: () => number, hinted: (transactionId: string) => void) {
    this.#feed = feed
    this.#limit = limit
    this.#hinted = hinted
  }

  watch({ submission, signature }: WatchEntry): void {
    const { transactionId } = submission
    if (this.#feed === undefined || signature === null) return
    if (this.#signatures.size >= this.#limit() || this.#signatures.has(transactionId)) return
    this.#signatures.set(transactionId, signature)
    this.#feed.watchSignature(signature, () => this.#hinted(transactionId))
  }

  end(transactionId: string): void {
    const signature = this.#signatures.get(transactionId)
    if (signature === undefined) return
    this.#signatures.delete(transactionId)
    this.#feed?.forgetSignature(signature)
  }
}
