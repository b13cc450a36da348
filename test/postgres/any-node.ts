// A service at any of its nodes, each request at another one, for tests that were written for one process.
import { Connection } from '@solana/web3.js'
import { apiOf, type Api } from '../crash/api.ts'
import type { Service } from '../crash/service.ts'
import type { ClusterFixture, NodeProcess } from './cluster-fixture.ts'

/** A busy machine may cost a node its lease: then its process ends, and another node has the answer. */
const READ_ATTEMPTS = 5
const LOST = new Set(['ECONNRESET', 'ECONNREFUSED', 'UND_ERR_SOCKET'])

const isConnectionLost = (error: unknown): boolean => LOST.has((error as { readonly code?: string }).code ?? '')

/** A lost answer and an unknown outcome are treated equally. Reads are repeated when a connection is lost. */
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
  const read = async <T>(ask: (api: Api) => Promise<T>): Promise<T> => {
    for (let attempt = 1; ; attempt += 1)
      try {
        return await ask(next())
      } catch (error) {
        if (attempt === READ_ATTEMPTS || !isConnectionLost(error)) throw error
      }
  }
  const api: Api = {
    async send(...given) {
      const answer = await next().send(...given)
      if (answer.status === 504) throw new Error('the outcome is not known')
      return answer
    },
    get: (...given) => read((api) => api.get(...given)),
    make: (...given) => next().make(...given),
    query: (...given) => read((api) => api.query(...given)),
  }
  const connection = new Connection(rpcUrl, { commitment: 'confirmed', disableRetryOnRateLimit: true })
  return { api, connection } as unknown as Service
}
