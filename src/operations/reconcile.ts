// Brings books up to what the chain says, for records that nothing of ours is moving at the moment. Money that came in from outside
// is known this way; while a transaction is open the difference cannot be told from its effect, and the books stay.
import { isDeepStrictEqual } from 'node:util'
import { FormatError } from '../chain/format-error.ts'
import { decodeMint, type Mint } from '../chain/mint-layout.ts'
import { decodeTokenAccount } from '../chain/token-layout.ts'
import { underWayKey } from '../engine/index-keys.ts'
import { CommandRejected } from '../engine/unit-of-work.ts'
import { isHolding, ofKind, type HoldingState, type RecordState } from '../engine/record.ts'
import type { TableContents } from '../../machines/lookup-table.ts'
import type { ChainAccount, Platform } from './platform.ts'
import { feedDifferences } from './market-data/feed-differences.ts'
import { tableContents } from './tables/contents.ts'
import { configurationDifference, mintContents } from './tokens/mint-contents.ts'

/**
 * Reads the records' accounts at `confirmed` and folds differences in. True if any book changed.
 */
export async function reconcile(platform: Platform, cluster: string, records: readonly RecordState[]): Promise<boolean> {
  const holdings = records.filter(isHolding).filter(({ value }) => value !== 'closed' && value !== 'pending')
  const access = platform.clusters.get(cluster)
  if (holdings.length === 0 || access === undefined) return false
  const revisions = holdings.map(({ id }) => platform.engine.directory.byId(id)?.head.revision)
  const settledSlot = Math.max(...holdings.map((holding) => settledAt(platform, holding)))
  // An older answer than that would take back what has been settled.
  const { accounts, slot } = await access.accountsAsOf(holdings.map(({ context }) => context.address), settledSlot)
  let changed = false
  for (const [index, { id }] of holdings.entries()) {
    const entry = platform.engine.directory.byId(id)
    // A record that moved while the answer was on its way is judged another time.
    if (entry === undefined || entry.head.revision !== revisions[index] || !isHolding(entry.head) || isMoving(platform, entry.head))
      continue
    const facts = differences(platform, entry.head, accounts[index] ?? null, slot)
    if (facts.length === 0) continue
    const { durable } = platform.engine.transact((unit) => {
      for (const fact of facts) unit.tell(entry, fact as never)
    })
    await durable
    changed = true
  }
  return changed
}

/** Slot of the last transaction in the record's books; 0 when there is none. */
function settledAt(platform: Platform, { context }: HoldingState): number {
  const last = platform.engine.directory.byId(context.last?.transactionId ?? '')?.head
  return (last === undefined ? undefined : ofKind(last, 'transaction'))?.context.slot ?? 0
}

/** What comes in reserves nothing: a credit that the chain shows and we have not settled yet would be counted twice. */
function isMoving(platform: Platform, { id, value, context }: HoldingState): boolean {
  const tokens = 'tokens' in context ? context.tokens.reserved : '0'
  if (context.lamports.reserved !== '0' || tokens !== '0' || value === 'pending') return true
  return platform.engine.directory.first(underWayKey(id)) !== undefined
}

/** What the record says otherwise than the chain, as facts for it; none when they agree, or when another kind of account stands there. */
function differences(platform: Platform, state: HoldingState, account: ChainAccount | null, slot: number): { readonly type: string }[] {
  try {
    return differencesFrom(platform, state, account, slot)
  } catch (error) {
    if (error instanceof FormatError) return []
    throw error
  }
}

