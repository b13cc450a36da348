// The API key machine: owner, roles, and hashes of the secret. A disabled key stays disabled; rotation keeps the key
// id.
import { recordSetup } from './record-setup.ts'
import {
  change,
  changeTo,
  accept,
  rejectAlways,
  refuse,
  rule,
  unknownEvent,
  type GuardArgs,
  type Decide,
} from './answer.ts'

export interface ApiKeyContext {
  readonly keyId: string
  /** External id of its organization. */
  readonly organization: string
  readonly name: string
  readonly roles: readonly string[]
  /** SHA-256 of the secret, hex. */
  readonly secretHash: string
  /** Hash of the secret before the last rotation, valid until `previousUntil`. */
  readonly previousSecretHash: string | null
  readonly previousUntil: string | null
  readonly expiresAt: string | null
  /** Ids of the clusters it may use; null: all. */
  readonly clusters: readonly string[] | null
  readonly createdAt: string
  readonly createdBy: string
  readonly lastUsedAt: string | null
  readonly rotatedAt: string | null
  /** After a rotation by another key, approvals of this key do not count until this time. */
  readonly approvalsSuspendedUntil: string | null
}

/** Times are ISO 8601 in UTC. */
export type ApiKeyEvent =
  /** `graceUntil`: end of the previous secret's validity; null: it ends at once. */
  | {
      readonly type: 'command.rotate'
      readonly secretHash: string
      readonly graceUntil: string | null
      readonly at: string
      readonly byItself: boolean
    }
  | { readonly type: 'command.disable' }
  | { readonly type: 'clock.used'; readonly at: string }

export interface ApiKeyInput {
  readonly apiKey: ApiKeyContext
}

/** After a rotation by another key, approvals of the key do not count for this time. */
export const SUSPENSION_MS = 24 * 60 * 60 * 1000

type On<K extends ApiKeyEvent['type']> = Extract<ApiKeyEvent, { readonly type: K }>

const rotateRule: Decide<ApiKeyContext, On<'command.rotate'>, Partial<ApiKeyContext>> = ({ context, event }) => {
  const at = Date.parse(event.at)
  if (Number.isNaN(at)) return refuse('MALFORMED_INSTANT', `not an instant: ${event.at}`)
  return accept({
    secretHash: event.secretHash,
    previousSecretHash: event.graceUntil === null ? null : context.secretHash,
    previousUntil: event.graceUntil,
    rotatedAt: event.at,
    approvalsSuspendedUntil: event.byItself
      ? context.approvalsSuspendedUntil
      : new Date(at + SUSPENSION_MS).toISOString(),
  })
}

/** Uses are reported late and out of order; the latest time stays. */
const usedPatch = ({ context, event }: GuardArgs<ApiKeyContext, On<'clock.used'>>): Partial<ApiKeyContext> =>
  context.lastUsedAt !== null && context.lastUsedAt >= event.at ? {} : { lastUsedAt: event.at }

/** Disabling a key also ends the grace period of its previous secret. */
const disablePatch = (): Partial<ApiKeyContext> => ({ previousSecretHash: null, previousUntil: null })

export const apiKeyMachine = recordSetup<ApiKeyContext, ApiKeyEvent, ApiKeyInput, 'usable'>().createMachine({
  id: 'apiKey',
  description: 'An API key: whose it is, what it may do, and the hashes of its secret.',
  context: ({ input }) => ({ ...input.apiKey }),
  on: { 'clock.used': change(usedPatch), '*': unknownEvent },
  initial: 'active',
  states: {
    active: {
      description: 'It opens what its roles allow.',
      tags: 'usable',
      on: { 'command.rotate': rule(rotateRule), 'command.disable': changeTo('disabled', disablePatch) },
    },
    disabled: {
      description: 'It opens nothing any more, permanently.',
      on: {
        'command.rotate': rejectAlways('DISABLED', 'the key is disabled'),
        'command.disable': rejectAlways('ALREADY_DISABLED', 'the key is disabled already'),
      },
    },
  },
})
