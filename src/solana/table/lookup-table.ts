/** Address lookup tables: the payer pays rent, and the recipient receives it at the close. */
import { LOOKUP_TABLE_PROGRAM } from '../address.ts'
import { Unreadable } from './view.ts'
import type { InstructionView } from './view.ts'
import type { EffectBody, EffectOf } from './effect.ts'
import { exact, openRow } from './row.ts'
import type { ProgramRows, TableRow } from './row.ts'

const EMPTY_TABLE_BYTES = 56
const ADDRESS_BYTES = 32

type TableEffect = Extract<EffectBody, { kind: 'table' }>

function onTable(view: InstructionView, action: EffectOf<'table'>['action']): TableEffect {
  const [table, authority] = [view.account(0), view.account(1)]
  return { kind: 'table', action, table, authority, payer: null, recipient: null, growthBytes: 0, addresses: [] }
}

function create(view: InstructionView): EffectBody {
  view.u64()
  view.u8()
  return { ...onTable(view, 'create'), payer: view.account(2), growthBytes: EMPTY_TABLE_BYTES }
}

function extend(view: InstructionView): EffectBody {
  const count = view.u64()
  if (count * BigInt(ADDRESS_BYTES) !== BigInt(view.remaining)) throw new Unreadable('the number of addresses is wrong')
  const addresses: string[] = []
  while (view.remaining > 0) addresses.push(view.address())
  // Without a payer the table must already hold the rent.
  const payer = view.accountCount > 2 ? view.account(2) : null
  return { ...onTable(view, 'extend'), payer, growthBytes: ADDRESS_BYTES * addresses.length, addresses }
}

const rows: [number, TableRow][] = [
  [0, exact('CREATE_LOOKUP_TABLE', 4, create)],
  [1, exact('FREEZE_LOOKUP_TABLE', 2, (view) => onTable(view, 'freeze'))],
  [2, openRow('EXTEND_LOOKUP_TABLE', 2, extend)],
  [3, exact('DEACTIVATE_LOOKUP_TABLE', 2, (view) => onTable(view, 'deactivate'))],
  [4, exact('CLOSE_LOOKUP_TABLE', 3, (view) => ({ ...onTable(view, 'close'), recipient: view.account(2) }))],
]

export const lookupTableRows: ProgramRows = {
  program: LOOKUP_TABLE_PROGRAM,
  discriminate: (view) => view.u32(),
  rows: new Map(rows),
  leftOut: new Map(),
}
