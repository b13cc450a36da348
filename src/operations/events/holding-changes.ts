// The changed members that positions, instruments, nonces, lookup tables and data sources have beside the account read
// model.
import type { AccountRef } from '../../../machines/holding.ts'
import type { RecordState } from '../../engine/records/record.ts'
import type { JsonObject, JsonValue } from '../../contract/call.ts'
import { rawJson } from '../views/read-models/amounts.ts'
import { AUTHORITIES } from '../views/read-models/instrument.ts'
import { tableStateOf } from '../views/read-models/lookup-table.ts'
import { stateOf } from '../views/read-models/position.ts'
import { changedAccount, mergeParts, nestPart } from './account-changes.ts'

type Members = Record<string, JsonValue>

export function changedPosition(
  previous: RecordState<'position'> | undefined,
  next: RecordState<'position'>,
): JsonObject | undefined {
  const { context } = next
  const members: Members = {}
  const state = stateOf(next)
  if (previous === undefined) {
    return { state, owner: reference(context.owner), financialInstrument: reference(context.mint) }
  }
  if (stateOf(previous) !== state) members['state'] = state
  if (previous.context.owner.address !== context.owner.address) members['owner'] = reference(context.owner)
  for (const name of ['closeAuthority', 'delegate'] as const) {
    const [before, now] = [previous, next].map(({ context: { otherAuthorities } }) => otherAuthorities?.[name] ?? null)
    if (before?.address !== now?.address) members[name] = now === null || now === undefined ? null : reference(now)
  }
  const account = changedAccount(previous, next)
  const { balance } = context.tokens
  if (previous.context.tokens.balance === balance) return mergeParts(account, members)
  const tokens = { tokenBalance: rawJson(balance), tokenDecimals: context.decimals }
  const offchain = mergeParts(account?.['offchain'] as JsonObject | undefined, tokens)
  return mergeParts(account, members, { offchain: offchain! })
}

type Instrument = RecordState<'instrument'>['context']

/** Members of an instrument: the value whose change is reported (of no record: undefined), and how it is shown. */
const INSTRUMENT: readonly (readonly [
  member: string,
  valueOf: (context: Instrument | undefined) => unknown,
  show: (context: Instrument) => JsonValue,
])[] = [
  ['version', (context) => context?.version, ({ version }) => version],
  ['supply', (context) => context?.supply.balance, ({ supply }) => ({ lamports: rawJson(supply.balance) })],
  [
    'maxSupply',
    (context) => context?.maxSupply ?? null,
    ({ maxSupply }) => (maxSupply == null ? null : { lamports: rawJson(maxSupply) }),
  ],
  ['onchainData', (context) => context?.onchainData, ({ onchainData, decimals }) => ({ ...onchainData, decimals })],
  ['offchainData', (context) => context?.offchainData, ({ offchainData }) => offchainData as unknown as JsonValue],
  ['paused', (context) => context?.paused, ({ paused }) => paused],
  ['defaultPositionState', (context) => context?.defaultPositionState, (context) => context.defaultPositionState],
  [
    'scaledUiAmountMultiplier',
    (context) => context?.scaledUiAmountMultiplier,
    ({ scaledUiAmountMultiplier: multiplier }) => (multiplier === null ? null : Number(multiplier)),
  ],
  ['extensions', (context) => context?.extensions, ({ extensions }) => extensions],
]

/** The account's members are under `mintAccount`, as in the read model. */
export function changedInstrument(
  previous: RecordState<'instrument'> | undefined,
  next: RecordState<'instrument'>,
): JsonObject | undefined {
  const { context } = next
  const before = previous?.context
  const members: Members = {}
  for (const [member, valueOf, show] of INSTRUMENT)
    if (valueOf(before) !== valueOf(context)) members[member] = show(context)
  if (before?.authorities !== context.authorities) Object.assign(members, changedAuthorities(before, context))
  return mergeParts(members, nestPart('mintAccount', changedAccount(previous, next)))
}

function changedAuthorities(before: Instrument | undefined, { authorities }: Instrument): Members {
  const members: Members = {}
  for (const name of AUTHORITIES) {
    const now = authorities[name] ?? null
    if (before?.authorities[name]?.address !== now?.address) members[name] = now === null ? null : reference(now)
  }
  return members
}

export function changedNonce(
  previous: RecordState<'nonce'> | undefined,
  next: RecordState<'nonce'>,
): JsonObject | undefined {
  const { authority, value, lease } = next.context
  const before = previous?.context
  const members: Members = {}
  if (before?.authority.address !== authority.address) members['nonceAuthority'] = reference(authority)
  if (before?.value !== value) members['nonceHash'] = value
  if (before?.lease !== lease) {
    members['inUse'] = lease === null ? null : { transactionOffchainId: lease.transactionId, transactionAt: lease.at }
  }
  return mergeParts(changedAccount(previous, next), members)
}

export function changedTable(
  previous: RecordState<'lookupTable'> | undefined,
  next: RecordState<'lookupTable'>,
): JsonObject | undefined {
  const { authority, addresses } = next.context
  const before = previous?.context
  const members: Members = {}
  if (previous === undefined || tableStateOf(previous) !== tableStateOf(next)) members['state'] = tableStateOf(next)
  if (before?.authority?.address !== authority?.address)
    members['authority'] = authority === null ? null : reference(authority)
  if (before?.addresses !== addresses) members['addressCount'] = addresses.length
  return mergeParts(changedAccount(previous, next), members)
}

type Source = RecordState<'dataSource'>['context']

/** Jobs that were executed, `lastRun`, are no change: each publication would be reported twice. */
export function changedSource(
  previous: RecordState<'dataSource'> | undefined,
  next: RecordState<'dataSource'>,
): JsonObject | undefined {
  const { financialInstrument, authority, latest } = next.context
  const before = previous?.context
  const members: Members = {}
  if (before?.financialInstrument.address !== financialInstrument.address)
    members['financialInstrument'] = reference(financialInstrument)
  if (before?.authority.address !== authority.address) members['onchainDataSourceAuthority'] = reference(authority)
  if (before?.latest !== latest) {
    members['latest'] = latest === null ? null : { ...latest, asOf: new Date(latest.asOf * 1000).toISOString() }
  }
  return mergeParts(
    changedAccount(previous, next),
    members,
    nestPart('dataDetails', differing(before, next.context, { kind: 'dataKind', ratingProvider: 'ratingProvider' })),
    nestPart(
      'oracleProviderDetails',
      differing(before, next.context, { kind: 'providerKind', jobDefinition: 'jobDefinition' }),
    ),
  )
}

/** The members that differ, under their names in the read model. */
function differing(
  before: Source | undefined,
  now: Source,
  names: Readonly<Record<string, 'dataKind' | 'ratingProvider' | 'providerKind' | 'jobDefinition'>>,
): Members {
  return Object.fromEntries(
    Object.entries(names).flatMap(([name, member]) => (before?.[member] === now[member] ? [] : [[name, now[member]]])),
  )
}

function reference({ address }: AccountRef): JsonObject {
  return { onchain: { id: address } }
}
