// How often borrowers and lenders of a simulated world request each operation, and how many loans there are.

export const MAX_OPEN = 12

export const MAX_LOANS = 14

export const WEIGHTS = {
  create: 8,
  repay: 8,
  repayAll: 4,
  repayAndRelease: 5,
  release: 9,
  swap: 6,
  renew: 3,
  refinance: 4,
  liquidate: 6,
  close: 5,
  otherTerms: 1,
  fund: 1,
  equip: 2,
  pass: 3,
  refresh: 6,
  rush: 1.5,
  redefine: 0.6,
  reach: 2,
}
