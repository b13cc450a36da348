// Default values that rows of the most numerous kinds omit: a member with its default is not written, and is restored
// when the row is read. A table belongs to a version of a kind and never changes after release; a later version has its
// own table.
import type { AccountContext } from './account.ts'
import type { Holding, References } from './holding.ts'
import type { PositionContext } from './position.ts'
import type { TransactionContext } from './transactions/transaction-record.ts'

export interface LeftOut {
  /** Members that every row contains. */
  readonly always: readonly string[]
  /** Default values; a row contains such a member only if it differs. */
  readonly usual: Readonly<Record<string, string | number | boolean | null>>
  /** Members that every row contains and that omit defaults themselves. */
  readonly within: Readonly<Record<string, LeftOut>>
}

/** Covers all required members of `C`; optional members are always written if present. */
interface LeftOutOf<C, Always extends keyof C, Within extends keyof C> {
  readonly always: readonly Always[]
  readonly usual: {
    readonly [Member in RequiredOf<C> as Exclude<Member, Always | Within>]: string | number | boolean | null
  }
  readonly within: { readonly [Member in Within]: LeftOut }
}
type RequiredOf<C> = { [Member in keyof C]-?: object extends Pick<C, Member> ? never : Member }[keyof C]

/** Typed so that a forgotten member is a compile error. */
function leftOut<C>() {
  return <Always extends keyof C & string, Within extends keyof C & string = never>(
    table: LeftOutOf<C, Always, Within>,
  ): LeftOut => table
}

export const REFERENCES = leftOut<References>()({
  always: ['type', 'organizationExternalId'],
  usual: { alId: null, code: null, accountNumber: null, name: null },
  within: {},
})

const HOLDING_ALWAYS = [
  'address',
  'organization',
  'keyLocation',
  'lamports',
] as const satisfies readonly (keyof Holding)[]

/** What most holdings have. */
export const HOLDING_USUAL = {
  comments: null,
  domain: null,
  isDerived: false,
  isGenesis: false,
  subscribeToNetworkEvents: false,
  shared: false,
  wasOnchainAlready: false,
  canPayFees: false,
  globalFeePayerForOrgs: null,
  orgsAllowedToSignWithPrivateKey: null,
  solDebitApiKeys: null,
  tokenDebitApiKeys: null,
  networkCurrencyDebitLimits: null,
  tokenDebitLimits: null,
  frozenByOperator: false,
  rentPayer: null,
  creation: null,
  last: null,
} as const

export const ACCOUNT_V1 = leftOut<AccountContext>()({
  always: HOLDING_ALWAYS,
  usual: {
    ...HOLDING_USUAL,
    managed: true,
    keyOrigin: 'service',
    dataLength: 0,
    ownerProgram: '11111111111111111111111111111111',
    tokenDecimals: null,
  },
  within: { references: REFERENCES },
})

export const POSITION_V1 = leftOut<PositionContext>()({
  always: [...HOLDING_ALWAYS, 'owner', 'mint', 'decimals', 'tokens'],
  usual: {
    ...HOLDING_USUAL,
    managed: false,
    keyOrigin: 'none',
    dataLength: 165,
    ownerProgram: 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA',
    program: 'SPL',
  },
  within: { references: REFERENCES },
})

export const TRANSACTION_V1 = leftOut<TransactionContext>()({
  always: ['signature', 'history'],
  usual: {
    // Stored as a row of its own.
    fixed: null,
    ourSignature: true,
    complete: true,
    slot: null,
    blockTime: null,
    error: null,
    computeUnitsConsumed: null,
    confirmations: 0,
    attempts: 0,
    lastSentAt: null,
    approval: null,
    cancelAskedAt: null,
    attestation: null,
    proof: null,
    finalAt: null,
  },
  within: {},
})
