// Brings a request to the owner of a cell, on this node or another one, and waits while the cell has no owner.
import { sleep, type Clock } from '../time/clock.ts'
import type { CellGateway, CellLocation } from './cell-gateway.ts'
import type { HopAnswer } from './hop.ts'
import { NOT_TAKEN } from './seal.ts'

const RETRY_MS = 50
const SOON_MS = 1_000
/** Default time that a request waits while the cell changes its owner. */
export const MOVING_MS = 5_000

export type RemoteOwner = Extract<CellLocation, { at: 'elsewhere' }>
type Locating = Pick<CellGateway, 'where' | 'refresh'>

export interface ReachOwnerOptions<Cell, Answer> {
  readonly clock: Clock
  readonly movingMs: number
  /** Called before every attempt, because the tenant may have moved to another cell. */
  readonly find: () => Cell | Promise<Cell>
  readonly gatewayOf: (cell: Cell) => Locating
  /** `here` and `there` resolve with null if the request was not accepted and had no effect. */
  readonly here: (cell: Cell) => Promise<Answer | null>
  readonly there: (cell: Cell, where: RemoteOwner) => Promise<Answer | null>
  /** The error if no node accepts the request. The request had no effect. */
  readonly unavailable: (retryAfterMs: number) => Error
}

/** Rejects with the error of `unavailable` or with an error of the other functions. */
export async function reachOwner<Cell, Answer extends object | true>(
  reaching: ReachOwnerOptions<Cell, Answer>,
): Promise<Answer> {
  const { clock, movingMs, unavailable } = reaching
  const untilMs = clock.elapsed() + movingMs
  for (;;) {
    const cell = await reaching.find()
    const served = await reaching.here(cell)
    if (served !== null) return served
    const gateway = reaching.gatewayOf(cell)
    const where = gateway.where()
    if (where.at === 'nowhere' && !where.isMoving) throw unavailable(where.retryAfterMs)
    const response = where.at === 'elsewhere' ? await reaching.there(cell, where) : null
    if (response !== null) return response
    if (clock.elapsed() >= untilMs) throw unavailable(SOON_MS)
    await sleep(clock, RETRY_MS)
    await gateway.refresh()
  }
}

/** Polls the tables after the owner could not be reached. True: it still owns the cell. */
export async function stillOwnsCell(gateway: Locating, { epoch }: RemoteOwner): Promise<boolean> {
  await gateway.refresh()
  const now = gateway.where()
  return now.at === 'elsewhere' && now.epoch === epoch
}

/**
 * Why a node did not accept a request. `moving`: look up the owner again. `elsewhere`: the owner of another tenant must
 * serve it. Any other text describes a mistake in the configuration. null: the request was accepted.
 */
export function notTakenBecause({ headers }: HopAnswer): string | null {
  const why = headers[NOT_TAKEN]
  if (why === undefined) return null
  if (why === 'moving' || why === 'elsewhere') return why
  return why === 'misdirected'
    ? 'the URL of a node leads to another node: check its HOLDFAST_NODE_URL'
    : 'the owner refuses what this node forwards: HOLDFAST_NODE_SECRET or the clocks differ'
}
