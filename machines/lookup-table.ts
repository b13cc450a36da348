// An address lookup table: an append-only list of addresses that messages may name by index, kept as it is on chain.
// `addresses` follows what landed; whoever compiles a message with it compares it with the chain first, for an index that is off by one
// names another account.
import { assign, emit, setup } from 'xstate'
import { change, changeTo, known, never, refused, rejection, type Asked } from './answer.ts'
import type { AccountRef, Holding, HoldingEvent } from './holding.ts'
import { anyHolding, closedHolding, counted, liveHolding, pendingHolding } from './holding-states.ts'
import type { Answer, Touch } from './protocol.ts'
import { arriving, holds } from './start.ts'

/** What the account on chain says of itself. Slots are null where they are not known, or where it never happened. */
export interface TableContents {
  /** null: frozen for ever. */
  readonly authority: AccountRef | null
  readonly addresses: readonly string[]
  readonly extendedAtSlot: number | null
  readonly deactivatedAtSlot: number | null
}

export interface LookupTableContext extends Holding, TableContents {}

export type LookupTableState = 'pending' | 'active' | 'deactivating' | 'frozen' | 'closed'

interface Landed {
  readonly touch?: Touch
  /** Slot of the transaction; absent or null: not told. */
  readonly slot?: number | null
}

export type LookupTableEvent =
  | HoldingEvent
  | ({ readonly type: 'chain.extended'; readonly addresses: readonly string[] } & Landed)
  /** The fork that extended it died. */
  | { readonly type: 'chain.unextended'; readonly addresses: readonly string[] }
  | ({ readonly type: 'chain.frozen' } & Landed)
  /** The fork that froze it died: `authority` is who had it. */
  | { readonly type: 'chain.thawed'; readonly authority: AccountRef | null }
  | ({ readonly type: 'chain.deactivated' } & Landed)
  /** The fork that deactivated it died. */
  | { readonly type: 'chain.reactivated' }
  /** Read from the chain while nothing of ours is open. null: it is gone. */
  | { readonly type: 'chain.tableRead'; readonly contents: TableContents | null }

export interface LookupTableInput {
  readonly holding: LookupTableContext
  readonly state: 'pending' | 'active' | 'deactivating' | 'frozen'
}

type On<K extends LookupTableEvent['type']> = Asked<LookupTableContext, Extract<LookupTableEvent, { readonly type: K }>>
type Patch = Partial<LookupTableContext>

const HEADER_BYTES = 56
const ADDRESS_BYTES = 32

/** Bytes of a table of so many addresses. */
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

/** What was appended last goes first; nothing, where the run is not there (it was read from the chain in between). */
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
const thawed = ({ event }: On<'chain.thawed'>): Patch => ({ authority: event.authority })
const deactivated = ({ event }: On<'chain.deactivated'>): Patch => ({ deactivatedAtSlot: event.slot ?? null, ...touched(event) })
const reactivated = (): Patch => ({ deactivatedAtSlot: null })

function contents({ event }: On<'chain.tableRead'>): Patch {
  return event.contents === null ? {} : { ...event.contents, dataLength: tableBytes(event.contents.addresses.length) }
}

const is = (judge: (contents: TableContents | null) => boolean) => ({
  type: 'holds' as const,
  params: ({ event }: On<'chain.tableRead'>) => judge(event.contents),
})

/** A table without authority cannot be deactivated any more, and one that is deactivated cannot be frozen. */
const tableRead = [
  { guard: is((found) => found === null), ...changeTo('closed', contents) },
  { guard: is((found) => found?.authority === null), ...changeTo('frozen', contents) },
  { guard: is((found) => found?.deactivatedAtSlot !== null), ...changeTo('deactivating', contents) },
  changeTo('active', contents),
] as const

const pending = never('PENDING', 'the table does not exist yet')
const closed = never('CLOSED', 'the table is gone')

/**
 * What a fact changes wherever the table exists; the states add where it leads. None is refused: a fact may come late, and what waits for
 * a table to be active again would wait for ever.
 */
const live = {
  ...liveHolding,
  'chain.extended': change(extended),
  'chain.unextended': change(unextended),
  'chain.frozen': changeTo('frozen', frozen),
  'chain.thawed': change(thawed),
  'chain.deactivated': changeTo('deactivating', deactivated),
  'chain.reactivated': change(reactivated),
  'chain.tableRead': tableRead,
} as const

export const lookupTableMachine = setup({
  types: {
    context: {} as LookupTableContext,
    events: {} as LookupTableEvent,
    input: {} as LookupTableInput,
    emitted: {} as Answer,
    tags: {} as 'live' | 'gone',
  },
  guards: { refused, holds },
  actions: {
    change: assign((_, patch: Partial<LookupTableContext>) => patch),
    accept: emit((spoken) => counted(spoken)),
    reject: emit(rejection),
  },
}).createMachine({
  id: 'lookupTable',
  description: 'A list of addresses on chain that messages name by index, so that more of them fit into a transaction.',
  context: ({ input }) => ({ ...input.holding }),
  on: anyHolding,
  initial: 'arriving',
  states: {
    arriving: arriving('pending', 'active', 'deactivating', 'frozen'),
    pending: {
      description: 'A transaction that creates it is on the way.',
      on: {
        ...pendingHolding('active'),
        'chain.extended': pending,
        // Both were of one transaction, and its creation was taken back first.
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
      on: { ...live, 'chain.frozen': known, 'chain.reactivated': changeTo('active', reactivated) },
    },
    frozen: {
      description: 'It has no authority any more: it can be used, and never changed or closed.',
      tags: 'live',
      on: { ...live, 'chain.deactivated': known, 'chain.thawed': changeTo('active', thawed) },
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
