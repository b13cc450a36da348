// Records an existing account under the kind that its requested type implies; all other members are read from the
// chain.
import { FormatError } from '../../solana/format-error.ts'
import { associatedTokenAddress } from '../../solana/derive.ts'
import { decodeMint } from '../../solana/mint-layout.ts'
import { decodeNonce } from '../../solana/system-layout.ts'
import { decodeTokenAccount } from '../../solana/token-layout.ts'
import type { UnitOfWork } from '../../engine/records/unit-of-work.ts'
import type { AccountType, Holding } from '../../../machines/holding.ts'
import type { NewAccountInput } from '../../contract/schemas/new-account.ts'
import type { Call } from '../../contract/call.ts'
import type { ChainAccount, PlatformCluster, Context } from '../context/platform.ts'
import { badRequest } from '../../contract/refusal.ts'
import { stateOfContents, tableContents } from '../reconcile/table-contents.ts'
import { otherAuthorities } from '../reconcile/other-authorities.ts'
import { accountOf as refer } from '../lookup/party.ts'

/** Creates the record in the unit of work, and takes over the holding. */
export type MakeRecord = (unit: UnitOfWork, id: string, holding: Holding) => void

const POINTER = '/itemData/onchainId'

/**
 * Throws 400 `NOT_A_TOKEN_ACCOUNT`, `NOT_A_MINT`, `NOT_A_NONCE_ACCOUNT`, `NOT_A_LOOKUP_TABLE` if the account is not
 * of the type. A mint is recorded as an account, with its decimals, until it is onboarded as an instrument.
 */
export async function kindOnchain(
  context: Context,
  cluster: PlatformCluster,
  requested: {
    readonly type: AccountType
    readonly address: string
    readonly account: ChainAccount
    readonly tokenVersion?: NewAccountInput['tokenVersion']
  },
): Promise<MakeRecord> {
  const { call } = context
  const { type, address, account, tokenVersion } = requested
  switch (type) {
    case 'FUNDS_TOKEN_ACCOUNT':
    case 'ASSET_TOKEN_ACCOUNT':
      return await tokenAccount(context, cluster, address, account)
    case 'FUNDS_TOKEN':
    case 'ASSET_TOKEN': {
      // Space reserved for a mint is not a mint yet.
      const decimals = isBlank(account)
        ? null
        : asType('NOT_A_MINT', () => decodeMint(account.data, account.owner).decimals)
      return plainAccount(call, decimals, tokenVersion)
    }
    case 'NONCE':
      return await nonce(context, cluster, address, account)
    case 'ADDRESS_LOOKUP_TABLE':
      return lookupTable(context, account)
    default:
      return plainAccount(call, null, tokenVersion)
  }
}

export function plainAccount(
  { tenant, cluster }: Call,
  tokenDecimals: number | null,
  tokenVersion: NewAccountInput['tokenVersion'],
): MakeRecord {
  return (unit, id, holding) => {
    // Not a copy: for a copy with one more member, V8 builds a new object shape each time, which takes 8 us.
    const context = Object.assign(
      holding,
      tokenVersion === undefined ? { tokenDecimals } : { tokenDecimals, tokenVersion },
    )
    unit.create('account', { tenant, cluster, id }, { holding: context, state: 'active' })
  }
}

async function tokenAccount(
  { platform, call }: Context,
  cluster: PlatformCluster,
  address: string,
  account: ChainAccount,
): Promise<MakeRecord> {
  const token = asType('NOT_A_TOKEN_ACCOUNT', () => decodeTokenAccount(account.data, account.owner))
  const [mintAccount] = await cluster.accounts([token.mint])
  if (mintAccount === null || mintAccount === undefined)
    throw badRequest('NOT_A_TOKEN_ACCOUNT', `its mint ${token.mint} is not on the cluster`, POINTER)
  const { decimals } = asType('NOT_A_TOKEN_ACCOUNT', () => decodeMint(mintAccount.data, mintAccount.owner))
  return (unit, id, holding) => {
    unit.create(
      'position',
      { tenant: call.tenant, cluster: call.cluster, id },
      {
        state: token.state === 'FROZEN' ? 'frozen' : 'initialized',
        holding: {
          ...holding,
          isDerived: address === associatedTokenAddress(token.owner, token.mint, account.owner),
          owner: refer(platform, call, token.owner),
          otherAuthorities: otherAuthorities(token, (at) => refer(platform, call, at)),
          mint: refer(platform, call, token.mint),
          program: token.version,
          decimals,
          tokens: { balance: token.amount.toString(), reserved: '0' },
        },
      },
    )
  }
}

/** Uses the finalized value. If the account is not finalized yet, the value is read later. */
async function nonce(
  { platform, call }: Context,
  cluster: PlatformCluster,
  address: string,
  account: ChainAccount,
): Promise<MakeRecord> {
  const { authority } = asType('NOT_A_NONCE_ACCOUNT', () => decodeNonce(account.data, account.owner))
  const { slot, accounts } = await cluster.finalizedAccounts([address])
  const final = accounts[0] ?? null
  const value = final === null ? null : asType('NOT_A_NONCE_ACCOUNT', () => decodeNonce(final.data, final.owner).value)
  return (unit, id, holding) => {
    const known = { value, valueSlot: value === null ? null : slot, lease: null }
    const context = { ...holding, authority: refer(platform, call, authority), ...known }
    unit.create('nonce', { tenant: call.tenant, cluster: call.cluster, id }, { state: 'active', holding: context })
  }
}

function lookupTable({ platform, call: { tenant, cluster } }: Context, account: ChainAccount): MakeRecord {
  const contents = asType('NOT_A_LOOKUP_TABLE', () => tableContents(platform, { tenant, cluster }, account))
  return (unit, id, holding) => {
    if (holding.managed) throw badRequest('NOT_APPLICABLE', 'a table has no private key', '/itemData/privateKeyDetails')
    const context = { ...holding, isDerived: true, ...contents }
    unit.create('lookupTable', { tenant, cluster, id }, { state: stateOfContents(contents), holding: context })
  }
}

function isBlank({ data }: ChainAccount): boolean {
  return data.every((byte) => byte === 0)
}

function asType<T>(code: string, read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (error instanceof FormatError) throw badRequest(code, error.message, POINTER)
    throw error
  }
}
