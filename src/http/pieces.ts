// Responses that are written piece by piece, only as fast as their client reads.
import type { ServerResponse } from 'node:http'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { StreamedAnswer } from '../contract/streamed.ts'
import type { Exchange } from './exchange.ts'

/** A client that reads nothing for this time is disconnected. */
const STALLED_MS = 60_000

/**
 * Errors before the first piece are thrown. A later error, or a client that stops reading, closes the connection
 * without the end of the response, so that the client detects that it is incomplete.
 */
export async function answerPieces(exchange: Exchange, { type, fileName, pieces }: StreamedAnswer): Promise<void> {
  const response: ServerResponse = exchange.res
  const iterator = pieces[Symbol.asyncIterator]()
  let next = await iterator.next()
  exchange.respond = false
  response.statusCode = 200
  response.setHeader('Content-Type', type)
  if (fileName !== null) response.setHeader('Content-Disposition', `attachment; filename="${fileName}"`)
  try {
    for (; next.done !== true; next = await iterator.next()) {
      if (!isOpen(response)) return
      if (!response.write(next.value) && !(await waitForDrain(response, STALLED_MS))) return void response.destroy()
      await nextTurn()
    }
    response.end()
  } catch (error) {
    response.destroy(error instanceof Error ? error : undefined)
  } finally {
    await iterator.return?.()
  }
}

export function isOpen(response: ServerResponse): boolean {
  return !response.writableEnded && !response.destroyed
}

/** False: the client read nothing in that time. */
export function waitForDrain(response: ServerResponse, withinMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    const decided = (inTime: boolean): void => {
      clearTimeout(late)
      response.off('drain', took)
      response.off('close', took)
      resolve(inTime)
    }
    const took = (): void => decided(true)
    const late = setTimeout(() => decided(false), withinMs)
    response.on('drain', took)
    response.on('close', took)
  })
}
