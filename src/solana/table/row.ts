/**
 * The shape of the table: for each program a function that distinguishes its instructions, and one row per allowed
 * instruction.
 */
import type { EffectBody, ForeignVerdict } from './effect.ts'
import type { InstructionView } from './view.ts'

export interface TableRow {
  readonly type: string
  readonly foreign: ForeignVerdict
  /** Minimum number of accounts of the instruction. */
  readonly accounts: number
  /** Whether more accounts may follow (members of a multisig, accounts of a hook, a sysvar of older clients). */
  readonly open: boolean
  /** Must create a new object each time: `classify` completes it in place. */
  readonly read: (view: InstructionView) => EffectBody
}

export interface ProgramRows {
  readonly program: string
  /** Consumes the discriminator and returns the key of the row; any number without a row is "not in the table". */
  readonly discriminate: (view: InstructionView) => number
  readonly rows: ReadonlyMap<number, TableRow>
  /** Names of known instructions that are left out deliberately, for the refusal. */
  readonly leftOut: ReadonlyMap<number, string>
}

type Read = TableRow['read']

/** An instruction with exactly this many accounts. */
export function exact(type: string, accounts: number, read: Read, foreign: ForeignVerdict = 'allowed'): TableRow {
  return { type, foreign, accounts, open: false, read }
}

/** An instruction that allows more accounts after its own. */
export function openRow(type: string, accounts: number, read: Read, foreign: ForeignVerdict = 'allowed'): TableRow {
  return { type, foreign, accounts, open: true, read }
}

/** An instruction that moves no funds and grants no rights; the rest of its data is not read. */
export function neutral(type: string, accounts: number): TableRow {
  return openRow(type, accounts, (view) => {
    view.skipRest()
    return { kind: 'neutral', name: type }
  })
}
