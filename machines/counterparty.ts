// The counterparty machine: a name for addresses outside the tenant, and whether they may be paid.
import { recordSetup } from './record-setup.ts'
import { accept, refuse, rule, unknownEvent, type Decide } from './answer.ts'

export const COUNTERPARTY_STATUSES = ['ALLOWED', 'REVIEW', 'BLOCKED'] as const
export type CounterpartyStatus = (typeof COUNTERPARTY_STATUSES)[number]

export const MAX_COUNTERPARTY_ADDRESSES = 100

export interface GivenAddress {
  readonly address: string
  readonly label: string | null
}

export interface CounterpartyAddress extends GivenAddress {
  /** ISO 8601. The cooling-off time of the address starts here. */
  readonly since: string
}

export interface CounterpartyContext {
  readonly organization: string
  readonly externalReference: string | null
  readonly name: string
  readonly status: CounterpartyStatus
  /** Each address once. */
  readonly addresses: readonly CounterpartyAddress[]
  readonly note: string | null
  readonly createdAt: string
  readonly updatedAt: string
}

/** Absent members keep their value. `addresses` replaces the whole list. */
export interface CounterpartyChanges {
  readonly externalReference?: string | null
  readonly name?: string
  readonly status?: CounterpartyStatus
  readonly addresses?: readonly GivenAddress[]
  readonly note?: string | null
}

export interface CounterpartyEvent {
  readonly type: 'command.update'
  readonly changes: CounterpartyChanges
  readonly at: string
}

export interface CounterpartyInput {
  readonly counterparty: CounterpartyContext
}

const CHANGEABLE: ReadonlySet<string> = new Set<keyof CounterpartyChanges>([
  'externalReference',
  'name',
  'status',
  'addresses',
  'note',
])

/** A higher rank permits more. */
const RANK: Readonly<Record<CounterpartyStatus, number>> = { BLOCKED: 0, REVIEW: 1, ALLOWED: 2 }

/** Addresses of a new counterparty. */
export function addressesSince(addresses: readonly GivenAddress[], at: string): readonly CounterpartyAddress[] {
  return addresses.map(({ address, label }) => ({ address, label, since: at }))
}

/** Why the members are invalid; null: they are valid. */
export function counterpartyFault({ name, addresses }: Pick<CounterpartyChanges, 'name' | 'addresses'>): string | null {
  if (name?.trim() === '') return 'name must not be empty'
  const listed = (addresses ?? []).map(({ address }) => address)
  if (listed.length > MAX_COUNTERPARTY_ADDRESSES)
    return `a counterparty has at most ${MAX_COUNTERPARTY_ADDRESSES} addresses`
  return new Set(listed).size === listed.length ? null : 'each address may be listed once'
}

type Update = Decide<CounterpartyContext, CounterpartyEvent, Partial<CounterpartyContext>>

/**
 * The cooling-off time starts again for an address that is new, and for every address if the new status permits more
 * than the previous one.
 */
const updateRule: Update = ({ context, event: { changes, at } }) => {
  const unknown = Object.keys(changes).find((name) => !CHANGEABLE.has(name))
  if (unknown !== undefined) return refuse('MEMBER_NOT_CHANGEABLE', `${unknown} cannot be changed`)
  const fault = counterpartyFault(changes)
  if (fault !== null) return refuse('COUNTERPARTY_INVALID', fault)
  const {
    externalReference = context.externalReference,
    name = context.name,
    status = context.status,
    note = context.note,
  } = changes
  const since = new Map(
    RANK[status] > RANK[context.status] ? [] : context.addresses.map((each) => [each.address, each.since]),
  )
  const listed = changes.addresses ?? context.addresses
  const addresses = listed.map(({ address, label }) => ({ address, label, since: since.get(address) ?? at }))
  return accept({ externalReference, name, status, addresses, note, updatedAt: at })
}

export const counterpartyMachine = recordSetup<
  CounterpartyContext,
  CounterpartyEvent,
  CounterpartyInput
>().createMachine({
  id: 'counterparty',
  description: 'A party outside the tenant: its name, its addresses, and whether they may be paid.',
  context: ({ input }) => ({ ...input.counterparty }),
  on: { '*': unknownEvent },
  initial: 'active',
  states: {
    active: {
      description: 'Its members can be changed. A payment is judged by the members at the moment of signing.',
      on: { 'command.update': rule(updateRule) },
    },
  },
})
