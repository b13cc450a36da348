// End-to-end tests that several cells answer otherwise, and why.
const PROCESS = 'tries parts of one process: its data directory, its embedded chain, or a store that wraps another'
const CLOCK = 'moves the clock of the service, which a chain of others contradicts'
const METRICS = 'reads metrics, which have the label `cell` beside several cells'
const LOANS = 'a loan needs both tenants in one cell: OTHER_CELL'
const OVERRIDE = 'SYSTEM acts for a tenant of another cell without naming it'
const PLAN = 'expects the second of two transactions in the answer, whose first another cell signs'
const MOMENT = 'expects at once what another cell knows a moment later'

/** Whole files, by their names. */
export const FILES: Readonly<Record<string, string>> = {
  'clock-reset': PROCESS,
  metrics: METRICS,
  traces: PROCESS,
  'frozen-paths': OVERRIDE,
  'distributions-judged': CLOCK,
  'evicted-kinds': PROCESS,
  'loans-locked': LOANS,
  attest: OVERRIDE,
}

/** Tests, by the last part of their names. */
export const TESTS: Readonly<Record<string, string>> = {
  'waits for one approval of all of them': CLOCK,
  'covers no counterparty that came under review later': CLOCK,
  'an address that was blocked after the approval was asked for is not paid': CLOCK,
  'nor is a prepared transaction signed, nor a signed one sent': CLOCK,
  'what came in is in the books at once, and the transaction counts': METRICS,
  'the metrics say how long a round takes': METRICS,
  'is asked again with the same id': METRICS,
  'is ended by a callback that refuses': METRICS,
  'the operator of the service creates no key in the tenant either': OVERRIDE,
  'whose approvers are lost is released by the operator of the service': OVERRIDE,
  "an administrator's deed in the log of the tenant it is about": OVERRIDE,
  'comes from one side and goes back there': PLAN,
  'administers the platform only for the system tenant': OVERRIDE,
  'of a tenant by its own administrator stops nobody else': METRICS,
  'shows to the keys of the organization that it stops': OVERRIDE,
  'for the root of a tenant, of the whole tenant': MOMENT,
  'shares accounts with everybody, and nobody else does': MOMENT,
}
