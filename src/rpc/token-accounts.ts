// The token accounts of one owner, under both token programs.
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../solana/address.ts'
import { malformed, readAccount, readContext, type ChainAccount } from './account-read.ts'
import type { Transport } from './transport.ts'

export interface AddressedAccount {
  readonly address: string
  readonly account: ChainAccount
}

export interface OwnedAccounts {
  /** The older slot of the two responses. */
  readonly slot: number
  readonly accounts: readonly AddressedAccount[]
}

/** Reads at `confirmed` from one endpoint. Rejects with RpcError or TransportError. */
export async function readTokenAccounts(
  transport: Transport,
  owner: string,
  minContextSlot: number,
  timeoutMs: number,
): Promise<OwnedAccounts> {
  const parts = await Promise.all(
    [TOKEN_PROGRAM, TOKEN_2022_PROGRAM].map(async (programId) => {
      const params = [owner, { programId }, { encoding: 'base64', commitment: 'confirmed', minContextSlot }]
      const { slot, value } = readContext(
        await transport.call('getTokenAccountsByOwner', params, { exact: true, timeoutMs }),
      )
      if (!Array.isArray(value)) throw malformed('token accounts')
      return { slot, accounts: value.map(readAddressed) }
    }),
  )
  return { slot: Math.min(...parts.map(({ slot }) => slot)), accounts: parts.flatMap(({ accounts }) => accounts) }
}

function readAddressed(value: unknown): AddressedAccount {
  const { pubkey, account } = (value ?? {}) as Record<string, unknown>
  const read = readAccount(account ?? null)
  if (typeof pubkey !== 'string' || read === null) throw malformed('a token account')
  return { address: pubkey, account: read }
}
