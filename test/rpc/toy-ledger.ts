// A ledger for nodes with wrong answers: blocks with skipped slots and signatures, answered as by a sound node with a
// complete history.
import type { Call } from './scripted-node.ts'

export interface ToyBlock {
  readonly slot: number
  readonly blockHeight: number
  readonly blockhash: string
  readonly previousBlockhash: string
  readonly signatures: string[]
}

export interface ToyLedger {
  readonly genesisHash: string
  readonly blocks: ToyBlock[]
  finalizedSlot: number
  processedSlot: number
  answer(call: Call): unknown
}

/**
 * `skipped[i]`: slots without a block before block i. Block i has height `firstHeight + i` and hash `hash-<height>`.
 */
export function toyLedger(firstSlot: number, firstHeight: number, skipped: readonly number[]): ToyLedger {
  let slot = firstSlot
  const blocks = skipped.map((skip, index) => {
    slot += skip + (index === 0 ? 0 : 1)
    const height = firstHeight + index
    const signatures = [`other-${height}`]
    return {
      slot,
      blockHeight: height,
      blockhash: `hash-${height}`,
      previousBlockhash: `hash-${height - 1}`,
      signatures,
    }
  })
  const ledger: ToyLedger = { genesisHash: 'genesis', blocks, finalizedSlot: slot, processedSlot: slot + 32, answer }

  function answer({ method, params }: Call): unknown {
    const at = (slotNumber: unknown) => blocks.find((block) => block.slot === slotNumber)
    switch (method) {
      case 'getGenesisHash':
        return ledger.genesisHash
      case 'getEpochInfo':
        return { absoluteSlot: ledger.finalizedSlot, blockHeight: at(ledger.finalizedSlot)!.blockHeight }
      case 'getSignatureStatuses':
        return { context: { slot: ledger.processedSlot }, value: (params[0] as string[]).map(status) }
      case 'getBlocks':
        return blocks.map((block) => block.slot).filter((one) => one >= Number(params[0]) && one <= Number(params[1]))
      case 'getBlock':
        return at(params[0]) ?? { error: { code: -32007, message: 'Slot was skipped' } }
      default:
        return { error: { code: -32601, message: 'Method not found' } }
    }
  }

  function status(signature: string): unknown {
    const block = blocks.find((one) => one.signatures.includes(signature))
    return block === undefined
      ? null
      : { slot: block.slot, confirmations: null, err: null, confirmationStatus: 'finalized' }
  }

  return ledger
}
