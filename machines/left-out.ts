// What the rows of the kinds that there are many of leave out: a member that is as it stands here is not written, and is this again when the
// row is read. It belongs to a version of a kind and never changes once that is released: a later version has a table of its own.
import type { AccountContext } from './account.ts'
import type { Holding, References } from './holding.ts'
import type { PositionContext } from './position.ts'
import type { TransactionContext } from './transaction-record.ts'

export interface LeftOut {
  /** Members that every row has. */
  readonly always: readonly string[]
  /** Members that a row has when they are anything else. */
  readonly usual: Readonly<Record<string, string | number | boolean | null>>
  /** Members that every row has and that leave out something themselves. */
  readonly within: Readonly<Record<string, LeftOut>>
}

/** All members of `C` that are always there; what may be absent is left to the rows. */
interface LeftOutOf<C, Always extends keyof C, Within extends keyof C> {
  readonly always: readonly Always[]
  readonly usual: { readonly [Member in RequiredOf<C> as Exclude<Member, Always | Within>]: string | number | boolean | null }
  readonly within: { readonly [Member in Within]: LeftOut }
}
type RequiredOf<C> = { [Member in keyof C]-?: object extends Pick<C, Member> ? never : Member }[keyof C]

/** Written so that a member nobody thought of does not compile. */
function leftOut<C>() {
  return <Always extends keyof C & string, Within extends keyof C & string = never>(table: LeftOutOf<C, Always, Within>): LeftOut => table
}

const REFERENCES = leftOut<References>()({
  always: ['type', 'organizationExternalId'],
  usual: { alId: null, code: null, accountNumber: null, name: null },
  within: {},
})

const HOLDING_ALWAYS = ['address', 'organization', 'keyLocation', 'lamports'] as const satisfies readonly (keyof Holding)[]

const HOLDING_USUAL = {
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
    // A row of its own.
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
