// Debit-restricted keys (completion 5.6): where an account lists API keys, only those may take from it. Judged on the legs of the
// compiled message, for the records that lose something.
import type { Effect } from '../../chain/table/effect.ts'
import { addressKey } from '../../engine/index-keys.ts'
import { isHolding, ofKind, type HoldingState } from '../../engine/record.ts'
import type { Call } from '../call.ts'
import type { Platform } from '../platform.ts'
import { forbidden } from '../refusal.ts'
import { governs } from './governing.ts'

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
      case 'close':
        checkNetworkCurrency(platform, call, effect.account)
        break
      case 'tokens':
      case 'burn':
        checkTokens(platform, call, effect.from, effect.authority)
        break
      default:
    }
  }
}

function checkNetworkCurrency(platform: Platform, call: Call, address: string): void {
  for (const state of recordsAt(platform, call, address, address)) refuseUnlessListed(call, state.context.solDebitApiKeys, address)
}

/** The list of whoever consents, the owner or a delegate; the position's own where it is the owner. */
function checkTokens(platform: Platform, call: Call, address: string, authority: string): void {
  const wallets = recordsAt(platform, call, authority, authority)
  for (const { context } of wallets) refuseUnlessListed(call, context.tokenDebitApiKeys, authority)
  for (const state of recordsAt(platform, call, address, authority)) {
    const owner = ofKind(state, 'position')?.context.owner.address
    if (owner === authority) refuseUnlessListed(call, state.context.tokenDebitApiKeys, address)
  }
}

function refuseUnlessListed(call: Call, keys: readonly string[] | null, address: string): void {
  if (keys !== null && keys.length > 0 && !keys.includes(call.caller.keyId)) {
    throw forbidden('DEBIT_KEY_REQUIRED', `only API keys listed on ${address} may debit it`)
  }
}

/** Those that decide: a list on another tenant's note of the address keeps nobody from anything. */
function recordsAt(platform: Platform, call: Call, address: string, consenting: string): HoldingState[] {
  return platform.engine.directory
    .find(addressKey(call.cluster, address))
    .map(({ head }) => head)
    .filter(isHolding)
    .filter((state) => governs(platform.engine.directory, call.tenant, [consenting], state))
}
