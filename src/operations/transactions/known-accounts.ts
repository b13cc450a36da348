// Accounts on chain that turn out to be needed while a transaction is drawn: the stretch asks nothing itself, so it says what it lacks
// and is drawn again once that has been read.
import { DebitsNotRecalled } from '../../engine/limits/debit-windows.ts'
import type { Call } from '../../contract/call.ts'
import type { ChainAccount, Platform } from '../context/platform.ts'
import { badRequest } from '../../contract/refusal.ts'

/** Reads that may follow one from the other before a request is given up: a trade of eight hooked instruments takes some thirty. */
const MOST_ROUNDS = 50

class Lacking extends Error {
  readonly known: KnownAccounts
  readonly addresses: readonly string[]

  constructor(known: KnownAccounts, addresses: readonly string[]) {
    super(`not read yet: ${addresses.join(', ')}`)
    this.known = known
    this.addresses = addresses
  }
}

/** What has been read at `confirmed` for one request. */
export class KnownAccounts {
  readonly #read = new Map<string, ChainAccount | null>()

  /** null: there is none. Only to be called within `withKnownAccounts`. */
  get(address: string): ChainAccount | null {
    return this.all([address])[0] ?? null
  }

  all(addresses: readonly string[]): (ChainAccount | null)[] {
    const lacking = addresses.filter((address) => !this.#read.has(address))
    if (lacking.length > 0) throw new Lacking(this, lacking)
    return addresses.map((address) => this.#read.get(address) ?? null)
  }

  async read(platform: Platform, call: Call, addresses: readonly string[]): Promise<void> {
    const cluster = platform.clusters.get(call.cluster)
    if (cluster === undefined) throw new Error(`cluster ${call.cluster} is not configured`)
    const accounts = await cluster.accounts(addresses)
    for (const [index, address] of addresses.entries()) this.#read.set(address, accounts[index] ?? null)
  }
}

/** Runs the attempt until nothing is lacking, of the chain or of what debit limits have to count. Nothing of an attempt that lacks something is kept. */
export async function withKnownAccounts<T>(
  platform: Platform,
  call: Call,
  attempt: (known: KnownAccounts) => Promise<T>,
): Promise<T> {
  const known = new KnownAccounts()
  for (let round = 1; ; round += 1) {
    try {
      return await attempt(known)
    } catch (error) {
      if (error instanceof DebitsNotRecalled) {
        await platform.engine.debits.recall(error, platform.clock.now())
        continue
      }
      // What another one lacks is for whoever made that one to read.
      if (!(error instanceof Lacking) || error.known !== known) throw error
      if (round >= MOST_ROUNDS)
        throw badRequest('TRANSFER_HOOK_UNAVAILABLE', 'the transfer hook needs the data of too many accounts', '/itemData')
      await known.read(platform, call, error.addresses)
    }
  }
}
