// Rules of an owner for signing another tenant's transaction: rights, freezes, debit keys, programs and feeds, each
// decided from the compiled message and the owner's own records. A refusal gives no details of the owner's records.
import { isHolding, type HoldingState } from '../../../engine/records/record.ts'
import type { Platform } from '../../context/platform.ts'
import { forbidden } from '../../../contract/refusal.ts'
import { checkOwnerPays } from '../../authorization/destinations/of-owner.ts'
import { checkPrograms } from '../../authorization/limits/programs.ts'
import { writesToFeedInUse } from '../../authorization/feed-use.ts'
import { mayPayFeesFor, maySignWith, paysFeesOf } from '../../lookup/party.ts'
import { feePayerNotAllowed } from '../../authorization/fee-rights.ts'
import { checkDebitKeys, checkFeeKeys, checkPledgeKeys } from '../../authorization/rights.ts'
import { actsBeyondFees, checkNotFrozen } from '../../authorization/signers.ts'
import { consentingIn, requestTo, type CountersignRequest } from './request.ts'

/** A rule for the use of the owner's keys in `signing`. Throws the refusal. */
type Rule = (platform: Platform, owner: string, signing: readonly HoldingState[], request: CountersignRequest) => void

const granted: Rule = (_platform, _owner, signing, { asker, effects, isMade, vouched }) => {
  for (const state of signing) {
    if (vouched?.has(state.context.address) === true) continue
    const feeOnly = !actsBeyondFees(effects, state.context.address, isMade)
    if (!(feeOnly ? mayPayFeesFor(asker, state) : maySignWith(asker, state))) throw notAllowed(state.context.address)
  }
}

/** Whether the organization accepts the fee payer is checked by the transaction's own tenant. */
const paysFees: Rule = (_platform, _owner, signing, { fixed }) => {
  const payer = signing.find(({ context }) => context.address === fixed.feePayer.address)
  if (payer !== undefined && !paysFeesOf(fixed.organization, payer)) throw feePayerNotAllowed(fixed.organization, payer)
}

const notFrozen: Rule = (platform, _owner, signing) => {
  for (const state of signing) checkNotFrozen(platform.engine.directory, state)
}

const debitKeys: Rule = (platform, owner, signing, { asker, cluster, effects, fixed, loan, vouched }) => {
  const addresses = signing.map(({ context }) => context.address)
  const { directory } = platform.engine
  const debitor = { tenant: owner, cluster, caller: asker.caller }
  checkFeeKeys(directory, debitor, { payer: fixed.feePayer.address, beneficiary: fixed.organization }, addresses)
  checkDebitKeys(directory, debitor, effects, { consenting: addresses, vouched })
  checkPledgeKeys(directory, debitor, loan?.pledges, addresses)
}

const withinTable: Rule = (platform, _owner, signing, { asker, effects, vouched }) => {
  for (const state of signing) checkPrograms(platform, state, { asker, effects, isProvided: vouched !== undefined })
}

/** Publishing to a feed in use needs the role ACCOUNT_POLICY_WRITE, which counts only for keys of the owner. */
const feeds: Rule = (platform, owner, signing, { asker, cluster, effects }) => {
  const mayWrite = asker.tenant === owner && asker.caller.roles.has('ACCOUNT_POLICY_WRITE')
  if (!mayWrite && writesToFeedInUse(platform, owner, cluster, effects))
    throw notAllowed(signing[0]?.context.address ?? '')
}

const destinations: Rule = (platform, owner, _signing, request) => {
  const { cluster, home, effects, chain, loan, keys, fixed, vouched } = request
  const organization = home === owner ? fixed.organization : null
  const isProvided = vouched !== undefined
  const consenting = consentingIn(request)
  checkOwnerPays(platform, owner, { cluster, effects, chain, keys, isProvided, organization, consenting, loan })
}

/**
 * Applied in this order. Debit limits and reservations follow in `authorizeShare`: they concern the whole message, not
 * one signature.
 */
const RULES: readonly Rule[] = [granted, paysFees, notFrozen, debitKeys, withinTable, feeds, destinations]

/**
 * The owner's managed records at the addresses, if every rule allows the message.
 *
 * Throws 400 `FEE_PAYER_NOT_ALLOWED`, 403 `SIGNER_NOT_ALLOWED`, `FROZEN`, `DEBIT_KEY_REQUIRED`,
 * `INSTRUCTION_NOT_ALLOWED`, `DESTINATION_NOT_ALLOWED`.
 */
export function evaluateShare(
  platform: Platform,
  owner: string,
  addresses: readonly string[],
  request: CountersignRequest,
): HoldingState[] {
  const signing = addresses.map((address) => ownHolding(platform, owner, request.cluster, address))
  for (const rule of RULES) rule(platform, owner, signing, request)
  return signing
}

/**
 * For a message that the owner has signed and that was not sent: the owner can still stop it.
 *
 * @param addresses for which it has signed
 *
 * Throws 403 `FROZEN`, `DESTINATION_NOT_ALLOWED`.
 */
export function evaluateRecordedMessage(
  platform: Platform,
  owner: string,
  addresses: readonly string[],
  request: CountersignRequest,
): void {
  const signing = addresses.flatMap((address) => managedHolding(platform, owner, request.cluster, address) ?? [])
  const others = request.message.signers.filter((address) => !addresses.includes(address))
  const asked = requestTo(owner, request, others)
  for (const rule of [notFrozen, destinations]) rule(platform, owner, signing, asked)
}

/** Throws 403 `SIGNER_NOT_ALLOWED`. */
export function ownHolding(platform: Platform, owner: string, cluster: string, address: string): HoldingState {
  const state = managedHolding(platform, owner, cluster, address)
  if (state === undefined) throw notAllowed(address)
  return state
}

function managedHolding(
  { engine }: Platform,
  owner: string,
  cluster: string,
  address: string,
): HoldingState | undefined {
  return engine.directory
    .ownAtAddress(cluster, address)
    .map(({ head }) => head)
    .filter(isHolding)
    .find(({ tenant, context }) => tenant === owner && context.managed)
}

export function notAllowed(address: string): Error {
  return forbidden('SIGNER_NOT_ALLOWED', `API key may not sign with ${address}`)
}
