// Enforces debit-restricted keys and freezes: if an account lists API keys, only these keys may debit the account; from
// a frozen record nothing is taken, and it is not changed. The check reads the effects of the compiled message, and
// covers each record that loses something or is changed.
import type { RenewedPledge } from '../../../machines/lending/loan-debits.ts'
import { NATIVE_MINTS } from '../../solana/address.ts'
import type { Effect } from '../../solana/table/effect.ts'
import type { RecordIndex } from '../../engine/index/record-index.ts'
import { isHolding, ofKind, type HoldingState } from '../../engine/records/record.ts'
import type { Call } from '../../contract/call.ts'
import type { FeeCharge } from './limits/legs.ts'
import { forbidden, type Refusal } from '../../contract/refusal.ts'
import { bindsOwner } from '../lookup/governing.ts'
import { ownRecordsAt } from '../lookup/whose-records.ts'
import { admitsFees } from './fee-rights.ts'
import { isFrozen } from './signers.ts'

/** The tenant whose records are checked, and the API key of the request. */
export interface Debitor extends Pick<Call, 'tenant' | 'cluster'> {
  readonly caller: Pick<Call['caller'], 'keyId'>
}

/**
 * Checks the records of `debitor.tenant`: all of them for the tenant's own transactions; for a transaction of another
 * tenant, only the records that consent with keys at the addresses in `consenting`.
 *
 * `vouched`: accounts that the lending adapter signs for. A lender has agreed to terms, not to particular API keys.
 *
 * Throws 403 `DEBIT_KEY_REQUIRED`, `FROZEN`. Returns the accounts whose lists were checked and contain the key.
 */
export function checkDebitKeys(
  records: RecordIndex,
  debitor: Debitor,
  effects: readonly Effect[],
  {
    consenting,
    vouched,
  }: { readonly consenting?: readonly string[] | undefined; readonly vouched?: ReadonlySet<string> | undefined } = {},
): readonly string[] {
  const call: KeyCheck = { debitor, consenting, vouched, listed: new Set() }
  for (const effect of effects) {
    const change = changeOf(effect)
    if (change?.takesTokens === true) checkTokens(records, call, change.account, change.authority)
    else if (change !== null) checkNoneFrozen(records, call, change.account, change.authority)
    for (const address of networkCurrencyFrom(effect)) checkNetworkCurrency(records, call, address)
    if (effect.kind === 'close' && mayBeWrapped(records, call, effect.account))
      checkTokens(records, call, effect.account, effect.authority)
  }
  return [...call.listed]
}

/**
 * As `checkDebitKeys` of the records of a tenant, for a message that was signed before. Throws 403 `FROZEN`.
 */
export function checkChangesNotFrozen(
  records: RecordIndex,
  { tenant, cluster }: Pick<Debitor, 'tenant' | 'cluster'>,
  effects: readonly Effect[],
): void {
  for (const effect of effects) {
    const change = changeOf(effect)
    if (change === null) continue
    const states = ownRecordsAt(records, tenant, cluster, change.account).map(({ head }) => head)
    if (states.some((state) => isHolding(state) && isFrozen(records, state))) throw frozenRecord(change.account)
  }
}

interface Change {
  readonly account: string
  /** The account whose key consents. */
  readonly authority: string
  readonly takesTokens: boolean
}

/** What is changed, or what tokens leave. null: none, or an account that lamports leave (`networkCurrencyFrom`). */
function changeOf(effect: Effect): Change | null {
  switch (effect.kind) {
    case 'tokens':
    case 'burn':
      return { account: effect.from, authority: effect.authority, takesTokens: true }
    case 'authority':
      return { account: effect.account, authority: effect.authority, takesTokens: false }
    case 'extension':
    case 'metadata':
    case 'pause':
    case 'resume':
      return { account: effect.mint, authority: effect.authority ?? effect.mint, takesTokens: false }
    case 'table':
      return { account: effect.table, authority: effect.authority, takesTokens: false }
    default:
      return null
  }
}

/** The accounts that network currency leaves, or can leave from now on. */
function networkCurrencyFrom(effect: Effect): readonly string[] {
  switch (effect.kind) {
    case 'lamports':
      return [effect.from]
    case 'create':
    case 'createAssociated':
      return [effect.payer]
    case 'close':
      return [effect.account]
    case 'authority':
      // The closing authority of a mint can withdraw the lamports of the mint.
      return effect.which === 'CLOSE_MINT' ? [effect.account] : []
    case 'table':
      return [...(effect.payer === null ? [] : [effect.payer]), ...(effect.recipient === null ? [] : [effect.table])]
    default:
      return []
  }
}

