// POST /schedules/single, /schedules/bulk, /schedules/occurrences/bulk
import { atHand, onEach } from '../../../snapshots/at-hand.ts'
import type { ItemBody } from '../../contract/values/chain-config.ts'
import type { ScheduleReference } from '../../contract/schemas/schedule.ts'
import type { Read } from '../context/platform.ts'
import { answerOwn, equals } from '../views/bulk/fetch.ts'
import { OCCURRENCE_SOURCE, SCHEDULE_SOURCE } from '../views/bulk/schedules.ts'
import type { BulkInput, PartsInput } from '../views/fetch-bulk.ts'
import { occurrenceModel, scheduleModel } from '../views/read-models/schedule.ts'
import { scheduleNamed } from './record.ts'
import type { OccurrenceModel, ScheduleModel } from '../../contract/schemas/schedule.ts'
import type { PageOf } from '../../contract/schemas/answers.ts'

export const scheduleDetails: Read<ItemBody<ScheduleReference>, ScheduleModel> = (context, { itemData }) =>
  scheduleModel(scheduleNamed(context, itemData.offchainId).schedule)

export const fetchSchedules: Read<BulkInput, PageOf<ScheduleModel>> = async (context, { itemQuery }) => {
  const { count, items } = await answerOwn(context, SCHEDULE_SOURCE, itemQuery)
  return { count, items: items.map((state) => scheduleModel(state)) }
}

export const fetchOccurrences: Read<PartsInput, PageOf<OccurrenceModel>> = async (context, { itemData, itemQuery }) => {
  const { platform } = context
  const scope =
    itemData === undefined
      ? []
      : [equals('scheduleOffchainId', scheduleNamed(context, itemData.offchainId).schedule.id)]
  const { count, items } = await answerOwn(context, OCCURRENCE_SOURCE, itemQuery, scope)
  return {
    count,
    items: await atHand(platform.engine, () => onEach(items, (state) => occurrenceModel(platform, state))),
  }
}
