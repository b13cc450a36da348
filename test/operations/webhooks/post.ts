// A delivery worker of a webhook whose dependencies the test controls: the log, the target, the durable state, and
// time.
import { webhookMachine, type WebhookContext } from '../../../machines/webhook.ts'
import type { RecordState } from '../../../src/engine/records/record.ts'
import type { EventLog } from '../../../src/contract/event-record.ts'
import type { EventRecord } from '../../../src/contract/schemas/event.ts'
import type { Result } from '../../../src/operations/webhooks/attempt.ts'
import { DeliveryWorker, type DeliveryPorts } from '../../../src/operations/webhooks/delivery-worker.ts'
import { deliveryShares } from '../../../src/operations/context/outbound/shares.ts'
import { webhook } from '../../machines/records.ts'
import { TestedActor, type AnyEvent } from '../../machines/tested-actor.ts'
import { TurnedClock } from './turned-clock.ts'

export const DELIVERED: Result = { status: 200, error: null, retryAfterMs: null }
export const failing = (status: number | null, retryAfterMs: number | null = null): Result => ({
  status,
  error: 'no',
  retryAfterMs,
})

export class MemoryLog implements EventLog {
  readonly events: EventRecord[] = []
  readonly #organization: string
  readonly #subscribers = new Set<() => void>()

  constructor(organization = 'ACME') {
    this.#organization = organization
  }

  append(resource: string, type = 'account.updated'): void {
    const sequence = this.events.length + 1
    this.events.push({
      id: `event ${sequence}`,
      sequence,
      type,
      at: '2026-11-21T12:00:00.000Z',
      tenantOrganizationId: this.#organization,
      chainClusterId: 'CHAIN_DEVNET',
      resource: { kind: 'account', onchainId: null, offchainId: resource },
      data: {},
    })
    for (const appended of this.#subscribers) appended()
  }

  after(_tenant: string, sequence: number, limit: number): Promise<readonly EventRecord[]> {
    return Promise.resolve(this.events.slice(Math.max(0, sequence), sequence + limit))
  }

  lastSequence(): number {
    return this.events.length
  }

  subscribe(_tenant: string, appended: () => void): () => void {
    this.#subscribers.add(appended)
    return () => this.#subscribers.delete(appended)
  }
}

/**
 * Called for every attempt; its result is the answer of the target. `attempt` counts the attempts of the event, from 1.
 */
export type Target = (event: EventRecord, attempt: number) => Result | Promise<Result>

export class Post {
  readonly clock = new TurnedClock()
  readonly log: MemoryLog
  /** Every attempt, and every delivery, in order. */
  readonly tried: number[] = []
  readonly arrived: EventRecord[] = []
  readonly warnings: string[] = []
  mostAtOnce = 0
  #target: Target
  readonly #id: string
  readonly #permits: DeliveryPorts['permits']
  #record: TestedActor
  #worker: DeliveryWorker | null = null
  readonly #attempts = new Map<number, number>()
  #atOnce = 0

  /** @param permits shared with other workers of the tenant */
  constructor(
    target: Target,
    more: Partial<WebhookContext> = {},
    {
      id = 'w',
      permits = deliveryShares(null),
    }: { readonly id?: string; readonly permits?: DeliveryPorts['permits'] } = {},
  ) {
    this.log = new MemoryLog(more.organization)
    this.#target = target
    this.#id = id
    this.#permits = permits
    this.#record = TestedActor.start(webhookMachine, {
      webhook: { ...webhook, cursor: 0, waiting: [], eventTypes: ['*'], ...more },
    })
  }

  get context(): WebhookContext {
    return this.#record.context() as WebhookContext
  }

  get state(): string {
    return this.#record.value
  }

  aim(target: Target): void {
    this.#target = target
  }

  start(): void {
    const state = {
      kind: 'webhook',
      tenant: 'ACME',
      cluster: 'CHAIN_DEVNET',
      id: this.#id,
      revision: 1,
      value: this.state,
      context: this.context,
    }
    let alive = true
    const worker = new DeliveryWorker(state as RecordState<'webhook'>, {
      events: this.log,
      clock: this.clock,
      permits: this.#permits,
      send: (event) => this.#send(event, () => alive),
      recordProgress: async (event) => {
        await Promise.resolve()
        return alive && this.#record.send(event as unknown as AnyEvent).type === 'accepted'
      },
      warn: (_fields, message) => this.warnings.push(message),
    })
    this.#worker = worker
    this.kill = () => {
      alive = false
      void worker.stop()
    }
  }

  /** An event that has not been delivered by now is never delivered. */
  kill: () => void = () => undefined

  async redeliver(after: number | null): Promise<void> {
    await this.#worker?.stop()
    const answer = this.#record.send({ type: 'command.redeliver', at: new Date(this.clock.nowMs).toISOString(), after })
    if (answer.type === 'rejected') throw new Error(answer.code)
    this.start()
  }

  async #send(event: EventRecord, isAlive: () => boolean): Promise<Result> {
    const attempt = (this.#attempts.get(event.sequence) ?? 0) + 1
    this.#attempts.set(event.sequence, attempt)
    this.tried.push(event.sequence)
    this.#atOnce += 1
    this.mostAtOnce = Math.max(this.mostAtOnce, this.#atOnce)
    const result = await this.#target(event, attempt)
    this.#atOnce -= 1
    if (result.error === null && isAlive()) this.arrived.push(event)
    return result
  }
}
