// Decides which of the missing signatures this service adds now.
import type { RemoteKeyHolder } from '../../../engine/records/codec.ts'
import type { Countersigner } from '../../../../machines/transactions/transaction-record.ts'
import type { UnitOfWork } from '../../../engine/records/unit-of-work.ts'
import type { Call } from '../../../contract/call.ts'
import type { AccountLookup } from '../../../contract/values/lookup.ts'
import type { CountersignRequest } from '../countersign/request.ts'
import { checkPrograms } from '../../authorization/limits/programs.ts'
import type { Platform } from '../../context/platform.ts'
import { badRequest, forbidden } from '../../../contract/refusal.ts'
import { eachTogether } from '../../../contract/together.ts'
import { resolveParty } from '../../lookup/account.ts'
import type { Signatures } from '../submit.ts'
import { checkEscrowsLeftAlone } from '../../lookup/escrows.ts'
import { checkPays } from '../../authorization/fee-rights.ts'
import { checkDebitKeys, checkFeeKeys } from '../../authorization/rights.ts'
import {
  actsBeyondFees,
  canSign,
  requiredSigners,
  type IsCreated,
  type RequiredSigner,
} from '../../authorization/signers.ts'
import { gather } from './gather.ts'

export interface OurSignatures {
  readonly signatures: Signatures
  /** Remote signers to ask. */
  readonly asked: readonly RemoteKeyHolder[]
  /** Other tenants that countersigned. */
  readonly countersigners: readonly Countersigner[]
  /** A key of this service signs now, or is asked to. */
  readonly ours: boolean
}

/**
 * For a message compiled earlier: the request creates no account, so its fee payer signs for the fee only.
 */
export const nothing: IsCreated = () => false

/**
 * Signs with the keys of this service. `wanted` undefined: all of them, as soon as no outside signature is missing;
 * otherwise the listed ones, now. `isOwn`: the transaction was made by the caller's organization. `maySign` runs
 * before the first key is used, and only then; it may refuse, or return false so that none is used.
 *
 * Throws 400 `SIGNER_UNKNOWN`, 403 `SIGNER_NOT_ALLOWED`, `FROZEN`, `DEBIT_KEY_REQUIRED`, and the refusals of
 * `countersign`.
 */
export function signWithOurs(
  platform: Platform,
  unit: UnitOfWork,
  call: Call,
  {
    request,
    held,
    wanted,
    isOwn,
    maySign,
  }: {
    readonly request: CountersignRequest
    readonly held: Signatures
    readonly wanted: readonly AccountLookup[] | undefined
    readonly isOwn: boolean
    readonly maySign: () => boolean
  },
): OurSignatures {
  const { message, effects, home, cluster, isMade, vouched } = request
  checkEscrowsLeftAlone(
    platform.engine.directory,
    { tenant: call.tenant, cluster },
    { effects, signers: message.signers },
    vouched,
  )
  const feePayer = { address: message.signers[0] ?? '', entry: null, autoSign: true }
  const acts = (address: string): boolean => actsBeyondFees(effects, address, isMade)
  const required = requiredSigners(
    { platform, call },
    { feePayer, parties: [], ...(vouched === undefined ? {} : { adapter: { signs: vouched } }) },
    message.signers,
    { acts, home },
  )
  const choose = (lookup: AccountLookup, index: number): string => {
    const pointer = `/itemData/signers/${index}`
    const { address } = resolveParty({ platform, call }, lookup, pointer)
    const signer = required.find((each) => each.address === address)
    if (signer === undefined)
      throw badRequest('SIGNER_UNKNOWN', `${address} is not a signer of this transaction`, pointer)
    if (!canSign(signer)) throw forbidden('SIGNER_NOT_ALLOWED', `API key may not sign with ${address}`, pointer)
    return address
  }
  const chosen = wanted === undefined ? undefined : eachTogether(wanted, choose)
  // A signer of another organization's transaction waits for keys that are not stored here, but not for the
  // requester's keys: both would wait for each other.
  const isOutside = (each: RequiredSigner): boolean => !canSign(each) && (isOwn || each.state?.context.managed !== true)
  const outsideMissing = required.some((each, index) => isOutside(each) && held[index] === null)
  const signing = required.map(
    ({ address }, index) => held[index] === null && (chosen === undefined ? !outsideMissing : chosen.includes(address)),
  )
  const now = required.filter((each, index) => signing[index] === true && canSign(each))
  // Debit key lists of another tenant are checked by that tenant when its key is asked for.
  if (call.tenant === home || now.some(({ signer }) => signer !== null)) {
    const debitor = { tenant: home, cluster, caller: call.caller }
    checkFeeKeys(platform.engine.directory, debitor, {
      payer: feePayer.address,
      beneficiary: request.fixed.organization,
    })
    checkDebitKeys(platform.engine.directory, debitor, effects, { consenting: undefined, vouched })
  }
  const beneficiary = { tenant: home, organization: request.fixed.organization }
  for (const { address, state } of now)
    if (state !== null && address === feePayer.address) checkPays(platform.engine.directory, beneficiary, state)
  const called = { asker: call, effects, isProvided: vouched !== undefined }
  for (const { state } of now) if (state?.tenant === home) checkPrograms(platform, state, called)
  const ours = now.length > 0 && maySign()
  const gathered = gather(platform, unit, required, {
    signsNow: (index) => ours && signing[index] === true,
    held,
    request,
  })
  return { ...gathered, ours }
}
