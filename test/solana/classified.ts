// Compiles instructions and classifies them, as the service does with its own and with foreign ones.
import { compileMessage } from '../../src/solana/compile.ts'
import { accountKeys } from '../../src/solana/message.ts'
import type { Instruction } from '../../src/solana/message.ts'
import { classify } from '../../src/solana/table/classify.ts'
import type { Effect, EffectKind, EffectOf } from '../../src/solana/table/effect.ts'
import { addressNumber } from './arbitraries.ts'

export const feePayer = addressNumber(900)

export function effectsOf(...instructions: Instruction[]): Effect[] {
  const message = compileMessage({ feePayer, instructions, blockhash: addressNumber(901), version: 'V0' })
  return classify(message, accountKeys(message, new Map()))
}

/** The only effect, without its position. */
export function bodyOf(instruction: Instruction): Record<string, unknown> {
  const {
    index: _index,
    type: _type,
    programId: _programId,
    foreign: _foreign,
    signers: _signers,
    ...body
  } = effectsOf(instruction)[0]!
  return body
}

export function effectOf<K extends EffectKind>(kind: K, instruction: Instruction): EffectOf<K> {
  const effect = effectsOf(instruction)[0]!
  if (effect.kind !== kind) throw new Error(`expected ${kind}, got ${effect.kind} ${JSON.stringify(effect.type)}`)
  return effect as EffectOf<K>
}
