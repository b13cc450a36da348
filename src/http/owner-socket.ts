// HTTP on a socket in the data directory, mode 0600: serves the owner of the data without an API key. Who can open the
// socket could also read the directory. One path per request type; clients detect truncated responses.
import { chmod, rm } from 'node:fs/promises'
import { createServer, type Server, type ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

/** Request handlers by path; responses of any length. */
export type OwnerQuestions = Readonly<Record<string, (query: URLSearchParams) => AsyncIterable<Buffer | string>>>

export interface OwnerSocket {
  close(): void
}

/**
 * Must be called only by the process that holds the store: removes the socket of an earlier run. Rejects if the path
 * cannot be a socket.
 */
export async function openOwnerSocket(path: string, questions: OwnerQuestions, log: OwnerLog): Promise<OwnerSocket> {
  await rm(path, { force: true })
  const server = createServer((request, response) => {
    // Not by `URL`, which throws for `//`: an error here would end the service.
    const [path = '', query = ''] = (request.url ?? '').split('?', 2)
    const question = request.method === 'GET' ? questions[path] : undefined
    if (question === undefined) response.writeHead(404).end()
    else void answer(response, path, question(new URLSearchParams(query)), log)
  })
  await listenPrivately(server, path)
  return {
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

export interface OwnerLog {
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
}

async function answer(
  response: ServerResponse,
  question: string,
  pieces: AsyncIterable<Buffer | string>,
  log: OwnerLog,
): Promise<void> {
  try {
    response.writeHead(200, { 'content-type': 'application/octet-stream' })
    await pipeline(Readable.from(pieces), response)
    log.info({ question }, 'answered a request on the owner socket')
  } catch (error) {
    log.warn({ question, err: error }, 'a response on the owner socket was interrupted')
  }
}

/** Rejects connections made before the mode of the socket is set. */
async function listenPrivately(server: Server, path: string): Promise<void> {
  const turnAway = (socket: { destroy(): void }): void => socket.destroy()
  server.on('connection', turnAway)
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(path, resolve))
  await chmod(path, 0o600)
  server.off('connection', turnAway)
}
