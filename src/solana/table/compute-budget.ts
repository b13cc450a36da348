/** Compute budget and memo: no effect on balances, except that the compute budget determines the fee. */
import { COMPUTE_BUDGET_PROGRAM, MEMO_PROGRAM, MEMO_V1_PROGRAM, MEMO_V4_PROGRAM } from '../address.ts'
import { openRow } from './row.ts'
import type { ProgramRows, TableRow } from './row.ts'

export const LOADED_BYTES_TYPE = 'SET_LOADED_ACCOUNTS_DATA_SIZE_LIMIT'

const rows: [number, TableRow][] = [
  [
    1,
    openRow('REQUEST_HEAP_FRAME', 0, (view) => {
      view.u32()
      return { kind: 'neutral', name: 'REQUEST_HEAP_FRAME' }
    }),
  ],
  [2, openRow('SET_COMPUTE_UNIT_LIMIT', 0, (view) => ({ kind: 'computeLimit', units: view.u32() }))],
  [3, openRow('SET_COMPUTE_UNIT_PRICE', 0, (view) => ({ kind: 'computePrice', microLamports: view.u64() }))],
  [
    4,
    openRow(LOADED_BYTES_TYPE, 0, (view) => {
      view.u32()
      return { kind: 'neutral', name: LOADED_BYTES_TYPE }
    }),
  ],
]

export const computeBudgetRows: ProgramRows = {
  program: COMPUTE_BUDGET_PROGRAM,
  discriminate: (view) => view.u8(),
  rows: new Map(rows),
  leftOut: new Map([[0, 'REQUEST_UNITS']]),
}

const memoRow = openRow('MEMO', 0, (view) => ({ kind: 'memo', text: view.text(view.remaining) }))

function memoRows(program: string): ProgramRows {
  return { program, discriminate: () => 0, rows: new Map([[0, memoRow]]), leftOut: new Map() }
}

export const memoPrograms: readonly ProgramRows[] = [MEMO_PROGRAM, MEMO_V1_PROGRAM, MEMO_V4_PROGRAM].map(memoRows)
