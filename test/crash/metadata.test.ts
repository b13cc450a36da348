// Metadata that needs several transactions, and a process that is killed between them: every text is on chain once, and
// its rent is paid.
import { getTokenMetadata, TOKEN_2022_PROGRAM_ID } from '@solana/spl-token'
import { PublicKey } from '@solana/web3.js'
import { describe, expect, it } from 'vitest'
import { refOf } from './api.ts'
import { newDataDir, startService } from './service.ts'
import { until } from './until.ts'

const PATH = '/financial-instruments'
const LAMPORTS = 5_000_000_000

describe('an update in several transactions', () => {
  it('continues after a kill, and its idempotency key covers all transactions', async () => {
    const dataDir = newDataDir()
    let service = await startService({ dataDir })
    const payer = refOf(await service.api.make('/accounts', { canPayFees: true }), 'newAccount')
    const authority = refOf(await service.api.make('/accounts', {}), 'newAccount')
    await service.connection.requestAirdrop(new PublicKey(payer.onchainId), LAMPORTS)
    await until(
      async () => (await service.connection.getBalance(new PublicKey(payer.onchainId))) === LAMPORTS || undefined,
      'it is funded',
    )
    await service.api.get('/accounts/single/balance', { offchainId: payer.offchainId })
    const body = { mintAccount: {}, version: 'TOKEN_2022', mintAuthority: authority, onchainData: { name: 'Long' } }
    const mint = refOf(await service.api.make(PATH, body), 'newFinancialInstrument')

    const texts = Object.fromEntries(
      Array.from({ length: 12 }, (_, index) => [`part ${index}`, `${index} `.repeat(240)]),
    )
    const itemData = {
      mintAccount: { offchainId: mint.offchainId },
      onchainData: { simpleCustomMetadata: texts },
      offchainData: { description: 'long' },
    }
    const update = (prefer: string) =>
      service.api.send('PATCH', PATH, itemData, { headers: { 'idempotency-key': 'metadata', prefer } })
    expect((await update('respond-async')).status).toBe(200)

    const readMetadata = async (): Promise<Readonly<Record<string, string>>> => {
      const record = await service.api.get(`${PATH}/single`, { offchainId: mint.offchainId })
      return (
        (record['onchainData'] as { simpleCustomMetadata?: Record<string, string> | null }).simpleCustomMetadata ?? {}
      )
    }
    for (let kills = 0, seen = 0; kills < 3 && seen < 12; kills += 1) {
      seen = await until(async () => {
        const { length } = Object.keys(await readMetadata())
        return length > seen ? length : undefined
      }, 'it continues')
      await service.kill()
      service = await startService({ dataDir })
    }
    const answer = await until(async () => {
      const reply = await update('wait=5')
      return Object.keys(await readMetadata()).length === 12 ? reply : undefined
    }, 'it is whole')
    expect(answer).toMatchObject({
      status: 200,
      replayed: true,
      body: { updatedFinancialInstrument: mint, chainTransaction: { success: true } },
    })

    const { connection } = service
    const address = new PublicKey(mint.onchainId)
    const metadata = await getTokenMetadata(connection, address, 'confirmed', TOKEN_2022_PROGRAM_ID)
    expect(Object.fromEntries(metadata?.additionalMetadata ?? [])).toEqual(texts)
    expect(await readMetadata()).toEqual(texts)
    const account = await connection.getAccountInfo(address)
    expect(account?.lamports).toBe(await connection.getMinimumBalanceForRentExemption(account?.data.length ?? 0))
    for (const ref of [payer, mint]) {
      const record =
        ref === mint
          ? ((await service.api.get(`${PATH}/single`, { offchainId: ref.offchainId }))['mintAccount'] as Record<
              string,
              unknown
            >)
          : await service.api.get('/accounts/single', { offchainId: ref.offchainId })
      expect((record['offchain'] as { lamportsBalance: number }).lamportsBalance).toBe(
        await connection.getBalance(new PublicKey(ref.onchainId)),
      )
    }
    expect(await service.stop()).toBe(0)
  })
})
