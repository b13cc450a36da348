// Questions to the service that has a data directory open, over the socket in it.
import { request, type IncomingMessage } from 'node:http'
import type { Row } from '../../snapshots/backup/rows.ts'
import { EXIT_CODES } from '../config/exit-codes.ts'
import type { Standing } from '../http/owner-questions.ts'
import { CommandFailed } from './command-failed.ts'

/** Nobody listens: there is no socket, or its process is gone. */
const NOBODY: ReadonlySet<unknown> = new Set(['ENOENT', 'ECONNREFUSED', 'ENOTDIR'])

/** Null when no service answers there. An answer that is cut off throws where it is read. Rejects with CommandFailed. */
export async function askOwner(socketPath: string, path: string): Promise<AsyncIterable<Buffer> | null> {
  const response = await new Promise<IncomingMessage | null>((resolve, reject) => {
    request({ socketPath, path }, resolve)
      .on('error', (error: NodeJS.ErrnoException) => {
        if (NOBODY.has(error.code)) resolve(null)
        else reject(new CommandFailed(`the service cannot be asked at ${socketPath}: ${error.message}`, EXIT_CODES.unavailable))
      })
      .end()
  })
  if (response === null || response.statusCode === 200) return response === null ? null : whole(response)
  response.resume()
  throw new CommandFailed(`the service at ${socketPath} does not know ${path}: it is of another release`, EXIT_CODES.unavailable)
}

async function* whole(response: IncomingMessage): AsyncGenerator<Buffer, void, undefined> {
  try {
    for await (const chunk of response) yield chunk as Buffer
  } catch (error) {
    throw new CommandFailed(`the answer was cut off: ${(error as Error).message}`, EXIT_CODES.unavailable)
  }
}

/** How the running service stands; null when none runs. */
export async function standingOf(socketPath: string): Promise<Standing | null> {
  const answer = await askOwner(socketPath, '/standing')
  if (answer === null) return null
  const chunks: Buffer[] = []
  for await (const chunk of answer) chunks.push(chunk)
  return JSON.parse(Buffer.concat(chunks).toString()) as Standing
}

/** Rows as the included chain sends them. */
export async function* rowsFrom(bytes: AsyncIterable<Buffer>): AsyncGenerator<Row, void, undefined> {
  let held: Buffer = Buffer.alloc(0)
  for await (const chunk of bytes) {
    held = held.length === 0 ? chunk : Buffer.concat([held, chunk])
    let at = 0
    for (let row = rowAt(held, at); row !== null; row = rowAt(held, at)) {
      yield [row.key, row.value]
      at = row.end
    }
    held = held.subarray(at)
  }
  if (held.length > 0) throw new CommandFailed('the included chain sent half a row', EXIT_CODES.unavailable)
}

function rowAt(bytes: Buffer, start: number): { readonly key: Buffer; readonly value: Buffer; readonly end: number } | null {
  const key = partAt(bytes, start)
  const value = key === null ? null : partAt(bytes, key.end)
  return key === null || value === null ? null : { key: key.part, value: value.part, end: value.end }
}

function partAt(bytes: Buffer, start: number): { readonly part: Buffer; readonly end: number } | null {
  if (start + 4 > bytes.length) return null
  const end = start + 4 + bytes.readUInt32BE(start)
  return end > bytes.length ? null : { part: bytes.subarray(start + 4, end), end }
}
