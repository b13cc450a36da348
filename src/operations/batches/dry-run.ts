// The dry run of a batch: the number of transactions, their cost, and the verdict of the debit limits on the whole
// batch.
import { limitedVerdicts } from '../authorization/limits/enforce.ts'
import { shownLimit } from '../authorization/limits/exceeded.ts'
import { rawJson } from '../views/read-models/amounts.ts'
import type { DryRun } from '../../contract/call.ts'
import type { DryRunFindings } from '../transactions/dry-run.ts'
import type { CheckedBatch } from './check.ts'
import type { BatchDryRunModel } from '../../contract/schemas/batch.ts'

export class BatchDryRun implements DryRun {
  readonly #items: number
  readonly #checked: CheckedBatch

  constructor(items: number, checked: CheckedBatch) {
    this.#items = items
    this.#checked = checked
  }

  report(): Promise<BatchDryRunModel['dryRun']> {
    const { findings, verdicts } = this.#checked
    const sum = (member: (each: DryRunFindings) => bigint): bigint =>
      findings.reduce((total, each) => total + member(each), 0n)
    return Promise.resolve({
      itemsCount: this.#items,
      transactionsCount: findings.length,
      feeLamports: rawJson(sum(({ feeLamports }) => feeLamports)),
      rentLamports: rawJson(sum(({ rentLamports }) => rentLamports)),
      limits: limitedVerdicts(verdicts).map(shownLimit),
    })
  }
}
