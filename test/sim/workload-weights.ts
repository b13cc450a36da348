// How often each operation is requested in a simulated world.

/** Requests without an answer, at most. */
export const MAX_OPEN = 30

export const WEIGHTS = {
  transfer: 30,
  transferLamports: 30,
  mint: 8,
  burn: 8,
  createAccount: 3,
  createInstrument: 0.5,
  close: 2,
  initialize: 3,
  keptBack: 6,
  fromOutside: 4,
  deposit: 6,
  withdrawal: 4,
  sponsored: 5,
  withLent: 5,
  trade: 5,
  inactivate: 1,
  entire: 1.5,
  freeze: 2,
}
