// The submission lanes that a request suspends or resumes in the call's cluster: all of them, those of an
// organization (for a root: of the whole tenant), or the lane of one fee payer or nonce account.
import { hash } from 'node:crypto'
import type { SuspensionScope } from '../../../machines/suspension.ts'
import { suspensionKey } from '../../engine/index/index-keys.ts'
import { isHolding } from '../../engine/records/record.ts'
import type { UnitOfWork } from '../../engine/records/unit-of-work.ts'
import type { LaneInput } from '../../contract/schemas/admin.ts'
import type { AccountLookup } from '../../contract/values/lookup.ts'
import type { Context } from '../context/platform.ts'
import { requireServedHere } from '../context/serving.ts'
import { idsOfHolding } from '../views/read-models/account.ts'
import { badRequest } from '../../contract/refusal.ts'
import { holdingState } from '../lookup/party.ts'
import { SYSTEM_TENANT } from '../../contract/tenancy.ts'
import { administeredAccount, administersRecord } from './freeze-target.ts'
import { administers, requirePlatformAdministrator } from '../../contract/roles.ts'
import { organizationWithin } from '../lookup/within-reach.ts'
import type { FrozenTargetModel } from '../../contract/schemas/answers.ts'

type Switch = 'command.suspend' | 'command.resume'

/** The suspended or resumed scope, as the response shows it. */
export type ShownLanes = FrozenTargetModel & { readonly chainClusterId: string }

interface Target {
  /** Tenant of the suspension record: SYSTEM for lanes of all tenants, since every cell follows its records. */
  readonly tenant: string
  readonly scope: SuspensionScope
  readonly shown: FrozenTargetModel
}

/**
 * Suspends or resumes the lanes and returns the target. Throws 403 `ROLE_REQUIRED` for a whole cluster without
 * PLATFORM_ADMIN, 400 `ORGANIZATION_NOT_FOUND`, `ACCOUNT_NOT_FOUND`, `TARGET_AMBIGUOUS`, `ALREADY_SUSPENDED`,
 * `NOT_SUSPENDED`.
 */
export function turnLanes(context: Context, unit: UnitOfWork, input: LaneInput, type: Switch): ShownLanes {
  const { platform, call } = context
  const { tenant, scope, shown } = targetOf(context, input)
  const { cluster } = call
  const by = call.caller.keyId
  const at = new Date(platform.clock.now()).toISOString()
  const known = platform.engine.directory.find(suspensionKey(cluster, scope))
  // An earlier release made the record of a whole lane under the tenant that has the key.
  const inForce = known.filter(({ head }) => head.value === 'suspended')
  if (type === 'command.resume') {
    if (inForce.length === 0) throw badRequest('NOT_SUSPENDED', 'these lanes are not suspended', '/itemData')
    for (const entry of inForce) unit.order<'suspension'>(entry, { type, by, at })
    return { chainClusterId: cluster, ...shown }
  }
  if (inForce.length > 0) throw badRequest('ALREADY_SUSPENDED', 'these lanes are suspended already', '/itemData')
  const entry = known.find(({ head }) => head.tenant === tenant)
  const id = (): string =>
    scope.tenant === null && scope.lane !== null ? idOfLane(cluster, scope.lane) : platform.ids()
  if (entry !== undefined) unit.order<'suspension'>(entry, { type, by, at })
  else unit.orderNew('suspension', { tenant, cluster, id: id() }, { suspension: { scope, by, at } })
  return { chainClusterId: cluster, ...shown }
}

/** One record, also if another cell suspends the lane before it knows of the first. */
function idOfLane(cluster: string, lane: string): string {
  const hex = hash('sha256', `lane\u0000${cluster}\u0000${lane}`, 'hex')
  return [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join(
    '-',
  )
}

function targetOf(context: Context, { account, organizationExternalId }: LaneInput): Target {
  const { call } = context
  if (account !== undefined && organizationExternalId !== undefined) {
    throw badRequest('TARGET_AMBIGUOUS', 'either an organization or an account is allowed, not both', '/itemData')
  }
  if (account !== undefined) return accountLane(context, account)
  if (organizationExternalId !== undefined) return organizationLanes(context, organizationExternalId)
  requirePlatformAdministrator(call.caller, 'suspending or resuming a cluster', '/itemData')
  return { tenant: SYSTEM_TENANT, scope: { tenant: null, organization: null, lane: null }, shown: { everything: true } }
}

function organizationLanes(context: Context, externalId: string): Target {
  const { state } = organizationWithin(context, externalId, '/itemData/organizationExternalId')
  const { tenant } = state
  const organization = state.context.parentExternalId === null ? null : externalId
  return { tenant, scope: { tenant, organization, lane: null }, shown: { organizationExternalId: externalId } }
}

/**
 * The administrator of the record that has an account's key controls its whole lane, for all tenants. A record
 * without the key, which any tenant can create, only controls transactions of the tenant, or of the organization,
 * that the caller administers.
 */
function accountLane(context: Context, lookup: AccountLookup): Target {
  const { platform, call } = context
  const { entry, address } = administeredAccount(context, lookup)
  const { caller } = call
  const there = platform.engine.directory.atAddress(call.cluster, address)
  const maintainer = there.find(
    (one) => isHolding(one.head) && one.head.context.managed && administersRecord(context, one),
  )
  const { tenant } = (maintainer ?? entry).head
  requireServedHere(context, tenant)
  const noted = {
    tenant,
    organization: administers(caller, { tenant, organization: tenant }) ? null : caller.organization,
  }
  const scope = { ...(maintainer === undefined ? noted : { tenant: null, organization: null }), lane: address }
  return {
    tenant: maintainer === undefined ? tenant : SYSTEM_TENANT,
    scope,
    shown: idsOfHolding(holdingState(entry)),
  }
}
