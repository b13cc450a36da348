// Which cell a request is for: that of the tenant of its key, or, for keys of SYSTEM, of the tenant that the request
// acts for. What belongs to whom never changes, so it is remembered; which cell a tenant is in changes with a move,
// which raises the epochs of both cells.
import type { Asked } from '../http/door.ts'
import { keyIdIn } from '../keys/api-key.ts'
import { SYSTEM_TENANT } from '../contract/tenancy.ts'

const MOST_KNOWN = 50_000

/** What the database says. Rejects when it does not answer in time. */
export interface Homes {
  readonly tenantOfKey: (keyId: string) => Promise<string | undefined>
  readonly tenantOfOrganization: (externalId: string) => Promise<string | undefined>
  readonly cellOfTenant: (tenant: string) => Promise<string | undefined>
}

export interface FoundCell {
  readonly cell: string
  /** undefined: not known, so the first cell answers for it. */
  readonly tenant: string | undefined
}

export interface CellFinderOptions {
  readonly homes: Homes
  /** That has SYSTEM, and every tenant that is in no other. */
  readonly first: string
  /** The claim of tokens that names the organization; null: there are no tokens. */
  readonly organizationClaim: string | null
}

export class CellFinder {
  readonly #options: CellFinderOptions
  readonly #tenantOfKey = new Map<string, string>()
  readonly #tenantOfOrganization = new Map<string, string>()
  readonly #cellOfTenant = new Map<string, string>()
  readonly #epochs = new Map<string, number>()
  /** How often a cell was seen to have another owner: an answer of before such a change is not remembered. */
  #changes = 0

  constructor(options: CellFinderOptions) {
    this.#options = options
  }

  /** Rejects when the database does not answer. */
  async find(asked: Asked): Promise<FoundCell> {
    const { first } = this.#options
    const tenant = asked.servedFor ?? (await this.#tenantOf(asked))
    return { cell: tenant === undefined ? first : await this.cellOf(tenant), tenant }
  }

  /** Rejects when the database does not answer. */
  async cellOf(tenant: string): Promise<string> {
    const { first, homes } = this.#options
    if (tenant === SYSTEM_TENANT) return first
    const before = this.#changes
    const found = await remembered(this.#cellOfTenant, tenant, homes.cellOfTenant)
    if (this.#changes !== before) this.#cellOfTenant.delete(tenant)
    return found ?? first
  }

  /** The tenant may be in another cell than was thought. */
  forget(tenant: string): void {
    this.#cellOfTenant.delete(tenant)
  }

  /** Forgets the tenants of cells that have another owner now: only then may some have been moved. */
  seen(cells: Iterable<{ readonly cell: string; readonly epoch: number }>): void {
    const changed = new Set<string>()
    for (const { cell, epoch } of cells) {
      if (this.#epochs.get(cell) !== epoch) changed.add(cell)
      this.#epochs.set(cell, epoch)
    }
    if (changed.size === 0) return
    this.#changes += 1
    for (const [tenant, cell] of this.#cellOfTenant) if (changed.has(cell)) this.#cellOfTenant.delete(tenant)
  }

  async #tenantOf(asked: Asked): Promise<string | undefined> {
    const { bearer } = asked
    if (bearer === undefined) return undefined
    const own = await this.#tenantOfBearer(bearer)
    if (own !== SYSTEM_TENANT) return own
    const acting = await overrideIn(asked)
    return acting === undefined ? own : ((await this.#tenantNamed(acting)) ?? own)
  }

  async #tenantOfBearer(bearer: string): Promise<string | undefined> {
    const { organizationClaim, homes } = this.#options
    const keyId = keyIdIn(bearer)
    if (keyId !== null) return await remembered(this.#tenantOfKey, keyId, homes.tenantOfKey)
    const organization = organizationClaim === null ? undefined : claimIn(bearer, organizationClaim)
    return organization === undefined ? undefined : await this.#tenantNamed(organization)
  }

  async #tenantNamed(organization: string): Promise<string | undefined> {
    return await remembered(this.#tenantOfOrganization, organization, this.#options.homes.tenantOfOrganization)
  }
}

/** What is not there yet is asked for again. */
async function remembered(
  known: Map<string, string>,
  name: string,
  ask: (name: string) => Promise<string | undefined>,
): Promise<string | undefined> {
  const before = known.get(name)
  if (before !== undefined) return before
  const found = await ask(name)
  if (found === undefined) return undefined
  if (known.size >= MOST_KNOWN) known.clear()
  known.set(name, found)
  return found
}

/** As the cell will read it, if it is there; whatever else is wrong with the request, the cell will say. */
async function overrideIn({ path, query, body }: Asked): Promise<string | undefined> {
  const inQuery = new URLSearchParams(query).get('overrideOrganizationExternalId')
  if (inQuery !== null) return inQuery
  if (!path.startsWith('/api/')) return undefined
  try {
    const parsed = JSON.parse((await body()).toString('utf8')) as Overriding | null
    const named = parsed?.tenancyConfig?.overrideOrganizationExternalId
    return typeof named === 'string' ? named : undefined
  } catch {
    return undefined
  }
}

interface Overriding {
  readonly tenancyConfig?: { readonly overrideOrganizationExternalId?: unknown }
}

/** Of a token that is not verified yet: its cell verifies it. */
function claimIn(token: string, name: string): string | undefined {
  try {
    const claims: unknown = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8'))
    const claim = (claims as Readonly<Record<string, unknown>> | null)?.[name]
    return typeof claim === 'string' ? claim : undefined
  } catch {
    return undefined
  }
}
