// Supervisor of a tenant's records: counts active records, requests passivation above capacity, and rejects activations
// while draining.
import { assign, emit, setup } from 'xstate'
import { acceptance, fine, go, known, never, refuse, refused, rejection, rule, unknownEvent, type Decide } from './answer.ts'
import type { Answer } from './protocol.ts'
import { holds } from './start.ts'

export interface TenantContext {
  /** Number of active records. */
  readonly live: number
  /** Number of active records above which the least recently used ones passivate. */
  readonly capacity: number
}

export type TenantState = 'open' | 'frozen' | 'draining'

export type TenantEvent =
  /**
   * Activates a record, or `count` of them. `settling`: for a fact about a transaction in flight; accepted while
   * draining too.
   */
  | { readonly type: 'command.activate'; readonly settling?: boolean; readonly count?: number }
  | { readonly type: 'command.passivate'; readonly count?: number }
  | { readonly type: 'command.freeze' }
  | { readonly type: 'command.unfreeze' }
  | { readonly type: 'command.drain' }

/** Emitted after the answer when the capacity is exceeded: passivate the `excess` least recently used records. */
export interface PassivateOldest {
  readonly type: 'passivate.oldest'
  readonly excess: number
}

export interface TenantInput {
  readonly capacity: number
}

type On<K extends TenantEvent['type']> = Extract<TenantEvent, { readonly type: K }>

const passivating: Decide<TenantContext, On<'command.passivate'>, Partial<TenantContext>> = ({ context, event }) =>
  context.live < (event.count ?? 1) ? refuse('NONE_AWAKE', 'no such number of records is awake') : fine({ live: context.live - (event.count ?? 1) })

interface Waking {
  readonly context: TenantContext
  readonly event: On<'command.activate'>
}

const waking = ({ context, event }: Waking) => ({ live: context.live + (event.count ?? 1) })
const overfull = ({ context, event }: Waking) => context.live + (event.count ?? 1) > context.capacity
const isNew = ({ event }: { readonly event: On<'command.activate'> }) => event.settling !== true

const wake = [{ type: 'change', params: waking }, { type: 'accept' }] as const
const activate = [{ guard: { type: 'holds', params: overfull }, actions: [...wake, { type: 'relieve' }] }, { actions: wake }] as const

export const tenantMachine = setup({
  types: {
    context: {} as TenantContext,
    events: {} as TenantEvent,
    input: {} as TenantInput,
    emitted: {} as Answer | PassivateOldest,
    tags: {} as 'working',
  },
  guards: { refused, holds },
  actions: {
    change: assign((_, patch: Partial<TenantContext>) => patch),
    accept: emit(acceptance),
    reject: emit(rejection),
    relieve: emit(({ context }) => ({ type: 'passivate.oldest', excess: context.live - context.capacity }) as const),
  },
}).createMachine({
  id: 'tenant',
  context: ({ input }) => ({ live: 0, capacity: input.capacity }),
  on: { 'command.activate': activate, 'command.passivate': rule(passivating), 'command.drain': go('.draining'), '*': unknownEvent },
  initial: 'open',
  states: {
    open: { tags: 'working', on: { 'command.freeze': go('frozen'), 'command.unfreeze': never('NOT_FROZEN', 'the tenant is not frozen') } },
    // Activations continue for reads and for transactions in flight. Operations check whether anything may be signed.
    frozen: { on: { 'command.freeze': never('ALREADY_FROZEN', 'the tenant is frozen already'), 'command.unfreeze': go('open') } },
    draining: {
      on: {
        'command.activate': [{ guard: { type: 'holds', params: isNew }, ...never('DRAINING', 'the service is stopping') }, ...activate],
        'command.freeze': never('DRAINING', 'the service is stopping'),
        'command.unfreeze': never('DRAINING', 'the service is stopping'),
        'command.drain': known,
      },
    },
  },
})
