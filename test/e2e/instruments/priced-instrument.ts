// An instrument with an authority for its feeds, and a server with the answers for the jobs of the feeds.
import { once as event } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll } from 'vitest'
import { feedOnchain, type Created, type Source } from '../feed-fixture.ts'
import { startWorld, type World } from '../harness.ts'
import type { Ids } from '../models.ts'

export const PATH = '/market-data/onchain-data-source'

export let world: World
let server: Server
export let origin: string
export let feePayer: Ids
export let authority: Ids
export let instrument: Ids

/** The answer of the server: text, or a status. */
export const answers = new Map<string, string | number>()
export const requests: {
  readonly path: string
  readonly method: string
  readonly header: string | undefined
  readonly body: string
}[] = []

export const priceJob = (path: string, at = '$.price') => ({
  tasks: [{ httpTask: { url: `${origin}${path}` } }, { jsonParseTask: { path: at } }],
})

export function bodyOf(jobs: unknown, members: object = {}): object {
  return {
    defiProtocol: 'PUBLISHED_FEED',
    onchainDataSource: {},
    financialInstrument: instrument,
    onchainDataSourceAuthority: authority,
    dataDetails: { kind: 'PRICE' },
    oracleProviderDetails: { kind: 'QUOTES', jobDefinition: JSON.stringify(jobs) },
    ...members,
  }
}

export const create = (jobs: unknown, members: object = {}): Promise<Created> =>
  world.api.ok<Created>(201, 'POST', PATH, bodyOf(jobs, members))

export const single = (source: Ids): Promise<Source> =>
  world.api.read<Source>(`${PATH}/single`, { onchainDataSource: source })
export const onchain = (source: Ids) => feedOnchain(world.chain, source)
export const refuses = async (code: string, jobs: unknown, members: object = {}): Promise<string> =>
  (await world.api.refuses(400, code, 'POST', PATH, bodyOf(jobs, members))).message

/** Registers the hooks that set up the exports of this file for the tests, and clean up. */
export function withPricedInstrument(): void {
  beforeAll(async () => {
    server = createServer((request, response) => {
      const chunks: Buffer[] = []
      request.on('data', (chunk: Buffer) => chunks.push(chunk))
      request.on('end', () => {
        const path = request.url ?? ''
        const header = request.headers['x-token']
        requests.push({
          path,
          method: request.method ?? '',
          header: typeof header === 'string' ? header : undefined,
          body: Buffer.concat(chunks).toString(),
        })
        const answer = answers.get(path) ?? 404
        if (path === '/moved') response.writeHead(302, { location: `${origin}/price` }).end()
        else if (typeof answer === 'number') response.writeHead(answer).end('no')
        else response.writeHead(200, { 'content-type': 'application/json' }).end(answer)
      })
    })
    server.listen(0, '127.0.0.1')
    await event(server, 'listening')
    const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
    origin = `http://${host}`
    world = await startWorld({ HOLDFAST_OUTBOUND_ALLOW: host, HOLDFAST_FEED_STALE_SECONDS: '86400' })
    feePayer = await world.records.feePayer()
    authority = await world.records.account({ offchainReferences: { type: 'TOKEN_MANAGEMENT_AUTHORITY' } })
    instrument = await world.records.instrument('TOKEN_2022', await world.records.account())
  })

  afterAll(async () => {
    await world.stop()
    server.closeAllConnections()
    server.close()
  })
}
