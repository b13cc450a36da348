// The lines of a statement, balance by balance: opening, movements in order, closing. Balances that are zero and did
// not move are left out. Read page by page.
import type { BookedMovement } from '../../engine/movements/history.ts'
import type { TransactionGlance } from '../../engine/records/glance.ts'
import type { HoldingState } from '../../engine/records/record.ts'
import type { Platform, Context } from '../context/platform.ts'
import { maySeeOfTenant } from '../transactions/signing/named.ts'
import { statementBalances, type Balance } from './balances.ts'
import { movementLines, shownTransactionIds, type MovementLine, type StatementReader } from './movement.ts'
import { Parties } from './parties.ts'
import type { Period } from './period.ts'

/** Movements whose transactions are read together, and lines that are written together. */
const AT_ONCE = 128

export type Line =
  | { readonly type: 'opening' | 'closing'; readonly balance: Balance; readonly amount: bigint; readonly atMs: number }
  | { readonly type: 'movement'; readonly balance: Balance; readonly movement: MovementLine }

/** The lines, in the parts in which they are written. */
export async function* linesOf(
  context: Context,
  holdings: readonly HoldingState[],
  period: Period,
): AsyncGenerator<readonly Line[], void, undefined> {
  const { platform } = context
  // A movement is final, and so are the signatures of its transaction.
  const maySee = ({ organization, feePayer, signers }: TransactionGlance): boolean =>
    maySeeOfTenant(context, { organization, feePayer, signers, isWaiting: false })
  const reader = { parties: new Parties(context), maySee }
  // Balances of zero without movements take no other turn of the event loop.
  const pacer = platform.engine.pacer()
  for (const state of holdings) {
    if (pacer.isDue) await pacer.rest()
    for (const balance of statementBalances(platform, state)) yield* linesOfBalance(platform, reader, balance, period)
  }
}

async function* linesOfBalance(
  platform: Platform,
  reader: StatementReader,
  balance: Balance,
  { fromMs, toMs }: Period,
): AsyncGenerator<readonly Line[], void, undefined> {
  const { movements } = platform.engine
  const { state, asset } = balance
  const opening = (await movements.balanceAt(state, asset, fromMs)) ?? 0n
  let closing = opening
  let isOpen = opening !== 0n
  if (isOpen) yield [{ type: 'opening', balance, amount: opening, atMs: fromMs }]
  for await (const page of movements.between(state, asset, fromMs, toMs)) {
    if (!isOpen) yield [{ type: 'opening', balance, amount: opening, atMs: fromMs }]
    isOpen = true
    closing = page.at(-1)?.after ?? closing
    for await (const { booked, transactions } of withTransactions(platform, page))
      yield* inParts(booked, (each) =>
        movementLines(reader, transactions, balance, each).map((movement) => ({ type: 'movement', balance, movement })),
      )
  }
  if (isOpen) yield [{ type: 'closing', balance, amount: closing, atMs: toMs }]
}

/** A transaction of many payments has as many lines: the lines of a group are made and written part by part. */
function* inParts(
  booked: readonly BookedMovement[],
  linesOfMovement: (each: BookedMovement) => readonly Line[],
): Generator<readonly Line[], void, undefined> {
  let lines: Line[] = []
  for (const each of booked) {
    lines.push(...linesOfMovement(each))
    if (lines.length < AT_ONCE) continue
    yield lines
    lines = []
  }
  if (lines.length > 0) yield lines
}

interface Group {
  readonly booked: readonly BookedMovement[]
  readonly transactions: ReadonlyMap<string, TransactionGlance>
}

/** Reads the transactions of the next group while the caller writes one. */
async function* withTransactions(
  { engine }: Platform,
  page: readonly BookedMovement[],
): AsyncGenerator<Group, void, undefined> {
  const read = async (from: number): Promise<Group> => {
    const booked = page.slice(from, from + AT_ONCE)
    return { booked, transactions: await engine.glances(shownTransactionIds(booked)) }
  }
  let next = read(0)
  for (let from = AT_ONCE; from < page.length; from += AT_ONCE) {
    const group = await next
    next = read(from)
    // An error is thrown where the group is awaited, unless the caller has stopped by then.
    next.catch(() => undefined)
    yield group
  }
  yield await next
}
