// The data source machine: the definition of a price or rating, and its value on chain. `latest` follows settled
// transactions only. A sequence is issued once, because a transaction in flight may still land.
import { recordSetup } from './record-setup.ts'
import { change, accept, rejectAlways, refuse, rule, type GuardArgs, type Decide } from './answer.ts'
import type { AccountRef, Holding, HoldingEvent } from './holding.ts'
import { anyHolding, closedHolding, holdingAccepted, liveHolding, pendingHolding } from './holding-states.ts'
import type { PlanRequester } from './transactions/plan.ts'
import type { Touch } from './protocol.ts'
import { startStates } from './start.ts'

/** A value as published on chain. */
export interface Publication {
  /** For a price: a decimal in plain digits; for a rating: its text. */
  readonly value: string
  /** Time of the request, Unix seconds. */
  readonly asOf: number
  /** Slot of the chain at that time. */
  readonly slot: number
  readonly sequence: number
}

export interface JobResult {
  readonly succeeded: boolean
  readonly value: string | null
  /** Names the job, the task and the reason; contains nothing confidential. */
  readonly error: string | null
}

/** One execution of all jobs; `value` null: too few jobs succeeded. */
export interface Run {
  /** ISO 8601. */
  readonly at: string
  readonly value: string | null
  readonly jobs: readonly JobResult[]
}

/** The part defined by a client. */
export interface FeedDefinition {
  readonly financialInstrument: AccountRef
  readonly dataKind: 'PRICE' | 'RATING'
  readonly ratingProvider: string | null
  readonly providerKind: string
  /** JSON of a job or of a list of jobs, as supplied. */
  readonly jobDefinition: string
  /** First 32 hex digits of the SHA-256 of the canonical form. */
  readonly jobHash: string
  /** The key that defined it last: refreshes use its rights, and this fee payer (address). */
  readonly definedBy: PlanRequester
  readonly payer: string
}

export interface DataSourceContext extends Holding, FeedDefinition {
  readonly protocol: 'PUBLISHED_FEED'
  /** Signer of publications: the update authority on chain. */
  readonly authority: AccountRef
  readonly latest: Publication | null
  /** Slot in which `latest` landed. */
  readonly landedSlot: number | null
  /** Highest sequence issued. */
  readonly issued: number
  readonly lastRun: Run | null
}

export type DataSourceEvent =
  | HoldingEvent
  | { readonly type: 'command.define'; readonly changes: Partial<FeedDefinition> }
  /** Rejected with SEQUENCE_USED unless `sequence` is the next one. */
  | { readonly type: 'command.publish'; readonly sequence: number; readonly run: Run }
  /** The jobs were executed, and nothing is published. */
  | { readonly type: 'command.run'; readonly run: Run }
  | {
      readonly type: 'chain.published'
      readonly publication: Publication
      readonly slot?: number | null
      readonly touch?: Touch
    }
  /** The fork that published it was dropped: `latest` is the previous value. */
  | {
      readonly type: 'chain.unpublished'
      readonly sequence: number
      readonly latest: Publication | null
      readonly landedSlot: number | null
    }
  /** Also used to undo a handover. */
  | { readonly type: 'chain.handedOver'; readonly authority: AccountRef; readonly touch?: Touch }
  /** Read from the chain. While a publication of this service is open, `latest` is that of the record. */
  | {
      readonly type: 'chain.feedRead'
      readonly latest: Publication | null
      readonly authority: AccountRef
      readonly slot: number
    }

export interface DataSourceInput {
  readonly holding: DataSourceContext
  readonly state: 'pending' | 'active'
}

type On<K extends DataSourceEvent['type']> = Extract<DataSourceEvent, { readonly type: K }>
type Rule<K extends DataSourceEvent['type']> = Decide<DataSourceContext, On<K>, Partial<DataSourceContext>>
type ActionArgsOf<K extends DataSourceEvent['type']> = GuardArgs<DataSourceContext, On<K>>
type Patch = Partial<DataSourceContext>

