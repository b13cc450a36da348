// Refreshes feeds in rotation. An answer counts if the value was published and has settled.
import { requestHead, type Target, type Traffic } from '../load/traffic.ts'

export interface RefreshSettings {
  readonly apiKey: string
  /** Offchain ids. */
  readonly feeds: readonly string[]
}

export interface RefreshTally {
  /** Number of refreshes by index in `feeds`. */
  readonly refreshed: readonly number[]
  /** Signature of the last refresh. */
  readonly signature: string | null
}

const PATH = '/api/v1/market-data/onchain-data-source/refresh?chainClusterId=CHAIN_DEVNET'
const SETTLED = /"success":true[^]*"status":"(CONFIRMED|FINALIZED)"|"status":"(CONFIRMED|FINALIZED)"[^]*"success":true/

export function traffic(target: Target, { apiKey, feeds }: RefreshSettings): Traffic {
  const body = (n: number): string => `{"itemData":{"onchainDataSource":{"offchainId":"${feeds[n % feeds.length]!}"}}}`
  const head = requestHead(target, 'PATCH', PATH, {
    bodyLength: body(0).length,
    headers: { Authorization: `Bearer ${apiKey}` },
  })
  const refreshed = new Array<number>(feeds.length).fill(0)
  let sent = 0
  let last: string | null = null
  return {
    next() {
      const token = sent
      sent += 1
      return { text: head + body(token), token }
    },
    accept(token, reply) {
      if (reply.status !== 200 || !SETTLED.test(reply.body)) return `${reply.status} ${reply.body}`
      refreshed[token % feeds.length]! += 1
      last = reply.body
      return null
    },
    tally: (): RefreshTally => ({ refreshed, signature: last === null ? null : signatureIn(last) }),
  }
}

function signatureIn(body: string): string {
  return (JSON.parse(body) as { chainTransaction: { onchainId: string } }).chainTransaction.onchainId
}
