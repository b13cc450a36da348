// Runs one `DeliveryWorker` for every enabled webhook. The dispatcher follows the committed records, so operations that
// create, disable or redeliver a webhook do not call it.
import type { Clock } from '../../time/clock.ts'
import type { Engine } from '../../engine/engine.ts'
import { atHand } from '../../../snapshots/at-hand.ts'
import { ofKind, type RecordState } from '../../engine/records/record.ts'
import type { WebhookSecrets } from '../../keys/webhook-secret.ts'
import type { EventLog } from '../../contract/event-record.ts'
import type { Outbound } from '../context/outbound/outbound.ts'
import type { DeliveryShares } from '../context/outbound/delivery-shares.ts'
import { attemptDelivery } from './attempt.ts'
import { DeliveryWorker, type DeliveryPorts } from './delivery-worker.ts'
import { messageOf } from './message.ts'
import { secretsOf } from './secrets.ts'

export interface DispatcherPorts {
  readonly engine: Engine
  readonly events: EventLog
  readonly outbound: Pick<Outbound, 'fetch'>
  readonly permits: DeliveryShares
  readonly secrets: WebhookSecrets
  readonly clock: Clock
  readonly log: { warn(fields: object, message: string): void }
}

export class Dispatcher {
  readonly #ports: DispatcherPorts
  readonly #workers = new Map<string, DeliveryWorker>()
  /** Workers that are stopping, by webhook; resolves after their last write. */
  readonly #leaving = new Map<string, Promise<void>>()
  #stopped = false

  constructor(ports: DispatcherPorts) {
    this.#ports = ports
  }

  /** Starts the delivery of every enabled webhook from its stored cursor. Returns the number of webhooks. */
  start(): number {
    const { engine } = this.#ports
    engine.onCommitted((changes) => {
      for (const { next } of changes) if (next.kind === 'webhook') this.#follow(next.id)
    })
    for (const { committed } of engine.directory.entries('webhook'))
      if (committed !== undefined) this.#follow(committed.id)
    return this.#workers.size
  }

  /** Number of unprocessed events of the webhook that is furthest behind. */
  get lag(): number {
    return Math.max(0, ...[...this.#workers.values()].map(({ behind }) => behind))
  }

  async stop(): Promise<void> {
    this.#stopped = true
    await Promise.all([...this.#workers.values()].map((worker) => worker.stop()))
    await Promise.all(this.#leaving.values())
  }

  #follow(id: string): void {
    const webhook = ofKind(this.#ports.engine.directory.resident(id)?.committed, 'webhook')
    if (this.#stopped || webhook === undefined || this.#leaving.has(id)) return
    const present = this.#workers.get(id)
    const enabled = webhook.value === 'enabled'
    if (present !== undefined && !(enabled && present.round === webhook.context.round)) {
      this.#workers.delete(id)
      // Two workers must never deliver the same webhook.
      const left = present.stop().then(() => {
        this.#leaving.delete(id)
        this.#follow(id)
      })
      this.#leaving.set(id, left)
    } else if (present === undefined && enabled) this.#workers.set(id, new DeliveryWorker(webhook, this.#portsOf(id)))
  }

  #portsOf(id: string): DeliveryPorts {
    const { engine, events, clock, outbound, permits, log } = this.#ports
    return {
      events,
      clock,
      permits,
      warn: (fields, message) => log.warn(fields, message),
      send: async (event, signal) => {
        const webhook = this.#committed(id)
        const secrets = await atHand(engine, () => this.#signing(webhook))
        const message = messageOf(event, secrets, clock.now())
        return await attemptDelivery(outbound, webhook.context.url, message, { now: () => clock.now(), signal })
      },
      recordProgress: async (progress) => {
        const entry = engine.directory.resident(id)
        if (entry === undefined) return false
        const { result, durable } = engine.transact((unit) => {
          const rejection = unit.trySend<'webhook'>(entry, progress)
          if (rejection !== null) unit.discard()
          return rejection
        })
        if (result !== null) {
          const { code } = result.rejection
          // Disabled or redelivered in the meantime: another worker takes over, or none.
          if (code !== 'DISABLED' && code !== 'ROUND_OVER')
            log.warn({ webhook: id, code }, 'deliveries of a webhook stop until the next start')
          return false
        }
        await durable
        if (progress.type === 'clock.ended')
          log.warn({ webhook: id, because: progress.because }, 'a webhook is disabled')
        return true
      },
    }
  }

  #committed(id: string): RecordState<'webhook'> {
    const webhook = ofKind(this.#ports.engine.directory.resident(id)?.committed, 'webhook')
    if (webhook === undefined) throw new Error(`webhook ${id} is not there`)
    return webhook
  }

  /** The secrets that are valid now, newest first. */
  #signing(webhook: RecordState<'webhook'>): string[] {
    const now = this.#ports.clock.now()
    return secretsOf(this.#ports.engine, this.#ports.secrets, webhook)
      .filter(({ until }) => until === null || Date.parse(until) > now)
      .map(({ secret }) => secret)
  }
}
