// Chain accounts that turn out to be needed while a transaction is drafted, and answers of screening services. The unit
// of work is synchronous and cannot ask for them: it throws what is missing, and `attempt.ts` asks and repeats it.
import type { Call } from '../../contract/call.ts'
import { Refusal } from '../../contract/refusal.ts'
import type { CountersignQuestion } from './countersign/question.ts'
import type { ChainAccount, Platform } from '../context/platform.ts'
import { askScreening } from '../authorization/screening/ask.ts'
import {
  screeningUnavailable,
  type ScreeningAnswer,
  type ScreeningQuestion,
} from '../authorization/screening/question.ts'

export class NeedsAccounts extends Error {
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

export class Unscreened extends Error {
  readonly known: KnownAccounts
  readonly question: ScreeningQuestion

  constructor(known: KnownAccounts, question: ScreeningQuestion) {
    super(`not screened yet for ${question.organization}`)
    this.known = known
    this.question = question
  }
}

/** An owner in another cell has not been asked yet whether it would countersign. */
export class Unconsented extends Error {
  readonly known: KnownAccounts
  readonly question: CountersignQuestion

  constructor(known: KnownAccounts, question: CountersignQuestion) {
    super(`not asked yet: ${question.owner}`)
    this.known = known
    this.question = question
  }
}

/** Chain accounts read at `confirmed`, answers of screening services and of owners in other cells, for one request. */
export class KnownAccounts {
  readonly #read = new Map<string, ChainAccount | null>()
  readonly #answers = new Map<string, ScreeningAnswer>()
  readonly #consents = new Set<string>()

  /**
   * null: the account does not exist. Throws `NeedsAccounts` for an account that was not read; call it within
   * `attempted` only.
   */
  get(address: string): ChainAccount | null {
    return this.all([address])[0] ?? null
  }

  all(addresses: readonly string[]): (ChainAccount | null)[] {
    const lacking = addresses.filter((address) => !this.#read.has(address))
    if (lacking.length > 0) throw new NeedsAccounts(this, lacking)
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

  /** Throws `Unconsented` unless the owner was asked about this message. */
  consented(question: CountersignQuestion): void {
    if (!this.#consents.has(nameOf(question))) throw new Unconsented(this, question)
  }

  /** Rejects with the Refusal of the owner. */
  async askOwner({ ownersElsewhere }: Platform, question: CountersignQuestion): Promise<void> {
    if (this.#consents.size >= MOST_QUESTIONS) throw ownerUnavailable()
    await ownersElsewhere?.consent(question)
    this.#consents.add(nameOf(question))
  }

  async read(platform: Platform, call: Pick<Call, 'cluster'>, addresses: readonly string[]): Promise<void> {
    const cluster = platform.clusters.get(call.cluster)
    if (cluster === undefined) throw new Error(`cluster ${call.cluster} is not configured`)
    const accounts = await cluster.accounts(addresses)
    for (const [index, address] of addresses.entries()) this.#read.set(address, accounts[index] ?? null)
  }
}

function nameOf({ owner, addresses, fixed }: CountersignQuestion): string {
  return JSON.stringify([owner, addresses, fixed.messageHash])
}

function ownerUnavailable(): Refusal {
  const message = 'the transaction changes with every attempt to ask another tenant about it'
  return new Refusal(503, [{ code: 'TENANT_UNAVAILABLE', message, retryable: true }], 1)
}

/** The decision about one message does not apply to another. */
function keyOf({ tenant, organization, intent, movements }: ScreeningQuestion): string {
  return JSON.stringify([tenant, organization, intent, movements])
}
