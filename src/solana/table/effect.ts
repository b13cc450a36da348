/**
 * What one instruction does, in the terms in which debits, authorities and destinations are decided.
 * Amounts are raw units or lamports. An account stands by its address; whose it is, and what a token account belongs to, is the
 * caller's knowledge. `authority` is who the program asks for consent.
 */
import type { AuthorityType } from '../instructions/token-account.ts'
import type { MintExtension } from '../mint-extensions.ts'

/**
 * What a transaction made elsewhere may do: `unless-managed` is refused when one of the accounts that `guarded` (foreign.ts) lists is
 * ours. Our own operations may use every row of the table.
 */
export type ForeignVerdict = 'allowed' | 'refused' | 'unless-managed'

export type RefusalReason = 'PROGRAM_NOT_ALLOWED' | 'INSTRUCTION_NOT_IN_TABLE' | 'INSTRUCTION_MALFORMED'

export type EffectBody =
  /** `signer` consents: the wallet itself, the base of a seeded address, or the authority of a nonce account. */
  | { kind: 'lamports'; from: string; to: string; lamports: bigint; signer: string }
  /** A new account: `payer` is debited `lamports`, to be classed by `owner`. `base` is the signer of a seeded address. */
  | { kind: 'create'; payer: string; account: string; lamports: bigint; space: bigint; owner: string; base: string | null }
  /** Rent of the token account, if it is not there yet, is debited from `payer`. */
  | { kind: 'createAssociated'; payer: string; account: string; owner: string; mint: string; tokenProgram: string; idempotent: boolean }
  | { kind: 'allocate'; account: string; space: bigint; base: string | null }
  | { kind: 'assign'; account: string; owner: string; base: string | null }
  /** `mint` and `decimals` are null in the unchecked form. `further` stand behind the authority: the members of a multisig, and what a
      transfer hook is handed. */
  | { kind: 'tokens'; program: string; from: string; to: string; mint: string | null; amount: bigint; authority: string
      decimals: number | null; further: readonly string[] }
  | { kind: 'mint'; program: string; mint: string; to: string; amount: bigint; authority: string; decimals: number | null }
  | { kind: 'burn'; program: string; mint: string; from: string; amount: bigint; authority: string; decimals: number | null }
  /** All lamports of `account` (a token account or a mint) go to `destination`. */
  | { kind: 'close'; program: string; account: string; destination: string; authority: string }
  | { kind: 'freeze' | 'thaw'; program: string; account: string; mint: string; authority: string }
  | { kind: 'approve'; program: string; account: string; mint: string | null; delegate: string; amount: bigint; authority: string }
  | { kind: 'initializeMint'; program: string; mint: string; decimals: number; mintAuthority: string; freezeAuthority: string | null }
  | { kind: 'initializeAccount'; program: string; account: string; mint: string; owner: string }
  /** On `initialize`, `authority` is the one set; on `update` the one that consents. `value` is what is set, as text;
      a multiplier that takes effect at a given time has that time behind an @. */
  | { kind: 'extension'; mint: string; name: MintExtension; action: 'initialize' | 'update'; authority: string | null
      value: string | null }
  /** Of a change, `field` is one of the three fixed ones, or `key` one of the additional. Of an initialisation `value` is the name. */
  | { kind: 'metadata'; mint: string; action: 'initialize' | 'updateField' | 'removeKey'; authority: string
      field: 'name' | 'symbol' | 'uri' | null; key: string | null; value: string | null }
  | { kind: 'pause' | 'resume'; mint: string; authority: string }
  | { kind: 'authority'; program: string; account: string; which: AuthorityType | 'METADATA_UPDATE'; authority: string
      next: string | null }
  | { kind: 'nonceAdvance'; nonce: string; authority: string }
  | { kind: 'nonceInitialize'; nonce: string; authority: string }
  | { kind: 'nonceAuthorize'; nonce: string; authority: string; next: string }
  /** `payer` is debited the rent of `growthBytes`; a closed table's lamports go to `recipient`. */
  | { kind: 'table'; action: 'create' | 'extend' | 'freeze' | 'deactivate' | 'close'; table: string; authority: string
      payer: string | null; recipient: string | null; growthBytes: number; addresses: readonly string[] }
  | { kind: 'computeLimit'; units: number }
  | { kind: 'computePrice'; microLamports: bigint }
  | { kind: 'memo'; text: string }
  /** Moves nothing and gives nobody a right. */
  | { kind: 'neutral'; name: string }
  /** Outside the table: `name` says which instruction, as far as it can be told. */
  | { kind: 'refused'; reason: RefusalReason; program: string; name: string }

export interface EffectPlace {
  /** Position of the instruction in the message. */
  readonly index: number
  /** Name of the instruction for records, such as `TRANSFER_CHECKED`. */
  readonly type: string
  readonly programId: string
  readonly foreign: ForeignVerdict
  /** The accounts of this instruction that sign the message. System asks any of them for a nonce's consent, a multisig some of them. */
  readonly signers: readonly string[]
}

export type EffectKind = EffectBody['kind']
export type Effect = EffectBody & EffectPlace
export type EffectOf<K extends EffectKind> = Extract<Effect, { kind: K }>
