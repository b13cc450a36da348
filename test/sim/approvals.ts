// Who has asked to approve what: what needs two approvals must have been approved by two, by what the clients did.
import { approveBatch } from '../../src/operations/batches/approve-batch.ts'
import { createApiKey } from '../../src/operations/admin/create-api-key.ts'
import { approveChange } from '../../src/operations/pending-changes/approve.ts'
import type { Write } from '../../src/operations/context/platform.ts'
import { approveTransaction } from '../../src/operations/signing/approve.ts'
import type { Clients, Organization } from './clients.ts'
import type { Random } from './random.ts'
import { draft, type Tenants } from './tenants.ts'

const APPROVALS = {
  transaction: approveTransaction as Write<never>,
  batch: approveBatch as Write<never>,
  change: approveChange as Write<never>,
} as const

export interface Approvable {
  readonly kind: keyof typeof APPROVALS
  readonly id: string
}

export class Approvals {
  /** Keys that were used to approve, by the id of what was approved. */
  readonly #keys = new Map<string, Set<string>>()
  readonly #clients: Clients
  readonly #random: Random
  readonly #pause: () => Promise<void>

  constructor(clients: Clients, random: Random, pause: () => Promise<void>) {
    this.#clients = clients
    this.#random = random
    this.#pause = pause
  }

  static async keys(tenants: Tenants, organization: Organization, count: number): Promise<string[]> {
    const keys: string[] = []
    for (let number = 0; number < count; number += 1) {
      const name = `approver ${number}`
      const itemData = { organizationExternalId: organization.name, name, roles: ['DEBIT_LIMIT_APPROVE'] }
      const { body } = await tenants.ask(organization, 'createApiKey', createApiKey, { itemData })
      keys.push((body as { readonly keyId: string }).keyId)
    }
    return keys
  }

  /** Distinct keys that were used. */
  of(id: string): number {
    return this.#keys.get(id)?.size ?? 0
  }

  /** Some of the keys approve, one after the other, now and then twice. `goes`: while anybody still approves. */
  async ask(organization: Organization, keys: readonly string[], what: Approvable, goes: () => boolean): Promise<void> {
    for (const keyId of keys) {
      if (this.#random.chance(0.25)) continue
      await this.#pause()
      if (!goes()) return
      const keyIds = this.#keys.get(what.id) ?? new Set()
      this.#keys.set(what.id, keyIds.add(keyId))
      const times = this.#random.chance(0.2) ? 2 : 1
      const approving = draft(organization, `approve ${what.kind}`, APPROVALS[what.kind], {
        itemData: { offchainId: what.id },
      })
      await Promise.all(Array.from({ length: times }, () => this.#clients.ask({ ...approving, keyId })))
    }
  }
}
