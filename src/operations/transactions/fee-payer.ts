// Selects the fee payer and computes the fee.
import { SYSTEM_PROGRAM } from '../../solana/address.ts'
import type { CompiledMessage } from '../../solana/message.ts'
import { BUILTIN_PROGRAMS, feeLamports, paidUnits, PRECOMPILE_PROGRAMS, priorityFee } from '../../solana/fee.ts'
import { leastAfterFee } from '../../solana/rent.ts'
import type { Effect } from '../../solana/table/effect.ts'
import { feePayerKey, globalFeePayerKey } from '../../engine/index/index-keys.ts'
import type { Entry } from '../../engine/records/entry.ts'
import type { HoldingState } from '../../engine/records/record.ts'
import type { ChainTransactionConfig } from '../../contract/values/chain-config.ts'
import type { Context } from '../context/platform.ts'
import { badRequest } from '../../contract/refusal.ts'
import { alongWith } from '../../contract/together.ts'
import { optionalParty, resolveParty } from '../lookup/account.ts'
import { checkNoEscrow } from '../lookup/escrows.ts'
import { acceptedGrants, accepts, admitsFees, checkFeePayer, FEE_PAYER_POINTER } from '../authorization/fee-rights.ts'
import { isFrozen } from '../authorization/signers.ts'
import { SYSTEM_TENANT } from '../../contract/tenancy.ts'
import { recordIndexOf } from '../lookup/request-records.ts'
import { holdingOf, holdingState, type Party } from '../lookup/party.ts'

const POINTER = FEE_PAYER_POINTER
/** Of a message that is not compiled yet and has no limit. */
const ASSUMED_UNITS = 200_000

/**
 * The account the request names; otherwise, in this order: an account of the tenant or the operator that is granted
 * to the organization, the first own account that can pay, an account of another tenant that is granted and that the
 * organization accepts.
 *
 * @param source of a payment: the account that pays. If the organization's only accounts for fees cannot be used now
 * and it is one of them, it is taken, so that the refusal states what stops it rather than that there is none.
 *
 * Throws 400 `FEE_PAYER_INVALID`, `FEE_PAYER_NOT_ALLOWED`, `FEE_PAYER_REQUIRED`.
 */
export function feePayerOf(context: Context, config: ChainTransactionConfig | undefined, source?: () => Party): Party {
  const { call } = context
  const records = recordIndexOf(context)
  const party =
    config?.feePayer === undefined
      ? defaultFeePayer(context, config, source)
      : resolveParty(context, config.feePayer, POINTER)
  checkNoEscrow(records, call, party.address, POINTER)
  const state = holdingOf(party)
  if (state !== null && !isPlainWallet(state)) {
    throw badRequest('FEE_PAYER_INVALID', 'a fee payer must be owned by the system program and have no data', POINTER)
  }
  checkFeePayer(records, call, party.address)
  return party
}

/**
 * Throws what a request is refused with, together with the problem of the fee payer that it names: an operation
 * resolves the members of its own first.
 */
export function throwWithFeePayer(context: Context, input: unknown, error: unknown): never {
  const { chainTransactionConfig: config } = input as { readonly chainTransactionConfig?: ChainTransactionConfig }
  const refused = (): never => {
    throw error
  }
  return alongWith(refused, () => optionalParty(context, config?.feePayer, POINTER))
}

/**
 * True of an account owned by the system program without data. Only such accounts can pay fees or transfer network
 * currency.
 */
export function isPlainWallet({ kind, context }: HoldingState): boolean {
  return kind === 'account' && context.dataLength === 0 && context.ownerProgram === SYSTEM_PROGRAM
}

function defaultFeePayer(
  context: Context,
  config: ChainTransactionConfig | undefined,
  source: (() => Party) | undefined,
): Party {
  const { platform, call } = context
  const { directory } = platform.engine
  const usable = (entry: Entry): boolean => canPay(context, entry) && isOpenTo(context, entry)
  // Any tenant may grant a fee payer. An account that cannot pay must not be selected, or another tenant could block
  // payments. Grants of the own tenant take precedence, then those of the operator; an accepted grant of another
  // tenant is used only if there is no alternative. Grants that are not accepted are not read: there may be very many.
  const grantedBy = (tenant: string): Entry | undefined =>
    directory
      .find(globalFeePayerKey(tenant, call.cluster, call.organization))
      .filter(usable)
      .sort(byCreation)[0]
  const global = grantedBy(call.tenant) ?? grantedBy(SYSTEM_TENANT)
  const own = directory
    .find(feePayerKey(call.cluster, call.organization))
    .filter(({ head }) => head.tenant === call.tenant)
  const entry =
    global ??
    firstWithFee(own.filter(usable).sort(byCreation), config) ??
    acceptedGrants(directory, call).filter(usable).sort(byCreation)[0]
  if (entry === undefined) {
    const stopped = own.filter((each) => canPay(context, each))
    const paying = stopped.length === 0 ? undefined : source?.()
    if (stopped.some((each) => each === paying?.entry)) return paying!
    throw badRequest(
      'FEE_PAYER_REQUIRED',
      'the organization has no account that can pay fees: `feePayer` is required',
      POINTER,
    )
  }
  return { address: holdingState(entry).context.address, entry, autoSign: true }
}

