// A side of a world: one part of the service that is exercised beside the others, with its own requests and auditor.
import type { Engine } from '../../../src/engine/engine.ts'
import type { Change } from '../../../src/engine/records/change.ts'
import type { JsonObject } from '../../../src/contract/call.ts'
import type { Read } from '../../../src/operations/context/platform.ts'
import type { Organization } from '../clients.ts'
import type { Tenants } from '../tenants.ts'

/** Reads from the running service on behalf of an organization. */
export type Asking = (organization: Organization, read: Read<never>, input: object) => Promise<JsonObject>

export interface Side {
  /** Creates what the side needs, before the faults begin. */
  build(tenants: Tenants): Promise<void>
  start?(): void
  /** Stops new work. */
  stop?(): void
  /** True while work from before `stop` continues. */
  readonly isBusy?: boolean
  /** A process has read its disk. */
  opened?(engine: Engine): void
  committed?(changes: readonly Change[]): void
  /** Requests that must succeed once the faults have stopped and every transaction has ended. */
  settle?(): Promise<void>
  /** True if no other work is pending at the end, beside requests and transactions. */
  readonly hasSettled?: boolean
  /** Compares the records with the chain when the world is at rest. */
  auditAtRest?(engine: Engine, ask: Asking): Promise<void> | void
}
