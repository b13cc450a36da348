// Decides which data source prices an instrument, and reads its price. Only the sources that a strategy names are used.
import { decimalRatio, dividedBy, times, type Ratio } from '../../../machines/ratio.ts'
import { multiplierRatio } from '../../../machines/scale.ts'
import type { AccountRef } from '../../../machines/holding.ts'
import { dataSourceKey } from '../../engine/index/index-keys.ts'
import { ofKind, type RecordState } from '../../engine/records/record.ts'
import type { AccountLookup } from '../../contract/values/lookup.ts'
import { NO_RECORD } from '../lookup/chain-mints.ts'
import type { Platform, Context } from '../context/platform.ts'
import { multiplierNow } from './read-models/scale.ts'
import { badRequest } from '../../contract/refusal.ts'
import { nothingNamed, resolveParty } from '../lookup/account.ts'
import { instrumentOf } from '../lookup/instrument.ts'
import { maySee } from '../lookup/party.ts'

export interface Price {
  /** Price of one display unit, in the unit of account: decimal text, more than zero. */
  readonly value: string
  /** Unix seconds. */
  readonly asOf: number
}

/**
 * The named source, else the only PRICE feed of the organization for the instrument.
 *
 * Throws 400 `INSTRUMENT_NOT_FOUND`, `DATA_SOURCE_NOT_FOUND`, `LOOKUP_MISMATCH`, `PRICE_MISSING` (none),
 * `LOOKUP_AMBIGUOUS` (several).
 */
export function sourceFor(
  { platform, call }: Context,
  named: AccountLookup | undefined,
  instrument: RecordState<'instrument'>,
  pointer: string,
): AccountRef {
  // The multiplier of the instrument is part of the price, and only a record follows the multiplier.
  if (instrument.id === NO_RECORD)
    throw badRequest(
      'INSTRUMENT_NOT_FOUND',
      `the organization has not onboarded ${instrument.context.address}`,
      pointer,
    )
  if (named !== undefined) return namedSource({ platform, call }, named, instrument, pointer)
  const mint = instrument.context.address
  const feeds = platform.engine.directory
    .find(dataSourceKey(call.cluster, call.organization, mint))
    .flatMap(({ head }) => ofKind(head, 'dataSource') ?? [])
    .filter(
      ({ tenant, context }) =>
        tenant === call.tenant && context.organization === call.organization && context.dataKind === 'PRICE',
    )
  const [only] = feeds
  if (only === undefined) throw badRequest('PRICE_MISSING', `the organization has no PRICE feed of ${mint}`, pointer)
  if (feeds.length > 1)
    throw badRequest(
      'LOOKUP_AMBIGUOUS',
      `the organization has ${feeds.length} PRICE feeds of ${mint}: one must be given`,
      pointer,
    )
  return { address: only.context.address, id: only.id }
}

function namedSource(
  context: Context,
  named: AccountLookup,
  instrument: RecordState<'instrument'>,
  pointer: string,
): AccountRef {
  const { call } = context
  const missing = { code: 'DATA_SOURCE_NOT_FOUND', refuse: badRequest }
  const { entry } = resolveParty(context, named, pointer, missing)
  const source = ofKind(entry?.head, 'dataSource')
  if (source === undefined || !maySee(call, source)) throw nothingNamed(missing, pointer)
  const { dataKind, financialInstrument, address } = source.context
  if (dataKind !== 'PRICE' || financialInstrument.address !== instrument.context.address)
    throw badRequest('LOOKUP_MISMATCH', 'the data source has no price of this instrument', pointer)
  return { address, id: source.id }
}

/**
 * The published price of a source; null if there is none, if the source is closed, or if it now publishes something
 * else.
 */
export function latestPrice({ engine }: Platform, { id }: AccountRef, mint: string): Price | null {
  const source = id === null ? undefined : ofKind(engine.directory.resident(id)?.head, 'dataSource')
  if (source === undefined || source.value === 'closed') return null
  const { dataKind, financialInstrument, latest } = source.context
  if (dataKind !== 'PRICE' || financialInstrument.address !== mint || latest === null) return null
  const value = decimalRatio(latest.value)
  return value === null || value.numerator <= 0n ? null : { value: latest.value, asOf: latest.asOf }
}

/**
 * Worth of one raw unit at the price of one display unit. If the instrument scales display amounts, the multiplier is
 * the one on record with the tenant of the source.
 */
export function worthOfUnit(
  platform: Platform,
  source: AccountRef,
  mint: string,
  { decimals, price }: { readonly decimals: number; readonly price: Price },
): Ratio | null {
  const value = decimalRatio(price.value)
  if (value === null) return null
  const unit = dividedBy(value, { numerator: 10n ** BigInt(decimals), denominator: 1n })
  const feed =
    source.id === null ? undefined : ofKind(platform.engine.directory.resident(source.id)?.head, 'dataSource')
  const instrument =
    feed === undefined
      ? undefined
      : instrumentOf(platform, { ...feed, organization: feed.context.organization }, feed.cluster, mint)
  const multiplier = instrument === undefined ? null : multiplierNow(platform, instrument.context)
  const scale = multiplier === null ? null : multiplierRatio(multiplier)
  return scale === null ? unit : times(unit, scale)
}