/**
 * If no account has the fee and may pay it according to its record, an account that has it is selected, else the first.
 * Before it is refused, all candidates are reconciled with the chain and the selection is repeated (`funds.ts`).
 */
function firstWithFee(payers: readonly Entry[], config: ChainTransactionConfig | undefined): Entry | undefined {
  const lamports = leastFee(config)
  const restOf = (entry: Entry): bigint => {
    const { balance, reserved } = holdingState(entry).context.lamports
    return BigInt(balance) - BigInt(reserved) - lamports
  }
  const mayPay = (entry: Entry): boolean => {
    const rest = restOf(entry)
    return rest === 0n || rest >= leastAfterFee(BigInt(holdingState(entry).context.lamports.balance))
  }
  return payers.find(mayPay) ?? payers.find((entry) => restOf(entry) >= 0n) ?? payers[0]
}

/**
 * The message is not compiled yet: assumes two signatures, as nearly every transaction has, and the requested price.
 */
function leastFee(config: ChainTransactionConfig | undefined): bigint {
  const { limit = ASSUMED_UNITS, price = 0 } = config?.computeUnitConfig ?? {}
  return feeLamports(2, limit, BigInt(price))
}

/**
 * Oldest record first, so the selection is stable across restarts; the directory guarantees no order. Records of
 * earlier releases have no `madeAt` and sort first.
 */
function byCreation(a: Entry, b: Entry): number {
  const [one, other] = [holdingState(a).context.madeAt ?? '', holdingState(b).context.madeAt ?? '']
  return one === other ? (a.head.id < b.head.id ? -1 : 1) : one < other ? -1 : 1
}

/** True if the account is active, managed and accepted by the organization. */
function canPay({ platform, call }: Context, entry: Entry): boolean {
  const state = holdingState(entry)
  const isActive = state.value === 'active' && state.context.managed && isPlainWallet(state)
  return isActive && accepts(platform.engine.directory, call, state)
}

/** True if the account is not frozen, and open to the caller's key. */
function isOpenTo({ platform, call }: Context, entry: Entry): boolean {
  const state = holdingState(entry)
  const { context } = state
  // If the caller's own organization is frozen, no selection helps; the later refusal then names the freeze.
  const frozen =
    context.organization === call.organization ? context.frozenByOperator : isFrozen(platform.engine.directory, state)
  return !frozen && admitsFees(context, call.caller.keyId, call.organization)
}

export interface RequestedFee {
  readonly lamports: bigint
  /** Part of `lamports`: price times units. */
  readonly priorityLamports: bigint
  /** Number of signatures that the fee is charged for. */
  readonly units: number
  /** Micro-lamports per unit. */
  readonly price: bigint
}

/** Fee of a message compiled elsewhere, from its signatures and its compute budget, by the rules of the chain. */
export function requestedFee(
  { signers, staticKeys, instructions }: CompiledMessage,
  effects: readonly Effect[],
): RequestedFee {
  const limit = effects.find((effect) => effect.kind === 'computeLimit')
  const priceEffect = effects.find((effect) => effect.kind === 'computePrice')
  const programs = instructions.map(({ programIndex }) => staticKeys[programIndex]!)
  const verified = instructions.map(({ data }, at) =>
    PRECOMPILE_PROGRAMS.includes(programs[at]!) ? (data[0] ?? 0) : 0,
  )
  const signatures = verified.reduce((sum, count) => sum + count, signers.length)
  const units = paidUnits(
    limit?.units ?? null,
    programs.map((program) => BUILTIN_PROGRAMS.includes(program)),
  )
  const price = priceEffect?.microLamports ?? 0n
  return {
    lamports: feeLamports(signatures, units, price),
    priorityLamports: priorityFee(units, price),
    units,
    price,
  }
}
