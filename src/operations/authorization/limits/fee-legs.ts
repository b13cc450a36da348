// The legs of a fee. The fee payer pays them for an organization, whether the transaction succeeds or fails.
import type { TransactionFixed } from '../../../../machines/transactions/transaction-record.ts'
import { priorityFee } from '../../../solana/fee.ts'
import { networkLeg, type Leg } from './legs.ts'

export interface FeeCharge {
  /** Address. */
  readonly payer: string
  /** Signature fee plus priority fee. */
  readonly lamports: bigint
  /** Price times unit limit, rounded up. */
  readonly priorityLamports: bigint
  /** External id of the organization that owns the transaction. */
  readonly beneficiary: string
  /** Tenant of that organization. */
  readonly tenant: string
}

/** One leg for each class (FEES, PRIORITY_FEES). The classes overlap; their amounts are never added. */
export function feeLegs({ payer, lamports, priorityLamports, beneficiary }: FeeCharge): Leg[] {
  const legs = [networkLeg(payer, lamports, 'FEES'), networkLeg(payer, priorityLamports, 'PRIORITY_FEES')]
  return legs.filter(({ amount }) => amount > 0n).map((leg) => ({ beneficiary, ...leg }))
}

/**
 * The fee of a recorded transaction.
 * @param tenant owner of the transaction
 */
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
