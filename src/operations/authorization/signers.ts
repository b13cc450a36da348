// Determines which required signers can sign now: keys of the request itself, keys of this service that the caller may
// use, and no others. Also holds the freeze check.
import { onEach } from '../../../snapshots/at-hand.ts'
import type { Effect } from '../../solana/table/effect.ts'
import { closedAddressKey, organizationKey } from '../../engine/index/index-keys.ts'
import type { RecordIndex } from '../../engine/index/record-index.ts'
import { isHolding, type HoldingState } from '../../engine/records/record.ts'
import { SYSTEM_TENANT } from '../../contract/tenancy.ts'
import type { Signer, Context } from '../context/platform.ts'
import { forbidden, type Refusal } from '../../contract/refusal.ts'
import { bindsOwner } from '../lookup/governing.ts'
import { recordIndexOf } from '../lookup/request-records.ts'
import { holdingOf, mayPayFeesFor, maySignWith, type Party } from '../lookup/party.ts'
import type { AdapterChange, Draft } from '../transactions/draft.ts'

export interface RequiredSigner {
  readonly address: string
  readonly state: HoldingState | null
  /** null: the key is not of the transaction's own tenant, the caller may not use it, or it cannot be used now. */
  readonly signer: Signer | null
  /** Another tenant that grants the caller its signature; it countersigns. */
  readonly grantor: string | null
}

/** True if the signature can be produced now, or requested now from the grantor. */
export function canSign({ signer, grantor }: RequiredSigner): boolean {
  return signer !== null || grantor !== null
}

/**
 * `acts(address)`: true if the message asks more of the address than fees and rent, so that a grant as fee payer is not
 * enough. `home`: the tenant that owns the transaction; other tenants check their own keys.
 *
 * Throws 403 `FROZEN` if a record of the caller's tenant is frozen, or a record of `home` that would sign, or if a key
 * of the request is of an address that was left frozen.
 */
export function requiredSigners(
  context: Context,
  draft: Pick<Draft, 'feePayer' | 'parties' | 'freshKeys'> & { readonly adapter?: Pick<AdapterChange, 'signs'> },
  addresses: readonly string[],
  {
    acts,
    home = context.call.tenant,
  }: { readonly acts: (address: string) => boolean; readonly home?: string | undefined },
): RequiredSigner[] {
  const { platform, call } = context
  const records = recordIndexOf(context)
  return onEach(addresses, (address) => {
    const fresh = draft.freshKeys?.find((key) => key.address === address)
    if (fresh !== undefined) {
      if (isLeftFrozen(records, call, address)) throw frozen(address)
      return { address, state: null, signer: fresh, grantor: null }
    }
    const parties = [draft.feePayer, ...draft.parties].filter(
      (party) => party !== null && party.address === address,
    ) as readonly Party[]
    const named = parties.map(holdingOf).filter((state) => state !== null && state.value !== 'closed')
    const states = [...named, ...recordsAt(records, call, address)].filter((state) => state !== null)
    const feeOnly = address === draft.feePayer.address && !acts(address)
    const vouched = draft.adapter?.signs.has(address) === true
    const mayUse = (state: HoldingState): boolean =>
      vouched || (feeOnly ? mayPayFeesFor(call, state) : maySignWith(call, state))
    // Several tenants may have a record of the address. Any managed record that the caller may sign with is used, not
    // only the one named.
    const state = states.find((each) => mayUse(each) && each.context.managed) ?? states[0] ?? null
    if (state === null) return { address, state, signer: null, grantor: null }
    for (const each of states) {
      if (each.tenant === call.tenant || (each.tenant === home && each === state && mayUse(each)))
        checkNotFrozen(records, each)
    }
    const usable = mayUse(state) && parties.every(({ autoSign }) => autoSign) && state.context.managed
    const { tenant, cluster, id } = state
    if (!usable) return { address, state, signer: null, grantor: null }
    if (tenant !== home) return { address, state, signer: null, grantor: tenant }
    return { address, state, signer: platform.keys.signerFor({ tenant, cluster, id, address }), grantor: null }
  })
}

