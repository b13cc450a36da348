// Verifies the audit log of a store: every chain from its first row, and every checkpoint against the chain and its
// signature. Success proves that the rows up to the newest checkpoint are unchanged. The rows after it form a
// consistent chain, but someone with access to the disk could have rewritten or truncated them.
import { verifySignature } from '../../keys/keypair.ts'
import { AUDIT_KEY } from '../../keys/service-keys.ts'
import type { Store } from '../../../snapshots/store.ts'
import {
  CHECKPOINT_EVERY,
  checkpointIn,
  checkpointText,
  hashOf,
  isStoredRow,
  NO_HASH,
  fromStoredRow,
  type Checkpoint,
} from './audit-row.ts'

export interface AuditReport {
  readonly ok: boolean
  /** Base58; null: the store has no audit key and therefore no checkpoints. */
  readonly publicKey: string | null
  readonly tenants: readonly ChainReport[]
}

export interface ChainReport {
  readonly tenant: string
  readonly rows: number
  /** Hash of the last row. */
  readonly head: string
  readonly checkpoints: number
  /** Rows after the newest checkpoint. */
  readonly unsigned: number
  readonly problems: readonly { readonly sequence: number; readonly problem: string }[]
}

/** The reads that verification needs. */
export type AuditStore = Pick<Store, 'audit' | 'lastSequence' | 'meta' | 'tenants'>

export interface VerifyOptions {
  /** Base58; absent: the public key in the store is trusted. */
  readonly publicKey?: string | undefined
  readonly progress?: (tenant: string, rows: number) => void
}

const ROWS_AT_ONCE = 1_000
const MAX_PROBLEMS = 20

export async function verifyAudit(store: AuditStore, options: VerifyOptions): Promise<AuditReport> {
  const publicKey = options.publicKey ?? (store.meta(AUDIT_KEY.addressFact) as string | undefined) ?? null
  const tenants: ChainReport[] = []
  for (const tenant of await store.tenants()) {
    const report = await new ChainCheck(store, tenant, publicKey, options).run()
    if (report.rows > 0 || report.problems.length > 0) tenants.push(report)
  }
  return { ok: tenants.every(({ problems }) => problems.length === 0), publicKey, tenants }
}

class ChainCheck {
  readonly #store: AuditStore
  readonly #tenant: string
  readonly #publicKey: string | null
  readonly #options: VerifyOptions
  readonly #problems: { sequence: number; problem: string }[] = []
  readonly #last: Checkpoint | undefined
  #head = NO_HASH
  #sequence = 0
  #rows = 0
  #checkpoints = 0
  #signed = 0

  constructor(store: AuditStore, tenant: string, publicKey: string | null, options: VerifyOptions) {
    this.#store = store
    this.#tenant = tenant
    this.#publicKey = publicKey
    this.#options = options
    this.#last = checkpointIn(store, tenant)
  }

  async run(): Promise<ChainReport> {
    try {
      await this.#chain()
    } catch (error) {
      this.#report(this.#sequence + 1, `cannot be read: ${(error as Error).message}`)
    }
    if (this.#last !== undefined && this.#last.sequence > this.#sequence) {
      this.#report(this.#sequence + 1, `is missing: a checkpoint was signed at ${this.#last.sequence}`)
    }
    const [tenant, problems] = [this.#tenant, this.#problems]
    const unsigned = Math.max(0, this.#sequence - this.#signed)
    return { tenant, rows: this.#rows, head: this.#head, checkpoints: this.#checkpoints, unsigned, problems }
  }

  async #chain(): Promise<void> {
    const newest = await this.#store.lastSequence('audit', this.#tenant)
    while (this.#sequence < newest && this.#problems.length < MAX_PROBLEMS) {
      const rows = await this.#store.audit(this.#tenant, this.#sequence === 0 ? -1 : this.#sequence, ROWS_AT_ONCE)
      if (rows.length === 0) return
      for (const { sequence, row } of rows) this.#row(sequence, row)
      this.#options.progress?.(this.#tenant, this.#rows)
    }
  }

  #row(sequence: number, row: unknown): void {
    if (sequence !== this.#sequence + 1)
      this.#report(this.#sequence + 1, `is missing: the next one there is ${sequence}`)
    this.#sequence = sequence
    this.#rows += 1
    const problem = this.#check(sequence, row)
    if (problem !== null) this.#report(sequence, problem)
    if (sequence % CHECKPOINT_EVERY === 0) {
      this.#checkpoint(sequence, checkpointIn(this.#store, this.#tenant, sequence))
    }
    if (this.#last?.sequence === sequence) this.#checkpoint(sequence, this.#last)
  }

  /** Returns the problem of a row, or null. Continues from the hash stated in the row: a bad row is reported once. */
  #check(sequence: number, row: unknown): string | null {
    if (!isStoredRow(row)) return 'is not a row of the audit log'
    const { hash, ...rest } = fromStoredRow(sequence, row)
    const follows = rest.previousHash === this.#head
    this.#head = hash
    if (hashOf(rest) !== hash) return 'was changed: its hash is another'
    return follows ? null : 'does not follow the row before: its previousHash is another'
  }

  #checkpoint(sequence: number, checkpoint: Checkpoint | undefined): void {
    if (checkpoint === undefined) {
      this.#report(sequence, 'has no checkpoint, and should have one')
      return
    }
    this.#checkpoints += 1
    this.#signed = sequence
    const { signature, ...unsigned } = checkpoint
    if (unsigned.hash !== this.#head || unsigned.sequence !== sequence)
      this.#report(sequence, 'has another hash than its checkpoint')
    if (!isSigned(this.#publicKey, checkpointText(this.#tenant, unsigned), signature))
      this.#report(sequence, 'has a checkpoint whose signature is not that of the key')
  }

  #report(sequence: number, problem: string): void {
    if (this.#problems.length < MAX_PROBLEMS) this.#problems.push({ sequence, problem })
  }
}

/** A malformed key or signature counts as an invalid signature. */
function isSigned(publicKey: string | null, text: string, signature: string): boolean {
  try {
    return publicKey !== null && verifySignature(Buffer.from(text), Buffer.from(signature, 'base64'), publicKey)
  } catch {
    return false
  }
}
