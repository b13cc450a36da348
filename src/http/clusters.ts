// The cluster a request is about: query parameter `chainClusterId`, or the first one configured. A parameter that is not known is
// refused, because a misspelt one would act on another cluster than the one meant.
import type { Caller } from '../contract/call.ts'
import { badRequest, forbidden } from '../contract/refusal.ts'

export class Clusters {
  readonly #ids: readonly string[]
  /** Query string -> cluster, for the one spelling nearly every request has. */
  readonly #byQuery: ReadonlyMap<string, string>

  constructor(ids: readonly string[]) {
    const [first] = ids
    if (first === undefined) throw new Error('at least one cluster is needed')
    this.#ids = ids
    this.#byQuery = new Map([['', first], ...ids.map((id): [string, string] => [`chainClusterId=${id}`, id])])
  }

  /** Throws a Refusal: 400 when the query is not understood, 403 when the key is not good for the cluster. */
  of(query: string, caller: Caller): string {
    const cluster = this.#byQuery.get(query) ?? this.#parse(query)
    if (caller.clusters !== null && !caller.clusters.has(cluster)) {
      throw forbidden('CLUSTER_NOT_ALLOWED', `this key is not good for the cluster ${cluster}`)
    }
    return cluster
  }

  #parse(query: string): string {
    const parameters = new URLSearchParams(query)
    for (const name of parameters.keys()) {
      if (name === 'chainClusterId') continue
      throw badRequest('UNKNOWN_PARAMETER', `the query parameter ${JSON.stringify(name.slice(0, 64))} is not known`)
    }
    const named = new Set(parameters.getAll('chainClusterId'))
    if (named.size === 0) return this.#ids[0]!
    const [id = ''] = named
    if (named.size > 1 || !this.#ids.includes(id)) {
      throw badRequest('UNKNOWN_CLUSTER', `chainClusterId is one of ${this.#ids.join(', ')}`)
    }
    return id
  }
}
