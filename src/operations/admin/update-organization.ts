// PATCH /admin/organizations: changes the name, the programs that transactions made elsewhere may call, the accepted
// fee payers of other tenants, whether other tenants may request signatures, and which addresses may be paid. Absent members keep their value.
import type { UnitOfWork } from '../../engine/records/unit-of-work.ts'
import { administer, type Administered } from './administer.ts'
import { destinationChanges } from './destination-rules.ts'
import { organizationWithin } from '../lookup/within-reach.ts'
import type { Call } from '../../contract/call.ts'
import type { ItemBody, OrganizationChangesInput } from '../../contract/input.ts'
import type { Platform, Write } from '../context/platform.ts'
import { requireApprovals } from '../authorization/policies/changes.ts'
import { badRequest } from '../../contract/refusal.ts'

export const updateOrganization: Write<ItemBody<OrganizationChangesInput>> = (platform, call, { itemData }) =>
  administer(platform, call, (unit) => update(platform, call, unit, itemData))

function update(platform: Platform, call: Call, unit: UnitOfWork, input: OrganizationChangesInput): Administered {
  const { externalId, name, allowedPrograms, acceptedFeePayers, acceptsSigningRequests } = input
  const { entry, state } = organizationWithin(platform, call.caller, externalId, '/itemData/externalId')
  if (name?.trim() === '') throw badRequest('NAME_EMPTY', 'name must not be empty', '/itemData/name')
  const changes = {
    ...(name === undefined ? {} : { name }),
    ...(allowedPrograms === undefined ? {} : { allowedPrograms: [...new Set(allowedPrograms)] }),
    ...(acceptedFeePayers === undefined ? {} : { acceptedFeePayers: [...new Set(acceptedFeePayers)] }),
    ...(acceptsSigningRequests === undefined ? {} : { acceptsSigningRequests }),
    ...destinationChanges(platform, entry.head.tenant, input),
  }
  const { name: _name, ...policy } = changes
  if (Object.keys(policy).length > 0)
    requireApprovals(platform, call, { operation: 'ACCOUNT_POLICY', tenant: state.tenant, organizations: [externalId, call.organization], target: externalId })
  if (Object.keys(changes).length > 0) unit.order<'organization'>(entry, { type: 'command.update', changes })
  return { members: { updatedOrganization: { externalId } } }
}
