// What a transaction takes, and so sets aside from our first signature on until it has ended.
import type { RecordState } from '../../engine/record.ts'
import type { JsonObject } from '../call.ts'
import { rawJson } from '../read-models/amounts.ts'

export function reservationsOf({ context }: RecordState<'transaction'>): JsonObject[] {
  return context.fixed.entries.flatMap(({ record, movements }) =>
    movements
      .filter(({ released }) => released !== '0')
      .map(({ asset, released }) => ({ offchainId: record, asset, amount: rawJson(released) })),
  )
}
