// Restricts programs outside the instruction table. Such a program may do anything with a signature, so its debits
// cannot be counted. A managed account signs for one only if its own organization allows the program, the account has
// no debit limit, and the calling key is on every list of debit keys of the account. A grant to another
// organization covers the instruction table only.
import type { Effect } from '../../../solana/table/effect.ts'
import { organizationKey, ownerKey } from '../../../engine/index/index-keys.ts'
import { isHolding, ofKind, type HoldingState } from '../../../engine/records/record.ts'
import type { Call } from '../../../contract/call.ts'
import type { Platform } from '../../context/platform.ts'
import { forbidden } from '../../../contract/refusal.ts'
import { bindsOwner } from '../../lookup/governing.ts'
import { isLimited } from './assess.ts'

export interface ProgramCall {
  /** The caller that requests the signature. */
  readonly asker: Pick<Call, 'tenant' | 'organization'> & { readonly caller: Pick<Call['caller'], 'keyId'> }
  /** Effects of the whole message. */
  readonly effects: readonly Effect[]
  /**
   * True if a lending provider built the message: the operator configured its programs, and they receive no account of
   * the loan.
   */
  readonly isProvided: boolean
}

/** Throws 403 `INSTRUCTION_NOT_ALLOWED`, `DEBIT_KEY_REQUIRED`. */
export function checkPrograms(platform: Platform, signer: HoldingState, call: ProgramCall): void {
  const outsideTable = call.effects.filter(({ kind }) => kind === 'refused')
  const [first] = outsideTable
  if (first === undefined) return
  if (!call.isProvided) for (const effect of outsideTable) checkAllowed(platform, signer, call, effect)
  checkProgramKeys(platform, signer, call)
  if (isLimited(positionsOf(platform, signer), signer))
    throw notAllowed(
      first,
      `${signer.context.address} has debit limits and signs for no program beside the instruction table`,
    )
}

/** Throws 403 `DEBIT_KEY_REQUIRED`. */
export function checkProgramKeys(
  platform: Platform,
  signer: HoldingState,
  { asker, effects }: Omit<ProgramCall, 'isProvided'>,
): void {
  if (!effects.some(({ kind }) => kind === 'refused')) return
  for (const { context } of [signer, ...positionsOf(platform, signer)]) {
    const lists = [context.solDebitApiKeys, context.tokenDebitApiKeys].filter(
      (keys) => keys !== null && keys.length > 0,
    )
    if (lists.every((keys) => keys?.includes(asker.caller.keyId))) continue
    const rule = 'only a listed key may have its owner sign for programs outside the instruction table'
    throw forbidden('DEBIT_KEY_REQUIRED', `${context.address} restricts debits to API keys: ${rule}`)
  }
}

function checkAllowed(
  { engine }: Platform,
  { tenant, context }: HoldingState,
  { asker, effects }: ProgramCall,
  effect: Effect,
): void {
  const { address, organization } = context
  const isOwn = tenant === asker.tenant && organization === asker.organization
  // An account of another organization that only pays the fee consents to nothing of the program.
  if (!isOwn && effects.some(({ signers }) => signers.includes(address)))
    throw notAllowed(effect, `a grant to sign with ${address} covers the instruction table only`)
  const allowed =
    ofKind(engine.directory.firstOwn(organizationKey(organization))?.head, 'organization')?.context.allowedPrograms ??
    []
  if (!allowed.includes(effect.programId))
    throw notAllowed(effect, `the organization of ${address} does not allow the program`)
}

function notAllowed({ index, programId }: Effect, rule: string): Error {
  return forbidden('INSTRUCTION_NOT_ALLOWED', `instruction ${index} (${programId}) is not allowed: ${rule}`)
}

function positionsOf({ engine }: Platform, signer: HoldingState): HoldingState[] {
  const { tenant, cluster, context } = signer
  return [...engine.directory.find(ownerKey(tenant, cluster, context.address))]
    .map(({ head }) => head)
    .filter(isHolding)
    .filter((position) => bindsOwner(engine.directory, position))
}
