// Selects the cluster of a request: query parameter `chainClusterId`, or the first configured cluster. Unknown
// parameters are rejected, because a misspelled one would act on the wrong cluster.
import type { Caller } from '../contract/call.ts'
import { badRequest, forbidden } from '../contract/refusal.ts'

export class Clusters {
  readonly #ids: readonly string[]
  /** Query string -> cluster, for the spelling that nearly every request uses. */
  readonly #byQuery: ReadonlyMap<string, string>

  constructor(ids: readonly string[]) {
    const [first] = ids
    if (first === undefined) throw new Error('at least one cluster is needed')
    this.#ids = ids
    this.#byQuery = new Map([['', first], ...ids.map((id): [string, string] => [`chainClusterId=${id}`, id])])
  }

  /** Throws a Refusal: 400 for an invalid query, 403 if the key may not use the cluster. */
  of(query: string, caller: Caller): string {
    const cluster = this.#byQuery.get(query) ?? this.#parse(query)
    if (caller.clusters !== null && !caller.clusters.has(cluster)) {
      throw forbidden('CLUSTER_NOT_ALLOWED', `API key may not use cluster ${cluster}`)
    }
    return cluster
  }

  #parse(query: string): string {
    const parameters = new URLSearchParams(query)
    for (const name of parameters.keys()) {
      if (name === 'chainClusterId') continue
      throw badRequest('UNKNOWN_PARAMETER', `unknown query parameter ${JSON.stringify(name.slice(0, 64))}`)
    }
    const named = new Set(parameters.getAll('chainClusterId'))
    if (named.size === 0) return this.#ids[0]!
    const [id = ''] = named
    if (named.size > 1 || !this.#ids.includes(id)) {
      throw badRequest('UNKNOWN_CLUSTER', `chainClusterId must be one of ${this.#ids.join(', ')}`)
    }
    return id
  }
}
