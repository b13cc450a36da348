// End-to-end tests that several cells answer otherwise, and why.
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
  'loans-locked': LOANS,
}

/** Tests, by the last part of their names. */
export const TESTS: Readonly<Record<string, string>> = {
  'waits for one approval of all of them': CLOCK,
  'covers no counterparty that came under review later': CLOCK,
  'an address that was blocked after the request for approval is not paid': CLOCK,
  'nor is a prepared transaction signed, nor a signed one sent': CLOCK,
  'what came in is in the books at once, and the transaction counts': METRICS,
  'the metrics say how long a round takes': METRICS,
  'is asked again with the same id': METRICS,
  'is ended by a callback that refuses': METRICS,
  'comes from one side and goes back there': PLAN,
  'of a tenant by its own administrator stops nobody else': METRICS,
  'for the root of a tenant, of the whole tenant': MOMENT,
  'shares accounts with everybody, and nobody else does': MOMENT,
}
