// Queries to the service that has a data directory open, over the socket in it.
import { request, type IncomingMessage } from 'node:http'
import { EXIT_CODES } from '../config/exit-codes.ts'
import type { ServiceStatus } from '../http/owner-questions.ts'
import { CommandFailed } from './command-failed.ts'

/** Errors when no process listens: there is no socket, or its process is gone. */
const NOBODY: ReadonlySet<unknown> = new Set(['ENOENT', 'ECONNREFUSED', 'ENOTDIR'])

/** null: no service answers. Reading a truncated response throws. Rejects with CommandFailed. */
export async function askOwner(socketPath: string, path: string): Promise<AsyncIterable<Buffer> | null> {
  const response = await new Promise<IncomingMessage | null>((resolve, reject) => {
    request({ socketPath, path }, resolve)
      .on('error', (error: NodeJS.ErrnoException) => {
        if (NOBODY.has(error.code)) resolve(null)
        else
          reject(
            new CommandFailed(
              `the service is not reachable at ${socketPath}: ${error.message}`,
              EXIT_CODES.unavailable,
            ),
          )
      })
      .end()
  })
  if (response === null || response.statusCode === 200) return response === null ? null : whole(response)
  response.resume()
  throw new CommandFailed(
    `the service at ${socketPath} does not support ${path}: it has a different release`,
    EXIT_CODES.unavailable,
  )
}

async function* whole(response: IncomingMessage): AsyncGenerator<Buffer, void, undefined> {
  try {
    for await (const chunk of response) yield chunk as Buffer
  } catch (error) {
    throw new CommandFailed(`the response was interrupted: ${(error as Error).message}`, EXIT_CODES.unavailable)
  }
}

/** The state of the running service; null when none runs. */
export function serviceStatusOf(socketPath: string): Promise<ServiceStatus | null> {
  return objectOf<ServiceStatus>(socketPath, '/standing')
}

/** Ids of the tenants of the running service; null when none runs. */
export async function tenantsOf(socketPath: string): Promise<readonly string[] | null> {
  return (await objectOf<{ readonly tenants: readonly string[] }>(socketPath, '/tenants'))?.tenants ?? null
}

async function objectOf<T>(socketPath: string, path: string): Promise<T | null> {
  const answer = await askOwner(socketPath, path)
  if (answer === null) return null
  const chunks: Buffer[] = []
  for await (const chunk of answer) chunks.push(chunk)
  return JSON.parse(Buffer.concat(chunks).toString()) as T
}
