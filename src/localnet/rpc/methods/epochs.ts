// Epochs: the schedule of the chain's own sysvar, and the current position in it.

import type { Bank } from '../../contract.ts'
import { addressOf } from '../params.ts'
import { ByteReader } from '../bytes.ts'
import { viewAt } from '../context.ts'
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

export function epochMethods(bank: Bank): MethodTable {
  return {
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
