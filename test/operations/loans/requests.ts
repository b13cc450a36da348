// Members of requests, and amounts.
import type { Wallet } from '../tenants-fixture.ts'
import { by } from './lending-setup.ts'
import type { Loan, Term } from './reckoning.ts'

/** Displayed units: the principal of each vault, and the balance of each borrower. */
export const VAULT_HAS = 60_000n
export const BORROWER_HAS = 100_000n

export const lookup = (owner: Wallet, instrument: { readonly onchainId: string }) => ({
  owner: by(owner),
  financialInstrument: by(instrument),
})
export const item = (owner: Wallet, coin: { readonly onchainId: string }, amount: bigint) => ({
  positionLookup: lookup(owner, coin),
  lamports: amount.toString(),
})
export const reference = ({ escrow }: Loan) => ({ defiProtocol: 'ESCROW_VAULT', escrow: { onchainId: escrow } })
export const units = ({ decimals }: { readonly decimals: number }, displayed: bigint): bigint =>
  displayed * 10n ** BigInt(decimals)
export const atLeastOne = (amount: bigint): bigint => (amount < 1n ? 1n : amount)
export const share = (amount: bigint, part: number): bigint => atLeastOne((amount * BigInt(part)) / 100n)
export const toTermRequest = ({ mint, apy, ltv, lqt, maxAge }: Term) => ({
  financialInstrument: { onchainId: mint },
  apy,
  loanToValueRatio: ltv,
  liquidationRatio: lqt,
  maxPriceAgeSeconds: maxAge,
})
