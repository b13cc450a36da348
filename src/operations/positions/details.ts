// POST /positions/single: the record of a position.
import type { Entry } from '../../engine/records/entry.ts'
import { ofKind, type RecordState } from '../../engine/records/record.ts'
import type { ItemBody } from '../../contract/values/chain-config.ts'
import type { PositionLookup } from '../../contract/values/lookup.ts'
import type { Read, Context } from '../context/platform.ts'
import { positionModel } from '../views/read-models/position.ts'
import { notFound } from '../../contract/refusal.ts'
import { nothingNamed, resolveRecord, type NotFound } from '../lookup/account.ts'
import { mayRead } from '../lookup/party.ts'
import { alongWith, together } from '../../contract/together.ts'
import { checkNamed, checkNamedAuthorities, namedBeside, resolvePosition } from '../lookup/position.ts'
import type { PositionModel } from '../../contract/schemas/answers.ts'

export const POSITION_NOT_FOUND = { code: 'POSITION_NOT_FOUND', refuse: notFound }

/** Of a request whose item is the lookup. */
export const ITEM = { pointer: '/itemData', missing: POSITION_NOT_FOUND }

export const positionDetails: Read<ItemBody<PositionLookup>, PositionModel> = (context, { itemData }) =>
  positionModel(context, readablePosition(context, itemData, ITEM).state, 'detailed')

/**
 * The position a caller may read, including closed ones. Throws `missing`, whichever part of the lookup did not
 * resolve, and 400 `LOOKUP_MISMATCH`.
 */
export function readablePosition(
  context: Context,
  lookup: PositionLookup,
  where: { readonly pointer: string; readonly missing: NotFound },
): { entry: Entry; state: RecordState<'position'> } {
  const { platform, call } = context
  const { pointer, missing } = where
  const { position } = lookup
  const entry =
    position === undefined
      ? resolvePosition(context, lookup, pointer, missing).entry
      : alongWith(
          () => resolveRecord(context, position, `${pointer}/position`, missing),
          () => namedBeside(context, lookup, where),
        )
  const state = ofKind(entry?.committed, 'position')
  if (entry === null || state === undefined || !mayRead(platform.engine.directory, call, state))
    throw nothingNamed(missing, position === undefined ? pointer : `${pointer}/position`)
  if (position !== undefined)
    together(
      () => checkNamed(context, lookup, state, where),
      () => checkNamedAuthorities(context, lookup, state, where),
    )
  return { entry, state }
}
