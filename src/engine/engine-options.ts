// The options of an engine.
import type { Clock } from '../time/clock.ts'
import type { Store } from '../../snapshots/store.ts'
import type { EvictionOptions } from './eviction/eviction.ts'
import type { NumberedMessage } from './outbox/message.ts'
import type { RemoteDelivery } from './outbox/outbox.ts'
import type { Tuning } from './query/tuning.ts'
import type { ActorFailed } from './records/supervisor.ts'

export interface EngineOptions {
  readonly store: Store
  /** The cell whose tenants this engine owns. Absent: the first cell. */
  readonly cell?: string | undefined
  /** Clock of timestamps, of waiting requests and of queries that yield to other work. Default: the system clock. */
  readonly clock?: Pick<Clock, 'now' | 'setTimeout' | 'clearTimeout' | 'elapsed' | 'soon'>
  /** Evicts ended records from memory. Default: all records stay in memory. */
  readonly eviction?: EvictionOptions
  /** Maximum number of active actors per tenant; further ones passivate. */
  readonly awakePerTenant?: number
  /** Called when the actor of a record threw. */
  readonly onActorFailed?: ActorFailed
  /** Settings of bulk queries. */
  readonly tuning?: Tuning
  /** Reaches the tenants that other processes own. Default: this process owns all tenants. */
  readonly remoteDelivery?: RemoteDelivery
  /** Called when a tenant message cannot be delivered, or a record of its recipient rejects the content. */
  readonly onUndelivered?: (message: NumberedMessage, error: unknown) => void
  /** Called when a unit of work cannot be written. The process must exit; the next start recovers from disk. */
  readonly onFatal?: (error: unknown) => void
}
