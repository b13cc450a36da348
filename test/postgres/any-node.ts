// A service at any of its nodes, each request at another one, for tests that were written for one process.
import { Connection } from '@solana/web3.js'
import { apiOf, type Api } from '../crash/api.ts'
import type { Service } from '../crash/service.ts'
import type { ClusterFixture, NodeProcess } from './cluster-fixture.ts'

/** A lost answer and an unknown outcome are treated equally. */
export function serviceAt(
  alive: () => readonly NodeProcess[],
  { apiKey, rpcUrl }: Pick<ClusterFixture, 'apiKey' | 'rpcUrl'>,
): Service {
  let turn = 0
  const next = (): Api => {
    const nodes = alive()
    turn += 1
    return apiOf(nodes[turn % nodes.length]!.url, apiKey)
  }
  const api: Api = {
    async send(...given) {
      const answer = await next().send(...given)
      if (answer.status === 504) throw new Error('the outcome is not known')
      return answer
    },
    get: (...given) => next().get(...given),
    make: (...given) => next().make(...given),
    query: (...given) => next().query(...given),
  }
  const connection = new Connection(rpcUrl, { commitment: 'confirmed', disableRetryOnRateLimit: true })
  return { api, connection } as unknown as Service
}
