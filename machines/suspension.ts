// An operator's suspension of sends: nothing of its scope is sent to the chain; everything else continues. One record
// per cluster and scope, created by the first suspension.
import { recordSetup } from './record-setup.ts'
import { changeTo, rejectAlways, unknownEvent, type GuardArgs } from './answer.ts'

/** Every non-null member must match the transaction; if all are null, the scope is the whole cluster. */
export interface SuspensionScope {
  readonly tenant: string | null
  /** External id. */
  readonly organization: string | null
  /** Address of a fee payer or nonce account. */
  readonly lane: string | null
}

export interface SuspensionContext {
  readonly scope: SuspensionScope
  /** Key id of the last change, and its time (ISO 8601). */
  readonly by: string
  readonly at: string
}

export type SuspensionEvent =
  | { readonly type: 'command.suspend'; readonly by: string; readonly at: string }
  | { readonly type: 'command.resume'; readonly by: string; readonly at: string }

export interface SuspensionInput {
  readonly suspension: SuspensionContext
}

const switchPatch = ({ event: { by, at } }: GuardArgs<SuspensionContext, SuspensionEvent>) => ({ by, at })

export const suspensionMachine = recordSetup<SuspensionContext, SuspensionEvent, SuspensionInput>().createMachine({
  id: 'suspension',
  description: "An operator's switch that stops sending for a cluster, an organization or a fee payer.",
  context: ({ input }) => ({ ...input.suspension }),
  on: { '*': unknownEvent },
  initial: 'suspended',
  states: {
    suspended: {
      description: 'Nothing of its scope is sent to the chain. Transactions of other scopes are.',
      on: {
        'command.suspend': rejectAlways('ALREADY_SUSPENDED', 'these lanes are suspended already'),
        'command.resume': changeTo('resumed', switchPatch),
      },
    },
    resumed: {
      description: 'Transactions are sent.',
      on: {
        'command.suspend': changeTo('suspended', switchPatch),
        'command.resume': rejectAlways('NOT_SUSPENDED', 'these lanes are not suspended'),
      },
    },
  },
})
