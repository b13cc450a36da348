// Chain accounts that turn out to be needed while a transaction is drafted, and answers of screening services. The unit
// of work is synchronous and cannot read them: it throws `Needs`, and `attempt.ts` reads them and repeats the unit.
import { badRequest, Refusal } from '../../contract/refusal.ts'
import type { CountersignQuestion } from './countersign/question.ts'
import { Needs } from '../context/needs.ts'
import { operationResult, type OperationResult } from '../context/as-refusal.ts'
import type { ChainAccount, Platform } from '../context/platform.ts'
import { askScreening } from '../authorization/screening/ask.ts'
import {
  screeningUnavailable,
  type ScreeningAnswer,
  type ScreeningQuestion,
} from '../authorization/screening/question.ts'

/** Dependent reads of accounts per request. A trade of eight instruments with transfer hooks takes about 30. */
const MAX_READS = 50
/** Bounds the questions, because a request whose message changes with every attempt would otherwise never end. */
const MAX_QUESTIONS = 10

/** Chain accounts read at `confirmed`, answers of screening services and of owners in other cells, for one request. */
export class KnownAccounts {
  readonly #read = new Map<string, ChainAccount | null>()
  readonly #answers = new Map<string, OperationResult<ScreeningAnswer>>()
  readonly #consents = new Set<string>()
  readonly #cluster: string
  #reads = 0

  constructor(cluster: string) {
    this.#cluster = cluster
  }

  /**
   * null: the account does not exist. Throws `Needs` for an account that was not read; call it within `runAttempts`
   * only.
   */
  get(address: string): ChainAccount | null {
    return this.all([address])[0] ?? null
  }

  all(addresses: readonly string[]): (ChainAccount | null)[] {
    const missing = addresses.filter((address) => !this.#read.has(address))
    if (missing.length > 0) {
      const gather = (platform: Platform) => this.#readNow(platform, missing)
      throw new Needs({ what: `accounts ${missing.join(', ')}`, of: this, gather, simulation: 'outdated' })
    }
    return addresses.map((address) => this.#read.get(address) ?? null)
  }

  /**
   * Throws `Needs` for a question that was not asked, 503 `SCREENING_UNAVAILABLE`, 429 `OUTBOUND_BUSY`: here, and not
   * when the question is asked, so that the decision can hide what another tenant may not learn.
   */
  screened(question: ScreeningQuestion): ScreeningAnswer {
    const answer = this.#answers.get(keyOf(question))
    if (answer?.ok === true) return answer.result
    if (answer !== undefined) throw answer.error
    if (this.#answers.size >= MAX_QUESTIONS) throw screeningUnavailable('the transaction changes with every attempt')
    const gather = (platform: Platform) => this.#ask(platform, question)
    throw new Needs({ what: `the screening of ${question.organization}`, of: this, gather, simulation: 'outdated' })
  }

  async #ask(platform: Platform, question: ScreeningQuestion): Promise<void> {
    this.#answers.set(keyOf(question), await operationResult(askScreening(platform, question)))
  }

  /** Throws `Needs` unless the owner, in another cell, was asked about this message; the Refusal of the owner. */
  consented(question: CountersignQuestion): void {
    this.#needAnswer('consent', question)
  }

  /** Like the method above, for a message that the owner has signed and that is about to be sent. */
  sendable(question: CountersignQuestion): void {
    this.#needAnswer('allowSending', question)
  }

  #needAnswer(asking: Asking, question: CountersignQuestion): void {
    if (this.#consents.has(nameOf(asking, question))) return
    const gather = (platform: Platform) => this.#askOwner(platform, asking, question)
    throw new Needs({ what: `the consent of ${question.owner}`, of: this, gather, simulation: 'unchanged' })
  }

  async #askOwner(
    { otherCellOwners: ownersElsewhere }: Platform,
    asking: Asking,
    question: CountersignQuestion,
  ): Promise<void> {
    if (this.#consents.size >= MAX_QUESTIONS) throw ownerUnavailable()
    await ownersElsewhere?.[asking](question)
    this.#consents.add(nameOf(asking, question))
  }

  async #readNow(platform: Platform, addresses: readonly string[]): Promise<void> {
    this.#reads += 1
    if (this.#reads >= MAX_READS) throw tooManyReads()
    const cluster = platform.clusters.get(this.#cluster)
    if (cluster === undefined) throw new Error(`cluster ${this.#cluster} is not configured`)
    const accounts = await cluster.accounts(addresses)
    for (const [index, address] of addresses.entries()) this.#read.set(address, accounts[index] ?? null)
  }
}

type Asking = 'consent' | 'allowSending'

function nameOf(asking: Asking, { owner, addresses, fixed }: CountersignQuestion): string {
  return JSON.stringify([asking, owner, addresses, fixed.messageHash])
}

function tooManyReads(): Refusal {
  const message = 'the transfer hook requires the data of too many accounts'
  return badRequest('TRANSFER_HOOK_UNAVAILABLE', message, '/itemData')
}

function ownerUnavailable(): Refusal {
  const message = 'the transaction changes with every attempt to ask another tenant about it'
  return new Refusal(503, [{ code: 'TENANT_UNAVAILABLE', message, retryable: true }], 1)
}

/** The decision about one message does not apply to another. */
function keyOf({ tenant, organization, intent, movements }: ScreeningQuestion): string {
  return JSON.stringify([tenant, organization, intent, movements])
}
