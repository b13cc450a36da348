// Payments of network currency from this number of fee payers in turn, each under its own idempotency key. An answer
// counts when the payment has settled.
import { countedUuid, postHead, type Target, type Traffic } from '../load/traffic.ts'

export interface SubmissionSettings {
  readonly apiKey: string
  /** Offchain ids of the fee payers, each paying from itself. */
  readonly payers: readonly string[]
  readonly destination: string
  readonly lifetime: 'RECENT_BLOCKHASH' | 'DURABLE_NONCE'
  /** Distinguishes the keys of one traffic from those of another: 8 hexadecimal digits. */
  readonly prefix: string
}

export interface SubmissionTally {
  readonly acknowledged: number
  readonly lamports: number
}

const PATH = '/api/v1/positions/transfer-network-currency?chainClusterId=CHAIN_DEVNET'
const SETTLED = /"status":"(CONFIRMED|FINALIZED)"/
/** Amounts all have seven digits, so that all requests have one length. */
const SMALLEST = 1_000_000
const AMOUNTS = 8_000_000

export function amountOf(n: number): number {
  return SMALLEST + (n % AMOUNTS)
}

export function traffic(
  target: Target,
  { apiKey, payers, destination, lifetime, prefix }: SubmissionSettings,
): Traffic {
  const body = (n: number): string => {
    const payer = payers[n % payers.length]!
    return (
      `{"itemData":{"source":{"offchainId":"${payer}"},"destination":{"offchainId":"${destination}"},` +
      `"lamports":${amountOf(n)},"idempotencyId":"${countedUuid(prefix, n)}"},` +
      `"chainTransactionConfig":{"feePayer":{"offchainId":"${payer}"},"messageLifetimeStrategy":"${lifetime}"}}`
    )
  }
  const head = postHead(target, PATH, body(0).length, { Authorization: `Bearer ${apiKey}` })
  let sent = 0
  let acknowledged = 0
  let lamports = 0
  return {
    next() {
      const token = sent
      sent += 1
      return { text: head + body(token), token }
    },
    accept(token, reply) {
      const settled = reply.status === 201 && reply.body.includes('"success":true') && SETTLED.test(reply.body)
      if (!settled) return `${reply.status} ${reply.body}`
      acknowledged += 1
      lamports += amountOf(token)
      return null
    },
    tally: (): SubmissionTally => ({ acknowledged, lamports }),
  }
}
