// POST /positions/single: the record of a position.
import type { Entry } from '../../engine/records/entry.ts'
import { ofKind, type RecordState } from '../../engine/records/record.ts'
import type { ItemBody } from '../../contract/values/chain-config.ts'
import type { PositionLookup } from '../../contract/values/lookup.ts'
import type { Read, Context } from '../context/platform.ts'
import { positionModel } from '../views/read-models/position.ts'
import { notFound } from '../../contract/refusal.ts'
import { nothingNamed, resolveRecord } from '../lookup/account.ts'
import { mayRead } from '../lookup/party.ts'
import { checkNamed, checkNamedAuthorities, resolvePosition } from '../lookup/position.ts'
import type { PositionModel } from '../../contract/schemas/answers.ts'

export const POSITION_NOT_FOUND = { code: 'POSITION_NOT_FOUND', refuse: notFound }

export const positionDetails: Read<ItemBody<PositionLookup>, PositionModel> = (context, { itemData }) =>
  positionModel(context, readablePosition(context, itemData).state, 'detailed')

/**
 * The position a caller may read, including closed ones. Throws 404 `POSITION_NOT_FOUND`, whichever part of the
 * lookup did not resolve.
 */
export function readablePosition(
  context: Context,
  lookup: PositionLookup,
): { entry: Entry; state: RecordState<'position'> } {
  const { platform, call } = context
  const entry =
    lookup.position === undefined
      ? resolvePosition(context, lookup, '/itemData', POSITION_NOT_FOUND).entry
      : resolveRecord(context, lookup.position, '/itemData/position', POSITION_NOT_FOUND)
  const state = ofKind(entry?.committed, 'position')
  if (entry === null || state === undefined || !mayRead(platform.engine.directory, call, state))
    throw nothingNamed(POSITION_NOT_FOUND, lookup.position === undefined ? '/itemData' : '/itemData/position')
  if (lookup.position !== undefined) {
    const where = { pointer: '/itemData', missing: POSITION_NOT_FOUND }
    checkNamed(context, lookup, state, where)
    checkNamedAuthorities(context, lookup, state, where)
  }
  return { entry, state }
}
