/**
 * Memo: UTF-8 text in the transaction, attested by no signer of its own. Every cluster has the program of version 3;
 * version 4 has an address of its own, which not every cluster has yet.
 */
import { MEMO_PROGRAM } from '../address.ts'
import type { Instruction } from '../message.ts'

export function memo(text: string): Instruction {
  return { program: MEMO_PROGRAM, accounts: [], data: Buffer.from(text) }
}

/**
 * The published memo program uses some 350 compute units per byte: 566 bytes of the 200,000 units that an instruction
 * has by default.
 */
const UNITS_PER_BYTE = 400

/** Compute units for the memos among the instructions, with a margin. */
export function memoUnits(instructions: readonly Instruction[]): number {
  const bytes = instructions
    .filter(({ program }) => program === MEMO_PROGRAM)
    .reduce((sum, { data }) => sum + data.length, 0)
  return bytes * UNITS_PER_BYTE
}
