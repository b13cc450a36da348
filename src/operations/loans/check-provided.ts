// Transactions that a lending provider has made, before we sign them: together they do what was decided, every step of it in its order, and
// nothing else; we pay their fees, and no more than a transaction of ours may; every key they use besides ours has signed already.
import { FormatError } from '../../chain/format-error.ts'
import { messageHash, type CompiledMessage } from '../../chain/message.ts'
import { parseTransaction, type ParsedTransaction } from '../../chain/parse.ts'
import { classify } from '../../chain/table/classify.ts'
import type { Effect } from '../../chain/table/effect.ts'
import { verifySignature } from '../../keys/keypair.ts'
import { feeLamports } from '../transact/fee-payer.ts'
import { checkMessage, isBeside, refused } from './check-message.ts'
import type { ProviderOrder } from './ports.ts'

export interface ProvidedBounds {
  /** Addresses whose signatures we are to give: those of the parties to the change, and of nobody else whose key we have. */
  readonly ours: ReadonlySet<string>
  /** Of each transaction. */
  readonly maxFeeLamports: bigint
}

/** One that may be signed. */
export interface Provided extends ParsedTransaction {
  readonly keys: readonly string[]
  /** Lacking signatures, all of them ours. */
  readonly wanted: readonly string[]
}

const DEFAULT_UNITS = 200_000

/**
 * Throws 403 `LOAN_MESSAGE_REFUSED`, naming transaction and instruction.
 * @param wires transactions in the order in which they are to land
 * @param keysOf every account of a message, in the order its instructions count them; it throws when a look-up table does not say
 */
export function checkProvided(
  { steps, feePayer }: ProviderOrder,
  { ours, maxFeeLamports }: ProvidedBounds,
  wires: readonly Uint8Array[],
  keysOf: (message: CompiledMessage) => readonly string[],
): readonly Provided[] {
  if (!ours.has(feePayer)) throw new Error('a provider was asked for transactions that somebody else pays')
  const seen = new Set<string>()
  let next = 0
  const checked = wires.map((wire, index): Provided => {
    const parsed = read(wire, index)
    const { message } = parsed
    const keys = keysOf(message)
    const effects = classify(message, keys)
    const hash = messageHash(message.bytes)
    if (seen.has(hash)) throw refused(`transaction ${index} is there twice`)
    seen.add(hash)
    // The value of a nonce and the right to move it on are nothing that a provider was asked for.
    const advance = effects.find(({ kind }) => kind === 'nonceAdvance')
    if (advance !== undefined) throw refused(`transaction ${index} advances a nonce`)
    const count = effects.filter((effect) => !isBeside(effect)).length
    if (count === 0) throw refused(`transaction ${index} does nothing of what was decided`)
    const part = steps.slice(next, next + count)
    checkMessage(part, feePayer, message, effects)
    next += count
    const fee = feeOf(message, effects)
    if (fee > maxFeeLamports) throw refused(`the fee of transaction ${index} is ${fee} lamports, over the limit of ${maxFeeLamports}`)
    return { ...parsed, keys, wanted: wantedOf(parsed, index, ours) }
  })
  const missing = steps[next]
  if (missing !== undefined) throw refused(`the transactions lack a step: ${missing.kind}`)
  return checked
}

function read(wire: Uint8Array, index: number): ParsedTransaction {
  try {
    return parseTransaction(wire)
  } catch (error) {
    if (error instanceof FormatError) throw refused(`transaction ${index} cannot be read: ${error.message}`)
    throw error
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

function feeOf({ signers }: CompiledMessage, effects: readonly Effect[]): bigint {
  const limit = effects.find((effect) => effect.kind === 'computeLimit')
  const price = effects.find((effect) => effect.kind === 'computePrice')
  return feeLamports(signers.length, limit?.units ?? DEFAULT_UNITS * effects.length, price?.microLamports ?? 0n)
}
