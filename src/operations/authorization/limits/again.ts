// The inputs of limit evaluation that do not follow from the message. They are stored with a transaction that is not
// signed at once, and restored when it is signed.
import type { Effect } from '../../../solana/table/effect.ts'
import type { TransactionFixed } from '../../../../machines/transactions/transaction-record.ts'
import type { RecordState } from '../../../engine/records/record.ts'
import type { Platform } from '../../context/platform.ts'
import type { LimitInputs } from './assess.ts'
import { recordedFee } from './legs.ts'

type Limiting = NonNullable<TransactionFixed['limiting']>

/** The inputs that the caller derives from a recorded transaction. */
export type RecordedInputs = Pick<
  LimitInputs,
  'effects' | 'isMade' | 'rents' | 'exempt' | 'loan' | 'chain' | 'keys' | 'isProvided'
>

/** All inputs for a recorded transaction, as its own tenant evaluates it. */
export function inputsOfRecord(
  { engine, clock }: Platform,
  { tenant, cluster, context }: RecordState<'transaction'>,
  recorded: RecordedInputs,
): LimitInputs {
  const { directory, debits } = engine
  const fee = recordedFee(tenant, context.fixed)
  const organization = fee.beneficiary
  return { directory, windows: debits, tenant, cluster, now: clock.now(), fee, organization, ...recorded }
}

/** undefined if the message alone determines the limits. */
export function limitingOf({
  effects,
  isMade,
  exempt,
  loan,
}: Pick<LimitInputs, 'effects' | 'isMade' | 'exempt' | 'loan'>): Limiting | undefined {
  const makes = [...new Set(effects.flatMap((effect) => madeBy(effect, isMade)))]
  if (makes.length === 0 && exempt === undefined && loan === undefined) return undefined
  return {
    makes,
    ...(exempt === undefined ? {} : { exempt: [...exempt] }),
    ...(loan === undefined ? {} : { loan }),
  }
}

export function limitedAs({
  limiting,
  rents,
}: Pick<TransactionFixed, 'limiting' | 'rents'>): Pick<LimitInputs, 'isMade' | 'rents' | 'exempt' | 'loan'> {
  return {
    isMade: (address) => limiting?.makes.includes(address) === true,
    rents: rawMap(rents),
    ...(limiting?.exempt === undefined ? {} : { exempt: new Set(limiting.exempt) }),
    ...(limiting?.loan === undefined ? {} : { loan: limiting.loan }),
  }
}

function rawMap(raw: Readonly<Record<string, string>> | undefined): ReadonlyMap<string, bigint> {
  return new Map(Object.entries(raw ?? {}).map(([address, lamports]) => [address, BigInt(lamports)]))
}

function madeBy(effect: Effect, isMade: LimitInputs['isMade']): string[] {
  switch (effect.kind) {
    case 'create':
      return isMade(effect.account) ? [effect.account] : []
    case 'createAssociated':
      return isMade(effect.account, true) ? [effect.account] : []
    case 'lamports':
      return isMade(effect.to) ? [effect.to] : []
    case 'table':
      return isMade(effect.table) ? [effect.table] : []
    default:
      return []
  }
}
