// Checks transactions made by a lending provider before this service signs them, together with `check-message.ts`.
// The transactions together perform all decided steps in order and nothing else. Each one freezes again what it
// thaws; the borrower pays its fee, within the limit of this service; no nonce is advanced; every other key has
// signed already, and no key of this service has; a program allowed by the operator may be called, but receives no
// account of the change.
import { FormatError } from '../../solana/format-error.ts'
import { messageHash, type CompiledMessage } from '../../solana/message.ts'
import { parseTransaction, type ParsedTransaction } from '../../solana/parse.ts'
import type { Step } from '../../solana/step.ts'
import { classify } from '../../solana/table/classify.ts'
import type { Effect } from '../../solana/table/effect.ts'
import { verifySignature } from '../../keys/keypair.ts'
import { requestedFee } from '../transactions/fee-payer.ts'
import { checkMessage, isBeside, isOf, messageRefused } from './check-message.ts'
import type { ProviderOrder } from '../../contract/lending.ts'

export interface ProvidedBounds {
  /**
   * Addresses that this service signs for: the parties to the change, and no other account whose key is stored here.
   */
  readonly ours: ReadonlySet<string>
  /** For each transaction. */
  readonly maxFeeLamports: bigint
  /** Programs outside the instruction table that the transactions may call. */
  readonly programs: ReadonlySet<string>
}

/** A transaction that may be signed. */
export interface ProvidedTransaction extends ParsedTransaction {
  readonly keys: readonly string[]
  /** SHA-256 of the message, hex. */
  readonly hash: string
  /** The decided steps that this transaction performs. */
  readonly steps: readonly Step[]
  readonly fee: ReturnType<typeof requestedFee>
  /** Addresses whose signatures are missing; this service gives all of them. */
  readonly wanted: readonly string[]
}

/** Throws 403 `LOAN_MESSAGE_REFUSED`. */
export function readProvided(wires: readonly Uint8Array[]): readonly ParsedTransaction[] {
  return wires.map((wire, index) => {
    try {
      return parseTransaction(wire)
    } catch (error) {
      if (error instanceof FormatError) throw messageRefused(`transaction ${index} cannot be read: ${error.message}`)
      throw error
    }
  })
}

/**
 * Throws 403 `LOAN_MESSAGE_REFUSED`, naming the transaction and the instruction.
 * @param transactions in the order in which they are to land
 * @param keysOf every account of a message, in the order of instruction indexes; throws if a lookup table does not
 * resolve one
 */
export function checkProvided(
  { steps, feePayer }: ProviderOrder,
  { ours, maxFeeLamports, programs }: ProvidedBounds,
  transactions: readonly ParsedTransaction[],
  keysOf: (message: CompiledMessage, index: number) => readonly string[],
): readonly ProvidedTransaction[] {
  if (!ours.has(feePayer)) throw new Error('a provider was asked for transactions that somebody else pays')
  const untouchable = new Set([...ours, ...steps.flatMap(addressesOf)])
  const seen = new Set<string>()
  let next = 0
  const checked = transactions.map((parsed, index): ProvidedTransaction => {
    const { message } = parsed
    const keys = keysOf(message, index)
    const effects = classify(message, keys)
    const hash = messageHash(message.bytes)
    if (seen.has(hash)) throw messageRefused(`transaction ${index} is there twice`)
    seen.add(hash)
    // The order to a provider never includes a nonce advance.
    if (effects.some(({ kind }) => kind === 'nonceAdvance'))
      throw messageRefused(`transaction ${index} advances a nonce`)
    checkPrograms(message, keys, effects, { programs, untouchable })
    const count = effects.filter((effect) => !isBeside(effect, programs)).length
    if (count === 0) throw messageRefused(`transaction ${index} does nothing of what was decided`)
    const part = steps.slice(next, next + count)
    checkMessage(part, feePayer, message, { effects, programs })
    checkFrozenAgain(part, index)
    next += count
    const fee = requestedFee(message, effects)
    if (fee.lamports > maxFeeLamports)
      throw messageRefused(
        `the fee of transaction ${index} is ${fee.lamports} lamports, over the limit of ${maxFeeLamports}`,
      )
    return { ...parsed, keys, hash, steps: part, fee, wanted: wantedOf(parsed, index, ours) }
  })
  const missing = steps[next]
  if (missing !== undefined) throw messageRefused(`the transactions lack a step: ${missing.kind}`)
  return checked
}

/** The message does not show what such a program does with its accounts, so it receives none of the change. */
function checkPrograms(
  { instructions }: CompiledMessage,
  keys: readonly string[],
  effects: readonly Effect[],
  { programs, untouchable }: { readonly programs: ReadonlySet<string>; readonly untouchable: ReadonlySet<string> },
): void {
  for (const effect of effects) {
    if (!isOf(programs, effect)) continue
    const { index, programId } = effect
    const handed = [...(instructions[index]?.accountIndexes ?? [])].map((account) => keys[account] ?? '')
    const touched = handed.find((address) => untouchable.has(address))
    if (touched !== undefined) throw messageRefused(`instruction ${index} hands ${touched} to the program ${programId}`)
  }
}

/** Every address of a step except programs. */
function addressesOf(step: Step): readonly string[] {
  return Object.entries<unknown>({ ...step }).flatMap(([name, value]) =>
    typeof value === 'string' && name !== 'kind' && name !== 'program' ? [value] : [],
  )
}

/** The account must be frozen in the same transaction, since a later one may never land. */
function checkFrozenAgain(part: readonly Step[], index: number): void {
  for (const step of part) {
    if (step.kind !== 'thaw' || part.some((other) => other.kind === 'freeze' && other.account === step.account))
      continue
    throw messageRefused(`transaction ${index} thaws ${step.account} and does not freeze it again`)
  }
}

/**
 * The addresses that this service signs for. The provider must have signed with all others, and with none of these.
 */
function wantedOf(
  { message, signatures }: ParsedTransaction,
  index: number,
  ours: ReadonlySet<string>,
): readonly string[] {
  return message.signers.filter((signer, place) => {
    const signature = signatures[place] ?? null
    if (ours.has(signer)) {
      if (signature !== null)
        throw messageRefused(`transaction ${index} bears a signature for ${signer}, which is ours to give`)
      return true
    }
    if (signature === null)
      throw messageRefused(`transaction ${index} wants a signature of ${signer}, who has no part in this`)
    if (!verifySignature(message.bytes, signature, signer))
      throw messageRefused(`the signature of ${signer} is not one of transaction ${index}`)
    return false
  })
}
