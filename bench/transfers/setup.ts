// The scene of the transfers, created over REST: a tenant, its fee payer, a plain Token-2022 instrument, and owners
// whose positions hold enough of it for any number of transfers. The tenant of the system has a fee payer for it too.
// All keys are in the service.
import { PublicKey, type Connection } from '@solana/web3.js'
import type { Served } from '../service/process.ts'
import { inParallel, restClient, type Ids } from '../service/rest.ts'
import { createTenant } from '../service/tenant.ts'
import { fundFeePayer, makeInstrument, makePosition, makeWallet } from '../service/assets.ts'
import type { TransferSettings } from './traffic.ts'

export const POSITIONS = 128
const TENANT = 'BENCH'
const AT_ONCE = 32
const MINTED = 1_000_000_000_000n

export interface Holder {
  readonly owner: Ids
  readonly position: Ids
}

export interface Payer extends Ids {
  /** Before the first transfer. */
  readonly fundsLamports: bigint
}

export interface Scene {
  readonly apiKey: string
  /** Of the tenant. */
  readonly feePayer: Payer
  /** Of the system's tenant, which lends it. */
  readonly systemPayer: Payer
  readonly instrument: Ids
  readonly holders: readonly Holder[]
  /** Raw units in every position before the first transfer. */
  readonly minted: bigint
}

export async function prepare(service: Served, chain: Connection, tenant = TENANT): Promise<Scene> {
  const { rest, apiKey } = await createTenant(service, tenant)
  const feePayer = await makeWallet(rest, { canPayFees: true })
  await fundFeePayer(chain, feePayer)
  const authority = await makeWallet(rest, { offchainReferences: { type: 'TOKEN_MANAGEMENT_AUTHORITY', code: 'MINT' } })
  const instrument = await makeInstrument(rest, authority)
  const holders = await inParallel(POSITIONS, AT_ONCE, async (index) => {
    const owner = await makeWallet(rest, { offchainReferences: { type: 'WALLET', code: `OWNER-${index}` } })
    return { owner, position: await makePosition(rest, owner, instrument, MINTED) }
  })
  // Created last: from here on it is the default fee payer.
  const system = restClient(service.host, service.port, service.bootstrapKey)
  const lent = await makeWallet(system, { globalFeePayerForOrgs: [tenant], networkCurrencyDebitLimits: [] })
  await fundFeePayer(chain, lent)
  await system.post('/accounts/single/balance', { itemData: { offchainId: lent.offchainId } })
  const [paying, lending] = [await payerOf(chain, feePayer), await payerOf(chain, lent)]
  return { apiKey, feePayer: paying, systemPayer: lending, instrument, holders, minted: MINTED }
}

async function payerOf(chain: Connection, ids: Ids): Promise<Payer> {
  return { ...ids, fundsLamports: BigInt(await chain.getBalance(new PublicKey(ids.onchainId), 'confirmed')) }
}

/**
 * What a generator of transfers is told.
 *
 * @param prefix eight hex digits with which its ids begin: no two generators share them
 */
export function settingsOf(
  { apiKey, feePayer, holders }: Scene,
  payer: Ids = feePayer,
  prefix = '000000a1',
): TransferSettings {
  return { apiKey, feePayer: payer.offchainId, prefix, positions: holders.map(({ position }) => position.offchainId) }
}
