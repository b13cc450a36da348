/** The shape of the table: one program, its way to tell instructions apart, one row for each instruction it may be used with. */
import type { EffectBody, ForeignVerdict } from './effect.ts'
import type { InstructionView } from './view.ts'

export interface Row {
  readonly type: string
  readonly foreign: ForeignVerdict
  /** Fewest accounts the instruction has. */
  readonly accounts: number
  /** Whether accounts may follow (members of a multisig, accounts of a hook, a sysvar of older clients). */
  readonly open: boolean
  /** Makes a new object each time: `classify` completes it in place. */
  readonly read: (view: InstructionView) => EffectBody
}

export interface ProgramRows {
  readonly program: string
  /** Consumes the discriminator and gives the key of the row; any number not among the rows is "not in the table". */
  readonly discriminate: (view: InstructionView) => number
  readonly rows: ReadonlyMap<number, Row>
  /** Names of known instructions that are left out on purpose, for the refusal. */
  readonly leftOut: ReadonlyMap<number, string>
}

type Read = Row['read']

/** An instruction with exactly this many accounts. */
export function exact(type: string, accounts: number, read: Read, foreign: ForeignVerdict = 'allowed'): Row {
  return { type, foreign, accounts, open: false, read }
}

/** An instruction after whose accounts others may follow. */
export function open(type: string, accounts: number, read: Read, foreign: ForeignVerdict = 'allowed'): Row {
  return { type, foreign, accounts, open: true, read }
}

/** An instruction that moves nothing and gives nobody a right; its data is read no further. */
export function neutral(type: string, accounts: number): Row {
  return open(type, accounts, view => {
    view.skipRest()
    return { kind: 'neutral', name: type }
  })
}
