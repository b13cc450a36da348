// The movements of a transaction for human readers: parties by name, amounts in display units, instruments by symbol.
// Derived from the compiled message: they describe what is signed, not what was requested.
import { isHolding, type HoldingState, type RecordState } from '../../../engine/records/record.ts'
import type { Call } from '../../../contract/call.ts'
import { parseMessage } from '../../../solana/parse.ts'
import { classify } from '../../../solana/table/classify.ts'
import type { EffectBody } from '../../../solana/table/effect.ts'
import type { TransactionFixed } from '../../../../machines/transactions/transaction-record.ts'
import type { Context } from '../../context/platform.ts'
import { nameOfAddress } from '../../lookup/counterparty.ts'
import { instrumentOf } from '../../lookup/instrument.ts'
import { mayRead } from '../../lookup/party.ts'
import { recordAt } from '../../lookup/whose-records.ts'
import { NETWORK_DECIMALS, NETWORK_SYMBOL, amountPair } from './amounts.ts'
import { extended } from './extended.ts'
import { namedIdsOf } from './named-ids.ts'
import { isOutside } from './outside.ts'
import { applyScale, multiplierNow } from './scale.ts'
import { transactionRecord } from './transaction.ts'
import type {
  MovementModel,
  MovementPartyModel,
  TransactionRecordModel,
} from '../../../contract/schemas/transaction-answers.ts'

/** Further movements of a transaction are omitted. Its explanation has all of them. */
const MAX_MOVEMENTS = 16

type Moving = Extract<EffectBody, { kind: 'lamports' | 'tokens' | 'mint' | 'burn' | 'freeze' | 'thaw' }>

/** By `fixed` of the transaction. A message never changes, so its effects are cached while its record is in memory. */
const cache = new WeakMap<object, readonly Moving[]>()

function movementsOf({ platform, call }: Context, { context }: RecordState<'transaction'>): readonly MovementModel[] {
  return movingOf(context.fixed)
    .slice(0, MAX_MOVEMENTS)
    .map((effect) => movement({ platform, call }, effect))
}

/** An address with the id and the name that the caller has for it. A token account has the name of its owner. */
function partyAt(context: Context, address: string): MovementPartyModel {
  const { platform, call } = context
  const record = readable(context, address)
  const owner = record?.kind === 'position' ? record.context.owner.address : null
  const holder = owner === null ? record : readable(context, owner)
  const counterparty = nameOfAddress(platform.engine.directory, call, call.cluster, address)
  return {
    onchainId: address,
    offchainId: record?.id ?? null,
    ownerOnchainId: owner,
    name: nameOf(call, holder) ?? counterparty?.name ?? nameOf(call, record),
  }
}

function movingOf(fixed: TransactionFixed): readonly Moving[] {
  const cached = cache.get(fixed)
  if (cached !== undefined) return cached
  const effects = classify(
    parseMessage(Buffer.from(fixed.message, 'base64')),
    fixed.accounts.map(({ address }) => address),
  )
  const moving = effects.filter((effect): effect is typeof effect & Moving => MOVES.has(effect.kind))
  cache.set(fixed, moving)
  return moving
}

const MOVES: ReadonlySet<string> = new Set<Moving['kind']>(['lamports', 'tokens', 'mint', 'burn', 'freeze', 'thaw'])

function movement(context: Context, effect: Moving): MovementModel {
  const party = (address: string): MovementPartyModel => partyAt(context, address)
  switch (effect.kind) {
    case 'lamports':
      return {
        type: 'TRANSFER_NETWORK_CURRENCY',
        source: party(effect.from),
        destination: party(effect.to),
        amount: amountPair(effect.lamports, NETWORK_DECIMALS).amount,
        symbol: NETWORK_SYMBOL,
      }
    case 'tokens':
      return {
        type: 'TRANSFER',
        source: party(effect.from),
        destination: party(effect.to),
        ...quantity(context, effect, effect.from),
      }
    case 'mint':
      return {
        type: 'MINT',
        source: null,
        destination: party(effect.to),
        ...quantity(context, effect, effect.to),
      }
    case 'burn':
      return {
        type: 'BURN',
        source: party(effect.from),
        destination: null,
        ...quantity(context, effect, effect.from),
      }
    case 'freeze':
    case 'thaw':
      return {
        type: effect.kind === 'freeze' ? 'FREEZE' : 'UNFREEZE',
        source: null,
        destination: party(effect.account),
        amount: null,
        symbol: symbolOf(context, effect.mint),
      }
  }
}

/** The unchecked instructions contain no mint and no decimals; these come from the record of the token account. */
function quantity(
  context: Context,
  {
    mint,
    amount,
    decimals,
  }: { readonly mint: string | null; readonly amount: bigint; readonly decimals: number | null },
  account: string,
): Pick<MovementModel, 'amount' | 'symbol'> {
  const { platform, call } = context
  const holder = readable(context, account)
  const position = holder?.kind === 'position' ? holder.context : undefined
  const address = mint ?? position?.mint.address ?? null
  const places = decimals ?? position?.decimals ?? null
  const instrument = address === null ? undefined : instrumentOf(platform, call, call.cluster, address)
  const multiplier = instrument === undefined ? null : multiplierNow(platform, instrument.context)
  return {
    amount: places === null ? null : applyScale(amount, places, multiplier).amount,
    symbol: address === null ? null : symbolOf(context, address),
  }
}

function symbolOf({ platform, call }: Context, mint: string): string {
  const context = instrumentOf(platform, call, call.cluster, mint)?.context
  return context?.onchainData?.symbol || context?.references.code || mint
}

/** The record that describes an address to the caller, unless the caller may not read it. */
function readable({ platform: { engine }, call }: Context, address: string): HoldingState | undefined {
  const state = recordAt(engine.directory, call, call.cluster, address)?.committed
  return state !== undefined && isHolding(state) && mayRead(engine.directory, call, state) ? state : undefined
}

/** The code, else the name. Other tenants see the code only. */
function nameOf(call: Call, state: HoldingState | undefined): string | null {
  if (state === undefined) return null
  const { code, name } = state.context.references
  return code || (isOutside(call, state) ? null : name) || null
}

/** The members that depend on what the caller may read included. */
export function transactionDetailed(context: Context, transaction: RecordState<'transaction'>): TransactionRecordModel {
  return extended(transactionRecord(transaction), transactionInWords(context, transaction))
}

function transactionInWords(
  context: Context,
  transaction: RecordState<'transaction'>,
): Pick<TransactionRecordModel, 'feePayerName' | 'movements' | 'accounts'> {
  const { feePayer, accounts } = transaction.context.fixed
  return {
    feePayerName: partyAt(context, feePayer.address).name,
    movements: movementsOf(context, transaction),
    accounts: accounts.map((account) => namedIdsOf(context, account)),
  }
}
