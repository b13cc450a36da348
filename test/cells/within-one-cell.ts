// End-to-end tests whose answers differ with several cells, and the reasons.
const PROCESS = 'tries parts of one process: its data directory, its embedded chain, or a store that wraps another'
const CLOCK = 'moves the clock of the service, which a chain of others contradicts'
const METRICS = 'reads metrics, which have the label `cell` beside several cells'
const LOANS = 'a loan needs both tenants in one cell: OTHER_CELL'
const PLAN = 'expects the second of two transactions in the answer, whose first another cell signs'
const MOMENT = 'expects at once what another cell knows a moment later'

/** Whole files, by their names. */
export const FILES: Readonly<Record<string, string>> = {
  'clock-reset': PROCESS,
  metrics: METRICS,
  traces: PROCESS,
  'distributions-judged': CLOCK,
  'evicted-kinds': PROCESS,
  'open-work': PROCESS,
  'loans-by-grant': LOANS,
  'loans-locked': LOANS,
  'caps-under-way': LOANS,
}

/** Tests, by the last part of their names. */
export const TESTS: Readonly<Record<string, string>> = {
  'waits for one approval of all of them': CLOCK,
  'does not cover a counterparty that came under review later': CLOCK,
  'an address that was blocked after the request for approval is not paid': CLOCK,
  'a prepared transaction is not signed, and a signed one not sent': CLOCK,
  'deposits are booked at once, and the transaction counts': METRICS,
  'metrics report the duration and the size of each reconciliation': METRICS,
  'repeats the request with the same id': METRICS,
  'ends at once with a refusal in a callback': METRICS,
  'is paid by one fee payer and returned to it': PLAN,
  'of a tenant by its own administrator affects no other tenant': METRICS,
  'contains owners of positions of the organization; for the root': MOMENT,
  'shares accounts with all tenants, which no other tenant can': MOMENT,
}
