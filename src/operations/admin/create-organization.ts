// POST /admin/organizations: creates a tenant (its root organization), or an organization directly below a root.
import { organizationsLikeKey } from '../../engine/index/index-keys.ts'
import { EVERY_CLUSTER } from '../../engine/records/record.ts'
import type { UnitOfWork } from '../../engine/records/unit-of-work.ts'
import { administer, type AdministrationResult } from './administer.ts'
import { isReserved, requirePlatformAdministrator } from '../../contract/roles.ts'
import { organizationWithin } from '../lookup/within-reach.ts'
import type { ItemBody } from '../../contract/values/chain-config.ts'
import type { NewOrganizationInput } from '../../contract/schemas/admin.ts'
import type { Write, Context } from '../context/platform.ts'
import { organizationModel } from '../views/read-models/access.ts'
import { badRequest } from '../../contract/refusal.ts'
import { isLongerThan, NAME_LENGTH } from '../../contract/values/text.ts'
import { together } from '../../contract/together.ts'
import type { OrganizationModel } from '../../contract/schemas/counterparty.ts'

type Members = OrganizationModel

/**
 * Control, format, surrogate, private-use and unassigned characters, line and paragraph separators, and characters
 * without a glyph.
 */
const UNPRINTABLE = /[\p{C}\p{Zl}\p{Zp}]|\p{Default_Ignorable_Code_Point}/u

export const createOrganization: Write<ItemBody<NewOrganizationInput>, Members> = (context, { itemData }) =>
  administer(context, (unit) => create(context, unit, itemData))

function create(context: Context, unit: UnitOfWork, input: NewOrganizationInput): AdministrationResult<Members> {
  const { platform, call } = context
  const { externalId, name, parentExternalId } = input
  together(
    () => checkExternalId(externalId),
    () => {
      if (name.trim() === '') throw badRequest('NAME_EMPTY', 'name must not be empty', '/itemData/name')
    },
    () => {
      if (parentExternalId === undefined) requirePlatformAdministrator(call.caller, 'a new tenant')
      else checkParent(context, parentExternalId)
    },
  )
  const likeness = organizationsLikeKey(externalId)
  if (platform.engine.directory.first(likeness) !== undefined) {
    const taken = `the external id ${JSON.stringify(externalId)} is taken, or reads like one that is`
    throw badRequest('ALREADY_EXISTS', taken, '/itemData/externalId')
  }
  platform.engine.store.names?.claim(likeness, [{ read: 'name', name: likeness }])
  const organization = unit.orderNew(
    'organization',
    { tenant: parentExternalId ?? externalId, cluster: EVERY_CLUSTER, id: platform.ids() },
    {
      organization: {
        externalId,
        name,
        parentExternalId: parentExternalId ?? null,
        allowedPrograms: [],
        system: false,
      },
    },
  )
  return { members: organizationModel(platform, organization), organization: organization.id }
}

/**
 * Ids that look alike, or are invisible, would let one organization pass for another. Throws 400
 * `EXTERNAL_ID_RESERVED`, `INVALID_TEXT`.
 */
function checkExternalId(externalId: string): void {
  const pointer = '/itemData/externalId'
  if (isReserved(externalId))
    throw badRequest('EXTERNAL_ID_RESERVED', `${JSON.stringify(externalId)} is reserved`, pointer)
  const wellFormed =
    externalId !== '' &&
    !isLongerThan(NAME_LENGTH, externalId) &&
    externalId === externalId.trim() &&
    externalId === externalId.normalize('NFKC') &&
    !UNPRINTABLE.test(externalId)
  if (!wellFormed) {
    const rule = `1 to ${NAME_LENGTH} characters, no control or format characters, no blanks at either end, normalised (NFKC)`
    throw badRequest('INVALID_TEXT', `an external id has ${rule}`, pointer)
  }
}

function checkParent(context: Context, parentExternalId: string): void {
  const pointer = '/itemData/parentExternalId'
  const { state } = organizationWithin(context, parentExternalId, pointer)
  if (state.context.system)
    throw badRequest('PARENT_NOT_ALLOWED', 'the system organization cannot be a parent', pointer)
  if (state.context.parentExternalId !== null) {
    throw badRequest(
      'PARENT_NOT_ALLOWED',
      `${parentExternalId} is itself under ${state.context.parentExternalId}`,
      pointer,
    )
  }
}
