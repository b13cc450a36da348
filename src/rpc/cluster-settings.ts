// Settings of the connection to a cluster, with defaults for a remote cluster and for the embedded chain.
import type { BlockhashSettings } from './blockhash.ts'
import type { PoolSettings } from './pool.ts'

export interface LaneSettings {
  /** Maximum number of transactions of one send. */
  readonly maxBatch: number
  /** Sends in flight at a time, over all lanes. */
  readonly concurrency: number
  /** At most `sends` batches (not transactions) in any period of `perMs`; null: no limit. */
  readonly rate: { readonly sends: number; readonly perMs: number } | null
  readonly timeoutMs: number
  /** Returns false while this process must not send. Absent: it always may. */
  readonly maySend?: () => boolean
}

export interface WatchSettings {
  /**
   * Times of the first status queries of a transaction, in milliseconds after its send was answered. Later queries are
   * at least `pollMs` apart.
   */
  readonly askAfterMs: readonly number[]
  /** Minimum time between two rounds of status queries; all due queries share a round. */
  readonly turnMs: number
  /** Minimum time before a round that a notification of a landing triggers. */
  readonly hintMs: number
  /** Maximum number of transactions with a subscription to their landing. */
  readonly subscribedSignatures: number
  /** Interval of status queries for transactions not yet confirmed. */
  readonly pollMs: number
  /** Ceiling of the growing interval for unseen transactions. */
  readonly slowestPollMs: number
  /** Interval of queries for the finalized slot and height. */
  readonly progressMs: number
  /** After this, a transaction whose send is unanswered is queried. */
  readonly unansweredMs: number
  /** Delay of the first resend, doubling up to `slowestResendMs`; with a durable nonce up to `nonceResendMs`. */
  readonly resendMs: number
  readonly slowestResendMs: number
  readonly nonceResendMs: number
  /**
   * A status seen before counts as forgotten after this many successive answers without it, each of a later slot, and
   * this long after the first of them.
   */
  readonly forgetAfter: number
  readonly forgetMs: number
  /** Delay after a failed attempt at a proof, doubling up to `slowestProofMs`. */
  readonly proofMs: number
  readonly slowestProofMs: number
  readonly timeoutMs: number
}

export interface AdmissionSettings {
  readonly perLane: number
  readonly perTenant: number
  readonly perCluster: number
}

/** Reconciliation of the records with the chain, 100 accounts per query. */
export interface ComparisonSettings {
  /** Minimum time from the start of a round to the start of the next. */
  readonly roundMs: number
  readonly questionsPerSecond: number
  /** Maximum number of subscribed accounts. */
  readonly subscribedAccounts: number
}

/**
 * A node sends one notification per slot and account: at most 1,250 notifications a second with slots of 400 ms.
 * Providers allow more on one connection.
 */
export const SUBSCRIBED_ACCOUNTS = 500

/** A subscription takes one message each way per transaction, on the connection of the accounts. */
export const SUBSCRIBED_SIGNATURES = 1_000
export const ASK_AFTER_MS: readonly number[] = [250, 500, 750]

export interface ClusterSettings {
  readonly pool: PoolSettings
  readonly blockhash: BlockhashSettings
  readonly lanes: LaneSettings
  readonly watch: WatchSettings
  readonly admission: AdmissionSettings
  /** The embedded chain: `confirmed` means on disk (see `inclusion.ts`). */
  readonly confirmsOnDisk: boolean
  /** True: transactions that the records alone cannot decide are simulated before signing. */
  readonly simulate: boolean
  readonly comparison: ComparisonSettings
}

const ADMISSION: AdmissionSettings = { perLane: 5_000, perTenant: 10_000, perCluster: 20_000 }

/**
 * A public or private RPC provider: requests of at most 50 KiB, which a stock validator accepts, and a few queries a
 * second while transactions are in progress.
 */
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
    pace: { minSlotMs: 200, leapSlots: 30, marginBlocks: 60 },
    againMs: 5_000,
    trialMs: 3_000,
  },
  blockhash: { refreshMs: 1_000, maxAgeMs: 10_000, idleMs: 30_000 },
  lanes: { maxBatch: 100, concurrency: 4, rate: { sends: 20, perMs: 1_000 }, timeoutMs: 10_000 },
  watch: {
    askAfterMs: ASK_AFTER_MS,
    turnMs: 250,
    hintMs: 25,
    subscribedSignatures: SUBSCRIBED_SIGNATURES,
    pollMs: 1_000,
    slowestPollMs: 2_000,
    progressMs: 2_000,
    unansweredMs: 1_000,
    resendMs: 1_000,
    slowestResendMs: 2_000,
    nonceResendMs: 30_000,
    forgetAfter: 3,
    forgetMs: 3_000,
    proofMs: 2_000,
    slowestProofMs: 30_000,
    timeoutMs: 10_000,
  },
  admission: ADMISSION,
  confirmsOnDisk: false,
  simulate: true,
  comparison: { roundMs: 30_000, questionsPerSecond: 2, subscribedAccounts: SUBSCRIBED_ACCOUNTS },
}

