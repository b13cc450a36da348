// Who pays the fee (completion 2, "Fee payer"), and what the fee is.
import { SYSTEM_PROGRAM } from '../../chain/address.ts'
import type { CompiledMessage } from '../../chain/message.ts'
import type { Effect } from '../../chain/table/effect.ts'
import { feePayerKey, globalFeePayerKey } from '../../engine/index-keys.ts'
import type { Entry } from '../../engine/entry.ts'
import type { HoldingState } from '../../engine/record.ts'
import type { Call } from '../call.ts'
import type { ChainTransactionConfig } from '../input.ts'
import { priorityFee } from '../limits/fee-legs.ts'
import type { Platform } from '../platform.ts'
import { badRequest } from '../refusal.ts'
import { resolveParty } from '../resolve/account.ts'
import { checkNoEscrow } from './escrows.ts'
import { SYSTEM_TENANT } from '../tenancy.ts'
import { holdingOf, holdingState, type Party } from '../resolve/party.ts'

const POINTER = '/chainTransactionConfig/feePayer'
export const LAMPORTS_PER_SIGNATURE = 5000n

/** The account named; else one that pays for the organization; else its only fee payer; else one that a stranger grants. */
export function feePayerOf(platform: Platform, call: Call, config: ChainTransactionConfig | undefined): Party {
  const party = config?.feePayer === undefined ? defaultFeePayer(platform, call) : resolveParty(platform, call, config.feePayer, POINTER)
  checkNoEscrow(platform.engine.directory, call.cluster, party.address, POINTER)
  const state = holdingOf(party)
  if (state !== null && !isPlainWallet(state)) {
    throw badRequest('FEE_PAYER_INVALID', 'a fee payer is owned by the system program and has no data', POINTER)
  }
  return party
}

/** Owned by the system program, without data: what fees and transfers of network currency can be taken from. */
export function isPlainWallet({ kind, context }: HoldingState): boolean {
  return kind === 'account' && context.dataLength === 0 && context.ownerProgram === SYSTEM_PROGRAM
}

function defaultFeePayer(platform: Platform, call: Call): Party {
  const { directory } = platform.engine
  // A grant is the grantor's to give, but whoever is granted to must not be led to an account that cannot pay: a stranger could stop
  // its payments that way. Its own tenant's grants come first, the operator's next, and a stranger's where it has no other choice.
  const granted = directory.find(globalFeePayerKey(call.cluster, call.organization)).filter(canPayNow).sort(byId)
  const global = granted.find(({ head }) => head.tenant === call.tenant) ?? granted.find(({ head }) => head.tenant === SYSTEM_TENANT)
  const own = directory.find(feePayerKey(call.cluster, call.organization)).filter(({ head }) => head.tenant === call.tenant)
  const entry = global ?? (own.length === 1 ? own[0] : granted[0])
  if (entry === undefined) {
    const why =
      own.length === 0
        ? 'the organization has no account that can pay fees'
        : `the organization has ${own.length} accounts that can pay fees`
    throw badRequest('FEE_PAYER_REQUIRED', `${why}: name one`, POINTER)
  }
  return { address: holdingState(entry).context.address, entry, autoSign: true }
}

/** The directory promises no order, and the choice has to be the same one before and after a restart. */
function byId(a: Entry, b: Entry): number {
  return a.head.id < b.head.id ? -1 : 1
}

/** Managed here, on its feet, and not frozen. */
function canPayNow(entry: Entry): boolean {
  const state = holdingState(entry)
  return state.value === 'active' && state.context.managed && !state.context.frozenByOperator && isPlainWallet(state)
}

/** Signatures, plus the price of the compute units asked for, rounded up. Price in micro-lamports per unit. */
export function feeLamports(signatures: number, unitLimit: number, microLamports: bigint): bigint {
  return LAMPORTS_PER_SIGNATURE * BigInt(signatures) + priorityFee(unitLimit, microLamports)
}

const DEFAULT_UNITS = 200_000

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