/**
 * True if this request creates the record at the address. With `associated` (fixed rent, created at most once), also
 * true if a request in progress creates the record. With `paidBy`, also true if that account has paid the rent since
 * the record was created, so that the rent returns to it.
 */
export type IsCreated = (address: string, associated?: boolean, paidBy?: string) => boolean

/**
 * True if an instruction needs the consent of the address to anything except the rent of what this request creates.
 */
export function actsBeyondFees(effects: readonly Effect[], address: string, isMade: IsCreated): boolean {
  return effects.some((effect) => consents(effect, address) && !isRent(effect, address, isMade))
}

/**
 * True if the address signs for this instruction, and not only because the same account pays the fee and receives
 * something here. If in doubt, the result is true.
 */
function consents(effect: Effect, address: string): boolean {
  if (!effect.signers.includes(address)) return false
  switch (effect.kind) {
    case 'lamports':
      return effect.from === address || effect.signer === address || !effect.signers.includes(effect.signer)
    case 'tokens':
    case 'mint':
    case 'burn':
    case 'close':
    case 'freeze':
    case 'thaw':
      return effect.authority === address || !effect.signers.includes(effect.authority)
    case 'createAssociated':
      return effect.payer === address
    case 'table':
      return effect.authority === address || effect.payer === address
    case 'initializeAccount':
    case 'initializeMint':
      return false
    default:
      return true
  }
}

function isRent(effect: Effect, payer: string, isMade: IsCreated): boolean {
  switch (effect.kind) {
    case 'create':
      return effect.payer === payer && effect.account !== payer && isMade(effect.account)
    case 'createAssociated':
      return effect.payer === payer && isMade(effect.account, true)
    case 'table':
      return effect.authority !== payer && isMade(effect.table, false, payer)
    case 'lamports':
      return effect.from === payer && isMade(effect.to)
    default:
      return false
  }
}

/** Every live record at an address. Records that the caller may sign with come first. */
function recordsAt(records: RecordIndex, call: Context['call'], address: string): HoldingState[] {
  const states = records
    .atAddress(call.cluster, address)
    .map(({ head }) => head)
    .filter(isHolding)
  return [...states.filter((state) => maySignWith(call, state)), ...states.filter((state) => !maySignWith(call, state))]
}

/**
 * True if an administrator has frozen the account, its organization (if that binds the owner), its tenant, or the
 * system tenant (which freezes every account).
 */
export function isFrozen(records: RecordIndex, state: HoldingState): boolean {
  const { organization, frozenByOperator } = state.context
  const isSwitched = (each: string): boolean => records.firstOwn(organizationKey(each))?.head.value === 'frozen'
  return (
    frozenByOperator ||
    isSwitched(state.tenant) ||
    isSwitched(SYSTEM_TENANT) ||
    (organization !== state.tenant && isSwitched(organization) && bindsOwner(records, state))
  )
}

export function checkNotFrozen(records: RecordIndex, state: HoldingState): void {
  if (isFrozen(records, state)) throw frozen(state.context.address)
}

/**
 * True if the last record of the tenant at the address was frozen when it was closed. Only unfreezing ends a freeze: a
 * new record of the address starts frozen.
 */
export function isLeftFrozen(
  records: Pick<RecordIndex, 'findOwn'>,
  { tenant, cluster }: Pick<Context['call'], 'tenant' | 'cluster'>,
  address: string,
): boolean {
  const closed = records
    .findOwn(closedAddressKey(cluster, address))
    .flatMap(({ head }) => (head.tenant === tenant && isHolding(head) ? [head.context] : []))
  if (closed.length === 0) return false
  const last = closed.map(({ madeAt = '' }) => madeAt).reduce((one, other) => (one > other ? one : other))
  return closed.some(({ madeAt = '', frozenByOperator }) => madeAt === last && frozenByOperator)
}

function frozen(address: string): Refusal {
  return forbidden('FROZEN', `${address} is frozen and may not sign`)
}
