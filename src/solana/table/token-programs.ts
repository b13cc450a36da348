/** Combines the rows of the two token programs, and distinguishes their instructions. */
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../address.ts'
import { mayBeMetadata, metadataKey, metadataRows } from './metadata.ts'
import type { ProgramRows } from './row.ts'
import { FAMILIES, leftOutFamilies, token2022LeftOut, token2022Rows } from './token-2022.ts'
import { sharedLeftOut, sharedTokenRows } from './token.ts'
import type { InstructionView } from './view.ts'

export const tokenRows: ProgramRows = {
  program: TOKEN_PROGRAM,
  discriminate: (view) => view.u8(),
  rows: new Map(sharedTokenRows),
  leftOut: new Map(sharedLeftOut),
}

function discriminate(view: InstructionView): number {
  const first = view.u8()
  if (first < 25) return first
  if (FAMILIES.has(first)) return 256 * first + view.u8()
  return mayBeMetadata(first) ? metadataKey(first, view) : first
}

function* familyNames(): Generator<[number, string]> {
  for (const [family, name] of leftOutFamilies)
    for (let member = 0; member < 256; member++) yield [256 * family + member, name]
}

export const token2022ProgramRows: ProgramRows = {
  program: TOKEN_2022_PROGRAM,
  discriminate,
  rows: new Map([...sharedTokenRows, ...token2022Rows, ...metadataRows]),
  leftOut: new Map([...familyNames(), ...sharedLeftOut, ...token2022LeftOut]),
}
