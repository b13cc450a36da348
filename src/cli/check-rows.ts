// Checks the rows of a store one by one: each can be read, each record can be restored by the current machines, and the
// logs of events have no gaps. Needs only the row that it checks, so it also checks rows of a file.
import { NotAtHand } from '../../snapshots/not-at-hand.ts'
import { checkRow, type CheckedRow } from '../../snapshots/backup/check-row.ts'
import type { Envelope } from '../../snapshots/store.ts'
import { eventsOfRow } from '../engine/events/event-row.ts'
import { fromEnvelope, type TransactionPayload } from '../engine/records/codec.ts'
import type { RecordState } from '../engine/records/record.ts'

const MAX_PROBLEMS = 50

export class RowCheck {
  rows = 0
  readonly lastEvents: Record<string, number> = {}
  /** At most 50 problems. */
  readonly problems: string[] = []
  problemCount = 0

  /** Rows must come in the order of their keys. */
  take(key: string, text: string): void {
    try {
      this.#note(checkRow(key, text))
    } catch (error) {
      if (error instanceof NotAtHand) throw error
      // Only the cause is shown: the row itself may be confidential.
      const cause = error instanceof Error && error.cause instanceof Error ? `: ${error.cause.message}` : ''
      const message = error instanceof Error ? error.message : String(error)
      this.problem(`${message.includes(key) ? '' : `the row at ${key}: `}${message}${cause}`)
    }
    this.rows += 1
  }

  #note(row: CheckedRow): void {
    if (row.type === 'event') for (const { sequence } of eventsOfRow(row)) this.#event(row.tenant, sequence)
    if (row.type === 'secret') this.secret(row.id, row.row)
    if (row.type === 'record') this.record(fromEnvelope(row.envelope, () => this.payload(row.envelope)))
  }

  #event(tenant: string, sequence: number): void {
    const last = this.lastEvents[tenant]
    if (last !== undefined && sequence !== last + 1)
      this.problem(`events ${last + 1} to ${sequence - 1} of tenant ${tenant} are missing`)
    this.lastEvents[tenant] = sequence
  }

  /** The fixed part of a transaction, which is another row. */
  protected payload(_transaction: Envelope): TransactionPayload {
    return { fixed: null } as unknown as TransactionPayload
  }

  protected record(_state: RecordState): void {}

  protected secret(_id: string, _row: unknown): void {}

  protected problem(text: string): void {
    this.problemCount += 1
    if (this.problems.length < MAX_PROBLEMS) this.problems.push(text)
  }
}
