// POST /statements: the opening balances of an interval, its movements, and its closing balances.
import type { ItemBody } from '../../contract/values/chain-config.ts'
import type { StatementInput } from '../../contract/schemas/statement.ts'
import type { StreamedAnswer } from '../../contract/streamed.ts'
import type { Read } from '../context/platform.ts'
import { holdingsOf } from './balances.ts'
import { csvPieces } from './csv.ts'
import { jsonPieces } from './json.ts'
import { linesOf } from './lines.ts'
import { periodOf, requestedPeriod, type RequestedPeriod } from './period.ts'
import { alongWithAsync } from '../../contract/together.ts'

/** Large enough to amortize a write, small enough not to block the event loop. */
const PIECE_CHARACTERS = 64 * 1024

export const fetchStatement: Read<ItemBody<StatementInput>, StreamedAnswer> = async (context, { itemData }) => {
  const requested = (): RequestedPeriod => requestedPeriod(context, itemData)
  const holdings = await alongWithAsync(() => holdingsOf(context, itemData), requested)
  const period = await periodOf(context, itemData, holdings)
  const lines = linesOf(context, holdings, period)
  if (itemData.format === 'CSV')
    return {
      type: 'text/csv; charset=utf-8; header=present',
      fileName: 'statement.csv',
      pieces: joinPieces(csvPieces(lines)),
    }
  return { type: 'application/json; charset=utf-8', fileName: null, pieces: joinPieces(jsonPieces(period, lines)) }
}

async function* joinPieces(pieces: AsyncIterable<string>): AsyncGenerator<string, void, undefined> {
  let text = ''
  for await (const piece of pieces) {
    text += piece
    if (text.length < PIECE_CHARACTERS) continue
    yield text
    text = ''
  }
  if (text !== '') yield text
}
