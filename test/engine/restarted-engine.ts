// An engine whose store can be cut off after any commit, and that is opened again on the written rows.
import { Engine } from '../../src/engine/engine.ts'
import type { EngineOptions } from '../../src/engine/engine-options.ts'
import { isHolding, ofKind, type RecordState } from '../../src/engine/records/record.ts'
import { eventsOfRow } from '../../src/engine/events/event-row.ts'
import { openStore } from '../../snapshots/level-store.ts'
import type { Store } from '../../snapshots/store.ts'
import { newAccount } from './engine-fixture.ts'

export const TENANTS = ['ACME', 'BANK', 'SHOP'] as const

export type Tenant = (typeof TENANTS)[number]

/** A store that accepts this number of further commits, and then none: the process was killed. */
class Cut {
  left = Infinity
  readonly store: Store

  constructor(real: Store) {
    const commit: Store['commit'] = async (parts) => {
      if (this.left <= 0) await new Promise<never>(() => undefined)
      this.left -= 1
      await real.commit(parts)
    }
    this.store = new Proxy(real, {
      get: (target, name) => {
        if (name === 'commit') return commit
        const member: unknown = Reflect.get(target, name)
        return typeof member === 'function' ? (member.bind(target) as unknown) : member
      },
    })
  }
}

/** An engine that sends a message for every comment on an account, and can be killed. */
export class Process {
  readonly #path: string
  readonly #options: Partial<EngineOptions>
  #real!: Store
  #cut!: Cut
  #hangUp: (error: Error) => void = () => undefined
  /** Rejects when the engine ends, so that a caller that waits for its answer notices. */
  gone!: Promise<never>
  engine!: Engine

  private constructor(path: string, options: Partial<EngineOptions>) {
    this.#path = path
    this.#options = options
  }

  static async open(path: string, options: Partial<EngineOptions> = {}): Promise<Process> {
    const process = new Process(path, options)
    await process.#start()
    return process
  }

  async #start(): Promise<void> {
    this.#real = await openStore({ path: this.#path, onFatal: () => undefined })
    this.#cut = new Cut(this.#real)
    this.gone = new Promise((_, reject) => {
      this.#hangUp = reject
    })
    this.gone.catch(() => undefined)
    this.engine = await Engine.open({ ...this.#options, store: this.#cut.store })
    this.engine.journal.useEventSource((previous, next) => {
      const comments = commentsOf(next)
      if (comments === null || comments === commentsOf(previous)) return []
      const { tenant, cluster, id } = next
      return [
        {
          tenant,
          cluster,
          organization: tenant,
          type: 'account.updated',
          onchainId: null,
          offchainId: id,
          data: { comments },
        },
      ]
    })
    this.engine.outbox.deliver()
  }

  /** Accepts this number of further commits, for any requests. */
  killAfter(commits: number): void {
    this.#cut.left = commits
  }

  async restart(): Promise<void> {
    await this.close()
    await this.#start()
  }

  async close(): Promise<void> {
    this.#cut.left = 0
    this.#hangUp(new Error('the connection is lost'))
    await this.#real.close()
  }

  /** Waits until all requested writes are on disk. */
  async idle(): Promise<void> {
    await this.#real.commit([])
  }

  async make(tenants: readonly Tenant[]): Promise<void> {
    for (const tenant of tenants)
      await this.engine.transact((unit) => newAccount(unit, tenant, '1000', 'active', tenant)).durable
  }

  account(tenant: Tenant): RecordState<'account'> {
    return ofKind(this.engine.directory.byId(tenant)?.head, 'account')!
  }

  /**
   * Comments on the account of the other tenant. The sender numbers the comments, and stores their count in the same
   * unit of work.
   */
  order(from: Tenant, to: RecordState, comments: string, sent: string): void {
    const own = this.engine.directory.byId(from)!
    const { durable } = this.engine.transact((unit) => {
      unit.send<'account'>(own, { type: 'command.update', changes: { domain: sent } })
      unit.sendMessage(to.tenant, {
        kind: 'order',
        record: to.id,
        of: 'account',
        event: { type: 'command.update', changes: { comments } } as never,
      })
    })
    durable.catch(() => undefined)
  }

  /** Comments on an account in their order, as the log of its tenant has them. */
  async comments(tenant: Tenant): Promise<string[]> {
    const rows = await this.#real.events(tenant, 0, 10_000)
    return rows.flatMap(eventsOfRow).map(({ row }) => (row[6] as { comments: string }).comments)
  }

  async outboxes(): Promise<number> {
    let rows = 0
    for (const tenant of TENANTS) rows += (await this.#real.outbox(tenant)).length
    return rows
  }
}

function commentsOf(state: RecordState | undefined): string | null {
  return state === undefined || !isHolding(state) || state.context.comments === '' ? null : state.context.comments
}