/** The embedded chain: on the same machine, answers when a transaction is durable, slots of 400 ms. */
export const EMBEDDED_CLUSTER: ClusterSettings = {
  // A start of the chain skips the slots that it had reserved. Its process is trusted, so its numbers need no margin.
  pool: {
    ...REMOTE_CLUSTER.pool,
    maxRequestBytes: 512 * 1024,
    gapMs: 6,
    pace: { minSlotMs: 200, leapSlots: 512, marginBlocks: 0 },
  },
  blockhash: { refreshMs: 200, maxAgeMs: 10_000, idleMs: 10_000 },
  lanes: { maxBatch: 24, concurrency: 8, rate: null, timeoutMs: 10_000 },
  watch: {
    ...REMOTE_CLUSTER.watch,
    // The answer to a send is its confirmation. The process is trusted, so absence counts without a delay.
    askAfterMs: [0],
    turnMs: 10,
    hintMs: 10,
    subscribedSignatures: 0,
    forgetMs: 0,
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
  simulate: true,
  comparison: { roundMs: 5_000, questionsPerSecond: 10, subscribedAccounts: SUBSCRIBED_ACCOUNTS },
}

/** Number of blocks for which a blockhash is valid. */
const LIFETIME_BLOCKS = 150

export interface ClusterChoices {
  readonly embedded: boolean
  /** Time between two slots of the embedded chain. */
  readonly embeddedSlotMs: number
  /** Minimum time between two blocks of a remote cluster. */
  readonly minSlotMs?: number | undefined
  /** Maximum number of requests per second that send transactions. */
  readonly ratePerSecond?: number | undefined
  readonly subscribedAccounts: number
  /** Only for a remote cluster. Absent: the default. */
  readonly statusPollsMs?: readonly number[]
  readonly subscribedSignatures?: number
}

/** The settings of a cluster with the choices of the operator. */
export function clusterSettings(choices: ClusterChoices): ClusterSettings {
  const { embedded, embeddedSlotMs, minSlotMs, ratePerSecond, subscribedAccounts } = choices
  const usual = embedded ? EMBEDDED_CLUSTER : REMOTE_CLUSTER
  const { askAfterMs, subscribedSignatures } = usual.watch
  // The embedded chain opens slots by its clock. After a delay it opens several at once.
  const least = embedded ? embeddedSlotMs / 2 : (minSlotMs ?? usual.pool.pace.minSlotMs)
  const pace = { ...usual.pool.pace, minSlotMs: least }
  // Heights must be observed so often that the blocks between two observations are no leap, which would restart the
  // count.
  const leapMs = (pace.leapSlots * least) / 2
  // A cached blockhash must have most of its lifetime left, because transactions signed with it must still land.
  const maxAgeMs = Math.min(usual.blockhash.maxAgeMs, (LIFETIME_BLOCKS * least) / 3)
  const rate = ratePerSecond === undefined ? usual.lanes.rate : { sends: ratePerSecond, perMs: 1_000 }
  return {
    ...usual,
    pool: { ...usual.pool, pace },
    blockhash: { ...usual.blockhash, maxAgeMs, refreshMs: Math.min(usual.blockhash.refreshMs, maxAgeMs / 2) },
    lanes: { ...usual.lanes, rate },
    watch: {
      ...usual.watch,
      progressMs: Math.min(usual.watch.progressMs, leapMs),
      pollMs: Math.min(usual.watch.pollMs, leapMs),
      turnMs: Math.min(usual.watch.turnMs, leapMs),
      hintMs: Math.min(usual.watch.hintMs, leapMs),
      askAfterMs: embedded ? askAfterMs : (choices.statusPollsMs ?? askAfterMs),
      subscribedSignatures: embedded ? subscribedSignatures : (choices.subscribedSignatures ?? subscribedSignatures),
    },
    comparison: { ...usual.comparison, subscribedAccounts },
  }
}
