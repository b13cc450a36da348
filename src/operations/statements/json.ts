// A statement as JSON, piece by piece.
import { ofKind } from '../../engine/records/record.ts'
import type { StatementBalanceModel, StatementMovementModel } from '../../contract/schemas/statement.ts'
import { amountPair, networkAmountOf } from '../views/read-models/amounts.ts'
import type { Balance } from './balances.ts'
import type { Line } from './lines.ts'
import type { MovementLine } from './movement.ts'
import { nameOf, partyJson } from './parties.ts'
import type { Period } from './period.ts'

export async function* jsonPieces(
  { fromMs, toMs }: Period,
  groups: AsyncIterable<readonly Line[]>,
): AsyncGenerator<string, void, undefined> {
  const head = { from: new Date(fromMs).toISOString(), to: new Date(toMs).toISOString() }
  yield `${JSON.stringify(head).slice(0, -1)},"balances":[`
  let before: Line | null = null
  for await (const lines of groups) {
    let text = ''
    for (const line of lines) {
      text += separator(before, line) + jsonLine(line)
      before = line
    }
    yield text
  }
  yield ']}'
}

/** Balances are members of one list, the movements of a balance of another. */
function separator(before: Line | null, { type }: Line): string {
  const isFirst = type === 'opening' ? before === null : before?.type !== 'movement'
  return isFirst || type === 'closing' ? '' : ','
}

function jsonLine(line: Line): string {
  switch (line.type) {
    case 'opening': {
      const { balance, amount } = line
      const opened = { ...balanceJson(balance), openingBalance: amountPair(amount, balance.decimals) }
      return `${JSON.stringify(opened).slice(0, -1)},"movements":[`
    }
    case 'movement':
      return JSON.stringify(movementJson(line.movement, line.balance.decimals))
    case 'closing':
      return `],"closingBalance":${JSON.stringify(amountPair(line.amount, line.balance.decimals))}}`
  }
}

function balanceJson({
  state,
  symbol,
  asset,
}: Balance): Omit<StatementBalanceModel, 'openingBalance' | 'movements' | 'closingBalance'> {
  const position = ofKind(state, 'position')?.context
  return {
    account: { onchainId: state.context.address, offchainId: state.id, name: nameOf(state) },
    ownerOnchainId: position?.owner.address ?? null,
    financialInstrument:
      position === undefined || asset === 'lamports'
        ? null
        : { onchainId: position.mint.address, offchainId: position.mint.id },
    symbol,
  }
}

function movementJson(movement: MovementLine, decimals: number): StatementMovementModel {
  const { atMs, kind, amount, after, from, to, fee, rent, externalReference, itemReferences, operation, transaction } =
    movement
  return {
    time: new Date(atMs).toISOString(),
    kind,
    amount: amountPair(amount, decimals),
    from: from.map(partyJson),
    to: to.map(partyJson),
    fee: networkAmountOf(fee.toString()),
    rent: networkAmountOf(rent.toString()),
    externalReference,
    itemReferences,
    operation,
    transaction: transaction === null ? null : { ...transaction },
    balanceAfter: amountPair(after, decimals),
  }
}
