// Every send of a transaction, from its history: the endpoint and its answer. Later sends share an entry with their
// count.
import type { HistoryEntry } from '../../../../machines/transactions/transaction-record.ts'
import type { ExplanationModel } from '../../../contract/schemas/transaction-answers.ts'

/**
 * The format of the state machine: `attempt 3: http://node: accepted`, `attempts 65 to 80, the last: http://node:
 * accepted`.
 */
const ATTEMPT = /^attempts? (\d+)(?: to (\d+), the last)?: (\S+?)(?:: (.*))?$/s

export function attemptsOf(history: readonly HistoryEntry[]): ExplanationModel['attempts'] {
  return history.flatMap(({ status, at, detail }) => {
    const parts = ATTEMPT.exec(detail ?? '')
    if (parts === null) return []
    const [, first, last, endpoint, answer = null] = parts
    return [
      { status, at, detail, attempt: Number(last ?? first), since: Number(first), endpoint: endpoint ?? null, answer },
    ]
  })
}
