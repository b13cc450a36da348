/**
 * Classifies every instruction of a compiled message, of the service or made elsewhere, as one effect. Debits,
 * authorities, destinations, record fields and refusals are all decided from these effects. Total: for any bytes it
 * returns effects and never throws.
 */
import type { CompiledInstruction, CompiledMessage } from '../message.ts'
import { associatedTokenRows } from './associated-token.ts'
import { computeBudgetRows, memoPrograms } from './compute-budget.ts'
import type { Effect, EffectBody, EffectPlace, RefusalReason } from './effect.ts'
import { lookupTableRows } from './lookup-table.ts'
import type { ProgramRows, TableRow } from './row.ts'
import { systemRows } from './system.ts'
import { InstructionView, Unreadable } from './view.ts'
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../address.ts'
import { mayBeMetadata, metadataKey, metadataRows } from './metadata.ts'
import { FAMILIES, leftOutFamilies, token2022LeftOut, token2022Rows } from './token-2022.ts'
import { sharedLeftOut, sharedTokenRows } from './token.ts'

const tokenRows: ProgramRows = {
  program: TOKEN_PROGRAM,
  discriminate: (view) => view.u8(),
  rows: new Map(sharedTokenRows),
  leftOut: new Map(sharedLeftOut),
}

/** Distinguishes the instructions of Token-2022, among them those of its metadata interface. */
function discriminateToken2022(view: InstructionView): number {
  const first = view.u8()
  if (first < 25) return first
  if (FAMILIES.has(first)) return 256 * first + view.u8()
  return mayBeMetadata(first) ? metadataKey(first, view) : first
}

function* familyNames(): Generator<[number, string]> {
  for (const [family, name] of leftOutFamilies)
    for (let member = 0; member < 256; member++) yield [256 * family + member, name]
}

const token2022ProgramRows: ProgramRows = {
  program: TOKEN_2022_PROGRAM,
  discriminate: discriminateToken2022,
  rows: new Map([...sharedTokenRows, ...token2022Rows, ...metadataRows]),
  leftOut: new Map([...familyNames(), ...sharedLeftOut, ...token2022LeftOut]),
}

/** The whole table, by program. */
export const TABLE: ReadonlyMap<string, ProgramRows> = new Map(
  [
    systemRows,
    tokenRows,
    token2022ProgramRows,
    associatedTokenRows,
    lookupTableRows,
    computeBudgetRows,
    ...memoPrograms,
  ].map((program) => [program.program, program]),
)

type InstructionPlace = Omit<EffectPlace, 'type' | 'foreign'>

function refused(place: InstructionPlace, reason: RefusalReason, name: string): Effect {
  return { kind: 'refused', reason, program: place.programId, name, type: name, foreign: 'refused', ...place }
}

function signersOf(message: CompiledMessage, instruction: CompiledInstruction): readonly string[] {
  const required = message.header.requiredSignatures
  const signers: string[] = []
  for (const index of instruction.accountIndexes) {
    if (index >= required) continue
    const key = message.staticKeys[index]!
    if (!signers.includes(key)) signers.push(key)
  }
  return signers
}

/**
 * Every row creates a new body, so completing it in place is safe, and three times cheaper than spreading it into
 * another object.
 */
function complete(body: EffectBody, row: TableRow, place: InstructionPlace): Effect {
  const effect = body as EffectBody & { -readonly [K in keyof EffectPlace]: EffectPlace[K] }
  effect.index = place.index
  effect.type = row.type
  effect.programId = place.programId
  effect.foreign = row.foreign
  effect.signers = place.signers
  return effect
}

function read(view: InstructionView, row: TableRow, place: InstructionPlace): Effect {
  const fits = row.open ? view.accountCount >= row.accounts : view.accountCount === row.accounts
  if (!fits) return refused(place, 'INSTRUCTION_MALFORMED', row.type)
  const body = row.read(view)
  return view.remaining > 0 ? refused(place, 'INSTRUCTION_MALFORMED', row.type) : complete(body, row, place)
}

function classifyOne(message: CompiledMessage, keys: readonly string[], index: number): Effect {
  const instruction = message.instructions[index]!
  const programId = keys[instruction.programIndex] ?? ''
  const place = { index, programId, signers: signersOf(message, instruction) }
  const program = TABLE.get(programId)
  if (!program) return refused(place, 'PROGRAM_NOT_ALLOWED', 'UNKNOWN_PROGRAM')
  const view = new InstructionView(programId, keys, instruction.accountIndexes, instruction.data)
  let row: TableRow | undefined
  try {
    const key = program.discriminate(view)
    row = program.rows.get(key)
    if (!row)
      return refused(place, 'INSTRUCTION_NOT_IN_TABLE', program.leftOut.get(key) ?? `UNKNOWN_${view.headHex(4)}`)
    return read(view, row, place)
  } catch (error) {
    if (error instanceof Unreadable)
      return refused(place, 'INSTRUCTION_MALFORMED', row?.type ?? `UNKNOWN_${view.headHex(4)}`)
    throw error
  }
}

/**
 * @param keys every account of the message in order (`accountKeys` of message.ts), with lookups resolved against the
 * current tables
 * @returns one effect per instruction, in order
 */
export function classify(message: CompiledMessage, keys: readonly string[]): Effect[] {
  return message.instructions.map((_, index) => classifyOne(message, keys, index))
}
