// The feed of each cluster, shared by all cells of one process: there is one websocket, and the subscriptions of one
// turn of the event loop go out in one write.
import type { ChainFeed, Feed, AccountListener } from './chain-feed.ts'

export class SharedFeeds {
  readonly #feeds = new Map<string, SharedFeed>()

  /** The last user that closes the feed closes the websocket. */
  open(cluster: string, openFeed: () => ChainFeed): Feed {
    let shared = this.#feeds.get(cluster)
    if (shared === undefined) {
      shared = new SharedFeed(openFeed(), () => this.#feeds.delete(cluster))
      this.#feeds.set(cluster, shared)
    }
    return shared.use()
  }
}

class SharedFeed {
  readonly #feed: ChainFeed
  readonly #ended: () => void
  readonly #uses = new Set<Feed>()
  /** Listeners by user, by watched account. */
  readonly #accounts = new Map<string, Map<Feed, AccountListener>>()
  /** Callbacks by user, by watched signature. */
  readonly #landings = new Map<string, Map<Feed, () => void>>()

  constructor(feed: ChainFeed, ended: () => void) {
    this.#feed = feed
    this.#ended = ended
    feed.onAccount((address, ...change) => {
      for (const listener of [...(this.#accounts.get(address)?.values() ?? [])]) listener(address, ...change)
    })
  }

  use(): Feed {
    let notify: AccountListener = () => undefined
    const watched = { accounts: new Set<string>(), signatures: new Set<string>() }
    const feed = this.#feed
    const use: Feed = {
      get standing() {
        return [...watched.accounts].filter((address) => feed.isSubscribed(address)).length
      },
      onAccount: (listener) => (notify = listener),
      watch: (address) => {
        if (!this.#uses.has(use) || watched.accounts.has(address)) return
        watched.accounts.add(address)
        add(this.#accounts, address, use, (...change) => notify(...change))
        // For its first user, the feed asks for the comparison when the subscription begins.
        if (feed.isSubscribed(address)) notify(address, 0)
        else feed.watch(address)
      },
      forget: (address) => {
        watched.accounts.delete(address)
        if (remove(this.#accounts, address, use)) feed.forget(address)
      },
      watchSignature: (signature, landed) => {
        if (!this.#uses.has(use)) return
        watched.signatures.add(signature)
        add(this.#landings, signature, use, () => {
          watched.signatures.delete(signature)
          landed()
        })
        feed.watchSignature(signature, () => this.#landed(signature))
      },
      forgetSignature: (signature) => {
        watched.signatures.delete(signature)
        if (remove(this.#landings, signature, use)) feed.forgetSignature(signature)
      },
      close: () => {
        for (const address of watched.accounts) use.forget(address)
        for (const signature of watched.signatures) use.forgetSignature(signature)
        if (!this.#uses.delete(use) || this.#uses.size > 0) return
        this.#ended()
        feed.close()
      },
    }
    this.#uses.add(use)
    return use
  }

  #landed(signature: string): void {
    const landings = [...(this.#landings.get(signature)?.values() ?? [])]
    this.#landings.delete(signature)
    for (const landed of landings) landed()
  }
}

function add<Value>(all: Map<string, Map<Feed, Value>>, subject: string, use: Feed, value: Value): void {
  const users = all.get(subject)
  if (users === undefined) all.set(subject, new Map([[use, value]]))
  else users.set(use, value)
}

/** Returns whether it was the last user of the subject. */
function remove<Value>(all: Map<string, Map<Feed, Value>>, subject: string, use: Feed): boolean {
  const users = all.get(subject)
  if (users?.delete(use) !== true || users.size > 0) return false
  all.delete(subject)
  return true
}
