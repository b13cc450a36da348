// The balances that a statement covers: those of one position, of an account with its positions, or of all records of
// an organization with an address. Closed records are included, because they may have moved in the interval.
import type { Filter } from '../../engine/query/field.ts'
import type { Source } from '../../engine/query/read-model.ts'
import { ofKind, type HoldingState, type RecordState } from '../../engine/records/record.ts'
import type { Asset } from '../../../machines/protocol.ts'
import type { Call } from '../../contract/call.ts'
import { badRequest, forbidden, type Refusal } from '../../contract/refusal.ts'
import { nothingNamed, resolveRecord } from '../lookup/account.ts'
import { resolvePosition } from '../lookup/position.ts'
import { readablePosition } from '../positions/details.ts'
import { sideOf } from '../positions/trade/side.ts'
import { answerOwn, equals } from '../views/bulk/fetch.ts'
import type { Platform, Context } from '../context/platform.ts'
import { ACCOUNT_SOURCE, ownPart, POSITION_SOURCE } from '../views/bulk/sources.ts'
import { NETWORK_DECIMALS, NETWORK_SYMBOL } from '../views/read-models/amounts.ts'
import type { PositionLookup } from '../../contract/values/lookup.ts'
import type { StatementInput } from '../../contract/schemas/statement.ts'

export interface Balance {
  readonly state: HoldingState
  readonly asset: Extract<Asset, 'lamports' | 'tokens'>
  readonly decimals: number
  /** null: the instrument has no symbol, or no record. */
  readonly symbol: string | null
}

/** Additional records that a query asks for, since some may be created after the previous query. */
const MARGIN = 1_000

const ACCOUNT = { code: 'ACCOUNT_NOT_FOUND', refuse: badRequest }
const POSITION = { code: 'POSITION_NOT_FOUND', refuse: badRequest }

/**
 * The records of the statement. Throws 400 `ACCOUNT_NOT_FOUND`, `POSITION_NOT_FOUND`, `LOOKUP_MISMATCH`,
 * `ORGANIZATION_NOT_FOUND`, 403 `ROLE_REQUIRED`.
 */
export async function holdingsOf(context: Context, input: StatementInput): Promise<readonly HoldingState[]> {
  const { call } = context
  if (input.position !== undefined) return [await positionOf(context, input)]
  requireReading(call, 'ACCOUNTS_READ')
  requireReading(call, 'POSITIONS_READ')
  if (input.account !== undefined) return accountWithPositions(context, input)
  if (input.organization !== call.organization) {
    const rule = 'a statement is issued for the organization that the request acts for'
    throw badRequest('ORGANIZATION_NOT_FOUND', rule, '/itemData/organization')
  }
  return await everyRecord(context, ACCOUNT_SOURCE)
}

/** The first query only counts the records. The next one is repeated if more than `MARGIN` were created before it. */
async function everyRecord<State extends HoldingState>(
  { platform: { engine }, call }: Context,
  source: Source<State>,
  filter: Filter[] = [],
): Promise<readonly State[]> {
  for (let limit = 0; ;) {
    const { count, items } = await engine.readModel.query(source, [ownPart(call)], { filter, limit })
    if (items.length === count) return items
    limit = count + MARGIN
  }
}

async function accountWithPositions(context: Context, { account }: StatementInput): Promise<readonly HoldingState[]> {
  const { call } = context
  const pointer = '/itemData/account'
  const { committed } = resolveRecord(context, account!, pointer, ACCOUNT)
  const state = own(call, committed, nothingNamed(ACCOUNT, pointer))
  if (state.kind === 'position') return [state]
  const filter = [equals('ownerOnchainId', state.context.address)]
  return [state, ...(await everyRecord(context, POSITION_SOURCE, filter))]
}

/** The position named by a position lookup, or as an account is named. */
async function positionOf(context: Context, { position }: StatementInput): Promise<HoldingState> {
  const { call } = context
  requireReading(call, 'POSITIONS_READ')
  const pointer = '/itemData/position'
  const side = sideOf(position!, pointer)
  const isAccount = side.kind === 'account' && !side.asOwner
  const lookup = side.kind === 'position' ? side.lookup : isAccount ? { position: side.lookup } : { owner: side.lookup }
  const closed = lookup.position === undefined ? await closedPosition(context, lookup, pointer) : undefined
  if (closed !== undefined) return closed
  const where = { pointer: isAccount ? '/itemData' : pointer, missing: POSITION }
  return own(call, readablePosition(context, lookup, where).state, nothingNamed(POSITION, pointer))
}

/** The latest closed position of an owner in an instrument, if none is open. */
async function closedPosition(
  context: Context,
  lookup: PositionLookup,
  pointer: string,
): Promise<HoldingState | undefined> {
  const { standing, owner, instrument } = resolvePosition(context, lookup, pointer, POSITION)
  if (standing !== 'missing' || owner === null || instrument === null) return undefined
  const { items } = await answerOwn(context, POSITION_SOURCE, {
    filter: [
      equals('ownerOnchainId', owner.address),
      equals('financialInstrumentOnchainId', instrument.context.address),
      equals('status', 'CLOSED'),
    ],
    sort: [{ fieldName: 'lastTransactionAt', sortDirection: 'DESC' }],
    limit: 1,
  })
  return items[0]
}

/** A statement shows transactions, so it covers no records of other organizations, not even shared ones. */
function own(call: Call, state: RecordState | undefined, missing: Refusal): HoldingState {
  const holding = state as HoldingState | undefined
  if (holding?.tenant !== call.tenant || holding.context.organization !== call.organization) throw missing
  return holding
}

function requireReading({ caller }: Call, role: 'ACCOUNTS_READ' | 'POSITIONS_READ'): void {
  if (!caller.roles.has(role)) throw forbidden('ROLE_REQUIRED', `role ${role} is required`)
}

/** The balances of a record. */
export function statementBalances(platform: Platform, state: HoldingState): readonly Balance[] {
  const network = { state, asset: 'lamports', decimals: NETWORK_DECIMALS, symbol: NETWORK_SYMBOL } as const
  const position = ofKind(state, 'position')
  if (position === undefined) return [network]
  const { mint, decimals } = position.context
  return [{ state, asset: 'tokens', decimals, symbol: symbolOf(platform, position, mint.id) }, network]
}

/** The name of an instrument without a symbol is known to the organization that keeps its record. */
function symbolOf({ engine }: Platform, { tenant, context }: HoldingState, id: string | null): string | null {
  const instrument = id === null ? undefined : ofKind(engine.directory.resident(id)?.committed, 'instrument')
  const isOwn = instrument?.tenant === tenant && instrument.context.organization === context.organization
  return instrument?.context.onchainData?.symbol ?? (isOwn ? instrument.context.references.name : null)
}
