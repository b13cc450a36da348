// The references of requests to a loan and its vault, and the check that its collateral covers its debt.
import { expect } from 'vitest'
import * as hand from './reckoning.ts'

export const escrowOf = ({ escrow }: hand.Loan) => ({ onchainId: escrow })

export const vaultOf = ({ debts }: hand.Loan) => ({ onchainId: debts[0]!.strategy.vault })

export function expectCarried(loan: hand.Loan, market: hand.Market): void {
  if (hand.isRepaid(loan, market.now)) return
  const { debt, carries } = hand.computeCoverage(loan, market, 'ltv')
  expect(debt).toBeLessThanOrEqual(carries)
}
