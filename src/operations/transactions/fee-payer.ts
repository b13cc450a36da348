// Who pays the fee (completion 2, "Fee payer"), and what the fee is.
import { SYSTEM_PROGRAM } from '../../solana/address.ts'
import type { CompiledMessage } from '../../solana/message.ts'
import type { Effect } from '../../solana/table/effect.ts'
import { feePayerKey, globalFeePayerKey } from '../../engine/index/index-keys.ts'
import type { Entry } from '../../engine/records/entry.ts'
import type { HoldingState } from '../../engine/records/record.ts'
import type { Call } from '../../contract/call.ts'
import type { ChainTransactionConfig } from '../../contract/input.ts'
import { priorityFee } from '../authorization/limits/fee-legs.ts'
import type { Platform } from '../context/platform.ts'
import { badRequest } from '../../contract/refusal.ts'
import { resolveParty } from '../lookup/account.ts'
import { checkNoEscrow } from '../lookup/escrows.ts'
import { accepts, admitsFees, checkFeePayer, FEE_PAYER_POINTER } from '../authorization/fee-rights.ts'
import { isFrozen } from '../authorization/signers.ts'
import { SYSTEM_TENANT } from '../../contract/tenancy.ts'
import { holdingOf, holdingState, type Party } from '../lookup/party.ts'

const POINTER = FEE_PAYER_POINTER
export const LAMPORTS_PER_SIGNATURE = 5000n
const DEFAULT_UNITS = 200_000

/**
 * The account named; else one that pays for the organization; else the first of its own that can; else one that a stranger grants and the
 * organization has accepted.
 *
 * Throws 400 `FEE_PAYER_INVALID`, `FEE_PAYER_NOT_ALLOWED`, `FEE_PAYER_REQUIRED`.
 */
export function feePayerOf(platform: Platform, call: Call, config: ChainTransactionConfig | undefined): Party {
  const party = config?.feePayer === undefined ? defaultFeePayer(platform, call, config) : resolveParty(platform, call, config.feePayer, POINTER)
  checkNoEscrow(platform.engine.directory, call, party.address, POINTER)
  const state = holdingOf(party)
  if (state !== null && !isPlainWallet(state)) {
    throw badRequest('FEE_PAYER_INVALID', 'a fee payer is owned by the system program and has no data', POINTER)
  }
  checkFeePayer(platform, call, party.address)
  return party
}

/** Owned by the system program, without data: what fees and transfers of network currency can be taken from. */
export function isPlainWallet({ kind, context }: HoldingState): boolean {
  return kind === 'account' && context.dataLength === 0 && context.ownerProgram === SYSTEM_PROGRAM
}

function defaultFeePayer(platform: Platform, call: Call, config: ChainTransactionConfig | undefined): Party {
  const { directory } = platform.engine
  const usable = (entry: Entry): boolean => canPayNow(platform, call, entry)
  // A grant is the grantor's to give, but nobody may be led to an account that cannot pay: a stranger could stop payments that way. Grants
  // of the own tenant come first, the operator's next, and an accepted stranger's where there is no other choice.
  const granted = directory.find(globalFeePayerKey(call.cluster, call.organization)).filter(usable).sort(byMaking)
  const global = granted.find(({ head }) => head.tenant === call.tenant) ?? granted.find(({ head }) => head.tenant === SYSTEM_TENANT)
  const own = directory.find(feePayerKey(call.cluster, call.organization)).filter(({ head }) => head.tenant === call.tenant).filter(usable)
  const entry = global ?? firstWithFee(own.sort(byMaking), config) ?? granted[0]
  if (entry === undefined)
    throw badRequest('FEE_PAYER_REQUIRED', 'the organization has no account that can pay fees now: name a fee payer', POINTER)
  return { address: holdingState(entry).context.address, entry, autoSign: true }
}

/** Where none holds the fee by its books, the first is taken: its balance is read from the chain before it is refused. */
function firstWithFee(payers: readonly Entry[], config: ChainTransactionConfig | undefined): Entry | undefined {
  const lamports = leastFee(config)
  const holds = (entry: Entry): boolean => {
    const { balance, reserved } = holdingState(entry).context.lamports
    return BigInt(balance) - BigInt(reserved) >= lamports
  }
  return payers.find(holds) ?? payers[0]
}

/** The message is not compiled yet: two signatures, as nearly every transaction has, and the price that was named. */
function leastFee(config: ChainTransactionConfig | undefined): bigint {
  const { limit = DEFAULT_UNITS, price = 0 } = config?.computeUnitConfig ?? {}
  return feeLamports(2, limit, BigInt(price))
}

/** The first made comes first, before and after a restart: the directory promises no order. Records of earlier releases do not say when. */
function byMaking(a: Entry, b: Entry): number {
  const [one, other] = [holdingState(a).context.madeAt ?? '', holdingState(b).context.madeAt ?? '']
  return one === other ? (a.head.id < b.head.id ? -1 : 1) : one < other ? -1 : 1
}

/** Managed, active, not frozen, accepted, and open to the key that calls. */
function canPayNow(platform: Platform, call: Call, entry: Entry): boolean {
  const state = holdingState(entry)
  const { context } = state
  if (state.value !== 'active' || !context.managed || !isPlainWallet(state) || !accepts(platform, call, state)) return false
  // Where the caller's own organization is frozen no choice helps, and the refusal says so.
  const frozen = context.organization === call.organization ? context.frozenByOperator : isFrozen(platform.engine, state)
  return !frozen && admitsFees(context, call.caller.keyId, call.organization)
}

/** Signatures, plus the price of the compute units asked for, rounded up. Price in micro-lamports per unit. */
export function feeLamports(signatures: number, unitLimit: number, microLamports: bigint): bigint {
  return LAMPORTS_PER_SIGNATURE * BigInt(signatures) + priorityFee(unitLimit, microLamports)
}

export interface FeeAsked {
  readonly lamports: bigint
  /** Of `lamports`: price times units. */
  readonly priorityLamports: bigint
  readonly units: number
  /** Micro-lamports per unit. */
  readonly price: bigint
}

/** Of a message that somebody else made: what it says of compute units and their price; without a limit, the most its instructions get. */
export function feeAsked({ signers }: CompiledMessage, effects: readonly Effect[]): FeeAsked {
  const limit = effects.find((effect) => effect.kind === 'computeLimit')
  const priced = effects.find((effect) => effect.kind === 'computePrice')
  const units = limit?.units ?? DEFAULT_UNITS * effects.length
  const price = priced?.microLamports ?? 0n
  return { lamports: feeLamports(signers.length, units, price), priorityLamports: priorityFee(units, price), units, price }
}
