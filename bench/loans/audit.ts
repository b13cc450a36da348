// Checks on the chain that cash and shares are where the acknowledged loans and repayments have moved them.
import { PublicKey, type Connection } from '@solana/web3.js'
import { BORROWER_CASH, BORROWER_SHARES, PLEDGE, PRINCIPAL, VAULT_CASH, type LoanScene } from './setup.ts'
import type { LoanTally } from './traffic.ts'

const AMOUNT_OFFSET = 64
const MAX_INTEREST_ONE_IN = 10_000n

/** Throws if a balance does not match the acknowledged loans and repayments. */
export async function audit(
  chain: Connection,
  { vaultCash, borrowers }: LoanScene,
  { created, repaid, closed }: LoanTally,
): Promise<string[]> {
  const balanceOf = async (address: string): Promise<bigint> => {
    const account = await chain.getAccountInfo(new PublicKey(address), 'confirmed')
    if (account === null) throw new Error(`${address} is not on chain`)
    return account.data.readBigUInt64LE(AMOUNT_OFFSET)
  }
  const total = async (addresses: readonly string[]): Promise<bigint> =>
    (await Promise.all(addresses.map(balanceOf))).reduce((sum, each) => sum + each, 0n)
  const lent = await balanceOf(vaultCash.onchainId)
  const cash = await total(borrowers.map((each) => each.cash.onchainId))
  const shares = await total(borrowers.map((each) => each.shares.onchainId))
  const count = BigInt(borrowers.length)
  const open = BigInt(created - repaid)
  // The gain of the vault is interest for the seconds that a loan lasts, which are few or none.
  const interest = lent - (VAULT_CASH - open * PRINCIPAL)
  if (interest < 0n || interest > (BigInt(repaid) * PRINCIPAL) / MAX_INTEREST_ONE_IN) {
    throw new Error(`the vault holds ${lent}, which is not what ${created} loans and ${repaid} repayments leave`)
  }
  const cashDue = count * BORROWER_CASH + open * PRINCIPAL - interest
  if (cash !== cashDue) throw new Error(`the borrowers hold ${cash} of cash on chain, not ${cashDue}`)
  const sharesDue = count * BORROWER_SHARES - open * PLEDGE
  if (shares !== sharesDue) throw new Error(`the borrowers hold ${shares} shares on chain, not ${sharesDue}`)
  return [`cash and shares on chain are where ${created} loans, ${repaid} repayments and ${closed} closings put them`]
}
