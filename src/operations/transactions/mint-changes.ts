// Changes a message makes to a recorded mint besides its supply: authorities, metadata, default account state,
// multiplier, transfer hook. All its instructions become one fact, with one undo fact that restores the previous
// values.
import type { Effect } from '../../solana/table/effect.ts'
import type { AuthorityType } from '../../solana/instructions/token-account.ts'
import type { AccountRef } from '../../../machines/holding.ts'
import type {
  Authorities,
  AuthorityName,
  Configuration,
  InstrumentContext,
  OnchainData,
} from '../../../machines/instrument-record.ts'
import type { Fact } from '../../../machines/transactions/transaction-record.ts'

/** Member of the instrument record for each on-chain authority. */
const AUTHORITY_MEMBERS: Readonly<Partial<Record<AuthorityType | 'METADATA_UPDATE', AuthorityName>>> = {
  MINT_TOKENS: 'mintAuthority',
  FREEZE_ACCOUNT: 'freezeAuthority',
  CLOSE_MINT: 'closingAuthority',
  PERMANENT_DELEGATE: 'permanentDelegateAuthority',
  CONFIDENTIAL_TRANSFER_MINT: 'confidentialTransferAuthority',
  TRANSFER_HOOK_PROGRAM_ID: 'transferHookAuthority',
  SCALED_UI_AMOUNT: 'scaledUiAmountAuthority',
  PAUSE: 'pausableAuthority',
  METADATA_UPDATE: 'updateAuthority',
  METADATA_POINTER: 'metadataPointerAuthority',
}

type Initial = NonNullable<Extract<Effect, { readonly kind: 'metadata' }>['initial']>

type Open<T> = { -readonly [K in keyof T]: T[K] }

export class MintChanges {
  readonly #context: InstrumentContext
  readonly #refer: (address: string) => AccountRef
  readonly #authorities: Open<Partial<Authorities>> = {}
  readonly #onchain: Open<Partial<OnchainData>> = {}
  readonly #plain: Open<
    Pick<Configuration, 'defaultPositionState' | 'scaledUiAmountMultiplier' | 'scaledUiAmountNext' | 'extensions'>
  > = {}

  /** @param refer reference to an address from the view of the record's tenant */
  constructor(context: InstrumentContext, refer: (address: string) => AccountRef) {
    this.#context = context
    this.#refer = refer
  }

  take(effect: Effect): void {
    switch (effect.kind) {
      case 'authority': {
        const member = AUTHORITY_MEMBERS[effect.which]
        if (member !== undefined) this.#authority(member, effect.next)
        break
      }
      case 'extension':
        if (effect.action === 'update') this.#extension(effect.name, effect.value)
        break
      case 'metadata':
        if (effect.initial !== undefined) this.#describe(effect.value, effect.initial)
        else if (effect.field !== null) this.#onchain[effect.field] = effect.value
        else if (effect.key !== null) this.#pair(effect.key, effect.value)
        break
      default:
    }
  }

  /** Empty if the record does not change. */
  facts(): Fact[] {
    const changes = configurationOf(this.#authorities, this.#onchain, this.#plain)
    if (Object.keys(changes).length === 0) return []
    const { authorities, onchainData } = this.#context
    const before = configurationOf(
      previousValues(this.#authorities, authorities),
      previousValues(this.#onchain, onchainData ?? { name: null, symbol: null, uri: null, simpleCustomMetadata: null }),
      previousValues(this.#plain, this.#context),
    )
    return [{ event: { type: 'chain.configured', changes }, undo: { type: 'chain.configured', changes: before } }]
  }

  #extension(name: string, value: string | null): void {
    if (name === 'TRANSFER_HOOK') this.#authority('transferHookProgram', value)
    if (name === 'DEFAULT_ACCOUNT_STATE' && (value === 'INITIALIZED' || value === 'FROZEN'))
      this.#plain.defaultPositionState = value
    if (name === 'SCALED_UI_AMOUNT' && value !== null) this.#scale(value)
  }

  /** A multiplier with an effective time is kept beside the one in force; a multiplier without one replaces both. */
  #scale(value: string): void {
    const [multiplier = '', effectiveAt] = value.split('@')
    const next = effectiveAt === undefined ? null : { multiplier, effectiveAt }
    if (next === null) this.#plain.scaledUiAmountMultiplier = multiplier
    if (next !== null || this.#context.scaledUiAmountNext != null) this.#plain.scaledUiAmountNext = next
  }

  #authority(member: AuthorityName, address: string | null): void {
    this.#authorities[member] = address === null ? null : this.#refer(address)
  }

  /** The mint receives metadata of its own, to which its metadata pointer refers. */
  #describe(name: string | null, { symbol, uri, updateAuthority }: Initial): void {
    Object.assign(this.#onchain, { name, symbol, uri })
    this.#authority('updateAuthority', updateAuthority)
    this.#plain.extensions = [...new Set([...this.#context.extensions, 'TOKEN_METADATA'])]
  }

  #pair(key: string, value: string | null): void {
    const { simpleCustomMetadata: changed } = this.#onchain
    // null: an earlier instruction removed the last one.
    const now = changed === undefined ? this.#context.onchainData?.simpleCustomMetadata : changed
    const pairs = new Map(Object.entries(now ?? {}))
    if (value === null) pairs.delete(key)
    else pairs.set(key, value)
    this.#onchain.simpleCustomMetadata = pairs.size === 0 ? null : Object.fromEntries(pairs)
  }
}

function configurationOf(
  authorities: Partial<Authorities>,
  onchainData: Partial<OnchainData>,
  plain: Configuration,
): Configuration {
  return {
    ...(isEmpty(authorities) ? {} : { authorities }),
    ...(isEmpty(onchainData) ? {} : { onchainData }),
    ...plain,
  }
}

function isEmpty(members: object): boolean {
  return Object.keys(members).length === 0
}

/** The members of `changed` with their values in `whole`. */
function previousValues<T extends object>(changed: T, whole: Partial<Required<T>> | InstrumentContext): T {
  return Object.fromEntries(
    Object.keys(changed).map((name) => [name, (whole as Record<string, unknown>)[name] ?? null]),
  ) as T
}
