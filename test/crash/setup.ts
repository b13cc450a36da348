// The records that transfers need: fee payers, owners, an instrument of each token program, and a position with a
// balance for each owner.
import { getAssociatedTokenAddressSync, TOKEN_2022_PROGRAM_ID, TOKEN_PROGRAM_ID } from '@solana/spl-token'
import { PublicKey } from '@solana/web3.js'
import { refOf, type Ref } from './api.ts'
import type { Service } from './service.ts'
import { until } from './until.ts'

export const MINTED = 1_000_000n

export interface Instrument extends Ref {
  readonly program: PublicKey
}

export interface Setup {
  readonly feePayers: readonly Ref[]
  readonly owners: readonly Ref[]
  readonly instruments: readonly Instrument[]
  /** By owner, then by instrument. */
  readonly positions: readonly (readonly Ref[])[]
}

export async function settle(service: Service, size: { owners?: number } = {}): Promise<Setup> {
  const { api, connection } = service
  const feePayers = await newAccounts(service, 2, { canPayFees: true })
  for (const feePayer of feePayers) {
    await connection.requestAirdrop(new PublicKey(feePayer.onchainId), 100_000_000_000)
    // The books observe outside deposits when their balance is queried.
    await until(
      async () => (await lamports(service, feePayer)) === 100_000_000_000 || undefined,
      'the airdrop is in the books',
    )
  }
  const owners = await newAccounts(service, size.owners ?? 4, { canPayFees: true })
  const chainTransactionConfig = { feePayer: idOf(feePayers[0]!) }
  const make = async (path: string, itemData: object, member: string): Promise<Ref> =>
    refOf(await api.make(path, itemData, { chainTransactionConfig }), member)

  const versions = [
    ['SPL', TOKEN_PROGRAM_ID],
    ['TOKEN_2022', TOKEN_2022_PROGRAM_ID],
  ] as const
  const instruments = await Promise.all(
    versions.map(async ([version, program]) => {
      const onchainData = version === 'SPL' ? { decimals: 6 } : { name: 'Gold', symbol: 'GLD', decimals: 2 }
      const itemData = {
        mintAccount: {},
        version,
        mintAuthority: idOf(owners[0]!),
        freezeAuthority: idOf(owners[0]!),
        onchainData,
      }
      return { ...(await make('/financial-instruments', itemData, 'newFinancialInstrument')), program }
    }),
  )
  const positions = await Promise.all(
    owners.map((owner) =>
      Promise.all(
        instruments.map(async (instrument) => {
          const position = await make(
            '/positions',
            { owner: idOf(owner), financialInstrument: idOf(instrument) },
            'newPosition',
          )
          await api.make(
            '/positions/mint',
            { destination: { position: idOf(position) }, lamports: Number(MINTED) },
            { chainTransactionConfig },
          )
          return position
        }),
      ),
    ),
  )
  return { feePayers, owners, instruments, positions }
}

export function idOf({ offchainId }: Ref): { offchainId: string } {
  return { offchainId }
}

/** The token accounts of an owner, derived without the service. */
export function tokenAddress(owner: Ref, instrument: Instrument): string {
  const [mint, wallet] = [new PublicKey(instrument.onchainId), new PublicKey(owner.onchainId)]
  return getAssociatedTokenAddressSync(mint, wallet, false, instrument.program).toBase58()
}

/** Empty wallets: the first transfer to one opens its position. */
export async function newAccounts({ api }: Service, count: number, itemData: object = {}): Promise<Ref[]> {
  return await Promise.all(
    Array.from({ length: count }, async () => refOf(await api.make('/accounts', itemData), 'newAccount')),
  )
}

async function lamports({ api }: Service, account: Ref): Promise<number> {
  const { offchain } = (await api.get('/accounts/single/balance', idOf(account))) as { offchain: { lamports: number } }
  return offchain.lamports
}
