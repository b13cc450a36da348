// Decodes a mint on chain into the terms of its record, and compares the two.
import { isDeepStrictEqual } from 'node:util'
import {
  extensionNames,
  multiplierAt,
  type Mint,
  type ScaledUiAmount,
  type TokenMetadata,
} from '../../solana/mint-layout.ts'
import type { AccountRef } from '../../../machines/holding.ts'
import type {
  Authorities,
  AuthorityName,
  Configuration,
  InstrumentContext,
  OnchainData,
} from '../../../machines/instrument-record.ts'
import { accountOf } from './party.ts'
import type { Platform } from '../context/platform.ts'

/** The tenant and cluster of the record, and its current contents. */
export interface MintOwner {
  readonly tenant: string
  readonly cluster: string
  readonly known: Pick<InstrumentContext, 'authorities' | 'onchainData'> | null
}

export interface MintContents extends Required<Configuration> {
  readonly authorities: Authorities
  readonly onchainData: OnchainData
  readonly paused: boolean | null
}

/** @param elsewhere metadata that is stored outside the mint account */
export function mintContents(
  platform: Platform,
  whose: MintOwner,
  mint: Mint,
  elsewhere: TokenMetadata | null = null,
): MintContents {
  const { extensions } = mint
  const metadata = extensions.metadata ?? elsewhere
  return {
    authorities: authoritiesOf(platform, whose, mint),
    onchainData: metadata === null ? (whose.known?.onchainData ?? NO_METADATA) : onchainDataOf(metadata),
    defaultPositionState: extensions.defaultState ?? null,
    paused: extensions.pausable?.paused ?? null,
    ...scaling(extensions.scaledUiAmount, BigInt(Math.floor(platform.clock.now() / 1000))),
    extensions: extensionNames(mint),
  }
}

function authoritiesOf(platform: Platform, whose: MintOwner, mint: Mint): Authorities {
  const { extensions } = mint
  const known = whose.known?.authorities
  const at = (name: AuthorityName, address: string | null | undefined): AccountRef | null =>
    address == null ? null : refer(platform, whose, known?.[name] ?? null, address)
  const mintAuthority = at('mintAuthority', mint.mintAuthority)
  const pointer = extensions.metadataPointer?.authority
  return {
    mintAuthority,
    // Without metadata in the mint, it has no update authority of its own.
    updateAuthority:
      extensions.metadata === undefined
        ? (known?.updateAuthority ?? at('updateAuthority', pointer) ?? mintAuthority)
        : at('updateAuthority', extensions.metadata.updateAuthority),
    freezeAuthority: at('freezeAuthority', mint.freezeAuthority),
    permanentDelegateAuthority: at('permanentDelegateAuthority', extensions.permanentDelegate?.delegate),
    closingAuthority: at('closingAuthority', extensions.close?.authority),
    pausableAuthority: at('pausableAuthority', extensions.pausable?.authority),
    scaledUiAmountAuthority: at('scaledUiAmountAuthority', extensions.scaledUiAmount?.authority),
    transferHookProgram: at('transferHookProgram', extensions.transferHook?.program),
    transferHookAuthority: at('transferHookAuthority', extensions.transferHook?.authority),
    confidentialTransferAuthority: at('confidentialTransferAuthority', extensions.confidentialTransfer?.authority),
    metadataPointerAuthority: at('metadataPointerAuthority', pointer),
    // The extension has no such authority on chain.
    confidentialMintBurnAuthority: known?.confidentialMintBurnAuthority ?? null,
  }
}

function scaling(
  scaled: ScaledUiAmount | undefined,
  unixSeconds: bigint,
): Pick<MintContents, 'scaledUiAmountMultiplier' | 'scaledUiAmountNext'> {
  if (scaled === undefined) return { scaledUiAmountMultiplier: null, scaledUiAmountNext: null }
  const { newMultiplier, newMultiplierEffectiveAt } = scaled
  const next = { multiplier: String(newMultiplier), effectiveAt: newMultiplierEffectiveAt.toString() }
  return {
    scaledUiAmountMultiplier: String(multiplierAt(scaled, unixSeconds)),
    scaledUiAmountNext: unixSeconds >= newMultiplierEffectiveAt ? null : next,
  }
}

export const NO_METADATA: OnchainData = { name: null, symbol: null, uri: null, simpleCustomMetadata: null }

function onchainDataOf({ name, symbol, uri, additional }: TokenMetadata): OnchainData {
  return { name, symbol, uri, simpleCustomMetadata: additional.length === 0 ? null : Object.fromEntries(additional) }
}

function refer(
  platform: Platform,
  { tenant, cluster }: MintOwner,
  known: AccountRef | null,
  address: string,
): AccountRef {
  if (known?.address === address) return known
  return accountOf(platform, { tenant, cluster }, address)
}

/** The difference between record and chain, as the change to apply to the record; null if they agree. */
export function configurationDifference(context: InstrumentContext, contents: MintContents): Configuration | null {
  const authorities = Object.fromEntries(
    (Object.keys(contents.authorities) as AuthorityName[])
      .filter((name) => contents.authorities[name]?.address !== context.authorities[name]?.address)
      .map((name) => [name, contents.authorities[name]]),
  )
  const changes: Configuration = {
    ...(Object.keys(authorities).length === 0 ? {} : { authorities }),
    ...(sameMetadata(context.onchainData, contents.onchainData) ? {} : { onchainData: contents.onchainData }),
    ...(contents.defaultPositionState === context.defaultPositionState
      ? {}
      : { defaultPositionState: contents.defaultPositionState }),
    ...(sameNumber(contents.scaledUiAmountMultiplier, context.scaledUiAmountMultiplier)
      ? {}
      : { scaledUiAmountMultiplier: contents.scaledUiAmountMultiplier }),
    ...(isDeepStrictEqual(context.scaledUiAmountNext ?? null, contents.scaledUiAmountNext)
      ? {}
      : { scaledUiAmountNext: contents.scaledUiAmountNext }),
    ...(sameNames(contents.extensions, context.extensions) ? {} : { extensions: contents.extensions }),
  }
  return Object.keys(changes).length === 0 ? null : changes
}

/** On chain, a text that was never set is the empty string. */
function sameMetadata(one: OnchainData | null, other: OnchainData): boolean {
  const texts = (['name', 'symbol', 'uri'] as const).every((name) => (one?.[name] ?? '') === (other[name] ?? ''))
  const [left, right] = [one?.simpleCustomMetadata ?? {}, other.simpleCustomMetadata ?? {}]
  const keys = Object.keys(right)
  return (
    texts &&
    keys.length === Object.keys(left).length &&
    keys.every((key) => Object.hasOwn(left, key) && left[key] === right[key])
  )
}

/** Compares the doubles; their text forms may differ. */
function sameNumber(one: string | null, other: string | null): boolean {
  return one === null || other === null ? one === other : Number(one) === Number(other)
}

function sameNames(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((name) => other.includes(name))
}
