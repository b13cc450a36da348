// The end of a world: the faults have stopped, and all work must have ended and agree with the chain.
import { addressBytes } from '../../../src/solana/address.ts'
import type { Engine } from '../../../src/engine/engine.ts'
import { isHolding, ofKind, type HoldingState } from '../../../src/engine/records/record.ts'
import type { Auditor } from './auditor.ts'
import type { SimulatedChain } from '../chain.ts'

/** States in which a record represents an account on chain. */
const STANDING = new Set(['active', 'initialized', 'frozen', 'paused'])
/** States in which an owner has a reservation for a transaction of another tenant. */
const OPEN = new Set(['given', 'landed'])
const SUPPLY_OFFSET = 36
const AMOUNT_OFFSET = 64

export function closingAudit(
  engine: Engine,
  chain: SimulatedChain,
  auditor: Auditor,
  violated: (kind: string, detail: string) => void,
): void {
  auditor.checkUnnamed()
  for (const { head, committed } of engine.directory.entries()) {
    if (head !== committed) violated('not written at rest', `${head.kind} ${head.id}`)
    const countersignature = ofKind(head, 'countersignature')
    if (countersignature !== undefined && OPEN.has(countersignature.value))
      violated('countersignature never let go of', `${head.id} of ${head.tenant} is ${countersignature.value}`)
    if (isHolding(head)) checkBooks(head, chain, violated)
  }
  // Most of them are evicted.
  for (const id of auditor.records.keys()) {
    const transaction = ofKind(engine.directory.byId(id)?.committed, 'transaction')
    if (transaction === undefined) violated('not there any more', `transaction ${id}`)
    else if (transaction.context.finalAt === null) violated('never ended', `transaction ${id} is ${transaction.value}`)
    else auditor.checkEnd(transaction)
  }
}

function checkBooks(
  state: HoldingState,
  chain: SimulatedChain,
  violated: (kind: string, detail: string) => void,
): void {
  const { kind, value, context } = state
  const account = chain.bank.account(addressBytes(context.address))
  const books: [string, { readonly balance: string; readonly reserved: string }, bigint][] = [
    ['lamports', context.lamports, account?.lamports ?? 0n],
  ]
  const position = ofKind(state, 'position')
  if (position !== undefined) books.push(['tokens', position.context.tokens, numberAt(account, AMOUNT_OFFSET)])
  const instrument = ofKind(state, 'instrument')
  if (instrument !== undefined) books.push(['supply', instrument.context.supply, numberAt(account, SUPPLY_OFFSET)])
  for (const [asset, { balance, reserved }, onchain] of books) {
    const description = `${asset} of ${kind} ${context.address} (${value}): ${balance}, ${reserved} reserved, on chain ${onchain}`
    if (reserved !== '0') violated('still reserved at rest', description)
    if (STANDING.has(value) && BigInt(balance) !== onchain) violated('books differ from the chain', description)
  }
}

function numberAt(account: { readonly data: Uint8Array } | null, offset: number): bigint {
  return account === null || account.data.length < offset + 8 ? 0n : Buffer.from(account.data).readBigUInt64LE(offset)
}
