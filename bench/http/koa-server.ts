// The Koa of the baselines: one handler for all requests, which gets the parsed body and whose answer is sent
// unchanged.
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import Koa from 'koa'

/** @returns the port */
export async function serveKoa(
  host: string,
  answer: (body: unknown, path: string) => Promise<{ readonly status: number; readonly text: string }>,
): Promise<number> {
  const app = new Koa()
  app.use(async (exchange) => {
    const { status, text } = await answer(JSON.parse(await textOf(exchange.req)), exchange.path)
    exchange.status = status
    exchange.type = 'application/json'
    exchange.body = text
  })
  const handle = app.callback()
  const server = createServer(
    { keepAliveTimeout: 65_000, noDelay: true },
    (request, response) => void handle(request, response),
  )
  await new Promise<void>((resolve) => server.listen(0, host, resolve))
  return (server.address() as AddressInfo).port
}

function textOf(request: IncomingMessage): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => resolve(Buffer.concat(chunks).toString('utf8')))
    request.on('error', reject)
  })
}
