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
  const brought = Keypair.generate()
  const imported = await account({
    privateKeyDetails: { location: ['SECRETS'], privateKey: bs58.encode(brought.secretKey) },
  })
  expect(imported.onchainId).toBe(brought.publicKey.toBase58())
  const refused = await service.api.send('POST', '/accounts', { ...SECRETS, seedAmount: 1_000_000 })
  expect(refused.status).toBe(400)
  const mine = [payer, spacious, imported].map(({ offchainId }) => `${offchainId}.json`).sort()
  expect(readdirSync(secretsDir).sort()).toEqual(mine)

  await service.kill()
  writeFileSync(join(secretsDir, 'left-behind.json'), '{}')
  service = await startService({ dataDir, settings })
  const report = await service.program.find((line) => (line.includes('keys without a record') ? line : undefined))
  expect(JSON.parse(report)).toMatchObject({ orphans: 1, files: ['left-behind'] })
  const paid = await service.api.make('/positions/transfer-network-currency', {
    source: payer,
    destination: imported,
    lamports: SOL,
  })
  expect(paid).toMatchObject({ success: true })
  const exported = await service.api.get('/accounts/single/private-key', imported)
  const details = { location: ['SECRETS'], publickKey: imported.onchainId, privateKey: bs58.encode(brought.secretKey) }
  expect(exported['privateKeyDetails']).toEqual(details)
  expect(await service.stop()).toBe(0)
})
