// The legs of a fee: what the fee payer pays whether the transaction succeeds or fails, and for which organization.
import type { TransactionFixed } from '../../../../machines/transaction-record.ts'
import { network, type Leg } from './legs.ts'

/** The fee of one message. */
export interface FeeCharge {
  /** Address. */
  readonly payer: string
  /** Signatures and priority. */
  readonly lamports: bigint
  /** Price times unit limit, rounded up. */
  readonly priorityLamports: bigint
  /** External id of the organization whose transaction it is. */
  readonly beneficiary: string
  /** Tenant of that organization. */
  readonly tenant: string
}

/** One leg in each class. The classes overlap and are never added up. */
export function feeLegs({ payer, lamports, priorityLamports, beneficiary }: FeeCharge): Leg[] {
  const legs = [network(payer, lamports, 'FEES'), network(payer, priorityLamports, 'PRIORITY_FEES')]
  return legs.filter(({ amount }) => amount > 0n).map((leg) => ({ ...leg, beneficiary }))
}

/** Of a transaction that has its record. @param tenant whose transaction it is */
export function recordedFee(
  tenant: string,
  fixed: Pick<TransactionFixed, 'feePayer' | 'fee' | 'computeUnitsLimit' | 'computeUnitPrice' | 'organization'>,
): FeeCharge {
  return {
    payer: fixed.feePayer.address,
    lamports: BigInt(fixed.fee),
    priorityLamports: priorityFee(fixed.computeUnitsLimit ?? 0, BigInt(fixed.computeUnitPrice ?? 0)),
    beneficiary: fixed.organization,
    tenant,
  }
}

/** Lamports, rounded up. @param price micro-lamports per unit */
export function priorityFee(units: number, price: bigint): bigint {
  return (BigInt(units) * price + 999_999n) / 1_000_000n
}
