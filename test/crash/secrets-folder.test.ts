// Accounts whose keys are files of the secrets folder, over a real crash: they sign again, and files without a record
// are reported.
import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import bs58 from 'bs58'
import { Keypair, PublicKey } from '@solana/web3.js'
import { expect, it } from 'vitest'
import { refOf, type Ref } from './api.ts'
import { newDataDir, startService } from './service.ts'

const SOL = 1_000_000_000
const SECRETS = { privateKeyDetails: { location: ['SECRETS'] } }

it('stores keys with location SECRETS outside of the store, and loses none in a crash', async () => {
  const dataDir = newDataDir()
  const secretsDir = join(newDataDir(), 'keys')
  const settings = { SECRETS_DIR: secretsDir }
  let service = await startService({ dataDir, settings })
  const account = async (itemData: object): Promise<Ref> =>
    refOf(await service.api.make('/accounts', itemData), 'newAccount')
  const payer = await account({ ...SECRETS, canPayFees: true, networkCurrencyDebitLimits: [] })
  await service.connection.requestAirdrop(new PublicKey(payer.onchainId), 10 * SOL)
  await service.api.get('/accounts/single/balance', payer)
  // Its own key signs the creation, from the file that was just written.
  const spacious = await account({ ...SECRETS, dataLength: 8 })
  const importedKey = Keypair.generate()
  const importedAccount = await account({
    privateKeyDetails: { location: ['SECRETS'], privateKey: bs58.encode(importedKey.secretKey) },
  })
  expect(importedAccount.onchainId).toBe(importedKey.publicKey.toBase58())
  const response = await service.api.send('POST', '/accounts', { ...SECRETS, seedAmount: 1_000_000 })
  expect(response.status).toBe(400)
  const expectedFiles = [payer, spacious, importedAccount].map(({ offchainId }) => `${offchainId}.json`).sort()
  expect(readdirSync(secretsDir).sort()).toEqual(expectedFiles)

  await service.kill()
  writeFileSync(join(secretsDir, 'left-behind.json'), '{}')
  service = await startService({ dataDir, settings })
  const report = await service.program.find((line) => (line.includes('keys without a record') ? line : undefined))
  expect(JSON.parse(report)).toMatchObject({ orphans: 1, files: ['left-behind'] })
  const payment = await service.api.make('/positions/transfer-network-currency', {
    source: payer,
    destination: importedAccount,
    lamports: SOL,
  })
  expect(payment).toMatchObject({ success: true })
  const exported = await service.api.get('/accounts/single/private-key', importedAccount)
  const details = {
    location: ['SECRETS'],
    publickKey: importedAccount.onchainId,
    privateKey: bs58.encode(importedKey.secretKey),
  }
  expect(exported['privateKeyDetails']).toEqual(details)
  expect(await service.stop()).toBe(0)
})
