// The changed members that positions, instruments, nonces, lookup tables and data sources have beside the account read
// model.
import type { AccountRef } from '../../../machines/holding.ts'
import type { RecordState } from '../../engine/records/record.ts'
import type { JsonObject, JsonValue } from '../../contract/call.ts'
import { rawJson } from '../views/read-models/amounts.ts'
import { AUTHORITIES } from '../views/read-models/instrument.ts'
import { tableStateOf } from '../views/read-models/lookup-table.ts'
import { stateOf } from '../views/read-models/position.ts'
import { changedAccount, joined, under } from './account-changes.ts'

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
  if (previous.context.tokens.balance === balance) return joined(account, members)
  const tokens = { tokenBalance: rawJson(balance), tokenDecimals: context.decimals }
  const offchain = joined(account?.['offchain'] as JsonObject | undefined, tokens)
  return joined(account, members, { offchain: offchain! })
}

/** The account's members are under `mintAccount`, as in the read model. */
export function changedInstrument(
  previous: RecordState<'instrument'> | undefined,
  next: RecordState<'instrument'>,
): JsonObject | undefined {
  const { context } = next
  const before = previous?.context
  const members: Members = {}
  if (before === undefined) members['version'] = context.version
  if (before?.supply.balance !== context.supply.balance)
    members['supply'] = { lamports: rawJson(context.supply.balance) }
  if ((before?.maxSupply ?? null) !== (context.maxSupply ?? null)) {
    members['maxSupply'] = context.maxSupply == null ? null : { lamports: rawJson(context.maxSupply) }
  }
  if (before?.onchainData !== context.onchainData)
    members['onchainData'] = { ...context.onchainData, decimals: context.decimals }
  if (before?.offchainData !== context.offchainData)
    members['offchainData'] = context.offchainData as unknown as JsonValue
  if (before?.paused !== context.paused) members['paused'] = context.paused
  if (before?.defaultPositionState !== context.defaultPositionState)
    members['defaultPositionState'] = context.defaultPositionState
  if (before?.scaledUiAmountMultiplier !== context.scaledUiAmountMultiplier) {
    members['scaledUiAmountMultiplier'] =
      context.scaledUiAmountMultiplier === null ? null : Number(context.scaledUiAmountMultiplier)
  }
  if (before?.extensions !== context.extensions) members['extensions'] = context.extensions
  if (before?.authorities !== context.authorities) {
    for (const name of AUTHORITIES) {
      const now = context.authorities[name] ?? null
      if (before?.authorities[name]?.address !== now?.address) members[name] = now === null ? null : reference(now)
    }
  }
  return joined(members, under('mintAccount', changedAccount(previous, next)))
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
  return joined(changedAccount(previous, next), members)
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
  return joined(changedAccount(previous, next), members)
}

export function changedSource(
  previous: RecordState<'dataSource'> | undefined,
  next: RecordState<'dataSource'>,
): JsonObject | undefined {
  const { financialInstrument, dataKind, latest } = next.context
  const members: Members = {}
  if (previous === undefined) members['financialInstrument'] = reference(financialInstrument)
  if (previous === undefined) members['dataDetails'] = { kind: dataKind }
  if (previous?.context.latest !== latest) {
    members['latest'] = latest === null ? null : { ...latest, asOf: new Date(latest.asOf * 1000).toISOString() }
  }
  return joined(changedAccount(previous, next), members)
}

function reference({ address }: AccountRef): JsonObject {
  return { onchain: { id: address } }
}
