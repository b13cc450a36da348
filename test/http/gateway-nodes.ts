// A gateway and an owner in this process, and servers in place of nodes.
import { createServer as createHttp, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { CellLocation } from '../../src/nodes/cell-gateway.ts'
import { Hops } from '../../src/nodes/hop.ts'
import { Seals } from '../../src/nodes/seal.ts'
import type { NodeGateway } from '../../src/http/node-gateway.ts'
import type { Api } from '../../src/http/ports.ts'
import { atEndOfFile } from '../cleanup.ts'
import { startEcho, type RunningService } from './service.ts'

export const SECRET = 'a secret of all nodes, long enough'

export interface Node extends RunningService {
  place: CellLocation
  /** Requests that reached an operation. */
  served: number
  /** Those of them that have not ended. */
  open: number
  /** Requests that this node sent to others. */
  hops: number
}

export interface NodeOptions {
  readonly secret?: string
  readonly api?: Partial<Api>
  readonly answerMs?: number
  readonly movingMs?: number
  readonly ownerLeftMs?: number
  readonly trusted?: boolean
  readonly tenantShare?: number
  readonly countersigned?: NonNullable<NodeGateway['countersigned']>
}

export async function startNode(id: string, place: CellLocation, options: NodeOptions = {}): Promise<Node> {
  const { secret = SECRET, api = {}, ownerLeftMs = 0, trusted = false, countersigned, tenantShare } = options
  const { answerMs = 60_000, movingMs = 60_000 } = options
  const state = { place, served: 0, open: 0, hops: 0 }
  const hops = new (class extends Hops {
    override send(...request: Parameters<Hops['send']>) {
      state.hops += 1
      return super.send(...request)
    }
  })()
  const gateway: NodeGateway = {
    gateway: {
      node: id,
      ownerLeftMs,
      where: () => state.place,
      enter() {
        if (state.place.at !== 'here') return null
        state.served += 1
        state.open += 1
        return () => void (state.open -= 1)
      },
      refresh: () => Promise.resolve(),
    },
    seals: new Seals(secret, () => Date.now()),
    hops,
    ...(countersigned === undefined ? {} : { countersigned }),
    times: { answerMs, movingMs },
  }
  const service = await startEcho({
    api,
    gateway,
    settings: {
      responseWaitMs: 0,
      ...(tenantShare === undefined ? {} : { tenantShare }),
      ...(trusted ? { trustedProxy: [{ address: '127.0.0.1', prefix: 32, family: 'ipv4' }] } : {}),
    },
  })
  atEndOfFile(async () => {
    hops.close()
    await service[Symbol.asyncDispose]()
  })
  return Object.assign(state, service)
}

export const HERE: CellLocation = { at: 'here' }
export const MOVING: CellLocation = { at: 'nowhere', isMoving: true, retryAfterMs: 1_000 }
export const at = (node: string, url: string): CellLocation => ({ at: 'elsewhere', node, url, epoch: 1 })

/** An owner and a gateway that forwards to it. */
export async function two(options: NodeOptions = {}): Promise<{ owner: Node; gateway: Node }> {
  const owner = await startNode('owner', HERE, options)
  return { owner, gateway: await startNode('gateway', at('owner', owner.url), options) }
}

/** A server that is no node: it records the requests that reach it. */
export async function startPost(
  answers: boolean,
): Promise<{ url: string; got: { request: IncomingMessage; body: string }[] }> {
  const requests: { request: IncomingMessage; body: string }[] = []
  const server = createHttp((request, response) => {
    let body = ''
    request.on('data', (chunk: Buffer) => (body += chunk.toString()))
    request.on('end', () => {
      requests.push({ request, body })
      if (answers) response.end('{}')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  atEndOfFile(() => {
    server.closeAllConnections()
    return new Promise((resolve) => server.close(resolve))
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, got: requests }
}
