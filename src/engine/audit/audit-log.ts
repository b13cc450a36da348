// The hash chains of the audit log, one per tenant. A row is chained in the turn in which its unit of work is handed to
// the store, so the chain has the order of the commits, and a row is written in the batch of its change. Every
// thousandth row is written with a signed checkpoint.
import type { Store, StoreOp } from '../../../snapshots/store.ts'
import {
  buildAuditRow,
  CHECKPOINT_EVERY,
  checkpointIn,
  checkpointName,
  checkpointText,
  lastCheckpointName,
  NO_HASH,
  fromStoredRow,
  toStoredRow,
  type AuditRow,
  type Checkpoint,
  type AuditEntry,
} from './audit-row.ts'

export type Append = (tenant: string, op: StoreOp) => void

/** Signs a text; returns base64. */
export type CheckpointSigner = (text: string) => string

interface Head {
  /** Sequence of the newest row handed to the store. */
  sequence: number
  hash: string
  durable: number
  /** Sequence of the newest checkpoint. */
  sealed: number
}

export class AuditLog {
  readonly #heads = new Map<string, Head>()
  #sign: CheckpointSigner | null = null

  /** Sets the signer. Without one, no checkpoints are made. */
  signBy(sign: CheckpointSigner): void {
    this.#sign = sign
  }

  /** Continues the chain of a tenant from its last row on disk. */
  async resume(store: Pick<Store, 'lastSequence' | 'audit' | 'meta'>, tenant: string): Promise<void> {
    const sequence = await store.lastSequence('audit', tenant)
    if (sequence === 0) return
    const [last] = await store.audit(tenant, sequence - 1, 1)
    const sealed = checkpointIn(store, tenant)?.sequence ?? 0
    const thousand = sequence - (sequence % CHECKPOINT_EVERY)
    this.#heads.set(tenant, {
      sequence,
      hash: fromStoredRow(sequence, last?.row).hash,
      durable: sequence,
      sealed: Math.max(sealed, thousand),
    })
  }

  /** Appends audit entries to the chains. Must be called only when the write can no longer be refused. */
  write(auditEntries: readonly AuditEntry[], at: string, append: Append): void {
    for (const auditEntry of auditEntries) {
      const head = this.#head(auditEntry.tenant)
      const row = buildAuditRow(auditEntry, head.sequence + 1, at, head.hash)
      head.sequence = row.sequence
      head.hash = row.hash
      append(auditEntry.tenant, {
        type: 'audit',
        tenant: auditEntry.tenant,
        sequence: row.sequence,
        row: toStoredRow(row),
      })
      if (row.sequence % CHECKPOINT_EVERY === 0)
        this.#seal(auditEntry.tenant, head, at, { name: checkpointName(auditEntry.tenant, row.sequence), append })
    }
  }

  /** Signs the heads of chains that have grown since their last checkpoint. */
  seal(at: string, append: Append): void {
    for (const [tenant, head] of this.#heads)
      if (head.sequence > head.sealed) this.#seal(tenant, head, at, { name: lastCheckpointName(tenant), append })
  }

  /** Marks one row per entry as durable. */
  durable(auditEntries: readonly AuditEntry[]): void {
    for (const { tenant } of auditEntries) this.#head(tenant).durable += 1
  }

  /** Sequence of the newest durable row; 0 if there is none. */
  lastSequence(tenant: string): number {
    return this.#heads.get(tenant)?.durable ?? 0
  }

  /** Durable rows with a sequence above `after`, ascending, at most `limit`. */
  async after(store: Pick<Store, 'audit'>, tenant: string, after: number, limit: number): Promise<AuditRow[]> {
    const most = Math.min(limit, this.lastSequence(tenant) - after)
    if (most <= 0) return []
    return (await store.audit(tenant, after, most)).map(({ sequence, row }) => fromStoredRow(sequence, row))
  }

  #seal(
    tenant: string,
    head: Head,
    at: string,
    { name, append }: { readonly name: string; readonly append: Append },
  ): void {
    if (this.#sign === null) return
    const unsigned = { sequence: head.sequence, hash: head.hash, at }
    const value: Checkpoint = { ...unsigned, signature: this.#sign(checkpointText(tenant, unsigned)) }
    append(tenant, { type: 'meta', name, value })
    head.sealed = head.sequence
  }

  #head(tenant: string): Head {
    let head = this.#heads.get(tenant)
    if (head === undefined) {
      head = { sequence: 0, hash: NO_HASH, durable: 0, sealed: 0 }
      this.#heads.set(tenant, head)
    }
    return head
  }
}
