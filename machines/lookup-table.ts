// The lookup table machine: an append-only list of addresses that messages name by index, as it is on chain.
// `addresses` follows landed transactions. Code that compiles a message with a table compares it with the chain first,
// because an index that is off by one names another account.
import { recordSetup } from './record-setup.ts'
import { change, changeTo, known, rejectAlways, type GuardArgs } from './answer.ts'
import type { AccountRef, Holding, HoldingEvent } from './holding.ts'
import { anyHolding, closedHolding, holdingAccepted, liveHolding, pendingHolding } from './holding-states.ts'
import type { Touch } from './protocol.ts'
import { startStates } from './start.ts'

/** Contents of the account on chain. Slots are null if unknown, or if the event never happened. */
export interface TableContents {
  /** null: frozen forever. */
  readonly authority: AccountRef | null
  readonly addresses: readonly string[]
  readonly extendedAtSlot: number | null
  readonly deactivatedAtSlot: number | null
}

export interface LookupTableContext extends Holding, TableContents {}

interface Landed {
  readonly touch?: Touch
  /** Slot of the transaction; absent or null: unknown. */
  readonly slot?: number | null
}

export type LookupTableEvent =
  | HoldingEvent
  | ({ readonly type: 'chain.extended'; readonly addresses: readonly string[] } & Landed)
  /** The fork that extended it was dropped. */
  | { readonly type: 'chain.unextended'; readonly addresses: readonly string[] }
  | ({ readonly type: 'chain.frozen' } & Landed)
  /** The fork that froze it was dropped: `authority` is the previous authority. */
  | { readonly type: 'chain.thawed'; readonly authority: AccountRef | null }
  | ({ readonly type: 'chain.deactivated' } & Landed)
  /** The fork that deactivated it was dropped. */
  | { readonly type: 'chain.reactivated' }
  /**
   * Read from the chain. While transactions of this service change the table, `addresses` and `extendedAtSlot` are
   * those of the record. null: the table does not exist.
   */
  | { readonly type: 'chain.tableRead'; readonly contents: TableContents | null }

export interface LookupTableInput {
  readonly holding: LookupTableContext
  readonly state: 'pending' | 'active' | 'deactivating' | 'frozen'
}

type On<K extends LookupTableEvent['type']> = GuardArgs<
  LookupTableContext,
  Extract<LookupTableEvent, { readonly type: K }>
>
type Patch = Partial<LookupTableContext>

const HEADER_BYTES = 56
const ADDRESS_BYTES = 32

/** Account size in bytes of a table with `count` addresses. */
export function tableBytes(count: number): number {
  return HEADER_BYTES + ADDRESS_BYTES * count
}

function touched({ touch }: Landed): Patch {
  return touch === undefined ? {} : { last: touch }
}

function listing(addresses: readonly string[]): Patch {
  return { addresses, dataLength: tableBytes(addresses.length) }
}

function extended({ context, event }: On<'chain.extended'>): Patch {
  const slot = event.slot ?? context.extendedAtSlot
  return { ...listing([...context.addresses, ...event.addresses]), extendedAtSlot: slot, ...touched(event) }
}

/**
 * Removes the last occurrence of the appended run; no change if it is absent (the table was read from the chain in
 * between).
 */
function unextended({ context, event }: On<'chain.unextended'>): Patch {
  const { addresses } = context
  const { length } = event.addresses
  for (let at = addresses.length - length; at >= 0; at -= 1) {
    if (event.addresses.every((address, index) => addresses[at + index] === address))
      return listing([...addresses.slice(0, at), ...addresses.slice(at + length)])
  }
  return {}
}

const frozen = ({ event }: On<'chain.frozen'>): Patch => ({ authority: null, ...touched(event) })
const thawedPatch = ({ event }: On<'chain.thawed'>): Patch => ({ authority: event.authority })
const deactivatedPatch = ({ event }: On<'chain.deactivated'>): Patch => ({
  deactivatedAtSlot: event.slot ?? null,
  ...touched(event),
})
const reactivatedPatch = (): Patch => ({ deactivatedAtSlot: null })

function contents({ event }: On<'chain.tableRead'>): Patch {
  return event.contents === null ? {} : { ...event.contents, dataLength: tableBytes(event.contents.addresses.length) }
}

const is = (judge: (contents: TableContents | null) => boolean) => ({
  type: 'holds' as const,
  params: ({ event }: On<'chain.tableRead'>) => judge(event.contents),
})

/** A table without an authority cannot be deactivated, and a deactivated one cannot be frozen. */
const tableRead = [
  { guard: is((found) => found === null), ...changeTo('closed', contents) },
  { guard: is((found) => found?.authority === null), ...changeTo('frozen', contents) },
  { guard: is((found) => found?.deactivatedAtSlot !== null), ...changeTo('deactivating', contents) },
  changeTo('active', contents),
] as const

const pending = rejectAlways('PENDING', 'the table does not exist yet')
const closed = rejectAlways('CLOSED', 'the table is gone')

/**
 * Changes by facts wherever the table exists; states override the targets. No fact is rejected: a fact may arrive late,
 * and one that waited for the table to be active again would wait forever.
 */
const live = {
  ...liveHolding,
  'chain.extended': change(extended),
  'chain.unextended': change(unextended),
  'chain.frozen': changeTo('frozen', frozen),
  'chain.thawed': change(thawedPatch),
  'chain.deactivated': changeTo('deactivating', deactivatedPatch),
  'chain.reactivated': change(reactivatedPatch),
  'chain.tableRead': tableRead,
} as const

export const lookupTableMachine = recordSetup<LookupTableContext, LookupTableEvent, LookupTableInput, 'live' | 'gone'>(
  holdingAccepted,
).createMachine({
  id: 'lookupTable',
  description: 'A list of addresses on chain that messages name by index, so that more of them fit into a transaction.',
  context: ({ input }) => ({ ...input.holding }),
  on: anyHolding,
  initial: 'arriving',
  states: {
    arriving: startStates('pending', 'active', 'deactivating', 'frozen'),
    pending: {
      description: 'A transaction that creates it is pending.',
      on: {
        ...pendingHolding('active'),
        'chain.extended': pending,
        // Creation and extension were one transaction, and the creation was undone first.
        'chain.unextended': change(unextended),
        'chain.frozen': pending,
        'chain.thawed': pending,
        'chain.deactivated': pending,
        'chain.reactivated': pending,
        'chain.tableRead': pending,
      },
    },
    active: { description: 'It can be used, and extended by its authority.', tags: 'live', on: live },
    deactivating: {
      description: 'It is being switched off; the chain lets it be closed some slots later.',
      tags: 'live',
      on: { ...live, 'chain.frozen': known, 'chain.reactivated': changeTo('active', reactivatedPatch) },
    },
    frozen: {
      description: 'It has no authority any more: it can be used, and never changed or closed.',
      tags: 'live',
      on: { ...live, 'chain.deactivated': known, 'chain.thawed': changeTo('active', thawedPatch) },
    },
    closed: {
      description: 'It is gone from the chain or was never created; its record is kept for ever.',
      tags: 'gone',
      on: {
        ...closedHolding('active', 'deactivating', 'frozen'),
        'chain.extended': closed,
        'chain.unextended': closed,
        'chain.frozen': closed,
        'chain.thawed': closed,
        'chain.deactivated': closed,
        'chain.reactivated': closed,
        'chain.tableRead': closed,
      },
    },
  },
})
