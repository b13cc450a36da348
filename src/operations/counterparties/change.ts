// The single place where a counterparty is created or changed, in the unit of work of the request.
import {
  addressesSince,
  counterpartyFault,
  type CounterpartyChanges,
  type GivenAddress,
} from '../../../machines/counterparty.ts'
import { counterpartyReferenceKey } from '../../engine/index/index-keys.ts'
import type { Entry } from '../../engine/records/entry.ts'
import { ofKind } from '../../engine/records/record.ts'
import type { UnitOfWork } from '../../engine/records/unit-of-work.ts'
import { neededApprovals } from '../authorization/policies/changes.ts'
import type { NeededApprovals } from '../../contract/call.ts'
import { badRequest } from '../../contract/refusal.ts'
import type { Context } from '../context/platform.ts'
import { eachTogether, together } from '../../contract/together.ts'
import { counterpartyAt, type Counterparty } from '../lookup/counterparty.ts'
import type { AddressInput, CounterpartyMembers, CounterpartyLookup } from '../../contract/schemas/counterparty.ts'

/** `entry` null: a new counterparty with this id. */
export interface CounterpartyTarget {
  readonly entry: Entry | null
  readonly id: string
}

/**
 * Returns the approvals that the change needs first; null: the change was made. Throws 400 `ALREADY_EXISTS` if another
 * counterparty of the tenant lists an address, `DUPLICATE_ITEM`, `NAME_EMPTY`.
 */
export function changeCounterparty(
  context: Context,
  unit: UnitOfWork,
  target: CounterpartyTarget,
  members: CounterpartyMembers,
): NeededApprovals | null {
  const { platform, call } = context
  const changes = changesOf(members)
  checkChanges(context, target, changes)
  const of = target.entry === null ? {} : { target: target.id }
  const needed = neededApprovals(context, {
    operation: 'COUNTERPARTIES',
    tenant: call.tenant,
    organizations: [call.organization],
    ...of,
  })
  if (needed !== null) return needed
  const at = new Date(platform.clock.now()).toISOString()
  if (target.entry !== null) {
    unit.send<'counterparty'>(target.entry, { type: 'command.update', changes, at })
    return null
  }
  const { externalReference = null, name = '', status = 'BLOCKED', addresses = [], note = null } = changes
  const { tenant, cluster, organization } = call
  unit.create(
    'counterparty',
    { tenant, cluster, id: target.id },
    {
      counterparty: {
        organization,
        externalReference,
        name,
        status,
        addresses: addressesSince(addresses, at),
        note,
        createdAt: at,
        updatedAt: at,
      },
    },
  )
  return null
}

/**
 * A counterparty of the organization and cluster of the request. Throws 400 `COUNTERPARTY_NOT_FOUND`,
 * `LOOKUP_AMBIGUOUS`.
 */
export function ownCounterparty(
  { platform: { engine }, call: { tenant, cluster, organization } }: Context,
  { offchainId, externalReference = '' }: CounterpartyLookup,
): { readonly entry: Entry; readonly counterparty: Counterparty } {
  const { directory } = engine
  const named =
    offchainId === undefined
      ? directory.findOwn(counterpartyReferenceKey({ tenant, cluster, organization }, externalReference))
      : [directory.resident(offchainId)]
  const [first, second] = named.flatMap((entry) => {
    const counterparty = ofKind(entry?.committed === undefined ? undefined : entry.head, 'counterparty')
    const isOwn =
      counterparty?.tenant === tenant &&
      counterparty.cluster === cluster &&
      counterparty.context.organization === organization
    return entry !== undefined && counterparty !== undefined && isOwn ? [{ entry, counterparty }] : []
  })
  const member = offchainId === undefined ? 'externalReference' : 'offchainId'
  const pointer = `/itemData/${member}`
  if (first === undefined)
    throw badRequest('COUNTERPARTY_NOT_FOUND', `the organization has no counterparty with this ${member}`, pointer)
  if (second !== undefined)
    throw badRequest('LOOKUP_AMBIGUOUS', 'several counterparties have this externalReference: give an id', pointer)
  return first
}

function changesOf({ externalReference, name, status, addresses, note }: CounterpartyMembers): CounterpartyChanges {
  return {
    ...(externalReference === undefined ? {} : { externalReference }),
    ...(name === undefined ? {} : { name }),
    ...(status === undefined ? {} : { status }),
    ...(addresses === undefined ? {} : { addresses: addresses.map(addressOf) }),
    ...(note === undefined ? {} : { note }),
  }
}

function addressOf({ onchainId, label }: AddressInput): GivenAddress {
  return { address: onchainId, label: label ?? null }
}

function checkChanges(
  { platform: { engine }, call: { tenant, cluster } }: Context,
  { id }: CounterpartyTarget,
  changes: CounterpartyChanges,
): void {
  const { name, addresses = [] } = changes
  together(
    () => {
      if (name?.trim() === '') throw badRequest('NAME_EMPTY', 'name must not be empty', '/itemData/name')
    },
    () =>
      eachTogether(addresses, ({ address }, index) => {
        const pointer = `/itemData/addresses/${index}/onchainId`
        if (addresses.findIndex((each) => each.address === address) < index)
          throw badRequest('DUPLICATE_ITEM', `${address} is listed twice`, pointer)
        const listing = counterpartyAt(engine.directory, tenant, cluster, address)
        if (listing !== undefined && listing.id !== id)
          throw badRequest('ALREADY_EXISTS', `${address} belongs to another counterparty of this tenant`, pointer)
      }),
  )
  const fault = counterpartyFault(changes)
  if (fault !== null) throw badRequest('COUNTERPARTY_INVALID', fault, '/itemData')
}
