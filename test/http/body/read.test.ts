// A body whose client leaves before it is read: the request ends.
import { createServer, type IncomingMessage } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { expect, it } from 'vitest'
import { readBody } from '../../../src/http/body/read.ts'
import { Refusal } from '../../../src/contract/refusal.ts'

const BODY = '{"itemData":{}}'
const head = (length: number): string =>
  `POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`

it.each([
  ['whole', `${head(BODY.length)}${BODY}`],
  ['incomplete', `${head(BODY.length + 1)}${BODY}`],
])('is refused if the client left before the %s body was read', async (_, text) => {
  let arrived = (_request: IncomingMessage): void => undefined
  const request = new Promise<IncomingMessage>((resolve) => (arrived = resolve))
  const server = createServer((incoming) => arrived(incoming))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  try {
    const client = connect((server.address() as AddressInfo).port, '127.0.0.1', () => client.write(text))
    const incoming = await request
    const closed = new Promise((resolve) => incoming.once('close', resolve))
    client.destroy()
    await closed
    const refusal: unknown = await readBody(incoming).catch((error: unknown) => error)
    expect((refusal as Refusal).problems.map(({ code }) => code)).toEqual(['BODY_INCOMPLETE'])
  } finally {
    server.closeAllConnections()
    server.close()
  }
})
