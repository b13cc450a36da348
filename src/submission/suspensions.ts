// The suspended send scopes of a cluster. A suspension affects sends only: watching, settlement and proofs continue.
import type { Submission } from './submission.ts'

/** Matches a transaction if every non-null member equals the transaction's. All members null: the whole cluster. */
export interface SendScope {
  readonly tenant: string | null
  /** External id. */
  readonly organization: string | null
  /** Address of the fee payer or nonce account. */
  readonly lane: string | null
}

export class Suspensions {
  readonly #scopes = new Set<string>()

  get size(): number {
    return this.#scopes.size
  }

  add(scope: SendScope): void {
    this.#scopes.add(keyOf(scope))
  }

  delete(scope: SendScope): void {
    this.#scopes.delete(keyOf(scope))
  }

  /** True if the transaction must not be sent now. */
  holds(submission: Pick<Submission, 'tenant' | 'organization' | 'lane'>): boolean {
    if (this.#scopes.size === 0) return false
    const tenants = [null, submission.tenant]
    const organizations = [null, submission.organization ?? null]
    const lanes = [null, submission.lane]
    const scopes = tenants.flatMap((tenant) =>
      organizations.flatMap((organization) => lanes.map((lane) => ({ tenant, organization, lane }))),
    )
    return scopes.some((scope) => this.#scopes.has(keyOf(scope)))
  }
}

function keyOf({ tenant, organization, lane }: SendScope): string {
  return JSON.stringify([tenant, organization, lane])
}
