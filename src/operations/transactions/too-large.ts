// Error for a transaction over the packet limit: its size, and how to make it smaller.
import { lookableKeys, SAVED_PER_ADDRESS_BYTES, TABLE_BYTES } from '../../solana/lookups.ts'
import type { MessageRequest } from '../../solana/compile.ts'
import { PACKET_LIMIT_BYTES, transactionSize, type CompiledMessage } from '../../solana/message.ts'
import { badRequest } from '../../contract/refusal.ts'

export function tooLarge(request: Omit<MessageRequest, 'lookupTables'>, message: CompiledMessage): Error {
  const sizeBytes = transactionSize(message)
  const problem = `the transaction would be ${sizeBytes} bytes, the limit is ${PACKET_LIMIT_BYTES}`
  return badRequest('TRANSACTION_TOO_LARGE', `${problem}. ${advice(request, message, sizeBytes)}`, '/itemData')
}

function advice(request: Omit<MessageRequest, 'lookupTables'>, message: CompiledMessage, sizeBytes: number): string {
  const version = request.version === 'LEGACY' ? ', with transactionVersion V0,' : ''
  // Bytes that a table costs, unless the message uses one already. Version V0 itself costs two bytes.
  const cost = (message.lookups.length > 0 ? 0 : TABLE_BYTES) + (request.version === 'LEGACY' ? 2 : 0)
  const keys = lookableKeys(request, message)
  const needed = Math.ceil((sizeBytes + cost - PACKET_LIMIT_BYTES) / SAVED_PER_ADDRESS_BYTES)
  const smallest = sizeBytes + cost - SAVED_PER_ADDRESS_BYTES * keys.length
  if (needed <= keys.length) {
    const named = keys.slice(0, needed)
    const then = sizeBytes + cost - SAVED_PER_ADDRESS_BYTES * needed
    return `In one address lookup table of the organization${version} ${needed} of its accounts make it ${then} bytes: ${named.join(', ')}`
  }
  const less = 'ask for less in one request: fewer items, shorter texts, or metadata in a later update'
  if (smallest >= sizeBytes) return `No address lookup table would make it smaller: ${less}`
  return `Even with all ${keys.length} accounts that an address lookup table can hold in one it would be ${smallest} bytes: ${less}`
}
