// Methods that read blocks. A block is returned only when its slot is over, so it never changes.

import type { Bank, Block, Commitment, LedgerTransaction } from '../../contract.ts'
import { settledCommitment, viewAt } from '../context.ts'
import { outcomeMeta } from '../encode/meta.ts'
import {
  accountsBody,
  encodedTransaction,
  transactionEncodingOf,
  transactionFormOf,
  versionMember,
} from '../encode/transaction.ts'
import type { TransactionForm } from '../encode/transaction.ts'
import { blockCleanedUp, blockNotAvailable, invalidParams, slotSkipped } from '../error.ts'
import type { MethodTable } from '../method.ts'
import { booleanOf, configAt, countOf, isRecord, oneOf, requireCount } from '../params.ts'
import type { Params } from '../params.ts'

const MAX_RANGE = 500_000
const DETAILS = ['full', 'accounts', 'signatures', 'none'] as const

type Details = (typeof DETAILS)[number]

export function blockMethods(bank: Bank): MethodTable {
  const newest = (commitment: Commitment): number => Math.min(bank.slot(commitment), bank.slot('processed') - 1)

  /** @throws -32001, -32004 or -32007 when there is no such block */
  const requiredBlock = (slot: number, commitment: Commitment): Block => {
    if (slot > newest(commitment)) throw blockNotAvailable(slot)
    const first = bank.firstAvailableBlock()
    if (slot < first) throw blockCleanedUp(slot, first)
    const block = bank.block(slot)
    if (block === null) throw slotSkipped(slot)
    return block
  }

  return {
    getBlock: (params) => {
      requireCount(params, 1)
      const slot = countOf(params[0])
      const config =
        typeof params[1] === 'string' ? { encoding: transactionEncodingOf(params[1]) } : configAt(params, 1)
      const form = transactionFormOf(config)
      const wanted = config['transactionDetails']
      const details: Details = wanted === undefined || wanted === null ? 'full' : oneOf(wanted, DETAILS)
      const rewards = booleanOf(config['rewards'], true)
      const block = requiredBlock(slot, settledCommitment(config['commitment']))
      return {
        blockHeight: block.blockHeight,
        blockTime: block.blockTime,
        blockhash: block.blockhash,
        parentSlot: block.parentSlot,
        previousBlockhash: block.previousBlockhash,
        rewards: rewards ? [] : undefined,
        signatures: details === 'signatures' ? block.signatures : undefined,
        transactions:
          details === 'full' || details === 'accounts' ? blockTransactions(bank, block, details, form) : undefined,
      }
    },
    getBlocks: (params) => {
      requireCount(params, 1)
      const first = countOf(params[0])
      // If the end is omitted, the configuration is the second parameter.
      const open = params[1] === undefined || params[1] === null || isRecord(params[1])
      const commitment = settledCommitment(configAt(params, isRecord(params[1]) ? 1 : 2)['commitment'])
      const last = Math.min(open ? first + MAX_RANGE : countOf(params[1]), newest(commitment))
      if (last < first) return []
      if (last - first > MAX_RANGE) throw invalidParams(`Slot range too large; max ${MAX_RANGE}`)
      return bank.blocks(Math.max(first, bank.firstAvailableBlock()), last)
    },
    getBlocksWithLimit: (params) => {
      requireCount(params, 2)
      return blocksWithLimit(bank, params, newest)
    },
    getBlockTime: (params) => {
      requireCount(params, 1)
      const slot = countOf(params[0])
      // The open slot already has its time, before it has a block.
      return bank.blockTime(slot) ?? bank.blockTime(requiredBlock(slot, 'confirmed').slot)
    },
    minimumLedgerSlot: () => bank.firstAvailableBlock(),
    getFirstAvailableBlock: (params) => (viewAt(bank, params, 0), bank.firstAvailableBlock()),
  }
}

function blocksWithLimit(bank: Bank, params: Params, newest: (commitment: Commitment) => number): readonly number[] {
  const first = Math.max(countOf(params[0]), bank.firstAvailableBlock())
  const limit = countOf(params[1])
  if (limit > MAX_RANGE) throw invalidParams(`Limit too large; max ${MAX_RANGE}`)
  const last = newest(settledCommitment(configAt(params, 2)['commitment']))
  const blocks: number[] = []
  // Skipped slots are rare: a window as wide as the limit is nearly always sufficient; further ones are read only if
  // needed.
  for (let from = first; from <= last && blocks.length < limit; from += limit) {
    blocks.push(...bank.blocks(from, Math.min(last, from + limit - 1)))
  }
  return blocks.slice(0, limit)
}

function blockTransactions(bank: Bank, block: Block, details: Details, form: TransactionForm): unknown[] {
  return block.signatures.flatMap((signature) => {
    const transaction = bank.transaction(signature)
    if (transaction === null) return []
    return [details === 'full' ? encodedTransaction(transaction, form) : accountsOnly(transaction, form)]
  })
}

function accountsOnly(transaction: LedgerTransaction, form: TransactionForm): unknown {
  return {
    meta: outcomeMeta(transaction),
    transaction: accountsBody(transaction),
    version: versionMember(transaction, form.maxVersion),
  }
}
