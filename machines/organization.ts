// The organization machine: a tenant's root organization, or one directly below it. While it is frozen, the service
// does not sign with its keys; everything else continues.
import { recordSetup } from './record-setup.ts'
import { accept, goTo, rejectAlways, refuse, rule, unknownEvent, type Decide } from './answer.ts'
import type { DestinationPolicy } from './holding.ts'
import { definedChanges } from './holding-rules.ts'

export interface ReviewApproval {
  /** Key ids. */
  readonly approvers: readonly string[]
  readonly requiredApproversCount: number
}

/**
 * The service that screens payments before a key of the organization signs. Its secret is stored separately, encrypted.
 */
export interface Screening {
  readonly url: string
  readonly timeoutMs: number
  /** Without a usable answer: REFUSE the payment, or have it approved (REVIEW). */
  readonly onUnavailable: 'REFUSE' | 'REVIEW'
}

export interface OrganizationContext {
  readonly externalId: string
  readonly name: string
  /** null: root organization of a tenant. */
  readonly parentExternalId: string | null
  /** Base58 addresses of programs outside the instruction table that transactions may call. */
  readonly allowedPrograms: readonly string[]
  /** Addresses of other tenants' accounts that may pay its fees; absent: none. */
  readonly acceptedFeePayers?: readonly string[]
  /** True: other tenants may request signatures of its keys without a grant. Absent: false. */
  readonly acceptsSigningRequests?: boolean
  /** Which addresses its accounts may pay. Absent: OPEN. */
  readonly destinationPolicy?: DestinationPolicy
  /** Hours before an allow list admits an address that was added to it. Absent: it is admitted at once. */
  readonly coolingOffHours?: number
  /** Who approves payments to counterparties under review. Absent or null: another key with the role that approves. */
  readonly reviewApproval?: ReviewApproval | null
  /** Absent or null: payments are not screened. */
  readonly screening?: Screening | null
  /** The single system organization, created at the first start. */
  readonly system: boolean
}

export type OrganizationChanges = Partial<
  Pick<
    OrganizationContext,
    | 'name'
    | 'allowedPrograms'
    | 'acceptedFeePayers'
    | 'acceptsSigningRequests'
    | 'destinationPolicy'
    | 'coolingOffHours'
    | 'reviewApproval'
    | 'screening'
  >
>

export type OrganizationEvent =
  | { readonly type: 'command.update'; readonly changes: OrganizationChanges }
  | { readonly type: 'command.freeze' }
  | { readonly type: 'command.unfreeze' }

export interface OrganizationInput {
  readonly organization: OrganizationContext
}

const CHANGEABLE: ReadonlySet<string> = new Set<keyof OrganizationChanges>([
  'name',
  'allowedPrograms',
  'acceptedFeePayers',
  'acceptsSigningRequests',
  'destinationPolicy',
  'coolingOffHours',
  'reviewApproval',
  'screening',
])

type Update = Extract<OrganizationEvent, { readonly type: 'command.update' }>

const updateRule: Decide<OrganizationContext, Update, OrganizationChanges> = ({ event }) => {
  const changes = definedChanges(event.changes, CHANGEABLE)
  return changes.ok && changes.value.name === ''
    ? refuse('NAME_EMPTY', 'an organization has a name')
    : changes.ok
      ? accept(changes.value)
      : changes
}

export const organizationMachine = recordSetup<
  OrganizationContext,
  OrganizationEvent,
  OrganizationInput,
  'signing'
>().createMachine({
  id: 'organization',
  description: 'An organization: a tenant, or a part of one.',
  context: ({ input }) => ({ ...input.organization }),
  on: { 'command.update': rule(updateRule), '*': unknownEvent },
  initial: 'active',
  states: {
    active: {
      description: 'Its accounts can sign.',
      tags: 'signing',
      on: {
        'command.freeze': goTo('frozen'),
        'command.unfreeze': rejectAlways('NOT_FROZEN', 'the organization is not frozen'),
      },
    },
    frozen: {
      description: 'An operator has frozen it: nothing is signed with its keys.',
      on: {
        'command.freeze': rejectAlways('ALREADY_FROZEN', 'the organization is frozen already'),
        'command.unfreeze': goTo('active'),
      },
    },
  },
})
