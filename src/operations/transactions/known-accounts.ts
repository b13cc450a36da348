// Chain accounts that turn out to be needed while a transaction is drafted. The unit of work is synchronous and
// cannot read them: it throws the missing addresses, they are read, and the attempt is repeated.
import { DebitsNotRecalled } from '../../engine/limits/debit-windows.ts'
import type { Call } from '../../contract/call.ts'
import type { ChainAccount, Platform } from '../context/platform.ts'
import { badRequest } from '../../contract/refusal.ts'
import { askScreening } from '../authorization/screening/ask.ts'
import {
  screeningUnavailable,
  type ScreeningAnswer,
  type ScreeningQuestion,
} from '../authorization/screening/question.ts'

/** Maximum number of dependent reads per request. A trade of eight instruments with transfer hooks takes about 30. */
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

/** Asked at most; a request whose message changes with every attempt would ask without end. */
const MOST_QUESTIONS = 10

class Unscreened extends Error {
  readonly known: KnownAccounts
  readonly question: ScreeningQuestion

  constructor(known: KnownAccounts, question: ScreeningQuestion) {
    super(`not screened yet for ${question.organization}`)
    this.known = known
    this.question = question
  }
}

/** Chain accounts read at `confirmed`, and answers of screening services, for one request. */
export class KnownAccounts {
  readonly #read = new Map<string, ChainAccount | null>()
  readonly #answers = new Map<string, ScreeningAnswer>()

  /**
   * null: the account does not exist. Throws `Lacking` for an account that was not read; call it within
   * `withKnownAccounts` only.
   */
  get(address: string): ChainAccount | null {
    return this.all([address])[0] ?? null
  }

  all(addresses: readonly string[]): (ChainAccount | null)[] {
    const lacking = addresses.filter((address) => !this.#read.has(address))
    if (lacking.length > 0) throw new Lacking(this, lacking)
    return addresses.map((address) => this.#read.get(address) ?? null)
  }

  /** Throws `Unscreened` for a question that was not asked. */
  screened(question: ScreeningQuestion): ScreeningAnswer {
    const answer = this.#answers.get(keyOf(question))
    if (answer === undefined) throw new Unscreened(this, question)
    return answer
  }

  async ask(platform: Platform, question: ScreeningQuestion): Promise<void> {
    if (this.#answers.size >= MOST_QUESTIONS) throw screeningUnavailable('the transaction changes with every attempt')
    this.#answers.set(keyOf(question), await askScreening(platform, question))
  }

  async read(platform: Platform, call: Pick<Call, 'cluster'>, addresses: readonly string[]): Promise<void> {
    const cluster = platform.clusters.get(call.cluster)
    if (cluster === undefined) throw new Error(`cluster ${call.cluster} is not configured`)
    const accounts = await cluster.accounts(addresses)
    for (const [index, address] of addresses.entries()) this.#read.set(address, accounts[index] ?? null)
  }
}

/**
 * Repeats the attempt until every chain account and every debit history it needs has been read, and every screening
 * service that it depends on has answered. Nothing of an
 * incomplete attempt is kept.
 * Throws 400 `TRANSFER_HOOK_UNAVAILABLE` after `MOST_ROUNDS` reads.
 */
export async function withKnownAccounts<T>(
  platform: Platform,
  call: Pick<Call, 'cluster'>,
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
      if (error instanceof Unscreened && error.known === known) {
        await known.ask(platform, error.question)
        continue
      }
      // Addresses missing from another instance are read by the code that created that instance.
      if (!(error instanceof Lacking) || error.known !== known) throw error
      if (round >= MOST_ROUNDS)
        throw badRequest(
          'TRANSFER_HOOK_UNAVAILABLE',
          'the transfer hook requires the data of too many accounts',
          '/itemData',
        )
      await known.read(platform, call, error.addresses)
    }
  }
}

/** The decision about one message does not apply to another. */
function keyOf({ tenant, organization, intent, movements }: ScreeningQuestion): string {
  return JSON.stringify([tenant, organization, intent, movements])
}
