// What an approval and an answer of a screening service are given for: not the compute budget, by which equal requests
// differ.
import { expect, it } from 'vitest'
import { intentOf } from '../../../src/operations/authorization/limits/intent.ts'
import { compileMessage } from '../../../src/solana/compile.ts'
import * as budget from '../../../src/solana/instructions/compute-budget.ts'
import { transferLamports } from '../../../src/solana/instructions/system.ts'
import { accountKeys, type Instruction } from '../../../src/solana/message.ts'
import { classify } from '../../../src/solana/table/classify.ts'
import { addressNumber } from '../../solana/arbitraries.ts'

const [payer, to] = [addressNumber(1), addressNumber(2)]

function intentOfTransfer(lamports: bigint, ...limits: readonly Instruction[]): string {
  const instructions = [...limits, transferLamports(payer, to, lamports)]
  const message = compileMessage({ feePayer: payer, instructions, blockhash: addressNumber(3), version: 'V0' })
  const keys = accountKeys(message, new Map())
  return intentOf(message, keys, classify(message, keys))
}

it('is the same whatever the limits and the price are', () => {
  const intent = intentOfTransfer(1n)
  const limits = [
    budget.computeUnitLimit(5),
    budget.computeUnitPrice(6n),
    budget.loadedBytesLimit(budget.DEFAULT_LOADED_BYTES - 1),
  ]
  for (const limit of limits) expect(intentOfTransfer(1n, limit)).toBe(intent)
  expect(intentOfTransfer(1n, ...limits)).toBe(intent)
  expect(intentOfTransfer(2n, ...limits)).not.toBe(intent)
})
