// Transfers between the positions of the scene, each with its own request id and idempotency key, as a careful client
// sends them. An answer counts when the transfer has settled; its amount is then added to the tally.
import { countedUuid, postHead, type Target, type Traffic } from '../load/traffic.ts'

export interface TransferSettings {
  readonly apiKey: string
  /** Offchain ids. */
  readonly positions: readonly string[]
  readonly feePayer: string
  /** Distinguishes the keys of one traffic from those of another: 8 hexadecimal digits. */
  readonly prefix: string
}

export interface TransferTally {
  readonly acknowledged: number
  /** Raw units gained or lost, by place in `positions`. */
  readonly moved: readonly number[]
  /** Numbers of the transfers that were sent without an answer that they are done. */
  readonly open: readonly number[]
  /** Of one of the last transfers acknowledged: its signature and what it moved. */
  readonly last: {
    readonly signature: string
    readonly source: number
    readonly destination: number
    readonly amount: number
  } | null
}

const PATH = '/api/v1/positions/transfer?chainClusterId=CHAIN_DEVNET'
const SETTLED = /"status":"(CONFIRMED|FINALIZED)"/
/** Amounts all have four digits, so that all requests have one length. */
const SMALLEST = 1000
const AMOUNTS = 9000

export function transferBody({ positions, feePayer, prefix }: TransferSettings, n: number): string {
  const { source, destination, amount } = transferOf(n, positions.length)
  return (
    `{"itemData":{"source":{"position":{"offchainId":"${positions[source]!}"}},` +
    `"destination":{"position":{"offchainId":"${positions[destination]!}"}},` +
    `"lamports":${amount},"idempotencyId":"${countedUuid(prefix, n)}"},` +
    `"chainTransactionConfig":{"feePayer":{"offchainId":"${feePayer}"}}}`
  )
}

export function traffic(target: Target, settings: TransferSettings): Traffic {
  const {
    apiKey,
    positions: { length: count },
  } = settings
  const body = (n: number): string => transferBody(settings, n)
  const head = (n: number): string =>
    postHead(target, PATH, body(n).length, {
      Authorization: `Bearer ${apiKey}`,
      'x-request-id': countedUuid('000000b2', n),
    })
  const [beforeId, afterId] = head(0).split(countedUuid('000000b2', 0)) as [string, string]
  const moved = new Array<number>(count).fill(0)
  const open = new Set<number>()
  let sent = 0
  let acknowledged = 0
  let last: { token: number; body: string } | null = null

  return {
    next() {
      const token = sent
      sent += 1
      open.add(token)
      return { text: beforeId + countedUuid('000000b2', token) + afterId + body(token), token }
    },
    accept(token, { status, body }) {
      const settled = status === 201 && body.includes('"success":true') && SETTLED.test(body)
      if (!settled) return `${status} ${body}`
      const { source, destination, amount } = transferOf(token, count)
      moved[source]! -= amount
      moved[destination]! += amount
      acknowledged += 1
      open.delete(token)
      last = { token, body }
      return null
    },
    tally(): TransferTally {
      return {
        acknowledged,
        moved,
        open: [...open],
        last: last === null ? null : { signature: signatureIn(last.body), ...transferOf(last.token, count) },
      }
    },
  }
}

function signatureIn(body: string): string {
  return (JSON.parse(body) as { onchainId: string }).onchainId
}

/**
 * The n-th transfer: every source in turn, to a destination that moves on with every turn. Different from its
 * neighbours.
 */
export function transferOf(n: number, count: number): { source: number; destination: number; amount: number } {
  const source = n % count
  const turn = Math.floor(n / count)
  return { source, destination: (source + 1 + (turn % (count - 1))) % count, amount: SMALLEST + (n % AMOUNTS) }
}
