// PATCH /admin/organizations: changes the name, the programs that transactions made elsewhere may call, the accepted
// fee payers of other tenants, whether other tenants may request signatures, which addresses may be paid, and the
// screening service. Absent members keep their value, and null restores the default, except of the name.
import type { UnitOfWork } from '../../engine/records/unit-of-work.ts'
import { administer, type AdministrationResult } from './administer.ts'
import { requireAdministrator } from '../../contract/roles.ts'
import { checkScreeningUrl, screeningChanges } from './screening.ts'
import { destinationChanges } from './destination-rules.ts'
import { organizationWithin } from '../lookup/within-reach.ts'
import type { ItemBody } from '../../contract/values/chain-config.ts'
import type { OrganizationChangesInput } from '../../contract/schemas/admin.ts'
import type { Write, Context } from '../context/platform.ts'
import { neededApprovals } from '../authorization/policies/changes.ts'
import type { NeededApprovals } from '../../contract/call.ts'
import { badRequest, forbidden, type Refusal } from '../../contract/refusal.ts'
import { together } from '../../contract/together.ts'
import type { MembersOf } from '../../contract/schemas/members.ts'
import type { updatedOrganization } from '../../contract/schemas/answers.ts'

type Members = MembersOf<typeof updatedOrganization>

export const updateOrganization: Write<ItemBody<OrganizationChangesInput>, Members> = async (context, { itemData }) => {
  const { platform, call } = context
  requireAdministrator(call.caller)
  if (itemData.screening) await checkScreeningUrl(platform, itemData.screening.url)
  return await administer(context, (unit) => update(context, unit, itemData))
}

function update(
  context: Context,
  unit: UnitOfWork,
  input: OrganizationChangesInput,
): AdministrationResult<Members> | NeededApprovals {
  const { platform, call } = context
  const { externalId, name, allowedPrograms, acceptedFeePayers, acceptsSigningRequests } = input
  const [{ entry, state }] = together(
    () => organizationWithin(context, externalId, '/itemData/externalId'),
    () => {
      if (name?.trim() === '') throw badRequest('NAME_EMPTY', 'name must not be empty', '/itemData/name')
    },
  )
  const changes = {
    ...(name === undefined ? {} : { name }),
    ...(allowedPrograms === undefined ? {} : { allowedPrograms: [...new Set(allowedPrograms ?? [])] }),
    ...(acceptedFeePayers === undefined ? {} : { acceptedFeePayers: [...new Set(acceptedFeePayers ?? [])] }),
    ...(acceptsSigningRequests === undefined ? {} : { acceptsSigningRequests: acceptsSigningRequests ?? false }),
    ...destinationChanges(platform, entry.head.tenant, input),
    ...screeningChanges(context, unit, entry, input.screening),
  }
  const { name: _name, ...policy } = changes
  if (Object.keys(policy).length > 0) {
    const organizations = [externalId, call.organization]
    const covered = { operation: 'ACCOUNT_POLICY', tenant: state.tenant, organizations, target: externalId } as const
    const needed = neededApprovals(context, covered)
    if (needed !== null && input.screening?.secret !== undefined) throw secretCannotWait()
    if (needed !== null) return needed
  }
  if (Object.keys(changes).length > 0) unit.order<'organization'>(entry, { type: 'command.update', changes })
  return { members: { updatedOrganization: { externalId } } }
}

/** A pending change stores its request, which may therefore contain no secret. */
function secretCannotWait(): Refusal {
  const rule =
    'a secret cannot be part of a change that waits for approval: set it while no approval policy covers ACCOUNT_POLICY'
  return forbidden('APPROVAL_REQUIRED', rule, '/itemData/screening/secret')
}
