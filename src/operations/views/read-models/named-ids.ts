// The ids of an account, with the name that the caller's organization gives to its address as a counterparty.
import type { AccountRef } from '../../../../machines/holding.ts'
import type { Context } from '../../context/platform.ts'
import { nameOfAddress } from '../../lookup/counterparty.ts'
import { idsOf } from './transaction.ts'
import type { TransactionRecordModel } from '../../../contract/schemas/transaction-answers.ts'

export function namedIdsOf(
  { platform: { engine }, call }: Context,
  account: AccountRef,
): TransactionRecordModel['accounts'][number] {
  const counterparty = nameOfAddress(engine.directory, call, call.cluster, account.address)
  return counterparty === null ? idsOf(account) : { ...idsOf(account), counterparty }
}
