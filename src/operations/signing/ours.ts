// Which of the missing signatures this service gives now.
import type { CompiledMessage } from '../../chain/message.ts'
import type { Effect } from '../../chain/table/effect.ts'
import type { Call } from '../call.ts'
import type { AccountLookup } from '../input.ts'
import type { Platform } from '../platform.ts'
import { badRequest, forbidden } from '../refusal.ts'
import { resolveParty } from '../resolve/account.ts'
import type { Signatures } from '../transact/launch.ts'
import { actsBeyondFees, requiredSigners } from '../transact/signers.ts'
import { signNow } from '../transact/transact.ts'

export interface Signed {
  readonly signatures: Signatures
  /** A key of ours signed now. */
  readonly ours: boolean
}

/**
 * `wanted` absent: all of ours, as soon as no outside signature is missing. Otherwise those named, now. `beforeSigning` runs before a
 * key is used, and not if none is; it may refuse.
 *
 * Throws 400 `SIGNER_UNKNOWN`, 403 `SIGNER_NOT_ALLOWED` and `FROZEN`.
 */
export function signWithOurs(
  platform: Platform,
  call: Call,
  message: CompiledMessage,
  effects: readonly Effect[],
  held: Signatures,
  wanted: readonly AccountLookup[] | undefined,
  beforeSigning: () => void,
): Signed {
  const feePayer = { address: message.signers[0] ?? '', entry: null, autoSign: true }
  // Nothing is made along with a message that stands already: all that is asked of its fee payer is the fee.
  const acts = (address: string): boolean => actsBeyondFees(effects, address, () => false)
  const required = requiredSigners(platform, call, { feePayer, parties: [] }, message.signers, acts)
  const chosen = wanted?.map((lookup, index) => {
    const pointer = `/itemData/signers/${index}`
    const { address } = resolveParty(platform, call, lookup, pointer)
    const signer = required.find((each) => each.address === address)
    if (signer === undefined) throw badRequest('SIGNER_UNKNOWN', `${address} is not a signer of this transaction`, pointer)
    if (signer.signer === null) throw forbidden('SIGNER_NOT_ALLOWED', `this service does not sign with ${address} for this key`, pointer)
    return address
  })
  const outsideMissing = required.some(({ signer }, index) => signer === null && held[index] === null)
  const signing = required.map(
    ({ address }, index) => held[index] === null && (chosen === undefined ? !outsideMissing : chosen.includes(address)),
  )
  const ours = signing.some((signs, index) => signs && required[index]?.signer !== null)
  if (ours) beforeSigning()
  const signatures = required.map(({ signer }, index) => {
    if (signing[index] !== true || signer === null) return held[index] ?? null
    return signNow(signer.sign(message.bytes))
  })
  return { signatures, ours }
}
