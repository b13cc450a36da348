// Repeats an attempt until nothing that it needs is missing. An attempt is synchronous where it decides: it cannot wait
// for the chain, for a screening service or for rows of the store, so it throws what it lacks, which undoes its unit of
// work. What is missing is gathered here, and the attempt begins again. Nothing of an incomplete attempt is kept.
import { NotAtHand } from '../../../snapshots/not-at-hand.ts'
import { DebitsNotRecalled } from '../../engine/limits/debit-windows.ts'
import { MissingRows } from '../../../snapshots/at-hand.ts'
import type { Call } from '../../contract/call.ts'
import { Needs } from '../context/needs.ts'
import type { Platform } from '../context/platform.ts'
import { Funds, OutdatedRefusal } from './funds.ts'
import { KnownAccounts } from './known-accounts.ts'

/** Needs of one request, of which each source allows fewer. */
const MAX_NEEDS = 150

/** The data that an attempt can use. */
export interface Attempt {
  readonly known: KnownAccounts
  /** True: the message was simulated, or the cluster is configured without simulation. */
  readonly isSimulated: boolean
}

export interface AttemptOptions {
  /** Before a refusal by an insufficient balance, or by a record that says paused, it is compared with the chain. */
  readonly funds?: boolean
}

/**
 * Resolves with the result of the attempt that lacked nothing; rejects with what refused the last one. Repetitions are
 * bounded.
 * Throws 400 `TRANSFER_HOOK_UNAVAILABLE`, `SIMULATION_FAILED`, 503 `SCREENING_UNAVAILABLE`.
 */
export async function runAttempts<T>(
  platform: Platform,
  call: Pick<Call, 'cluster'>,
  attempt: (attempt: Attempt) => Promise<T> | T,
  options: AttemptOptions = {},
): Promise<T> {
  const gathered = new Gathered(platform, call, options)
  for (;;) {
    try {
      return await attempt(gathered)
    } catch (error) {
      await gathered.gather(error)
    }
  }
}

class Gathered implements Attempt {
  isSimulated: boolean
  #known: KnownAccounts | null = null
  readonly #platform: Platform
  readonly #call: Pick<Call, 'cluster'>
  readonly #options: AttemptOptions
  #rows: MissingRows | null = null
  #funds: Funds | null = null
  #needs = 0

  constructor(platform: Platform, call: Pick<Call, 'cluster'>, options: AttemptOptions) {
    this.#platform = platform
    this.#call = call
    this.#options = options
    this.isSimulated = this.#simulatesNothing()
  }

  get known(): KnownAccounts {
    this.#known ??= new KnownAccounts(this.#call.cluster)
    return this.#known
  }

  /** Rejects with the error if it is a refusal, or a need that the outer attempt must satisfy. */
  async gather(error: unknown): Promise<void> {
    const { engine, clock } = this.#platform
    if (error instanceof NotAtHand) {
      this.#rows ??= new MissingRows(engine)
      await this.#rows.fetch(error)
      return
    }
    if (error instanceof Needs) await this.#meet(error)
    else {
      if (error instanceof DebitsNotRecalled) await engine.debits.recall(error, clock.now())
      else if (error instanceof OutdatedRefusal && this.#options.funds === true) await this.#compare(error)
      else throw error
      this.isSimulated = this.#simulatesNothing()
    }
    this.#rows?.resume()
  }

  async #meet(error: Needs): Promise<void> {
    const { of, gather, simulation } = error.need
    this.#needs += 1
    if ((of !== undefined && of !== this.#known && of !== this.#call) || this.#needs > MAX_NEEDS) throw error
    await gather(this.#platform)
    if (simulation === 'done') this.isSimulated = true
    // The next message may differ from the one that was simulated.
    if (simulation === 'outdated') this.isSimulated = this.#simulatesNothing()
  }

  async #compare(refusal: OutdatedRefusal): Promise<void> {
    this.#funds ??= new Funds(this.#platform, this.#call.cluster)
    await this.#funds.compare(refusal)
  }

  #simulatesNothing(): boolean {
    return this.#platform.clusters.get(this.#call.cluster)?.simulates === false
  }
}