const DEFINITION: ReadonlySet<string> = new Set<keyof FeedDefinition>([
  'financialInstrument',
  'dataKind',
  'ratingProvider',
  'providerKind',
  'jobDefinition',
  'jobHash',
  'definedBy',
  'payer',
])

/** A change of kind discards the value of the previous kind. */
const defineRule: Rule<'command.define'> = ({ context, event }) => {
  const { changes } = event
  const unknown = Object.keys(changes).find((name) => !DEFINITION.has(name))
  if (unknown !== undefined) return refuse('MEMBER_NOT_CHANGEABLE', `${unknown} cannot be changed`)
  const otherKind = changes.dataKind !== undefined && changes.dataKind !== context.dataKind
  return accept({ ...changes, ...(otherKind ? { latest: null, landedSlot: null } : {}) })
}

const publishRule: Rule<'command.publish'> = ({ context, event }) =>
  event.sequence === context.issued + 1
    ? accept({ issued: event.sequence, lastRun: event.run })
    : refuse('SEQUENCE_USED', `sequence ${event.sequence} is not the next one of ${context.address}`)

const ran = ({ event }: ActionArgsOf<'command.run'>): Patch => ({ lastRun: event.run })

/** A publication in an earlier slot than the known value does not replace it. */
function published({ context, event }: ActionArgsOf<'chain.published'>): Patch {
  const { publication, slot = null, touch } = event
  const last = touch === undefined ? {} : { last: touch }
  const passed = slot !== null && context.landedSlot !== null && slot < context.landedSlot
  const issued = Math.max(context.issued, publication.sequence)
  return passed ? { issued, ...last } : { latest: publication, landedSlot: slot ?? context.landedSlot, issued, ...last }
}

function unpublished({ context, event }: ActionArgsOf<'chain.unpublished'>): Patch {
  return context.latest?.sequence === event.sequence ? { latest: event.latest, landedSlot: event.landedSlot } : {}
}

function handedOver({ event }: ActionArgsOf<'chain.handedOver'>): Patch {
  return { authority: event.authority, ...(event.touch === undefined ? {} : { last: event.touch }) }
}

/** A sequence used by another publisher is not issued again. */
function feedRead({ context, event }: ActionArgsOf<'chain.feedRead'>): Patch {
  const { latest, authority, slot } = event
  if (context.landedSlot !== null && slot < context.landedSlot) return {}
  return {
    latest,
    authority,
    landedSlot: latest === null ? null : slot,
    issued: Math.max(context.issued, latest?.sequence ?? 0),
  }
}

const pending = rejectAlways('PENDING', 'the data source does not exist yet')
const closed = rejectAlways('CLOSED', 'the data source is gone')

/** A dropped fork may undo the publication and the creation of the account in either order. */
const chainFacts = {
  'command.define': rule(defineRule),
  'command.run': change(ran),
  'chain.published': change(published),
  'chain.unpublished': change(unpublished),
  'chain.handedOver': change(handedOver),
  'chain.feedRead': change(feedRead),
} as const

export const dataSourceMachine = recordSetup<DataSourceContext, DataSourceEvent, DataSourceInput, 'live' | 'gone'>(
  holdingAccepted,
).createMachine({
  id: 'dataSource',
  description: 'The definition of a price or rating feed, and the value that was last published on chain.',
  context: ({ input }) => ({ ...input.holding }),
  on: anyHolding,
  initial: 'arriving',
  states: {
    arriving: startStates('pending', 'active'),
    pending: {
      description: 'A transaction that creates its account is pending.',
      on: { ...pendingHolding('active'), ...chainFacts, 'command.publish': pending },
    },
    active: {
      description: 'It can be refreshed: its jobs are run, and the value is published.',
      tags: 'live',
      on: { ...liveHolding, ...chainFacts, 'command.publish': rule(publishRule) },
    },
    closed: {
      description: 'It is gone from the chain or was never created; its record is kept for ever.',
      tags: 'gone',
      on: {
        ...closedHolding('active'),
        'command.define': closed,
        'command.publish': closed,
        'command.run': closed,
        'chain.published': closed,
        'chain.unpublished': closed,
        'chain.handedOver': closed,
        'chain.feedRead': closed,
      },
    },
  },
})
