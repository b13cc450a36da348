/**
 * The effect of one instruction, in the terms in which debits, authorities and destinations are decided. Amounts are
 * raw units or lamports. Accounts are addresses; their owners, and what a token account belongs to, are known to the
 * caller. `authority` is the account whose consent the program requires.
 */
import type { AuthorityType } from '../instructions/token-account.ts'
import type { MintExtension } from '../mint-extensions.ts'

/**
 * What a transaction made elsewhere may do: `unless-managed` is refused when the service manages one of the accounts
 * that `guarded` (foreign.ts) lists. The service's own operations may use every row of the table.
 */
export type ForeignVerdict = 'allowed' | 'refused' | 'unless-managed'

export type RefusalReason = 'PROGRAM_NOT_ALLOWED' | 'INSTRUCTION_NOT_IN_TABLE' | 'INSTRUCTION_MALFORMED'

export type EffectBody =
  /** `signer` consents: the wallet itself, the base of a seeded address, or the authority of a nonce account. */
  | { kind: 'lamports'; from: string; to: string; lamports: bigint; signer: string }
  /** A new account: `payer` is debited `lamports`, classified by `owner`. `base` is the signer of a seeded address. */
  | {
      kind: 'create'
      payer: string
      account: string
      lamports: bigint
      space: bigint
      owner: string
      base: string | null
    }
  /** `payer` is debited the rent of the token account if it does not exist yet. */
  | {
      kind: 'createAssociated'
      payer: string
      account: string
      owner: string
      mint: string
      tokenProgram: string
      idempotent: boolean
    }
  | { kind: 'allocate'; account: string; space: bigint; base: string | null }
  | { kind: 'assign'; account: string; owner: string; base: string | null }
  /**
   * `mint` and `decimals` are null in the unchecked form. `further` are the accounts after the authority: members of a
   * multisig, and accounts for a transfer hook.
   */
  | {
      kind: 'tokens'
      program: string
      from: string
      to: string
      mint: string | null
      amount: bigint
      authority: string
      decimals: number | null
      further: readonly string[]
    }
  | {
      kind: 'mint'
      program: string
      mint: string
      to: string
      amount: bigint
      authority: string
      decimals: number | null
    }
  | {
      kind: 'burn'
      program: string
      mint: string
      from: string
      amount: bigint
      authority: string
      decimals: number | null
    }
  /** All lamports of `account` (a token account or a mint) go to `destination`. */
  | { kind: 'close'; program: string; account: string; destination: string; authority: string }
  | { kind: 'freeze' | 'thaw'; program: string; account: string; mint: string; authority: string }
  | {
      kind: 'approve'
      program: string
      account: string
      mint: string | null
      delegate: string
      amount: bigint
      authority: string
    }
  | {
      kind: 'initializeMint'
      program: string
      mint: string
      decimals: number
      mintAuthority: string
      freezeAuthority: string | null
    }
  | { kind: 'initializeAccount'; program: string; account: string; mint: string; owner: string }
  /** Its members can from then on sign for the account, if it is an authority. */
  | { kind: 'initializeMultisig'; program: string; account: string }
  /**
   * With `initialize`, `authority` is the one that is set; with `update` the one that consents. `value` is the new
   * value as text; a multiplier with an effective time is followed by `@` and that time.
   */
  | {
      kind: 'extension'
      mint: string
      name: MintExtension
      action: 'initialize' | 'update'
      authority: string | null
      value: string | null
    }
  /**
   * For a change, `field` is one of the three fixed fields, or `key` an additional one. For an initialization `value`
   * is the name, and `initial` the rest.
   */
  | {
      kind: 'metadata'
      mint: string
      action: 'initialize' | 'updateField' | 'removeKey'
      authority: string
      field: 'name' | 'symbol' | 'uri' | null
      key: string | null
      value: string | null
      initial?: { symbol: string; uri: string; updateAuthority: string }
    }
  | { kind: 'pause' | 'resume'; mint: string; authority: string }
  | {
      kind: 'authority'
      program: string
      account: string
      which: AuthorityType | 'METADATA_UPDATE'
      authority: string
      next: string | null
    }
  | { kind: 'nonceAdvance'; nonce: string; authority: string }
  | { kind: 'nonceInitialize'; nonce: string; authority: string }
  | { kind: 'nonceAuthorize'; nonce: string; authority: string; next: string }
  /** `payer` is debited the rent of `growthBytes`; a closed table's lamports go to `recipient`. */
  | {
      kind: 'table'
      action: 'create' | 'extend' | 'freeze' | 'deactivate' | 'close'
      table: string
      authority: string
      payer: string | null
      recipient: string | null
      growthBytes: number
      addresses: readonly string[]
    }
  | { kind: 'computeLimit'; units: number }
  | { kind: 'computePrice'; microLamports: bigint }
  | { kind: 'memo'; text: string }
  /** Moves no funds and grants no rights. */
  | { kind: 'neutral'; name: string }
  /** Not in the table: `name` identifies the instruction as far as possible. */
  | { kind: 'refused'; reason: RefusalReason; program: string; name: string }

export interface EffectPlace {
  /** Position of the instruction in the message. */
  readonly index: number
  /** Name of the instruction for records, such as `TRANSFER_CHECKED`. */
  readonly type: string
  readonly programId: string
  readonly foreign: ForeignVerdict
  /**
   * The accounts of this instruction that sign the message. System accepts any of them as consent for a nonce, a
   * multisig some of them.
   */
  readonly signers: readonly string[]
}

export type EffectKind = EffectBody['kind']
export type Effect = EffectBody & EffectPlace
export type EffectOf<K extends EffectKind> = Extract<Effect, { kind: K }>
