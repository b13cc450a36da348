// The scene of the transfers, made over REST: a tenant, its fee payer, a plain Token-2022 instrument, and owners whose positions
// hold enough of it for any number of transfers. All keys are of the service's own making.
import { Connection, PublicKey } from '@solana/web3.js'
import type { ServiceProcess } from '../service/process.ts'
import { inParallel, type Ids } from '../service/rest.ts'
import { createTenant } from '../service/tenant.ts'

export const POSITIONS = 128
export const DECIMALS = 6
const AT_ONCE = 32
const FUNDS_LAMPORTS = 500_000_000_000
const MINTED = 1_000_000_000_000n

export interface Holder {
  readonly owner: Ids
  readonly position: Ids
}

export interface Scene {
  readonly apiKey: string
  readonly feePayer: Ids
  readonly instrument: Ids
  readonly holders: readonly Holder[]
  /** Raw units in every position before the first transfer. */
  readonly minted: bigint
  /** Of the fee payer, before the first transfer. */
  readonly fundsLamports: bigint
}

export async function prepare(service: ServiceProcess, chain: Connection): Promise<Scene> {
  const { rest, apiKey } = await createTenant(service, 'BENCH')
  const wallet = async (members: object): Promise<Ids> => {
    const { newAccount } = await rest.post<{ newAccount: Ids }>('/accounts', { itemData: { managed: true, ...members } })
    return newAccount
  }
  const feePayer = await wallet({ canPayFees: true })
  const payerKey = new PublicKey(feePayer.onchainId)
  await settled(chain, await chain.requestAirdrop(payerKey, FUNDS_LAMPORTS))
  const authority = await wallet({ offchainReferences: { type: 'TOKEN_MANAGEMENT_AUTHORITY', code: 'MINT' } })
  const { newFinancialInstrument: instrument } = await rest.post<{ newFinancialInstrument: Ids }>('/financial-instruments', {
    itemData: {
      mintAccount: { managed: true, tokenVersion: 'TOKEN_2022' },
      mintAuthority: { offchainId: authority.offchainId },
      version: 'TOKEN_2022',
      onchainData: { decimals: DECIMALS },
    },
  })
  const financialInstrument = { offchainId: instrument.offchainId }
  const holders = await inParallel(POSITIONS, AT_ONCE, async (index) => {
    const owner = await wallet({ offchainReferences: { type: 'WALLET', code: `OWNER-${index}` } })
    const { newPosition: position } = await rest.post<{ newPosition: Ids }>('/positions', {
      itemData: { owner: { offchainId: owner.offchainId }, financialInstrument },
    })
    await rest.post('/positions/mint', {
      itemData: { destination: { position: { offchainId: position.offchainId } }, lamports: Number(MINTED) },
    })
    return { owner, position }
  })
  const fundsLamports = BigInt(await chain.getBalance(payerKey, 'confirmed'))
  return { apiKey, feePayer, instrument, holders, minted: MINTED, fundsLamports }
}

async function settled(chain: Connection, signature: string): Promise<void> {
  for (let attempt = 0; attempt < 200; attempt += 1) {
    const status = (await chain.getSignatureStatuses([signature])).value[0]
    if (status?.confirmationStatus === 'confirmed' || status?.confirmationStatus === 'finalized') return
    await new Promise((resolve) => void setTimeout(resolve, 50))
  }
  throw new Error(`${signature} was not confirmed`)
}
