// The rent-exempt minimum of an account, where a decision cannot wait for the chain to be asked.

/** As on every public cluster. */
const LAMPORTS_PER_BYTE = 6_960n
/** What the chain keeps of each account beside its data. */
const HEADER_BYTES = 128

/** Lamports of an account with so many bytes of data. */
export function rentExempt(dataLength: number): bigint {
  return LAMPORTS_PER_BYTE * BigInt(HEADER_BYTES + dataLength)
}

const OF_WALLET = rentExempt(0)

/**
 * The least that the chain lets a fee payer keep: it drops a transaction whose fee leaves less, unless it leaves
 * nothing. What the instructions move does not count. An account that never had the minimum keeps any rest.
 */
export function leastAfterFee(balance: bigint): bigint {
  return balance < OF_WALLET ? 0n : OF_WALLET
}
