// Sends questions to owners in other cells: owners of keys countersign, owners of transactions serve requests. A cell
// on another node is reached over HTTP, like a forwarded request; all nodes trust each other.
import { randomUUID } from 'node:crypto'
import { Refusal } from '../contract/refusal.ts'
import { COUNTERSIGN_PATH } from '../http/node-gateway.ts'
import { bytesOf, type Hops } from '../nodes/hop.ts'
import { stillOwnsCell, MOVING_MS, notTakenBecause, reachOwner, type RemoteOwner } from '../nodes/reach-owner.ts'
import type { Seals } from '../nodes/seal.ts'
import type {
  CountersignQuestion,
  LentSignature,
  OtherCellOwners,
} from '../operations/transactions/countersign/question.ts'
import type { RequestServers, ServedOutcome, ServedRequest } from '../operations/transactions/served-request.ts'
import { answerOfOwner, type OwnerQuestion, type OwnerReply, type ReachedCell } from './owner-answers.ts'
import type { Clock } from '../time/clock.ts'

/** Timeout of an answer: the owner may have to query the chain and its screening service. */
const ANSWER_MS = 15_000
/** Additional timeout for a request that waits. */
const BEYOND_MS = 2_000

export interface CellOwnersOptions {
  /** Id of this node. */
  readonly node: string
  /** Rejects if the database does not answer. */
  readonly cellOf: (tenant: string) => Promise<ReachedCell | undefined>
  readonly hops: Hops
  readonly seals: Seals
  readonly clock: Clock
  readonly log: { error(fields: object, message: string): void }
}

/** The question reached the owner, but no answer came. */
class OwnerSilent extends Error {
  override readonly name = 'OwnerSilent'
}

export class CellOwners implements OtherCellOwners, RequestServers {
  readonly #options: CellOwnersOptions

  constructor(options: CellOwnersOptions) {
    this.#options = options
  }

  async consent(question: CountersignQuestion): Promise<void> {
    await this.#askOnly({ kind: 'consent', question })
  }

  async allowSending(question: CountersignQuestion): Promise<void> {
    await this.#askOnly({ kind: 'send', question })
  }

  async countersign(question: CountersignQuestion): Promise<readonly LentSignature[]> {
    const answer = await this.#ask({ kind: 'countersign', question })
    return 'signatures' in answer ? answer.signatures : []
  }

  async serve(question: ServedRequest): Promise<ServedOutcome> {
    try {
      const answerMs = Math.max(ANSWER_MS, question.call.waitMs + BEYOND_MS)
      const answer = await this.#ask({ kind: 'serve', question }, answerMs)
      if (!('served' in answer)) throw new OwnerSilent('the owner answered another question')
      return answer.served
    } catch (error) {
      throw error instanceof OwnerSilent ? outcomeUnknown() : error
    }
  }

  /** Answers another node. null: the cell of the tenant is not open here; the question had no effect. */
  readonly receive = async (body: Buffer): Promise<object | null> => {
    const asking = JSON.parse(body.toString('utf8')) as OwnerQuestion
    const cell = await this.#options.cellOf(asking.question.owner).catch(() => undefined)
    return cell === undefined ? null : await answerOfOwner(cell, asking)
  }

  /** A question that has no effect on the owner, so the caller may retry. */
  async #askOnly(asking: OwnerQuestion): Promise<void> {
    try {
      await this.#ask(asking)
    } catch (error) {
      throw error instanceof OwnerSilent ? unavailable() : error
    }
  }

  /** Rejects with the owner's Refusal. */
  async #ask(asking: OwnerQuestion, answerMs = ANSWER_MS): Promise<Exclude<OwnerReply, { readonly refusal: object }>> {
    const { cellOf, clock } = this.#options
    const answer = await reachOwner<ReachedCell, OwnerReply>({
      ...{ clock, movingMs: MOVING_MS, unavailable },
      find: async () => {
        const cell = await cellOf(asking.question.owner).catch(() => undefined)
        if (cell === undefined) throw unavailable()
        return cell
      },
      gatewayOf: ({ gateway }) => gateway,
      here: (cell) => answerOfOwner(cell, asking),
      there: (cell, where) => this.#send(cell, where, { asking, answerMs }),
    })
    if (!('refusal' in answer)) return answer
    const { status, problems, retryAfterSeconds } = answer.refusal
    throw new Refusal(status, problems, retryAfterSeconds)
  }

  /** null: not accepted. Rejects with `OwnerSilent`, or with a Refusal if a retry is useless and nothing was done. */
  async #send(
    { gateway }: ReachedCell,
    where: RemoteOwner,
    { asking, answerMs }: { readonly asking: OwnerQuestion; readonly answerMs: number },
  ): Promise<OwnerReply | null> {
    const { node: to, url } = where
    const { node: from, hops, seals, log } = this.#options
    const body = Buffer.from(JSON.stringify(asking))
    const requestId = randomUUID()
    const place = { method: 'POST', path: COUNTERSIGN_PATH, body }
    const headers = { 'content-type': 'application/json' }
    const sealed = seals.headersFor({ ...place, headers, requestId, client: '', from, to })
    const { outcome } = hops.send({
      ...{ ...place, url, answerMs },
      headers: { ...headers, 'x-request-id': requestId, ...sealed },
    })
    const result = await outcome
    if (result.kind === 'unreached') {
      if (await stillOwnsCell(gateway, where)) throw unavailable(gateway.ownerLeftMs)
      return null
    }
    if (result.kind === 'unanswered') throw new OwnerSilent(`the node ${to} did not answer`)
    const { answer } = result
    const bytes = await bytesOf(answer).catch(() => null)
    if (bytes === null) throw new OwnerSilent(`the connection to the node ${to} ended before its answer`)
    const reason = notTakenBecause(answer)
    if (reason === 'moving') return null
    if (reason !== null) {
      log.error({ to, url }, reason)
      throw unavailable()
    }
    // Refused before the question was read.
    if (answer.status === 503) throw unavailable()
    if (answer.status !== 200) throw new Error(`the node ${to} answered ${answer.status}`)
    return JSON.parse(bytes.toString('utf8')) as OwnerReply
  }
}

/** The refusal of a question that had no effect. */
function unavailable(retryAfterMs = 1_000): Refusal {
  const message = 'no node owns the data of the tenant that must countersign at this moment'
  const problem = { code: 'TENANT_UNAVAILABLE', message, retryable: true }
  return new Refusal(503, [problem], Math.max(1, Math.ceil(retryAfterMs / 1_000)))
}

function outcomeUnknown(): Refusal {
  const message = 'the owner of the transaction did not answer: send the same request with the same Idempotency-Key'
  return new Refusal(504, [{ code: 'OUTCOME_UNKNOWN', message, retryable: false }])
}
