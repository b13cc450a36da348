// The holders of an instrument as of an instant, by the records of this service. A holder is the owner of positions
// that the caller may read: those of its organization; for the root organization of a tenant, those of the whole
// tenant.
import { childrenKey } from '../../engine/index/index-keys.ts'
import type { Query } from '../../engine/query/field.ts'
import { ofKind, type RecordState } from '../../engine/records/record.ts'
import { badRequest } from '../../contract/refusal.ts'
import { isOfRoot, type Owner } from '../../contract/roles.ts'
import type { Pacer } from '../../time/pacer.ts'
import type { Platform } from '../context/platform.ts'
import { accountOf } from '../lookup/party.ts'
import type { Holder } from '../views/bulk/holders.ts'
import { partOf } from '../views/bulk/parts.ts'
import { POSITION_SOURCE } from '../views/bulk/sources.ts'

/** The caller and the cluster of the request. */
export interface HoldersScope extends Owner {
  readonly cluster: string
}

/** Positions per read. */
const POSITIONS_PER_READ = 2_048
const LOOKUPS_PER_PAUSE = 256

/** How far the clock of a client may be ahead: the usual difference between synchronized clocks. */
const CLOCK_TOLERANCE_MS = 5_000

/**
 * The requested instant, at most now: an instant slightly ahead of the clock of the service counts as now. Throws 400
 * `IN_FUTURE`, `BEFORE_HISTORY`.
 */
export function answerableInstant(platform: Platform, atMs: number, pointer: string): number {
  const nowMs = platform.clock.now()
  if (atMs > nowMs + CLOCK_TOLERANCE_MS) throw badRequest('IN_FUTURE', 'the instant has not come yet', pointer)
  checkInHistory(platform, atMs, pointer)
  return Math.min(atMs, nowMs)
}

/** Throws 400 `BEFORE_HISTORY`. */
export function checkInHistory({ engine }: Platform, atMs: number, pointer: string): void {
  const { knownSinceMs } = engine.movements
  if (atMs >= knownSinceMs) return
  throw badRequest(
    'BEFORE_HISTORY',
    `the history of balances begins at ${new Date(knownSinceMs).toISOString()}`,
    pointer,
  )
}

export interface HoldersQuery {
  readonly mint: string
  /** null: now. Otherwise from `answerableInstant`; movements in this very millisecond count. */
  readonly atMs: number | null
  /** Address of a position to leave out. */
  readonly exclude?: string
}

export async function holdersAsOf(
  platform: Platform,
  caller: HoldersScope,
  { mint, atMs, exclude }: HoldersQuery,
): Promise<Holder[]> {
  const { engine } = platform
  // A movement before the instant may still be on its way to disk.
  if (atMs !== null) await engine.movements.caughtUp()
  const positions = await positionsOf(platform, caller, mint)
  const holders = new Map<string, { balance: bigint; positions: { address: string; id: string }[] }>()
  const pacer = engine.pacer()
  for (let from = 0; from < positions.length; from += POSITIONS_PER_READ) {
    const page = positions.slice(from, from + POSITIONS_PER_READ)
    const balances = atMs === null ? page.map(balanceNow) : await balancesAt(platform, page, atMs)
    for (const [index, { id, context }] of page.entries()) {
      const balance = balances[index]!
      if (balance === 0n || context.address === exclude) continue
      const { address: owner } = context.owner
      const known = holders.get(owner) ?? { balance: 0n, positions: [] }
      known.balance += balance
      known.positions.push({ address: context.address, id })
      holders.set(owner, known)
    }
    if (pacer.isDue) await pacer.rest()
  }
  return await holdersIn(platform, caller, holders, pacer)
}

async function holdersIn(
  platform: Platform,
  caller: HoldersScope,
  holdings: ReadonlyMap<string, Pick<Holder, 'balance' | 'positions'>>,
  pacer: Pacer,
): Promise<Holder[]> {
  const holders: Holder[] = []
  for (const [address, holder] of holdings) {
    holders.push({ owner: accountOf(platform, caller, address), ...holder })
    if (holders.length % LOOKUPS_PER_PAUSE === 0 && pacer.isDue) await pacer.rest()
  }
  return holders
}

const balanceNow = ({ context }: RecordState<'position'>): bigint => BigInt(context.tokens.balance)

async function balancesAt(
  { engine }: Platform,
  positions: readonly RecordState<'position'>[],
  atMs: number,
): Promise<readonly bigint[]> {
  const balances = await engine.movements.balancesAt(positions, 'tokens', atMs + 1)
  return balances.map((balance, index) => {
    if (balance === null) throw new Error(`the balance of ${positions[index]!.id} at ${atMs} is not known`)
    return balance
  })
}

/** All positions of the instrument, closed ones included: they may have held something at the instant. */
async function positionsOf(
  { engine }: Platform,
  caller: HoldersScope,
  mint: string,
): Promise<readonly RecordState<'position'>[]> {
  const { tenant, cluster, organization } = caller
  const children = isOfRoot(caller) ? engine.directory.find(childrenKey(tenant)) : []
  const organizations = [
    organization,
    ...children.flatMap(({ head }) => ofKind(head, 'organization')?.context.externalId ?? []),
  ]
  const query: Query = {
    filter: [
      { fieldName: 'financialInstrumentOnchainId', filterValues: [{ filterType: 'EQUALS', valueString: mint }] },
    ],
    // All values are equal, which leaves the order by id.
    sort: [{ fieldName: 'financialInstrumentOnchainId', sortDirection: 'ASC' }],
    limit: Number.MAX_SAFE_INTEGER,
  }
  const parts = organizations.map((each) => partOf(cluster, tenant, each))
  return (await engine.readModel.query(POSITION_SOURCE, parts, query)).items
}
