// The records that every scene needs, created over REST: wallets, a funded fee payer, plain Token-2022 instruments.
import { PublicKey, type Connection } from '@solana/web3.js'
import type { Ids, Rest } from './rest.ts'

export const DECIMALS = 6
const FUNDS_LAMPORTS = 500_000_000_000
const ATTEMPTS = 400
const LOOK_MS = 50

export async function makeWallet(rest: Rest, members: object): Promise<Ids> {
  const { newAccount } = await rest.post<{ newAccount: Ids }>('/accounts', { itemData: { managed: true, ...members } })
  return newAccount
}

/** Resolves when the funds have arrived. */
export async function fundFeePayer(chain: Connection, { onchainId }: Ids): Promise<void> {
  const signature = await chain.requestAirdrop(new PublicKey(onchainId), FUNDS_LAMPORTS)
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const status = (await chain.getSignatureStatuses([signature])).value[0]
    if (status?.confirmationStatus === 'confirmed' || status?.confirmationStatus === 'finalized') return
    await new Promise((resolve) => void setTimeout(resolve, LOOK_MS))
  }
  throw new Error(`${signature} was not confirmed`)
}

export async function makeInstrument(rest: Rest, mintAuthority: Ids): Promise<Ids> {
  const { newFinancialInstrument } = await rest.post<{ newFinancialInstrument: Ids }>('/financial-instruments', {
    itemData: {
      mintAccount: { managed: true, tokenVersion: 'TOKEN_2022' },
      mintAuthority: { offchainId: mintAuthority.offchainId },
      version: 'TOKEN_2022',
      onchainData: { decimals: DECIMALS },
    },
  })
  return newFinancialInstrument
}

/** The position of the owner, with this number of raw units. */
export async function makePosition(rest: Rest, owner: Ids, instrument: Ids, raw: bigint): Promise<Ids> {
  const financialInstrument = { offchainId: instrument.offchainId }
  const { newPosition } = await rest.post<{ newPosition: Ids }>('/positions', {
    itemData: { owner: { offchainId: owner.offchainId }, financialInstrument },
  })
  if (raw > 0n) {
    await rest.post('/positions/mint', {
      itemData: { destination: { position: { offchainId: newPosition.offchainId } }, lamports: Number(raw) },
    })
  }
  return newPosition
}
