// Finds the cell of a request: the cell of the tenant of its key, or, for a key of SYSTEM, of the tenant that the
// request acts for. The tenant of a key or organization never changes, so it is cached. The cell of a tenant changes
// only with a move, which raises the epochs of both cells.
import type { GatewayRequest } from '../http/node-gateway.ts'
import { keyIdIn } from '../keys/api-key.ts'
import { SYSTEM_TENANT } from '../contract/tenancy.ts'
import { CachedLookups } from './cached-lookups.ts'

/** Lookups in the database. They reject if it does not answer in time. */
export interface CellLookups {
  readonly tenantOfKey: (keyId: string) => Promise<string | undefined>
  readonly tenantOfOrganization: (externalId: string) => Promise<string | undefined>
  readonly cellOfTenant: (tenant: string) => Promise<string | undefined>
}

export interface FoundCell {
  readonly cell: string
  /** undefined: unknown, so the first cell serves the request. */
  readonly tenant: string | undefined
}

export interface CellFinderOptions {
  readonly homes: CellLookups
  /** The cell with SYSTEM and all tenants that are in no other cell. */
  readonly first: string
  /** The token claim that names the organization; null: tokens are not accepted. */
  readonly organizationClaim: string | null
}

export class CellFinder {
  readonly #options: CellFinderOptions
  readonly #tenantOfKey: CachedLookups
  readonly #tenantOfOrganization: CachedLookups
  readonly #cellOfTenant: CachedLookups
  readonly #epochs = new Map<string, number>()

  constructor(options: CellFinderOptions) {
    this.#options = options
    this.#tenantOfKey = new CachedLookups(options.homes.tenantOfKey)
    this.#tenantOfOrganization = new CachedLookups(options.homes.tenantOfOrganization)
    this.#cellOfTenant = new CachedLookups(options.homes.cellOfTenant)
  }

  /** Rejects if the database does not answer. */
  async find(request: GatewayRequest): Promise<FoundCell> {
    const { first } = this.#options
    const tenant = request.servedFor ?? (await this.#tenantOf(request))
    return { cell: tenant === undefined ? first : await this.cellOf(tenant), tenant }
  }

  /** Rejects if the database does not answer. */
  async cellOf(tenant: string): Promise<string> {
    const { first } = this.#options
    if (tenant === SYSTEM_TENANT) return first
    return (await this.#cellOfTenant.get(tenant)) ?? first
  }

  /** Looks the cell of the tenant up again at its next request, because the tenant may have moved. */
  forget(tenant: string): void {
    this.#cellOfTenant.forget(tenant)
  }

  /** Forgets the tenants of cells with a new epoch, because a move raises the epoch. */
  seen(cells: Iterable<{ readonly cell: string; readonly epoch: number }>): void {
    const changed = new Set<string>()
    for (const { cell, epoch } of cells) {
      if (this.#epochs.get(cell) !== epoch) changed.add(cell)
      this.#epochs.set(cell, epoch)
    }
    if (changed.size > 0) this.#cellOfTenant.forgetThose((cell) => changed.has(cell))
  }

  async #tenantOf(request: GatewayRequest): Promise<string | undefined> {
    const { bearer } = request
    if (bearer === undefined) return undefined
    const own = await this.#tenantOfBearer(bearer)
    if (own !== SYSTEM_TENANT) return own
    const override = await overrideIn(request)
    return override === undefined ? own : ((await this.#tenantOfOrganization.get(override)) ?? own)
  }

  async #tenantOfBearer(bearer: string): Promise<string | undefined> {
    const { organizationClaim } = this.#options
    const keyId = keyIdIn(bearer)
    if (keyId !== null) return await this.#tenantOfKey.get(keyId)
    const organization = organizationClaim === null ? undefined : claimIn(bearer, organizationClaim)
    return organization === undefined ? undefined : await this.#tenantOfOrganization.get(organization)
  }
}

/** The override of the request, read as the cell will read it. The cell itself reports errors in the request. */
async function overrideIn({ path, query, body }: GatewayRequest): Promise<string | undefined> {
  const inQuery = new URLSearchParams(query).get('overrideOrganizationExternalId')
  if (inQuery !== null) return inQuery
  if (!path.startsWith('/api/')) return undefined
  try {
    const parsed = JSON.parse((await body()).toString('utf8')) as Overriding | null
    const organization = parsed?.tenancyConfig?.overrideOrganizationExternalId
    return typeof organization === 'string' ? organization : undefined
  } catch {
    return undefined
  }
}

interface Overriding {
  readonly tenancyConfig?: { readonly overrideOrganizationExternalId?: unknown }
}

/** A claim of an unverified token; the cell verifies the token. */
function claimIn(token: string, name: string): string | undefined {
  try {
    const claims: unknown = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8'))
    const claim = (claims as Readonly<Record<string, unknown>> | null)?.[name]
    return typeof claim === 'string' ? claim : undefined
  } catch {
    return undefined
  }
}
