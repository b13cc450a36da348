// Repeats an attempt until nothing that it needs is missing. An attempt is synchronous where it decides: it cannot wait
// for the chain, for a screening service or for rows of the store, so it throws what it lacks, which undoes its unit of
// work. What is missing is gathered here, and the attempt begins again. Nothing of an incomplete attempt is kept.
import { NotAtHand } from '../../../snapshots/not-at-hand.ts'
import { DebitsNotRecalled } from '../../engine/limits/debit-windows.ts'
import { MissingRows } from '../../../snapshots/at-hand.ts'
import type { RecordState } from '../../engine/records/record.ts'
import type { Call } from '../../contract/call.ts'
import { badRequest } from '../../contract/refusal.ts'
import type { ScreeningQuestion } from '../authorization/screening/question.ts'
import type { Platform } from '../context/platform.ts'
import { MintNotRead, readMintOnce } from '../lookup/chain-mints.ts'
import { Funds, shortRecord } from './funds.ts'
import type { CountersignQuestion } from './countersign/question.ts'
import { KnownAccounts, NeedsAccounts, Unconsented, Unscreened } from './known-accounts.ts'
import { NeedsSimulation, simulate } from './simulation.ts'

/** Dependent reads of accounts per request. A trade of eight instruments with transfer hooks takes about 30. */
const MOST_READS = 50
/** Mints without a record that one request may name. A trade of eight legs can name as many. */
const MOST_MINTS = 64

/** What an attempt has at hand. */
export interface Attempt {
  readonly known: KnownAccounts
  /** True: the message was simulated, or the cluster is configured without simulation. */
  readonly isSimulated: boolean
}

/** Why an attempt ended without a result, if it can be repeated. */
type Need =
  | { readonly kind: 'rows'; readonly missing: NotAtHand }
  | { readonly kind: 'accounts'; readonly addresses: readonly string[] }
  | { readonly kind: 'mint'; readonly mint: string }
  | { readonly kind: 'screening'; readonly question: ScreeningQuestion }
  | { readonly kind: 'consent'; readonly question: CountersignQuestion }
  | { readonly kind: 'debitHistory'; readonly missing: DebitsNotRecalled }
  | { readonly kind: 'simulation'; readonly unsigned: Uint8Array }
  | { readonly kind: 'funds'; readonly record: RecordState }

export interface AttemptOptions {
  /** Before a refusal for an insufficient balance, the record is compared with the chain. */
  readonly funds?: boolean
}

/**
 * Resolves with the result of the attempt that lacked nothing; rejects with what refused the last one. Repetitions are
 * bounded.
 * Throws 400 `TRANSFER_HOOK_UNAVAILABLE`, `SIMULATION_FAILED`, 503 `SCREENING_UNAVAILABLE`.
 */
export async function attempted<T>(
  platform: Platform,
  call: Pick<Call, 'cluster'>,
  attempt: (attempt: Attempt) => Promise<T>,
  options: AttemptOptions = {},
): Promise<T> {
  const gathered = new Gathered(platform, call, options)
  for (;;) {
    try {
      return await attempt(gathered)
    } catch (error) {
      const need = gathered.needOf(error)
      if (need === null) throw error
      await gathered.gather(need, error)
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
  #reads = 0
  #mints = 0

  constructor(platform: Platform, call: Pick<Call, 'cluster'>, options: AttemptOptions) {
    this.#platform = platform
    this.#call = call
    this.#options = options
    this.isSimulated = this.#simulatesNothing()
  }

  get known(): KnownAccounts {
    this.#known ??= new KnownAccounts()
    return this.#known
  }

  /** null: the attempt was refused. What another, outer attempt lacks is gathered there. */
  needOf(error: unknown): Need | null {
    if (error instanceof NotAtHand) return { kind: 'rows', missing: error }
    if (error instanceof NeedsAccounts)
      return error.known === this.#known ? { kind: 'accounts', addresses: error.addresses } : null
    if (error instanceof Unscreened)
      return error.known === this.#known ? { kind: 'screening', question: error.question } : null
    if (error instanceof Unconsented)
      return error.known === this.#known ? { kind: 'consent', question: error.question } : null
    if (error instanceof MintNotRead) return error.call === this.#call ? { kind: 'mint', mint: error.mint } : null
    if (error instanceof DebitsNotRecalled) return { kind: 'debitHistory', missing: error }
    if (error instanceof NeedsSimulation) return { kind: 'simulation', unsigned: error.unsigned }
    const record = this.#options.funds === true ? shortRecord(error) : null
    return record === null ? null : { kind: 'funds', record }
  }

  /** @param refusal thrown if the need cannot be met */
  async gather(need: Need, refusal: unknown): Promise<void> {
    const { engine, clock } = this.#platform
    switch (need.kind) {
      case 'rows':
        this.#rows ??= new MissingRows(engine)
        await this.#rows.fetch(need.missing)
        return
      case 'simulation':
        await simulate(this.#platform, this.#call.cluster, need.unsigned)
        this.isSimulated = true
        return
      case 'consent':
        await this.known.askOwner(this.#platform, need.question)
        return
      case 'accounts':
        this.#reads += 1
        if (this.#reads >= MOST_READS)
          throw badRequest(
            'TRANSFER_HOOK_UNAVAILABLE',
            'the transfer hook requires the data of too many accounts',
            '/itemData',
          )
        await this.known.read(this.#platform, this.#call, need.addresses)
        break
      case 'mint':
        this.#mints += 1
        if (this.#mints > MOST_MINTS) throw refusal
        await readMintOnce({ platform: this.#platform, call: this.#call as Call }, need.mint)
        break
      case 'screening':
        await this.known.ask(this.#platform, need.question)
        break
      case 'debitHistory':
        await engine.debits.recall(need.missing, clock.now())
        break
      case 'funds':
        this.#funds ??= new Funds(this.#platform, this.#call.cluster)
        await this.#funds.compare(need.record, refusal)
    }
    // The next message may differ from the one that was simulated.
    this.isSimulated = this.#simulatesNothing()
  }

  #simulatesNothing(): boolean {
    return this.#platform.clusters.get(this.#call.cluster)?.simulates === false
  }
}
