// The durable nonce of a transaction made elsewhere: it must be a nonce of the organization, at its current value,
// and free.
import { isWritable, type CompiledMessage } from '../../solana/message.ts'
import type { Effect, EffectOf } from '../../solana/table/effect.ts'
import { classify } from '../../solana/table/classify.ts'
import type { Entry } from '../../engine/records/entry.ts'
import { ofKind } from '../../engine/records/record.ts'
import { ownRecordsAt } from '../lookup/whose-records.ts'
import type { Context } from '../context/platform.ts'
import { badRequest, forbidden } from '../../contract/refusal.ts'
import type { Lifetime } from '../transactions/lifetime.ts'
import { lifetimeOf } from '../transactions/nonces/free.ts'
import { readNonces } from '../reconcile/nonces.ts'

/**
 * The advance that makes the message one under a durable nonce, by the rule of the cluster; undefined under a
 * blockhash.
 */
export function advanceOf(message: CompiledMessage): EffectOf<'nonceAdvance'> | undefined {
  const [effect] = classify(message, message.staticKeys)
  const at = message.instructions[0]?.accountIndexes[0]
  if (effect?.kind !== 'nonceAdvance' || at === undefined || at >= message.staticKeys.length) return undefined
  return isWritable(message, at) ? effect : undefined
}

/** Reads the nonce, so that the checks use its current value on chain. */
export async function readForeignNonce(context: Context, { nonce }: EffectOf<'nonceAdvance'>): Promise<void> {
  const { platform, call } = context
  const entry = ownNonceAt(context, nonce)
  if (entry !== undefined) await readNonces(platform, call.cluster, [entry])
}

/** Throws 400 `NONCE_NOT_OURS`, `NONCE_AUTHORITY_MISMATCH`, `NONCE_EXPIRED`, `NONCE_UNAVAILABLE`. */
export function foreignNonce(
  context: Context,
  { nonce, authority }: EffectOf<'nonceAdvance'>,
  value: string,
  pointer: string,
): Lifetime {
  const entry = ownNonceAt(context, nonce)
  const state = ofKind(entry?.head, 'nonce')
  if (entry === undefined || state === undefined) {
    throw badRequest('NONCE_NOT_OURS', 'the durable nonce must belong to this organization', pointer)
  }
  if (state.context.authority.address !== authority) {
    throw badRequest('NONCE_AUTHORITY_MISMATCH', `${authority} is not the authority of the nonce ${nonce}`, pointer)
  }
  if (state.context.value !== value) {
    throw badRequest('NONCE_EXPIRED', `the nonce ${nonce} was advanced after the transaction was built`, pointer)
  }
  if (state.value !== 'active') throw badRequest('NONCE_UNAVAILABLE', `the nonce ${nonce} is in use`, pointer)
  return lifetimeOf(entry, state)
}

/**
 * Any other advance could invalidate a transaction to which that nonce is leased. Throws 403
 * `INSTRUCTION_NOT_ALLOWED`.
 */
export function checkAdvances(
  effects: readonly Effect[],
  opening: EffectOf<'nonceAdvance'> | undefined,
  pointer: string,
): void {
  const stray = effects.find(
    ({ kind, index }) => kind === 'nonceAdvance' && (opening === undefined || index !== opening.index),
  )
  if (stray !== undefined) {
    throw forbidden(
      'INSTRUCTION_NOT_ALLOWED',
      `instruction ${stray.index}: only the first instruction may advance a nonce`,
      pointer,
    )
  }
}

function ownNonceAt({ platform, call }: Context, address: string): Entry | undefined {
  return ownRecordsAt(platform.engine.directory, call.tenant, call.cluster, address).find(
    ({ head }) => ofKind(head, 'nonce')?.context.organization === call.organization,
  )
}
