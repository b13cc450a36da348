// Amounts that a transaction reserves on records of its own tenant, from the first signature of this service until the
// transaction ends; on those of other organizations, from their own signature.
import { ownEntries } from '../../../engine/records/consequences.ts'
import type { RecordState } from '../../../engine/records/record.ts'
import { rawJson } from '../read-models/amounts.ts'
import type { ExplanationModel } from '../../../contract/schemas/transaction-answers.ts'

export function reservationsOf(transaction: RecordState<'transaction'>): ExplanationModel['reservations'] {
  return ownEntries(transaction).flatMap(({ record, movements }) =>
    movements
      .filter(({ released }) => released !== '0')
      .map(({ asset, released }) => ({ offchainId: record, asset, amount: rawJson(released) })),
  )
}
