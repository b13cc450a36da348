// Calls during an event at the service: the longest duration of one, and the time of the first success afterwards.
import { setTimeout as sleep } from 'node:timers/promises'
import { holdfast } from '../../src/client/client.ts'
import { restClient } from '../service/rest.ts'
import type { Target } from '../load/traffic.ts'

const AT_ONCE = 8
const ATTEMPT_EVERY_MS = 50
const SUCCESS_WITHIN_MS = 120_000

/** A durable write that needs no chain. */
const CREATE = { itemData: { managed: true } }

export interface CallsDone {
  readonly calls: number
  readonly longestMs: number
  /** Longest time between two answers, of any of the callers. */
  readonly longestGapMs: number
}

/**
 * Writes with the client of the service, until `work` is done. Rejects when a call fails for good.
 * @param urls of the nodes
 */
export async function callsDuring(
  urls: readonly string[],
  apiKey: string,
  work: () => Promise<void>,
): Promise<CallsDone> {
  const client = holdfast({ url: urls, apiKey })
  let isOver = false
  let [calls, longestMs, longestGapMs] = [0, 0, 0]
  let answeredAt = performance.now()
  const loop = async (): Promise<void> => {
    while (!isOver) {
      const begunAt = performance.now()
      await client.post('/accounts', CREATE)
      const now = performance.now()
      longestMs = Math.max(longestMs, now - begunAt)
      longestGapMs = Math.max(longestGapMs, now - answeredAt)
      answeredAt = now
      calls += 1
    }
  }
  const loops = Promise.all(Array.from({ length: AT_ONCE }, loop))
  await Promise.race([work(), loops])
  isOver = true
  await loops
  return { calls, longestMs, longestGapMs }
}

/**
 * Milliseconds until a write succeeds at the node: attempts begin one after the other, whatever the result of the last.
 */
export async function firstSuccessMs({ host, port }: Target, apiKey: string): Promise<number> {
  const rest = restClient(host, port, apiKey)
  const begunAt = performance.now()
  const found: { atMs?: number } = {}
  let refused: unknown
  const attempt = async (): Promise<void> => {
    try {
      await rest.post('/accounts', CREATE)
      found.atMs ??= performance.now()
    } catch (error) {
      refused = error
    }
  }
  while (found.atMs === undefined) {
    if (performance.now() - begunAt > SUCCESS_WITHIN_MS) throw refused
    void attempt()
    await sleep(ATTEMPT_EVERY_MS)
  }
  return found.atMs - begunAt
}
