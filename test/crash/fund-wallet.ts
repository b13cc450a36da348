// A new account with network currency, without limits of its own.
import { PublicKey } from '@solana/web3.js'
import { refOf, type Ref } from './api.ts'
import type { Service } from './service.ts'
import { until } from './until.ts'

export async function fundWallet({ api, connection }: Service, itemData: object, lamports: number): Promise<Ref> {
  const account = refOf(await api.make('/accounts', { networkCurrencyDebitLimits: [], ...itemData }), 'newAccount')
  const key = new PublicKey(account.onchainId)
  await connection.requestAirdrop(key, lamports)
  await until(async () => (await connection.getBalance(key)) === lamports || undefined, 'it is funded')
  await api.get('/accounts/single/balance', { offchainId: account.offchainId })
  return account
}
