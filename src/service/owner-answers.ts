// Answers questions of other cells, for the cells that are open here: countersignatures, and requests about
// transactions.
import { Refusal } from '../contract/refusal.ts'
import type { OpenedCell } from './node-cell.ts'
import type { CellGateway } from '../nodes/cell-gateway.ts'
import {
  allowSendingForOtherCell,
  consentForOtherCell,
  countersignForOtherCell,
} from '../operations/transactions/countersign/for-other-cells.ts'
import { serveRequest } from '../operations/signing/serve-request.ts'
import type { CountersignQuestion, LentSignature } from '../operations/transactions/countersign/question.ts'
import type { ServedOutcome, ServedRequest } from '../operations/transactions/served-request.ts'

/** A question from another cell, as JSON. */
export type OwnerQuestion =
  | { readonly kind: 'consent' | 'countersign' | 'send'; readonly question: CountersignQuestion }
  | { readonly kind: 'serve'; readonly question: ServedRequest }

/** The answer of an owner, as JSON. */
export type OwnerReply =
  | { readonly signatures: readonly LentSignature[] }
  | { readonly served: ServedOutcome }
  | { readonly refusal: Pick<Refusal, 'status' | 'problems' | 'retryAfterSeconds'> }

/** A cell in the view of this node. */
export interface ReachedCell {
  readonly gateway: Pick<CellGateway, 'ownerLeftMs' | 'where' | 'enter' | 'refresh'>
  readonly runtime: { readonly current: Pick<OpenedCell, 'cell'> | null }
}

/** null: the cell is not open here. */
export async function answerOfOwner(
  { gateway, runtime }: ReachedCell,
  asking: OwnerQuestion,
): Promise<OwnerReply | null> {
  const leave = gateway.enter()
  try {
    const opened = runtime.current?.cell
    if (leave === null || opened?.engine.owns(asking.question.owner) !== true) return null
    const { platform, performer } = opened.assembled
    if (asking.kind === 'serve') return { served: await serveRequest(platform, performer, asking.question) }
    if (asking.kind === 'countersign') return { signatures: await countersignForOtherCell(platform, asking.question) }
    // An earlier release takes any other kind for `consent`.
    if (asking.kind === 'send') await allowSendingForOtherCell(platform, asking.question)
    else await consentForOtherCell(platform, asking.question)
    return { signatures: [] }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const { status, problems, retryAfterSeconds } = error
    return { refusal: { status, problems, retryAfterSeconds } }
  } finally {
    leave?.()
  }
}
