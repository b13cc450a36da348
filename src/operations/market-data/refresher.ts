// Refreshes the data sources of a cluster periodically, a few of each tenant at a time, with the rights of the caller
// that defined each. The due time follows from the record, so a restart neither skips a source nor refreshes all at
// once. A refused refresh is repeated one period later.
import type { Clock, Timer } from '../../time/clock.ts'
import { apiKeyKey, dataSourcesKey } from '../../engine/index/index-keys.ts'
import { ofKind } from '../../engine/records/record.ts'
import type { Call, Caller } from '../../contract/call.ts'
import type { Platform } from '../context/platform.ts'
import { isKeyEnabled, isSubjectDisabled } from '../lookup/subjects.ts'
import { operationResult } from '../context/as-refusal.ts'
import { callerOf } from '../transactions/plans/requester.ts'
import { refreshDataSource } from './refresh.ts'
import { atHand } from '../../../snapshots/at-hand.ts'
import { holdingOf } from '../lookup/party.ts'
import { isFrozen } from '../authorization/signers.ts'
import { publisherOf, type DataSource } from '../lookup/named-source.ts'
import type { FeedLog } from '../../rpc/chain-feeds.ts'

const ENDPOINT = 'PATCH /api/v1/market-data/onchain-data-source/refresh'
const ROLE = 'MARKET_DATA_WRITE'
const CHECKS_PER_PERIOD = 20
const MAX_PAUSE_MS = 10_000
const WAIT_MS = 30_000
/**
 * Bounds on concurrent refreshes: a source with unresponsive hosts must not delay other sources, nor a tenant with
 * many sources other tenants.
 */
const AT_ONCE = 32
const AT_ONCE_OF_TENANT = 4

export class FeedRefresher {
  readonly #platform: Platform
  readonly #cluster: string
  readonly #periodMs: number
  readonly #clock: Clock
  readonly #log: FeedLog
  /** Time of the last attempt in this process, by id; a failed attempt may leave no trace on the record. */
  readonly #tried = new Map<string, number>()
  /** Ids of sources that are due and not started, by tenant, in the order of the tenants' turns. */
  readonly #queues = new Map<string, string[]>()
  /** Ids of sources that are queued or being refreshed. */
  readonly #taken = new Set<string>()
  /** Number of running refreshes by tenant. */
  readonly #active = new Map<string, number>()
  readonly #running = new Set<Promise<void>>()
  #timer: Timer | null = null
  #stopped = false

  /** @param periodMs 0: sources are refreshed by request only */
  constructor(
    platform: Platform,
    cluster: string,
    periodMs: number,
    { clock, log }: { readonly clock: Clock; readonly log: FeedLog },
  ) {
    this.#platform = platform
    this.#cluster = cluster
    this.#periodMs = periodMs
    this.#clock = clock
    this.#log = log
  }

