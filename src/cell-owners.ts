// Asks the owners of keys in other cells for countersignatures. A cell on another node is asked over HTTP, as a door
// forwards a request; all nodes trust each other.
import { randomUUID } from 'node:crypto'
import type { GivenSignature } from '../machines/countersignature.ts'
import { Refusal } from './contract/refusal.ts'
import { COUNTERSIGN_PATH } from './http/door.ts'
import type { Whereabouts } from './nodes/cell-doors.ts'
import { bytesOf, type Hops } from './nodes/hop.ts'
import { NOT_TAKEN, type Seals } from './nodes/seal.ts'
import type { CountersignQuestion, OwnersElsewhere } from './operations/transactions/countersign/question.ts'
import { answerOfOwner, type Asking, type Said, type SeenCell } from './owner-answers.ts'
import { sleep, type Clock } from './time/clock.ts'

const CONNECT_MS = 1_000
/** The owner may have to ask the chain and its screening service first. */
const ANSWER_MS = 15_000
/** How long a question waits while the cell moves: as long as a request at a door. */
const MOVING_MS = 5_000
const LOOK_AGAIN_MS = 50

export interface CellOwnersOptions {
  /** Id of this node. */
  readonly node: string
  /** Rejects when the database does not answer. */
  readonly cellOf: (tenant: string) => Promise<SeenCell | undefined>
  readonly hops: Hops
  readonly seals: Seals
  readonly clock: Clock
}

export class CellOwners implements OwnersElsewhere {
  readonly #options: CellOwnersOptions

  constructor(options: CellOwnersOptions) {
    this.#options = options
  }

  async consent(question: CountersignQuestion): Promise<void> {
    await this.#ask({ kind: 'consent', question })
  }

  async countersign(question: CountersignQuestion): Promise<readonly GivenSignature[]> {
    return await this.#ask({ kind: 'countersign', question })
  }

  /** Answers another node. null: the cell of the tenant is not open here, and nothing was done. */
  readonly receive = async (body: Buffer): Promise<object | null> => {
    const asking = JSON.parse(body.toString('utf8')) as Asking
    const cell = await this.#options.cellOf(asking.question.owner).catch(() => undefined)
    return cell === undefined ? null : await answerOfOwner(cell, asking)
  }

  async #ask(asking: Asking): Promise<readonly GivenSignature[]> {
    const said = await this.#sayWhenOwned(asking)
    if ('signatures' in said) return said.signatures
    const { status, problems, retryAfterSeconds } = said.refusal
    throw new Refusal(status, problems, retryAfterSeconds)
  }

  async #sayWhenOwned(asking: Asking): Promise<Said> {
    const { cellOf, clock } = this.#options
    const untilMs = clock.elapsed() + MOVING_MS
    for (;;) {
      const cell = await cellOf(asking.question.owner).catch(() => undefined)
      if (cell === undefined) throw unavailable()
      const where = cell.doors.where()
      if (where.at === 'nowhere' && !where.isMoving) throw unavailable()
      const said = where.at === 'elsewhere' ? await this.#send(cell, where, asking) : await answerOfOwner(cell, asking)
      if (said !== null) return said
      if (clock.elapsed() >= untilMs) throw unavailable()
      await sleep(clock, LOOK_AGAIN_MS)
      await cell.doors.refresh()
    }
  }

  /** null: nothing was done. Rejects with a Refusal if the owner is not reached, or if the outcome is not known. */
  async #send(
    { doors }: SeenCell,
    { node: to, url, epoch }: Extract<Whereabouts, { at: 'elsewhere' }>,
    asking: Asking,
  ): Promise<Said | null> {
    const { node: from, hops, seals } = this.#options
    const body = Buffer.from(JSON.stringify(asking))
    const requestId = randomUUID()
    const place = { method: 'POST', path: COUNTERSIGN_PATH, body }
    const headers = { 'content-type': 'application/json' }
    const sealed = seals.headersFor({ ...place, headers, requestId, client: '', from, to })
    const { outcome } = hops.send({
      ...{ ...place, url, connectMs: CONNECT_MS, answerMs: ANSWER_MS },
      headers: { ...headers, 'content-length': body.length, 'x-request-id': requestId, ...sealed },
    })
    const reached = await outcome
    if (reached.kind === 'unreached') {
      await doors.refresh()
      const now = doors.where()
      if (now.at === 'elsewhere' && now.epoch === epoch) throw unavailable()
      return null
    }
    if (reached.kind === 'unanswered') throw new Error(`the node ${to} did not answer`)
    const { answer } = reached
    const bytes = await bytesOf(answer)
    if (answer.headers[NOT_TAKEN] !== undefined) return null
    if (answer.statusCode !== 200) throw new Error(`the node ${to} answered ${String(answer.statusCode)}`)
    return JSON.parse(bytes.toString('utf8')) as Said
  }
}

/** Nothing was done. */
function unavailable(): Refusal {
  const message = 'no node owns the data of the tenant that must countersign at this moment'
  return new Refusal(503, [{ code: 'TENANT_UNAVAILABLE', message, retryable: true }], 1)
}
