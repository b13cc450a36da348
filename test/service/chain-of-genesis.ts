// A server in the place of a chain's node: it has a genesis hash, and answers nothing else of use.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

interface Call {
  readonly id: unknown
  readonly method: string
}

export interface ChainOfGenesis extends AsyncDisposable {
  readonly url: string
  /** Requests that reached it. */
  readonly asked: number
}

export async function chainOfGenesis(genesisHash: string): Promise<ChainOfGenesis> {
  let asked = 0
  const answer = ({ id, method }: Call): object => {
    const result = method === 'getGenesisHash' ? genesisHash : 1
    return { jsonrpc: '2.0', id, result }
  }
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk: Buffer) => (body += chunk.toString()))
    request.on('end', () => {
      asked += 1
      const calls: unknown = JSON.parse(body)
      const answers = ([calls].flat() as Call[]).map(answer)
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify(Array.isArray(calls) ? answers : answers[0]))
    })
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${String(port)}`,
    get asked() {
      return asked
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => void server.close(resolve))
    },
  }
}
