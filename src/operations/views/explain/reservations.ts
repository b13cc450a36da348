// Amounts that a transaction reserves on records of its own tenant, from the first signature of this service until the
// transaction ends.
import type { RecordState } from '../../../engine/records/record.ts'
import { rawJson } from '../read-models/amounts.ts'
import type { ExplanationModel } from '../../../contract/schemas/transaction-answers.ts'

export function reservationsOf({ tenant, context }: RecordState<'transaction'>): ExplanationModel['reservations'] {
  const own = context.fixed.entries.filter((entry) => entry.tenant === tenant)
  return own.flatMap(({ record, movements }) =>
    movements
      .filter(({ released }) => released !== '0')
      .map(({ asset, released }) => ({ offchainId: record, asset, amount: rawJson(released) })),
  )
}
