// Debit-restricted keys (completion 5.6): where an account lists API keys, only those may take from it. Judged on the legs of the
// compiled message, for the records that lose something.
import type { Effect } from '../../chain/table/effect.ts'
import { addressKey } from '../../engine/index-keys.ts'
import { isHolding, ofKind, type HoldingState } from '../../engine/record.ts'
import type { Call } from '../call.ts'
import type { Platform } from '../platform.ts'
import { forbidden } from '../refusal.ts'

/** Throws 403 `DEBIT_KEY_REQUIRED`. */
export function checkDebitKeys(platform: Platform, call: Call, effects: readonly Effect[]): void {
  for (const effect of effects) {
    switch (effect.kind) {
      case 'lamports':
        checkNetworkCurrency(platform, call, effect.from)
        break
      case 'create':
      case 'createAssociated':
        checkNetworkCurrency(platform, call, effect.payer)
        break
      case 'tokens':
      case 'burn':
        checkTokens(platform, call, effect.from)
        break
      default:
    }
  }
}

function checkNetworkCurrency(platform: Platform, call: Call, address: string): void {
  for (const state of recordsAt(platform, call, address)) refuseUnlessListed(call, state.context.solDebitApiKeys, address)
}

/** The position's own list, and its owner's. */
function checkTokens(platform: Platform, call: Call, address: string): void {
  for (const state of recordsAt(platform, call, address)) {
    refuseUnlessListed(call, state.context.tokenDebitApiKeys, address)
    const owner = ofKind(state, 'position')?.context.owner.address
    if (owner === undefined) continue
    for (const wallet of recordsAt(platform, call, owner)) refuseUnlessListed(call, wallet.context.tokenDebitApiKeys, owner)
  }
}

function refuseUnlessListed(call: Call, keys: readonly string[] | null, address: string): void {
  if (keys !== null && keys.length > 0 && !keys.includes(call.caller.keyId)) {
    throw forbidden('DEBIT_KEY_REQUIRED', `only API keys listed on ${address} may debit it`)
  }
}

function recordsAt(platform: Platform, call: Call, address: string): HoldingState[] {
  return platform.engine.directory
    .find(addressKey(call.cluster, address))
    .map(({ head }) => head)
    .filter(isHolding)
}
