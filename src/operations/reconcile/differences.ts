// The differences between a record and its account on chain, as facts for the record. Pure, except for the lookup of
// records by address.
import { isDeepStrictEqual } from 'node:util'
import { FormatError } from '../../solana/format-error.ts'
import { decodeMint } from '../../solana/mint-layout.ts'
import { decodeLookupTable, decodeNonce } from '../../solana/system-layout.ts'
import { decodeTokenAccount, type TokenAccount } from '../../solana/token-layout.ts'
import { ofKind, type HoldingState, type RecordState } from '../../engine/records/record.ts'
import type { Holding } from '../../../machines/holding.ts'
import type { TableContents } from '../../../machines/lookup-table.ts'
import { feedDifferences } from './feed-differences.ts'
import { accountAt } from '../lookup/nonce.ts'
import type { ChainAccount, Platform } from '../context/platform.ts'
import { tableContents } from './table-contents.ts'
import { configurationDifference, mintContents } from '../lookup/mint-contents.ts'
import { otherAuthorities, sameAuthorities } from './other-authorities.ts'

/** An event for the record. */
export interface ObservedEvent {
  readonly type: string
}

type Observed = { -readonly [member in 'ownerProgram' | 'dataLength']?: Holding[member] }

/** True if the subject of the record exists. A wallet always exists, with or without lamports. */
export function subjectExists(state: HoldingState, account: ChainAccount | null): boolean {
  if (state.kind === 'account') return true
  if (account === null) return false
  try {
    return isSameKind(state, account)
  } catch (error) {
    if (error instanceof FormatError) return false
    throw error
  }
}

const tokenAccounts = new WeakMap<ChainAccount, TokenAccount>()

/**
 * The account as a token account. Decoded once, because one comparison uses it several times. Throws FormatError if it
 * is not a token account.
 */
export function decodedTokenAccount(account: ChainAccount): TokenAccount {
  let decoded = tokenAccounts.get(account)
  if (decoded === undefined) {
    decoded = decodeTokenAccount(account.data, account.owner)
    tokenAccounts.set(account, decoded)
  }
  return decoded
}

/** Throws FormatError if the account is of another kind. */
function isSameKind(state: HoldingState, account: ChainAccount): boolean {
  const { data, owner } = account
  switch (state.kind) {
    case 'position':
      return decodedTokenAccount(account).mint === state.context.mint.address
    case 'instrument':
      return decodeMint(data, owner).version === state.context.version
    case 'nonce':
      return decodeNonce(data, owner).authority !== ''
    case 'lookupTable':
      return decodeLookupTable(data, owner).addresses.length >= 0
    case 'dataSource':
      return decodeMint(data, owner).decimals >= 0
    case 'account':
      return true
  }
}

/**
 * Differences in owner, authorities and state, as of `slot`; `balances.ts` compares balances. Empty if record and chain
 * agree.
 *
 * @param isQuiet false: transactions of this service that change the account are in progress, and report their own
 * additions
 */
export function findDifferences(
  platform: Platform,
  state: HoldingState,
  account: ChainAccount | null,
  { slot, isQuiet }: { readonly slot: number; readonly isQuiet: boolean },
): readonly ObservedEvent[] {
  const observed: Observed = {}
  const facts = subjectExists(state, account)
    ? differencesOf(platform, state, account, { observed, slot, isQuiet })
    : []
  return Object.keys(observed).length === 0 ? facts : [{ type: 'chain.observed', ...observed }, ...facts]
}

function differencesOf(
  platform: Platform,
  state: HoldingState,
  account: ChainAccount | null,
  { observed, slot, isQuiet }: { readonly observed: Observed; readonly slot: number; readonly isQuiet: boolean },
): readonly ObservedEvent[] {
  if (account === null) return []
  const position = ofKind(state, 'position')
  if (position !== undefined) return ofPosition(platform, position, account)
  const instrument = ofKind(state, 'instrument')
  if (instrument !== undefined) return ofInstrument(platform, instrument, account)
  const table = ofKind(state, 'lookupTable')
  if (table !== undefined) return ofTable(platform, table, account, isQuiet)
  const source = ofKind(state, 'dataSource')
  if (source !== undefined) return feedDifferences(platform, source, account, { slot, values: isQuiet })
  if (state.kind === 'account') {
    if (account.owner !== state.context.ownerProgram) observed.ownerProgram = account.owner
    if (account.data.length !== state.context.dataLength) observed.dataLength = account.data.length
  }
  return []
}

function ofPosition(
  platform: Platform,
  state: RecordState<'position'>,
  account: ChainAccount,
): readonly ObservedEvent[] {
  const token = decodedTokenAccount(account)
  const { owner, otherAuthorities: known } = state.context
  const others = otherAuthorities(token, (address) => accountAt(platform, state, address))
  const facts: ObservedEvent[] = []
  if ((token.state === 'FROZEN') !== (state.value === 'frozen'))
    facts.push({ type: token.state === 'FROZEN' ? 'chain.frozen' : 'chain.thawed' })
  const isOwned = token.owner === owner.address
  if (!isOwned || !sameAuthorities(known, others)) {
    const change = { owner: isOwned ? owner : accountAt(platform, state, token.owner), others }
    facts.push({ type: 'chain.ownerChanged', ...change })
  }
  return facts
}

function ofInstrument(
  platform: Platform,
  state: RecordState<'instrument'>,
  account: ChainAccount,
): readonly ObservedEvent[] {
  const mint = decodeMint(account.data, account.owner)
  const { tenant, cluster, context, value } = state
  const contents = mintContents(platform, { tenant, cluster, known: context }, mint)
  const changes = configurationDifference(context, contents)
  const facts: ObservedEvent[] = changes === null ? [] : [{ type: 'chain.configured', changes } as ObservedEvent]
  if ((contents.paused ?? false) !== (value === 'paused'))
    facts.push({ type: contents.paused === true ? 'chain.paused' : 'chain.resumed' })
  return facts
}

/** A transaction in progress reports the addresses that it adds. */
function ofTable(
  platform: Platform,
  state: RecordState<'lookupTable'>,
  account: ChainAccount,
  isQuiet: boolean,
): readonly ObservedEvent[] {
  const { authority, addresses, extendedAtSlot, deactivatedAtSlot } = state.context
  const decoded = tableContents(platform, { tenant: state.tenant, cluster: state.cluster, authority }, account)
  const contents = isQuiet ? decoded : { ...decoded, addresses, extendedAtSlot }
  const known: TableContents = { authority, addresses, extendedAtSlot, deactivatedAtSlot }
  return isDeepStrictEqual(known, contents) ? [] : [{ type: 'chain.tableRead', contents } as ObservedEvent]
}
