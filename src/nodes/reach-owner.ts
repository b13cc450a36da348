// Brings a request to the owner of a cell, here or on another node, and waits while the cell has none for a moment.
import type { IncomingMessage } from 'node:http'
import { sleep, type Clock } from '../time/clock.ts'
import type { CellDoors, Whereabouts } from './cell-doors.ts'
import { NOT_TAKEN } from './seal.ts'

const LOOK_AGAIN_MS = 50
const SOON_MS = 1_000
/** How long a request waits while the cell moves, unless set otherwise. */
export const MOVING_MS = 5_000

export type Elsewhere = Extract<Whereabouts, { at: 'elsewhere' }>
type Finding = Pick<CellDoors, 'where' | 'refresh'>

export interface Reaching<Cell, Answer> {
  readonly clock: Clock
  readonly movingMs: number
  /** Called before every attempt: meanwhile the tenant may be in another cell. */
  readonly find: () => Cell | Promise<Cell>
  readonly doorsOf: (cell: Cell) => Finding
  /** Both resolve with null if the request was not taken, and nothing of it was done. */
  readonly here: (cell: Cell) => Promise<Answer | null>
  readonly there: (cell: Cell, where: Elsewhere) => Promise<Answer | null>
  /** What to throw if nobody takes the request: nothing of it was done. */
  readonly unavailable: (retryAfterMs: number) => Error
}

/** Rejects with what `unavailable` makes, and with what the other functions throw. */
export async function reachOwner<Cell, Answer extends object | true>(
  reaching: Reaching<Cell, Answer>,
): Promise<Answer> {
  const { clock, movingMs, unavailable } = reaching
  const untilMs = clock.elapsed() + movingMs
  for (;;) {
    const cell = await reaching.find()
    const served = await reaching.here(cell)
    if (served !== null) return served
    const doors = reaching.doorsOf(cell)
    const where = doors.where()
    if (where.at === 'nowhere' && !where.isMoving) throw unavailable(where.retryAfterMs)
    const answered = where.at === 'elsewhere' ? await reaching.there(cell, where) : null
    if (answered !== null) return answered
    if (clock.elapsed() >= untilMs) throw unavailable(SOON_MS)
    await sleep(clock, LOOK_AGAIN_MS)
    await doors.refresh()
  }
}

/** Looks anew, after the owner could not be reached: true if it still owns the cell. */
export async function isStillThere(doors: Finding, { epoch }: Elsewhere): Promise<boolean> {
  await doors.refresh()
  const now = doors.where()
  return now.at === 'elsewhere' && now.epoch === epoch
}

/**
 * `moving`: ask for the owner again. `elsewhere`: ask the owner of another tenant. Else what an operator must mend.
 * null: the request was taken.
 */
export function notTakenBecause({ headers }: IncomingMessage): string | null {
  const why = headers[NOT_TAKEN]
  if (why === undefined) return null
  if (why === 'moving' || why === 'elsewhere') return why
  return why === 'misdirected'
    ? 'the URL of a node leads to another node: check its HOLDFAST_NODE_URL'
    : 'the owner refuses what this node forwards: HOLDFAST_NODE_SECRET or the clocks differ'
}
