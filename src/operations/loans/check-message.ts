// Compares a compiled message with the decided steps of a loan change: every step in order, and nothing else. This is
// the last check before the keys of a vault or an escrow are used.
import type { CompiledMessage } from '../../solana/message.ts'
import type { Step } from '../../solana/step.ts'
import type { Effect } from '../../solana/table/effect.ts'
import { forbidden } from '../../contract/refusal.ts'

const NONE: ReadonlySet<string> = new Set()

/**
 * Throws 403 `LOAN_MESSAGE_REFUSED`, naming the instruction.
 *
 * @param programs whose instructions are ignored
 */
export function checkMessage(
  steps: readonly Step[],
  feePayer: string,
  message: CompiledMessage,
  {
    effects,
    programs = NONE,
  }: { readonly effects: readonly Effect[]; readonly programs?: ReadonlySet<string> | undefined },
): void {
  if (message.signers[0] !== feePayer)
    throw messageRefused(`the fee payer is ${message.signers[0] ?? 'nobody'}, not ${feePayer}`)
  const relevant = effects.filter((effect) => !isBeside(effect, programs))
  for (const [index, effect] of relevant.entries()) {
    const step = steps[index]
    if (step === undefined)
      throw messageRefused(`instruction ${effect.index} (${effect.type}) is more than was decided`)
    if (textOf(effect) !== textOfStep(step))
      throw messageRefused(`instruction ${effect.index} (${effect.type}) is not what was decided`)
  }
  const missing = steps[relevant.length]
  if (missing !== undefined) throw messageRefused(`the message lacks a step: ${missing.kind}`)
}

/** Instructions that move no funds and change no rights. The fee is limited elsewhere, and a nonce is leased. */
const BESIDE: ReadonlySet<Effect['kind']> = new Set<Effect['kind']>([
  'computeLimit',
  'computePrice',
  'nonceAdvance',
  'memo',
])

/** True if an instruction only serves the transaction and is no step of the change. */
export function isBeside(effect: Effect, programs = NONE): boolean {
  return BESIDE.has(effect.kind) || isOf(programs, effect)
}

/** True if the instruction calls one of the programs, which are not in the instruction table. */
export function isOf(programs: ReadonlySet<string>, effect: Effect): boolean {
  return effect.kind === 'refused' && effect.reason === 'PROGRAM_NOT_ALLOWED' && programs.has(effect.programId)
}

function textOf(effect: Effect): string | null {
  switch (effect.kind) {
    case 'createAssociated':
      return effect.idempotent
        ? joinParts('open', effect.payer, effect.owner, effect.account, effect.mint, effect.tokenProgram)
        : null
    case 'mint':
      return joinParts('mint', effect.program, effect.mint, effect.to, effect.amount, effect.decimals, effect.authority)
    case 'tokens':
      return joinParts(
        'transfer',
        effect.program,
        effect.mint,
        effect.from,
        effect.to,
        effect.amount,
        effect.decimals,
        effect.authority,
        ...effect.further,
      )
    case 'freeze':
    case 'thaw':
      return joinParts(effect.kind, effect.program, effect.mint, effect.account, effect.authority)
    case 'close':
      return joinParts('close', effect.program, effect.account, effect.destination, effect.authority)
    case 'lamports':
      return joinParts('lamports', effect.from, effect.to, effect.lamports)
    default:
      return null
  }
}

function textOfStep(step: Step): string {
  switch (step.kind) {
    case 'open':
      return joinParts('open', step.payer, step.owner, step.account, step.mint, step.program)
    case 'mint':
      return joinParts('mint', step.program, step.mint, step.to, step.amount, step.decimals, step.authority)
    case 'transfer': {
      const further = step.hookAccounts.map(({ address }) => address)
      return joinParts(
        'transfer',
        step.program,
        step.mint,
        step.from,
        step.to,
        step.amount,
        step.decimals,
        step.authority,
        ...further,
      )
    }
    case 'freeze':
    case 'thaw':
      return joinParts(step.kind, step.program, step.mint, step.account, step.authority)
    case 'close':
      return joinParts('close', step.program, step.account, step.destination, step.authority)
    case 'lamports':
      return joinParts('lamports', step.from, step.to, step.lamports)
  }
}

function joinParts(...parts: readonly (string | bigint | number | null)[]): string {
  return parts.join(' ')
}

/** 403 `LOAN_MESSAGE_REFUSED`. */
export function messageRefused(why: string): Error {
  return forbidden('LOAN_MESSAGE_REFUSED', `the message does not match the change decided for the loan: ${why}`)
}
