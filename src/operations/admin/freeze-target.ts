// The target of a freeze: one account, one organization, or everything (the record of the system organization). A
// freeze takes effect with its unit of work, before it is durable, since signing reads the same heads.
import type { Entry } from '../../engine/records/entry.ts'
import { isHolding } from '../../engine/records/record.ts'
import type { UnitOfWork } from '../../engine/records/unit-of-work.ts'
import type { FreezeInput } from '../../contract/schemas/admin.ts'
import type { AccountLookup } from '../../contract/values/lookup.ts'
import type { Context } from '../context/platform.ts'
import { requireServedHere } from '../context/serving.ts'
import { idsOfHolding } from '../views/read-models/account.ts'
import { badRequest } from '../../contract/refusal.ts'
import { bindsOwner } from '../lookup/governing.ts'
import { resolveAdmitted } from '../lookup/account.ts'
import { holdingState } from '../lookup/party.ts'
import { readAddressesAgain } from '../lookup/request-records.ts'
import { SYSTEM_TENANT } from '../../contract/tenancy.ts'
import { administers, requirePlatformAdministrator } from '../../contract/roles.ts'
import { organizationWithin } from '../lookup/within-reach.ts'
import type { FrozenTargetModel } from '../../contract/schemas/answers.ts'

type Switch = 'command.freeze' | 'command.unfreeze'

/**
 * Freezes or unfreezes the target and returns it. Throws 403 `ROLE_REQUIRED` for everything without PLATFORM_ADMIN,
 * 400 `ORGANIZATION_NOT_FOUND`, `ACCOUNT_NOT_FOUND`, `TARGET_AMBIGUOUS`, and the record's rejection of a repeated
 * freeze.
 */
export function setSwitch(context: Context, unit: UnitOfWork, input: FreezeInput, type: Switch): FrozenTargetModel {
  const { call } = context
  const { account, organizationExternalId } = input
  if (account !== undefined && organizationExternalId !== undefined) {
    throw badRequest('TARGET_AMBIGUOUS', 'either an organization or an account is allowed, not both', '/itemData')
  }
  if (account !== undefined) return turnAccount(context, unit, account, type)
  const everything = organizationExternalId === undefined
  if (everything || organizationExternalId === SYSTEM_TENANT)
    requirePlatformAdministrator(call.caller, 'freezing everything', '/itemData')
  const externalId = organizationExternalId ?? SYSTEM_TENANT
  const { entry } = organizationWithin(context, externalId, '/itemData/organizationExternalId')
  unit.order<'organization'>(entry, { type })
  return everything ? { everything: true } : { organizationExternalId: externalId }
}

/**
 * Reads again which tenants of other cells have the address of the account on record: SYSTEM switches all of these
 * records, including one that was just created.
 */
export async function readOthersAt(context: Context, { account, organizationExternalId }: FreezeInput): Promise<void> {
  const { platform, call } = context
  const { store } = platform.engine
  if (account === undefined || organizationExternalId !== undefined || !call.caller.system) return
  if (store.names?.hasNeighbours() !== true) return
  const { address } = administeredAccount(context, account)
  await readAddressesAgain(platform.engine, call.cluster, [address])
}

/** Throws 400 `ACCOUNT_NOT_FOUND`, also for an account that the caller does not administer, and `ServedByOtherCell`. */
export function administeredAccount(context: Context, lookup: AccountLookup): { entry: Entry; address: string } {
  const pointer = '/itemData/account'
  const entry = resolveAdmitted(context, lookup, pointer, (record) => administersRecord(context, record))
  if (entry === undefined) throw NOT_FOUND.refuse(NOT_FOUND.code, '', pointer)
  requireServedHere(context, entry.head.tenant)
  return { entry, address: holdingState(entry).context.address }
}

/** Applies to every record at the address that the caller administers: several records may have the same key. */
function turnAccount(context: Context, unit: UnitOfWork, lookup: AccountLookup, type: Switch): FrozenTargetModel {
  const { platform, call } = context
  const { entry, address } = administeredAccount(context, lookup)
  const there = platform.engine.directory.atAddress(call.cluster, address)
  const targets = there.filter((target) => administersRecord(context, target))
  const toTurn = targets.filter((target) => isFrozen(target) !== (type === 'command.freeze'))
  for (const target of toTurn.length > 0 ? toTurn : [entry]) unit.order<'account'>(target, { type })
  return idsOfHolding(holdingState(entry))
}

/**
 * True if the caller administers the organization of the holding. The record of another organization's position is
 * administered by the root of the tenant and by the operator: a freeze of it stops the owner.
 */
export function administersRecord({ platform, call: { caller } }: Context, { head }: Entry): boolean {
  if (!isHolding(head)) return false
  const { tenant } = head
  const { organization } = head.context
  if (!administers(caller, { tenant, organization })) return false
  return administers(caller, { tenant, organization: tenant }) || bindsOwner(platform.engine.directory, head)
}

function isFrozen({ head }: Entry): boolean {
  return isHolding(head) && head.context.frozenByOperator
}

/** The same message for an unknown account and for one that the caller does not administer. */
const NOT_FOUND = {
  code: 'ACCOUNT_NOT_FOUND',
  refuse: (code: string, _message: string, pointer?: string) =>
    badRequest(code, 'no such account that this key administers', pointer),
}
