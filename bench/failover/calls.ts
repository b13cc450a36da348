// Calls during an event such as the end of a node: the duration of the longest call, and the time until the first
// successful one.
import { setTimeout as sleep } from 'node:timers/promises'
import { holdfast } from '../../src/client/client.ts'
import { restClient } from '../service/rest.ts'
import type { Target } from '../load/traffic.ts'

const AT_ONCE = 8
const ATTEMPT_EVERY_MS = 50
const SUCCESS_WITHIN_MS = 120_000

/** Body of a durable write that needs no chain. */
const CREATE = { itemData: { managed: true } }

export interface CallsDone {
  readonly calls: number
  /** Duration of each call. */
  readonly latenciesMs: readonly number[]
  readonly longestMs: number
  /** Longest time between two answers to one caller. */
  readonly longestGapMs: number
}

/**
 * Sends writes with the client of the service until `work` is done. Rejects if a call fails permanently.
 * @param urls URLs of the nodes
 */
export async function callsDuring(
  urls: readonly string[],
  apiKey: string,
  work: () => Promise<void>,
): Promise<CallsDone> {
  const client = holdfast({ url: urls, apiKey })
  let isOver = false
  const latenciesMs: number[] = []
  let longestGapMs = 0
  let answeredAt = performance.now()
  const loop = async (): Promise<void> => {
    while (!isOver) {
      const begunAt = performance.now()
      await client.post('/accounts', CREATE)
      const now = performance.now()
      latenciesMs.push(now - begunAt)
      longestGapMs = Math.max(longestGapMs, now - answeredAt)
      answeredAt = now
    }
  }
  const loops = Promise.all(Array.from({ length: AT_ONCE }, loop))
  await Promise.race([work(), loops])
  isOver = true
  await loops
  return {
    calls: latenciesMs.length,
    latenciesMs,
    longestMs: latenciesMs.reduce((longest, ms) => Math.max(longest, ms), 0),
    longestGapMs,
  }
}

/** Milliseconds until a write succeeds at the node. Attempts follow each other, regardless of their results. */
export async function firstSuccessMs({ host, port }: Target, apiKey: string): Promise<number> {
  const rest = restClient(host, port, apiKey)
  const begunAt = performance.now()
  const success: { atMs?: number } = {}
  let refused: unknown
  const attempt = async (): Promise<void> => {
    try {
      await rest.post('/accounts', CREATE)
      success.atMs ??= performance.now()
    } catch (error) {
      refused = error
    }
  }
  while (success.atMs === undefined) {
    if (performance.now() - begunAt > SUCCESS_WITHIN_MS) throw refused
    void attempt()
    await sleep(ATTEMPT_EVERY_MS)
  }
  return success.atMs - begunAt
}
