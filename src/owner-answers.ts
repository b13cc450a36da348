// Answers a request for a countersignature that comes from another cell, for the cells that are open here.
import type { GivenSignature } from '../machines/countersignature.ts'
import { Refusal } from './contract/refusal.ts'
import type { OpenedCell } from './node-cell.ts'
import type { CellDoors } from './nodes/cell-doors.ts'
import { consentElsewhere, countersignElsewhere } from './operations/transactions/countersign/elsewhere.ts'
import type { CountersignQuestion } from './operations/transactions/countersign/question.ts'

/** From another node: JSON. */
export interface Asking {
  readonly kind: 'consent' | 'countersign'
  readonly question: CountersignQuestion
}

/** What an owner answered: JSON. */
export type Said =
  | { readonly signatures: readonly GivenSignature[] }
  | { readonly refusal: Pick<Refusal, 'status' | 'problems' | 'retryAfterSeconds'> }

/** A cell as this node sees it. */
export interface SeenCell {
  readonly doors: Pick<CellDoors, 'ownerLeftMs' | 'where' | 'enter' | 'refresh'>
  readonly half: { readonly current: Pick<OpenedCell, 'cell'> | null }
}

/** null: it is not open here. */
export async function answerOfOwner({ doors, half }: SeenCell, { kind, question }: Asking): Promise<Said | null> {
  const leave = doors.enter()
  try {
    const opened = half.current?.cell
    if (leave === null || opened?.engine.owns(question.owner) !== true) return null
    const { platform } = opened.assembled
    if (kind === 'countersign') return { signatures: await countersignElsewhere(platform, question) }
    await consentElsewhere(platform, question)
    return { signatures: [] }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const { status, problems, retryAfterSeconds } = error
    return { refusal: { status, problems, retryAfterSeconds } }
  } finally {
    leave?.()
  }
}
