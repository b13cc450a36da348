// How a cluster is spoken to, with defaults for a remote one and for the embedded chain beside us.
import type { BlockhashSettings } from './blockhash.ts'
import type { PoolSettings } from './pool.ts'

export interface LaneSettings {
  /** Transactions of one send. */
  readonly maxBatch: number
  /** Sends under way at once, over all lanes. */
  readonly concurrency: number
  /** At most `sends` (batches, not transactions) in any `perMs`; null: no limit. */
  readonly rate: { readonly sends: number; readonly perMs: number } | null
  readonly timeoutMs: number
}

export interface WatchSettings {
  /** Between two questions for what is not yet confirmed. */
  readonly pollMs: number
  /** What stays unseen is asked for ever less often, down to this. */
  readonly slowestPollMs: number
  /** Between two questions for the finalized slot and height. */
  readonly progressMs: number
  /** A send without an answer is asked for after this. */
  readonly unansweredMs: number
  /** The same bytes again after the first of these, doubling up to the second; `nonceResendMs` is the ceiling with a durable nonce. */
  readonly resendMs: number
  readonly slowestResendMs: number
  readonly nonceResendMs: number
  /** Answers in a row, each of a later slot, without a status seen before, until it counts as forgotten. */
  readonly forgetAfter: number
  /** Between attempts at a proof that proved nothing, doubling. */
  readonly proofMs: number
  readonly slowestProofMs: number
  readonly timeoutMs: number
}

export interface AdmissionSettings {
  readonly perLane: number
  readonly perTenant: number
  readonly perCluster: number
}

/** How the records are compared with the chain, 100 accounts a question. */
export interface ComparisonSettings {
  /** From the begin of a round to that of the next, if it is over by then. */
  readonly roundMs: number
  readonly questionsPerSecond: number
  /** Accounts in use that are subscribed to, at most. */
  readonly subscribedAccounts: number
}

/** A node notifies once a slot and account: 1,250 notifications a second at most, on slots of 400 ms. Providers allow more of one connection. */
export const SUBSCRIBED_ACCOUNTS = 500

export interface ClusterSettings {
  readonly pool: PoolSettings
  readonly blockhash: BlockhashSettings
  readonly lanes: LaneSettings
  readonly watch: WatchSettings
  readonly admission: AdmissionSettings
  /** The embedded chain: `confirmed` means on disk (see `inclusion.ts`). */
  readonly confirmsOnDisk: boolean
  /** Simulate before signing what the records alone cannot decide. */
  readonly rehearse: boolean
  readonly comparison: ComparisonSettings
}

const ADMISSION: AdmissionSettings = { perLane: 5_000, perTenant: 10_000, perCluster: 20_000 }

/** A public or private RPC provider: 50 KiB a request as a stock validator takes it, about a question a second. */
export const REMOTE_CLUSTER: ClusterSettings = {
  pool: {
    batch: true,
    maxBatchCalls: 100,
    maxRequestBytes: 50_000,
    maxResponseBytes: 64 * 1024 * 1024,
    timeoutMs: 15_000,
    connections: 8,
    pauseMs: 1_000,
    longestPauseMs: 60_000,
    longestRetryAfterMs: 300_000,
    behindSlots: 30,
    againMs: 5_000,
    trialMs: 3_000,
  },
  blockhash: { refreshMs: 1_000, maxAgeMs: 10_000, idleMs: 30_000 },
  lanes: { maxBatch: 100, concurrency: 4, rate: { sends: 20, perMs: 1_000 }, timeoutMs: 10_000 },
  watch: {
    pollMs: 1_000,
    slowestPollMs: 2_000,
    progressMs: 2_000,
    unansweredMs: 1_000,
    resendMs: 1_000,
    slowestResendMs: 2_000,
    nonceResendMs: 30_000,
    forgetAfter: 3,
    proofMs: 2_000,
    slowestProofMs: 30_000,
    timeoutMs: 10_000,
  },
  admission: ADMISSION,
  confirmsOnDisk: false,
  rehearse: true,
  comparison: { roundMs: 30_000, questionsPerSecond: 2, subscribedAccounts: SUBSCRIBED_ACCOUNTS },
}

/** The embedded chain: same machine, answers when durable, slots of 400 ms. */
export const EMBEDDED_CLUSTER: ClusterSettings = {
  pool: { ...REMOTE_CLUSTER.pool, maxRequestBytes: 512 * 1024 },
  blockhash: { refreshMs: 200, maxAgeMs: 10_000, idleMs: 10_000 },
  lanes: { maxBatch: 24, concurrency: 8, rate: null, timeoutMs: 10_000 },
  watch: {
    ...REMOTE_CLUSTER.watch,
    pollMs: 10,
    slowestPollMs: 500,
    progressMs: 100,
    unansweredMs: 250,
    resendMs: 500,
    proofMs: 500,
    slowestProofMs: 5_000,
    timeoutMs: 5_000,
  },
  admission: ADMISSION,
  confirmsOnDisk: true,
  rehearse: true,
  comparison: { roundMs: 5_000, questionsPerSecond: 10, subscribedAccounts: SUBSCRIBED_ACCOUNTS },
}
