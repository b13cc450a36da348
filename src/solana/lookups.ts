// Chooses the lookup tables that make a message smaller. Greedy by bytes, and deterministic for the same tables.
import { compileMessage, nonceAccountOf, type MessageRequest } from './compile.ts'
import { accountKeys, type CompiledMessage, type LookupTable } from './message.ts'

/** An address of 32 bytes becomes an index of one byte. */
export const SAVED_PER_ADDRESS_BYTES = 31
/** A table adds its address and the lengths of its two lists. */
export const TABLE_BYTES = 34

export interface MessageWithKeys {
  readonly message: CompiledMessage
  /** Every account of the message in the order of instruction indexes, including looked-up accounts. */
  readonly keys: readonly string[]
}

/**
 * Compiles a message with those of the tables that make it smaller; never larger than without tables.
 * @param tables contents of the tables as they are on chain, in a fixed order
 * @throws FormatError as `compileMessage`
 */
export function compileSmallest(
  request: Omit<MessageRequest, 'lookupTables'>,
  tables: readonly LookupTable[],
): MessageWithKeys {
  const plain = compileMessage(request)
  const chosen = request.version === 'V0' && tables.length > 0 ? chosenTables(tables, lookableKeys(request, plain)) : []
  if (chosen.length === 0) return { message: plain, keys: plain.staticKeys }
  const message = compileMessage({ ...request, lookupTables: chosen })
  return { message, keys: accountKeys(message, new Map(chosen.map(({ address, addresses }) => [address, addresses]))) }
}

/** Static accounts of the message that may be looked up: no signers, no invoked programs, not the nonce account. */
export function lookableKeys(request: Pick<MessageRequest, 'instructions'>, message: CompiledMessage): string[] {
  const barred = new Set(message.instructions.map(({ programIndex }) => message.staticKeys[programIndex]))
  const nonce = nonceAccountOf(request.instructions)
  if (nonce !== null) barred.add(nonce)
  return message.staticKeys.slice(message.header.requiredSignatures).filter((key) => !barred.has(key))
}

function chosenTables(tables: readonly LookupTable[], keys: readonly string[]): LookupTable[] {
  const wanted = new Set(keys)
  const chosen: LookupTable[] = []
  for (;;) {
    const best = bestTable(tables, wanted)
    if (best === null) return chosen
    chosen.push(best)
    for (const address of best.addresses.slice(0, INDEXABLE)) wanted.delete(address)
  }
}

/** An index is one byte. */
const INDEXABLE = 256

function bestTable(tables: readonly LookupTable[], wanted: ReadonlySet<string>): LookupTable | null {
  let best: LookupTable | null = null
  let most = 0
  for (const table of tables) {
    const held = setOf(table.addresses)
    let count = 0
    for (const key of wanted) if (held.has(key)) count += 1
    if (count <= most) continue
    best = table
    most = count
  }
  return most * SAVED_PER_ADDRESS_BYTES > TABLE_BYTES ? best : null
}

/** Table contents are immutable, long-lived lists: each is converted to a set once. */
const sets = new WeakMap<readonly string[], ReadonlySet<string>>()

function setOf(addresses: readonly string[]): ReadonlySet<string> {
  let found = sets.get(addresses)
  if (found === undefined) {
    found = new Set(addresses.slice(0, INDEXABLE))
    sets.set(addresses, found)
  }
  return found
}
