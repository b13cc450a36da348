// A client that gives every transaction a reference of its own, and remembers the transactions of each reference.
import { routes } from '../../src/http/routes.ts'
import { Client, type Answer, type Method, type Options } from './client.ts'
import type { Result } from './models.ts'

const BRINGS = ['POST /transactions/sign', 'POST /transactions/submit']

const IN_BATCHES: ReadonlySet<string> = new Set(['Batches', 'Distributions'])

/** Every endpoint that may create a transaction. */
export const MAKERS: readonly string[] = [
  ...routes
    // Batches and distributions are tested with the transactions that they create.
    .filter((route) => route.kind === 'write' && route.transaction !== 'never' && !IN_BATCHES.has(route.tag))
    .map(({ method, path }) => `${method} ${path.replace('/api/v1', '')}`),
  ...BRINGS,
]

export interface Referred {
  readonly endpoint: string
  readonly reference: string
  /** Ids of its transactions. */
  readonly transactions: readonly string[]
}

interface Made extends Partial<Result> {
  readonly chainTransaction?: Result
  readonly chainTransactions?: readonly Result[]
}

export class ReferringClient extends Client {
  readonly made: Referred[] = []
  #count = 0

  override async send<T>(method: Method, path: string, itemData: object, options: Options = {}): Promise<Answer<T>> {
    const endpoint = `${method} ${path}`
    if (!MAKERS.includes(endpoint)) return await super.send(method, path, itemData, options)
    this.#count += 1
    const reference = `${path} no. ${this.#count}`
    const answer = await super.send<T>(method, path, { ...itemData, externalReference: reference }, options)
    const { chainTransaction, chainTransactions, serializedMessage, offchainId } = answer.body as Made
    const one = serializedMessage === undefined ? chainTransaction?.offchainId : offchainId
    const all = chainTransactions?.map((each) => each.offchainId) ?? (one === undefined ? [] : [one])
    if (all.length > 0) this.made.push({ endpoint, reference, transactions: all })
    return answer
  }
}