/**
 * Checks renewed pledges: assets that a different lender could take from now on leave the borrower as a transfer would.
 * The records checked are those of `checkDebitKeys`.
 *
 * Throws 403 `DEBIT_KEY_REQUIRED`, `FROZEN`. Returns the accounts whose lists were checked and contain the key.
 */
export function checkPledgeKeys(
  records: RecordIndex,
  debitor: Debitor,
  pledges: readonly RenewedPledge[] = [],
  consenting?: readonly string[],
): readonly string[] {
  const check: KeyCheck = { debitor, consenting, vouched: undefined, listed: new Set() }
  for (const { position, payer } of pledges) checkTokens(records, check, position, payer)
  return [...check.listed]
}

interface KeyCheck {
  readonly listed: Set<string>
  readonly debitor: Debitor
  readonly consenting: readonly string[] | undefined
  readonly vouched: ReadonlySet<string> | undefined
}

function checkNetworkCurrency(records: RecordIndex, call: KeyCheck, address: string): void {
  for (const state of recordsAt(records, call, address, address))
    if (bindsOwner(records, state)) refuseUnlessListed(call, state.context.solDebitApiKeys, address)
}

/**
 * An account pays fees for requests of listed keys, and for organizations that it names as beneficiaries. The records
 * checked are those of `checkDebitKeys`.
 *
 * Throws 403 `DEBIT_KEY_REQUIRED`. Returns the payer, if its list was checked.
 */
export function checkFeeKeys(
  records: RecordIndex,
  debitor: Debitor,
  { payer, beneficiary }: Pick<FeeCharge, 'payer' | 'beneficiary'>,
  consenting?: readonly string[],
): readonly string[] {
  const check: KeyCheck = { debitor, consenting, vouched: undefined, listed: new Set() }
  for (const { context } of recordsAt(records, check, payer, payer)) {
    if (!admitsFees(context, debitor.caller.keyId, beneficiary))
      refuseUnlessListed(check, context.solDebitApiKeys, payer)
    else if ((context.solDebitApiKeys?.length ?? 0) > 0) check.listed.add(payer)
  }
  return [...check.listed]
}

/**
 * Checks the list of the consenting wallet (owner or delegate), and the position's own list if the wallet is its owner.
 * Nothing leaves a position that an operator has frozen, even if the same message credits as much and no amount has to
 * be reserved.
 */
function checkTokens(records: RecordIndex, call: KeyCheck, address: string, authority: string): void {
  const listed = call.vouched?.has(authority) !== true
  if (listed)
    for (const { context } of recordsAt(records, call, authority, authority))
      refuseUnlessListed(call, context.tokenDebitApiKeys, authority)
  for (const state of checkNoneFrozen(records, call, address, authority)) {
    const owner = ofKind(state, 'position')?.context.owner.address
    if (owner === authority && listed && bindsOwner(records, state))
      refuseUnlessListed(call, state.context.tokenDebitApiKeys, address)
  }
}

/** The records at the address. Throws 403 `FROZEN`. */
function checkNoneFrozen(records: RecordIndex, call: KeyCheck, address: string, authority: string): HoldingState[] {
  const states = recordsAt(records, call, address, authority)
  if (states.some((state) => isFrozen(records, state))) throw frozenRecord(address)
  return states
}

function frozenRecord(address: string): Refusal {
  return forbidden('FROZEN', `${address} is frozen by an operator`, '/itemData')
}

/**
 * True if a closing of the account can take wrapped network currency, which is a debit of tokens too. That includes an
 * account without a record: what it holds is not known here.
 */
function mayBeWrapped(records: RecordIndex, { debitor }: KeyCheck, address: string): boolean {
  const states = ownRecordsAt(records, debitor.tenant, debitor.cluster, address).map(({ head }) => head)
  if (states.length === 0) return true
  return states.some((state) => NATIVE_MINTS.has(ofKind(state, 'position')?.context.mint.address ?? ''))
}

function refuseUnlessListed({ debitor, listed }: KeyCheck, keys: readonly string[] | null, address: string): void {
  if (keys === null || keys.length === 0) return
  if (!keys.includes(debitor.caller.keyId))
    throw forbidden('DEBIT_KEY_REQUIRED', `API key may not debit ${address}: only the keys listed on the account may`)
  listed.add(address)
}

function recordsAt(
  records: RecordIndex,
  { debitor, consenting }: KeyCheck,
  address: string,
  consents: string,
): HoldingState[] {
  if (consenting !== undefined && !consenting.includes(consents)) return []
  return ownRecordsAt(records, debitor.tenant, debitor.cluster, address)
    .map(({ head }) => head)
    .filter(isHolding)
}
