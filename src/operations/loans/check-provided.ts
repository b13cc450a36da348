// Transactions that a lending provider has made, before we sign them. All that is checked of them stands here and in check-message.ts:
// together they do what was decided, every step of it in its order, and nothing else; what one of them thaws it freezes again; the borrower
// pays their fees, and no more than a transaction of ours may cost; no nonce is moved on; every key they use besides ours has signed
// already, and none of ours has; a program that the operator has named may be called, with no account of the change in its hands.
import { FormatError } from '../../solana/format-error.ts'
import { messageHash, type CompiledMessage } from '../../solana/message.ts'
import { parseTransaction, type ParsedTransaction } from '../../solana/parse.ts'
import type { Step } from '../../solana/step.ts'
import { classify } from '../../solana/table/classify.ts'
import type { Effect } from '../../solana/table/effect.ts'
import { verifySignature } from '../../keys/keypair.ts'
import { feeAsked } from '../transactions/fee-payer.ts'
import { checkMessage, isBeside, isOf, refused } from './check-message.ts'
import type { ProviderOrder } from '../../contract/lending.ts'

export interface ProvidedBounds {
  /** Addresses whose signatures we are to give: those of the parties to the change, and of nobody else whose key we have. */
  readonly ours: ReadonlySet<string>
  /** Of each transaction. */
  readonly maxFeeLamports: bigint
  /** Programs beside the instruction table that they may call. */
  readonly programs: ReadonlySet<string>
}

/** One that may be signed. */
export interface Provided extends ParsedTransaction {
  readonly keys: readonly string[]
  /** SHA-256 of the message, hex. */
  readonly hash: string
  /** What it does of all that was decided. */
  readonly steps: readonly Step[]
  readonly fee: ReturnType<typeof feeAsked>
  /** Lacking signatures, all of them ours. */
  readonly wanted: readonly string[]
}

/** Throws 403 `LOAN_MESSAGE_REFUSED`. */
export function readProvided(wires: readonly Uint8Array[]): readonly ParsedTransaction[] {
  return wires.map((wire, index) => {
    try {
      return parseTransaction(wire)
    } catch (error) {
      if (error instanceof FormatError) throw refused(`transaction ${index} cannot be read: ${error.message}`)
      throw error
    }
  })
}

/**
 * Throws 403 `LOAN_MESSAGE_REFUSED`, naming transaction and instruction.
 * @param transactions in the order in which they are to land
 * @param keysOf every account of a message, in the order its instructions count them; it throws when a look-up table does not say
 */
export function checkProvided(
  { steps, feePayer }: ProviderOrder,
  { ours, maxFeeLamports, programs }: ProvidedBounds,
  transactions: readonly ParsedTransaction[],
  keysOf: (message: CompiledMessage, index: number) => readonly string[],
): readonly Provided[] {
  if (!ours.has(feePayer)) throw new Error('a provider was asked for transactions that somebody else pays')
  const untouchable = new Set([...ours, ...steps.flatMap(namedIn)])
  const seen = new Set<string>()
  let next = 0
  const checked = transactions.map((parsed, index): Provided => {
    const { message } = parsed
    const keys = keysOf(message, index)
    const effects = classify(message, keys)
    const hash = messageHash(message.bytes)
    if (seen.has(hash)) throw refused(`transaction ${index} is there twice`)
    seen.add(hash)
    // The value of a nonce and the right to move it on are nothing that a provider was asked for.
    if (effects.some(({ kind }) => kind === 'nonceAdvance')) throw refused(`transaction ${index} advances a nonce`)
    checkPrograms(message, keys, effects, programs, untouchable)
    const count = effects.filter((effect) => !isBeside(effect, programs)).length
    if (count === 0) throw refused(`transaction ${index} does nothing of what was decided`)
    const part = steps.slice(next, next + count)
    checkMessage(part, feePayer, message, effects, programs)
    checkFrozenAgain(part, index)
    next += count
    const fee = feeAsked(message, effects)
    if (fee.lamports > maxFeeLamports)
      throw refused(`the fee of transaction ${index} is ${fee.lamports} lamports, over the limit of ${maxFeeLamports}`)
    return { ...parsed, keys, hash, steps: part, fee, wanted: wantedOf(parsed, index, ours) }
  })
  const missing = steps[next]
  if (missing !== undefined) throw refused(`the transactions lack a step: ${missing.kind}`)
  return checked
}

/** What such a program does with its accounts is not to be read from a message. */
function checkPrograms(
  { instructions }: CompiledMessage,
  keys: readonly string[],
  effects: readonly Effect[],
  programs: ReadonlySet<string>,
  untouchable: ReadonlySet<string>,
): void {
  for (const effect of effects) {
    if (!isOf(programs, effect)) continue
    const { index, programId } = effect
    const handed = [...(instructions[index]?.accountIndexes ?? [])].map((account) => keys[account] ?? '')
    const touched = handed.find((address) => untouchable.has(address))
    if (touched !== undefined) throw refused(`instruction ${index} hands ${touched} to the program ${programId}`)
  }
}

/** Every address of a step but those of programs. */
function namedIn(step: Step): readonly string[] {
  return Object.entries<unknown>({ ...step }).flatMap(([name, value]) =>
    typeof value === 'string' && name !== 'kind' && name !== 'program' ? [value] : [],
  )
}

/** A later transaction may never come. */
function checkFrozenAgain(part: readonly Step[], index: number): void {
  for (const step of part) {
    if (step.kind !== 'thaw' || part.some((other) => other.kind === 'freeze' && other.account === step.account)) continue
    throw refused(`transaction ${index} thaws ${step.account} and does not freeze it again`)
  }
}

/** What a provider has signed with is not ours, and what it has not signed with is. */
function wantedOf({ message, signatures }: ParsedTransaction, index: number, ours: ReadonlySet<string>): readonly string[] {
  return message.signers.filter((signer, place) => {
    const signature = signatures[place] ?? null
    if (ours.has(signer)) {
      if (signature !== null) throw refused(`transaction ${index} bears a signature for ${signer}, which is ours to give`)
      return true
    }
    if (signature === null) throw refused(`transaction ${index} wants a signature of ${signer}, who has no part in this`)
    if (!verifySignature(message.bytes, signature, signer)) throw refused(`the signature of ${signer} is not one of transaction ${index}`)
    return false
  })
}