function differencesFrom(platform: Platform, state: HoldingState, account: ChainAccount | null, slot: number): { readonly type: string }[] {
  const observed: { lamports?: string; tokens?: string; supply?: string } = {}
  const facts: { readonly type: string }[] = []
  const lamports = (account?.lamports ?? 0n).toString()
  if (lamports !== state.context.lamports.balance) observed.lamports = lamports
  const position = ofKind(state, 'position')
  if (position !== undefined && account !== null) {
    const found = decodeTokenAccount(account.data, account.owner)
    if (found.amount.toString() !== position.context.tokens.balance) observed.tokens = found.amount.toString()
    if ((found.state === 'FROZEN') !== (position.value === 'frozen'))
      facts.push({ type: found.state === 'FROZEN' ? 'chain.frozen' : 'chain.thawed' })
  }
  const instrument = ofKind(state, 'instrument')
  if (instrument !== undefined && account !== null) {
    const mint = decodeMint(account.data, account.owner)
    const supply = mint.supply.toString()
    if (supply !== instrument.context.supply.balance) observed.supply = supply
    facts.push(...mintDifferences(platform, instrument, mint))
  }
  const source = ofKind(state, 'dataSource')
  if (source !== undefined && account !== null) facts.push(...feedDifferences(platform, source, account, slot))
  const table = ofKind(state, 'lookupTable')
  if (table !== undefined) facts.push(...tableDifferences(platform, table, account))
  return Object.keys(observed).length === 0 ? facts : [{ type: 'chain.observed', ...observed }, ...facts]
}

function mintDifferences(platform: Platform, state: RecordState<'instrument'>, mint: Mint): { readonly type: string }[] {
  const { tenant, cluster, context, value } = state
  const found = mintContents(platform, { tenant, cluster, known: context }, mint)
  const changes = configurationDifference(context, found)
  const facts: { readonly type: string }[] = changes === null ? [] : [{ type: 'chain.configured', changes } as { readonly type: string }]
  if ((found.paused ?? false) !== (value === 'paused')) facts.push({ type: found.paused === true ? 'chain.paused' : 'chain.resumed' })
  return facts
}

/** A table that is not there is taken for gone only where that was to be expected: a node may be behind. */
function tableDifferences(
  platform: Platform,
  state: RecordState<'lookupTable'>,
  account: ChainAccount | null,
): { readonly type: string; readonly contents: TableContents | null }[] {
  if (account === null) return state.value === 'deactivating' ? [{ type: 'chain.tableRead', contents: null }] : []
  const { authority, addresses, extendedAtSlot, deactivatedAtSlot } = state.context
  const contents = tableContents(platform, { tenant: state.tenant, cluster: state.cluster, authority }, account)
  const known: TableContents = { authority, addresses, extendedAtSlot, deactivatedAtSlot }
  return isDeepStrictEqual(known, contents) ? [] : [{ type: 'chain.tableRead', contents }]
}

/**
 * Runs an attempt, and once more when it was refused for lack of funds that the chain turns out to have: what came in from outside is
 * learned this way.
 */
export async function withKnownFunds<T>(platform: Platform, cluster: string, attempt: () => Promise<T>): Promise<T> {
  try {
    return await attempt()
  } catch (error) {
    const short = error instanceof CommandRejected && error.rejection.code === 'INSUFFICIENT_BALANCE'
    if (short && (await reconcile(platform, cluster, [error.record]))) return await withKnownFunds(platform, cluster, attempt)
    throw error
  }
}

/** Looks at records whose books a fact left below zero, once nothing of theirs is under way. At most `most` of a cluster a call. */
export async function reconcileNoticed(platform: Platform, most: number): Promise<void> {
  const { outOfBalance } = platform.engine
  const ready = [...outOfBalance].filter(({ head }) => isHolding(head) && !isMoving(platform, head)).slice(0, most)
  for (const entry of ready) outOfBalance.delete(entry)
  for (const cluster of new Set(ready.map(({ head }) => head.cluster))) {
    const entries = ready.filter(({ head }) => head.cluster === cluster)
    const heads = entries.map(({ head }) => head)
    try {
      await reconcile(platform, cluster, heads)
    } catch (error) {
      for (const entry of entries) outOfBalance.add(entry)
      throw error
    }
    // What moved meanwhile was not judged: it is looked at once more.
    entries.forEach((entry, index) => {
      if (entry.head !== heads[index]) outOfBalance.add(entry)
    })
  }
}
