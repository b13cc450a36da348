// Distributes the changes of a mint over transactions.
import { SYSTEM_PROGRAM } from '../../solana/address.ts'
import { compileMessage } from '../../solana/compile.ts'
import { computeUnitLimit, computeUnitPrice } from '../../solana/instructions/compute-budget.ts'
import { transferLamports } from '../../solana/instructions/system.ts'
import { PACKET_LIMIT_BYTES, transactionSize } from '../../solana/message.ts'
import type { InstrumentContext } from '../../../machines/instrument-record.ts'
import type { ChainTransactionConfig } from '../../contract/values/chain-config.ts'
import { badRequest } from '../../contract/refusal.ts'
import { changeInstruction, signerOf, type MintChange } from './mint-change.ts'

/**
 * Bytes of a nonce advance: nonce account, sysvar, a separate nonce authority with its signature, and the
 * instruction.
 */
const NONCE_BYTES = 32 + 32 + 32 + 64 + 10
/**
 * The program deserialises all metadata for each change; more changes per transaction would exceed its memory or
 * compute units.
 */
const MAX_CHANGES = 24

/**
 * As many changes per transaction as fit, in order. Space for a compute unit price and a rent top-up is always
 * included.
 *
 * Throws 400 `TRANSACTION_TOO_LARGE` for a single change that does not fit.
 */
export function updatePortions(
  { address, authorities }: InstrumentContext,
  changes: readonly MintChange[],
  feePayer: string,
  config: ChainTransactionConfig | undefined,
): MintChange[][] {
  const portions: MintChange[][] = []
  let open: MintChange[] = []
  for (const change of changes) {
    const alone = sizeOf([change])
    if (alone > PACKET_LIMIT_BYTES) throw tooLarge(change, alone)
    if (open.length > 0 && (open.length >= MAX_CHANGES || sizeOf([...open, change]) > PACKET_LIMIT_BYTES)) {
      portions.push(open)
      open = []
    }
    open.push(change)
  }
  return open.length === 0 ? portions : [...portions, open]

  function sizeOf(portion: readonly MintChange[]): number {
    const instructions = portion.map((change) =>
      changeInstruction(address, authorities[signerOf(change)]?.address ?? feePayer, change),
    )
    const message = compileMessage({
      feePayer,
      instructions: [
        computeUnitLimit(1),
        computeUnitPrice(1n),
        transferLamports(feePayer, address, 1n),
        ...instructions,
      ],
      blockhash: SYSTEM_PROGRAM,
      version: 'V0',
    })
    return transactionSize(message) + (config?.messageLifetimeStrategy === 'DURABLE_NONCE' ? NONCE_BYTES : 0)
  }
}

function tooLarge(change: MintChange, sizeBytes: number): Error {
  const member =
    change.kind === 'key'
      ? `simpleCustomMetadata/${change.key.replaceAll('~', '~0').replaceAll('/', '~1')}`
      : change.kind === 'field'
        ? change.field
        : ''
  const message = `this text alone makes a transaction of ${sizeBytes} bytes, the limit is ${PACKET_LIMIT_BYTES}: it cannot stand on chain`
  return badRequest('TRANSACTION_TOO_LARGE', message, `/itemData/onchainData/${member}`)
}