  start(): void {
    if (this.#periodMs > 0) this.#plan()
  }

  /**
   * True if the source is refreshed periodically. One whose publisher signs outside of this service is not: unsigned
   * transactions would accumulate. A frozen one would request its data in vain.
   */
  refreshes(source: DataSource): boolean {
    if (this.#periodMs === 0 || source.cluster !== this.#cluster || source.value !== 'active') return false
    if (isFrozen(this.#platform.engine.directory, source)) return false
    return holdingOf(publisherOf(this.#platform, source))?.context.managed === true
  }

  /** Resolves when no refresh is running. */
  async stop(): Promise<void> {
    this.#stopped = true
    if (this.#timer !== null) this.#clock.clearTimeout(this.#timer)
    await Promise.all(this.#running)
  }

  #plan(): void {
    if (this.#stopped) return
    const pauseMs = Math.min(MAX_PAUSE_MS, Math.max(1, Math.floor(this.#periodMs / CHECKS_PER_PERIOD)))
    this.#timer = this.#clock.setTimeout(() => {
      this.#queueDue()
      this.#plan()
    }, pauseMs)
  }

  #queueDue(): void {
    for (const { head } of this.#platform.engine.directory.find(dataSourcesKey(this.#cluster))) {
      const source = ofKind(head, 'dataSource')
      if (source === undefined || this.#taken.has(source.id) || !this.#isDue(source)) continue
      this.#taken.add(source.id)
      const queue = this.#queues.get(source.tenant)
      if (queue === undefined) this.#queues.set(source.tenant, [source.id])
      else queue.push(source.id)
    }
    this.#begin()
  }

  #begin(): void {
    while (!this.#stopped && this.#running.size < AT_ONCE) {
      const tenant = [...this.#queues.keys()].find((name) => (this.#active.get(name) ?? 0) < AT_ONCE_OF_TENANT)
      if (tenant === undefined) return
      this.#beginOne(tenant)
    }
  }

  /** Starts the tenant's next refresh; the tenant then moves behind all others. */
  #beginOne(tenant: string): void {
    const queue = this.#queues.get(tenant) ?? []
    const id = queue.shift()
    this.#queues.delete(tenant)
    if (queue.length > 0) this.#queues.set(tenant, queue)
    const source =
      id === undefined ? undefined : ofKind(this.#platform.engine.directory.resident(id)?.head, 'dataSource')
    // The source may have been refreshed by request, or closed, while it was queued.
    if (source === undefined || !this.#isDue(source)) {
      if (id !== undefined) this.#taken.delete(id)
      return
    }
    this.#active.set(tenant, (this.#active.get(tenant) ?? 0) + 1)
    const run = this.#attempt(source).finally(() => {
      this.#taken.delete(source.id)
      this.#running.delete(run)
      const active = (this.#active.get(tenant) ?? 0) - 1
      if (active > 0) this.#active.set(tenant, active)
      else this.#active.delete(tenant)
      this.#begin()
    })
    this.#running.add(run)
  }

  async #attempt(source: DataSource): Promise<void> {
    this.#tried.set(source.id, this.#clock.now())
    const refreshed = await operationResult(this.#refresh(source))
    if (refreshed.ok) return
    // The failed requests may have ended long after the attempt started.
    this.#tried.set(source.id, this.#clock.now())
    const { refusal, error } = refreshed
    const problems = refusal === null ? { err: error } : { problems: refusal.problems }
    this.#log.warn(
      { cluster: this.#cluster, dataSource: source.id, ...problems },
      'a data source could not be refreshed',
    )
  }

  #isDue(source: DataSource): boolean {
    if (!this.refreshes(source)) return false
    const { id, context } = source
    const ran = context.lastRun === null ? 0 : Date.parse(context.lastRun.at)
    return this.#clock.now() >= Math.max(ran, this.#tried.get(id) ?? 0) + this.#periodMs
  }

  async #refresh(source: DataSource): Promise<void> {
    const { tenant, cluster, id, context } = source
    const caller = this.#callerFor(source)
    if (caller === null) {
      this.#log.warn(
        { cluster, dataSource: id },
        'a data source is not refreshed: the API key that defined it lost the right to do so',
      )
      return
    }
    const { organization, payer } = context
    const requestId = this.#platform.ids()
    const call: Call = {
      caller,
      organization,
      tenant,
      cluster,
      requestId,
      endpoint: ENDPOINT,
      idempotency: null,
      waitMs: WAIT_MS,
      dryRun: false,
    }
    const itemData = { onchainDataSource: { offchainId: id } }
    const chainTransactionConfig = { feePayer: { onchainId: payer } }
    await atHand(this.#platform.engine, () =>
      refreshDataSource({ platform: this.#platform, call }, { itemData, chainTransactionConfig }),
    )
  }

  /**
   * The caller with the current state of its key, if the key belongs to this service: it may have been disabled, or
   * have lost the role. null: not allowed any more.
   */
  #callerFor({ context }: DataSource): Caller | null {
    const caller = callerOf(context.definedBy)
    const { directory } = this.#platform.engine
    const key = ofKind(directory.firstOwn(apiKeyKey(caller.keyId))?.head, 'apiKey')
    if (key === undefined)
      return caller.roles.has(ROLE) && !isSubjectDisabled(directory, caller.keyId, caller) ? caller : null
    const { roles, expiresAt } = key.context
    const good =
      isKeyEnabled(directory, key) &&
      roles.includes(ROLE) &&
      (expiresAt === null || this.#clock.now() < Date.parse(expiresAt))
    return good ? { ...caller, roles: new Set(roles) } : null
  }
}
