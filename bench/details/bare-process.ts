// The baseline of the details: koa and nothing else. Reads the body, parses it, answers the text that belongs to the id in it.
import type { AddressInfo } from 'node:net'
import { createServer, type IncomingMessage } from 'node:http'
import Koa from 'koa'
import { answerParent } from '../measure/child.ts'

export interface BareServerRequest {
  readonly host: string
  readonly answers: ReadonlyMap<string, string>
}

answerParent(async ({ host, answers }: BareServerRequest): Promise<number> => {
  const app = new Koa()
  app.use(async (exchange) => {
    const { itemData } = JSON.parse(await textOf(exchange.req)) as { itemData: { offchainId: string } }
    exchange.type = 'application/json'
    exchange.body = answers.get(itemData.offchainId)
  })
  const handle = app.callback()
  const server = createServer({ keepAliveTimeout: 65_000, noDelay: true }, (request, response) => void handle(request, response))
  await new Promise<void>((resolve) => server.listen(0, host, resolve))
  return (server.address() as AddressInfo).port
})

function textOf(request: IncomingMessage): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => resolve(Buffer.concat(chunks).toString('utf8')))
    request.on('error', reject)
  })
}
