// Reads a request body of at most 1 MiB, or of the size that its endpoint takes.
import type { IncomingMessage } from 'node:http'
import { bodyReadOf } from '../forwarded.ts'
import { frontRefusal } from '../problem.ts'

export const MAX_BODY_BYTES = 1024 * 1024
/** 10,000 items of a batch, each as large as a transfer with every lookup spelt out. */
export const MAX_BATCH_BYTES = 16 * 1024 * 1024

const EMPTY = Buffer.alloc(0)

/** Rejects by headers before reading: 413 and 415. */
export function checkBodyHeaders(headers: IncomingMessage['headers'], maxBytes = MAX_BODY_BYTES): void {
  const type = headers['content-type']
  if (type !== 'application/json' && !isJson(type))
    throw frontRefusal(415, 'UNSUPPORTED_MEDIA_TYPE', 'the body must be application/json')
  if (headers['content-encoding'] !== undefined && headers['content-encoding'] !== 'identity') {
    throw frontRefusal(415, 'UNSUPPORTED_ENCODING', 'the body must not have a content encoding')
  }
  if (Number(headers['content-length']) > maxBytes) throw tooLarge(maxBytes)
}

function isJson(type: string | undefined): boolean {
  return type !== undefined && /^application\/json *(?:; *charset="?utf-8"? *)?$/i.test(type)
}

/**
 * Rejects with a Refusal: 413 as soon as the limit is exceeded, 400 when the client aborts.
 *
 * @param meter called with the length of each part; an error that it throws ends the reading
 */
export function readBody(
  request: IncomingMessage,
  maxBytes = MAX_BODY_BYTES,
  meter: (bytes: number) => void = () => undefined,
): Promise<Buffer> {
  const read = bodyReadOf(request)
  if (read !== undefined) return read.length > maxBytes ? Promise.reject(tooLarge(maxBytes)) : Promise.resolve(read)
  // The client left before the body was read, for example during a check of its token: no event would follow.
  if (request.destroyed) return Promise.reject(incomplete())
  return new Promise((resolve, reject) => {
    let first: Buffer | undefined
    let chunks: Buffer[] | undefined
    let length = 0
    const end = (error: Error): void => {
      // Reads and discards the rest.
      length = Number.POSITIVE_INFINITY
      first = chunks = undefined
      reject(error)
    }
    request.on('data', (chunk: Buffer) => {
      if (length > maxBytes) return
      length += chunk.length
      if (length > maxBytes) {
        end(tooLarge(maxBytes))
        return
      }
      try {
        meter(chunk.length)
      } catch (error) {
        end(error as Error)
        return
      }
      if (first === undefined) first = chunk
      else (chunks ??= [first]).push(chunk)
    })
    request.on('end', () => resolve(chunks === undefined ? (first ?? EMPTY) : Buffer.concat(chunks, length)))
    request.on('error', () => reject(incomplete()))
  })
}

function incomplete(): Error {
  return frontRefusal(400, 'BODY_INCOMPLETE', 'the connection closed before the whole body was received')
}

function tooLarge(maxBytes: number): Error {
  return frontRefusal(413, 'BODY_TOO_LARGE', `the body must have at most ${maxBytes} bytes`)
}
