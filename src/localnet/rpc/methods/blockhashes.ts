// Blockhashes, fees and rent, which a client reads before it builds a transaction.

import type { Bank } from '../../contract.ts'
import { parseMessage } from '../../wire.ts'
import { decodeBase64 } from '../bytes.ts'
import { viewAt, withContext } from '../context.ts'
import { invalidParams } from '../error.ts'
import type { MethodTable } from '../method.ts'
import { addressOf, arrayOf, countOf, requireCount, textOf } from '../params.ts'

/** The longest message that a transaction of 1232 bytes can carry, in base64. */
const MAX_MESSAGE_TEXT = 1644
const MAX_FEE_ADDRESSES = 128
/** The largest account that the runtime allows. */
const MAX_DATA_LENGTH = 10 * 1024 * 1024

export function blockhashMethods(bank: Bank): MethodTable {
  return {
    getLatestBlockhash: (params) => {
      const latest = bank.latestBlockhash(viewAt(bank, params, 0).commitment)
      return withContext(latest.slot, {
        blockhash: latest.blockhash,
        lastValidBlockHeight: latest.lastValidBlockHeight,
      })
    },
    isBlockhashValid: (params) => {
      requireCount(params, 1)
      addressOf(params[0])
      return withContext(viewAt(bank, params, 1).slot, bank.isBlockhashValid(textOf(params[0])))
    },
    getFeeForMessage: (params) => {
      requireCount(params, 1)
      const text = textOf(params[0])
      if (text.length > MAX_MESSAGE_TEXT) {
        throw invalidParams(
          `base64 encoded message too large: ${text.length} bytes (max: encoded/raw ${MAX_MESSAGE_TEXT}/1232)`,
        )
      }
      const message = decodeBase64(text)
      if (message === null) throw invalidParams('invalid base64 encoding')
      const read = parseMessage(message)
      if ('malformed' in read) {
        throw invalidParams(`failed to deserialize solana_message::versions::VersionedMessage: ${read.malformed}`)
      }
      return withContext(viewAt(bank, params, 1).slot, bank.messageFee(message))
    },
    getMinimumBalanceForRentExemption: (params) => {
      requireCount(params, 1)
      const length = countOf(params[0])
      if (length > MAX_DATA_LENGTH)
        throw invalidParams(`Invalid params: data length ${length} exceeds ${MAX_DATA_LENGTH}.`)
      viewAt(bank, params, 1)
      return bank.rentExemptLamports(length)
    },
    getRecentPrioritizationFees: (params) => {
      const addresses = params[0] === undefined || params[0] === null ? [] : arrayOf(params[0])
      if (addresses.length > MAX_FEE_ADDRESSES)
        throw invalidParams(`Too many inputs provided; max ${MAX_FEE_ADDRESSES}`)
      return bank.recentPrioritizationFees(addresses.map(addressOf))
    },
  }
}
