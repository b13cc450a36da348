// Epochs: the schedule of the chain's own sysvar, and the current position in it.

import type { Bank } from '../../contract.ts'
import { addressOf, configAt, countOf, isRecord, optionalCount, requireCount } from '../params.ts'
import type { Params } from '../params.ts'
import { encodeBase58 } from '../../base58.ts'
import { ByteReader } from '../bytes.ts'
import { viewAt, viewOf, withContext } from '../context.ts'
import { invalidParams } from '../error.ts'
import type { MethodTable } from '../method.ts'

interface EpochSchedule {
  readonly slotsPerEpoch: number
  readonly leaderScheduleSlotOffset: number
  readonly warmup: boolean
  readonly firstNormalEpoch: number
  readonly firstNormalSlot: number
}

const SCHEDULE_SYSVAR = addressOf('SysvarEpochSchedu1e111111111111111111111111')
const MINIMUM_SLOTS_PER_EPOCH = 32
const DEFAULT_SLOTS = 432_000
const DEFAULT_SCHEDULE: EpochSchedule = {
  slotsPerEpoch: DEFAULT_SLOTS,
  leaderScheduleSlotOffset: DEFAULT_SLOTS,
  warmup: false,
  firstNormalEpoch: 0,
  firstNormalSlot: 0,
}

function epochSchedule(bank: Bank): EpochSchedule {
  const account = bank.account(SCHEDULE_SYSVAR)
  if (account === null || account.data.length < 33) return DEFAULT_SCHEDULE
  const reader = new ByteReader(account.data)
  const number = (): number => Number(reader.u64())
  const slotsPerEpoch = number()
  if (slotsPerEpoch < MINIMUM_SLOTS_PER_EPOCH) return DEFAULT_SCHEDULE
  return {
    slotsPerEpoch,
    leaderScheduleSlotOffset: number(),
    warmup: reader.bool(),
    firstNormalEpoch: number(),
    firstNormalSlot: number(),
  }
}

/**
 * Epoch, index in it and its length; during warm-up each epoch is twice as long as the previous one, starting with 32
 * slots.
 */
function position(schedule: EpochSchedule, slot: number): { epoch: number; slotIndex: number; slotsInEpoch: number } {
  if (slot >= schedule.firstNormalSlot) {
    const since = slot - schedule.firstNormalSlot
    return {
      epoch: schedule.firstNormalEpoch + Math.floor(since / schedule.slotsPerEpoch),
      slotIndex: since % schedule.slotsPerEpoch,
      slotsInEpoch: schedule.slotsPerEpoch,
    }
  }
  let epoch = 0
  let first = 0
  let length = MINIMUM_SLOTS_PER_EPOCH
  while (slot >= first + length) {
    first += length
    length *= 2
    epoch += 1
  }
  return { epoch, slotIndex: slot - first, slotsInEpoch: length }
}

/** First slot of the epoch of `slot`, and its length. */
function epochOf(
  bank: Bank,
  slot: number,
): { readonly epoch: number; readonly first: number; readonly length: number } {
  const { epoch, slotIndex, slotsInEpoch } = position(epochSchedule(bank), slot)
  return { epoch, first: slot - slotIndex, length: slotsInEpoch }
}

/** True unless the configuration names another validator: this node leads every slot. */
function isWanted(bank: Bank, identity: unknown): boolean {
  return identity === undefined || identity === null || encodeBase58(addressOf(identity)) === bank.identity
}

/** Indexes of the slots of an epoch by leader; null for an epoch that is further than the next one. */
function leaderSchedule(bank: Bank, params: Params): unknown {
  const [first] = params
  const isConfig = isRecord(first)
  const config = configAt(params, isConfig ? 0 : 1)
  const { slot } = viewOf(bank, config)
  const wanted = epochOf(bank, isConfig ? slot : (optionalCount(first) ?? slot))
  if (wanted.epoch > epochOf(bank, slot).epoch + 1) return null
  if (!isWanted(bank, config['identity'])) return {}
  return { [bank.identity]: Array.from({ length: wanted.length }, (_, index) => index) }
}

/** Slots led and blocks produced, in the current epoch unless a range is given. */
function blockProduction(bank: Bank, params: Params): unknown {
  const config = configAt(params, 0)
  const { slot } = viewOf(bank, config)
  const range = config['range'] ?? {}
  if (!isRecord(range)) throw invalidParams('Invalid params: range must be an object')
  const firstSlot = optionalCount(range['firstSlot']) ?? epochOf(bank, slot).first
  const lastSlot = optionalCount(range['lastSlot']) ?? slot
  if (lastSlot > slot) throw invalidParams(`lastSlot, ${lastSlot}, is too large; max ${slot}`)
  if (firstSlot > lastSlot) throw invalidParams(`lastSlot, ${lastSlot}, cannot be less than firstSlot, ${firstSlot}`)
  if (!isWanted(bank, config['identity'])) return withContext(slot, { byIdentity: {}, range: { firstSlot, lastSlot } })
  // The open slot has no block yet.
  const blockCount = bank.blocks(firstSlot, lastSlot).length + (lastSlot === bank.slot('processed') ? 1 : 0)
  return withContext(slot, {
    byIdentity: { [bank.identity]: [lastSlot - firstSlot + 1, blockCount] },
    range: { firstSlot, lastSlot },
  })
}

export function epochMethods(bank: Bank): MethodTable {
  return {
    getLeaderSchedule: (params) => leaderSchedule(bank, params),
    getBlockProduction: (params) => blockProduction(bank, params),
    // There are no votes, because there is no stake.
    getBlockCommitment: (params) => {
      requireCount(params, 1)
      countOf(params[0])
      return { commitment: null, totalStake: 0 }
    },
    getEpochSchedule: () => epochSchedule(bank),
    getEpochInfo: (params) => {
      const { slot, commitment } = viewAt(bank, params, 0)
      return {
        absoluteSlot: slot,
        blockHeight: bank.blockHeight(commitment),
        ...position(epochSchedule(bank), slot),
        transactionCount: bank.transactionCount(),
      }
    },
  }
}
