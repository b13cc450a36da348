// No nonce needs the key of an escrow: it is not made so, and one whose authority became an escrow is left alone.
import { Keypair, PublicKey, SystemProgram, Transaction } from '@solana/web3.js'
import bs58 from 'bs58'
import { expect, it } from 'vitest'
import { associated } from '../addresses.ts'
import { eventually } from '../harness.ts'
import type { Ids, Result } from '../models.ts'
import { SOL } from '../records.ts'
import { DURABLE, NONCES, PAY, type CreatedNonces } from '../transactions/nonce-fixture.ts'
import type { LoanCreation } from './loan-fixture.ts'
import { bond, borrower, cash, exact, fixture, vault, wallet, withLoanParties } from './loan-parties.ts'

withLoanParties()

const at = (instrument: Ids) => ({ owner: exact(wallet), financialInstrument: exact(instrument) })

it('refuses an escrow as the authority of nonces, and takes no nonce whose authority became an escrow', async () => {
  const { api, records } = borrower
  const config = { feePayer: exact(wallet) }
  const { newLoan: escrow } = await api.ok<LoanCreation>(201, 'POST', '/loans', {
    defiProtocol: 'ESCROW_VAULT',
    lendingDetails: { loanStrategyAddress: vault.onchainId },
    itemsToBorrow: [{ positionLookup: at(cash), amount: 100 }],
    itemsToPledge: [{ positionLookup: at(bond), amount: 300 }],
  })
  expect(await fixture.world.chain.tokens(associated(escrow.onchainId, bond.onchainId, 'TOKEN_2022'))).toBeGreaterThan(
    0n,
  )
  for (const lookup of [{ offchainId: escrow.offchainId }, exact(escrow)]) {
    const body = { nonceAuthority: lookup, count: 1 }
    const { pointer } = await api.refuses(403, 'ESCROW_LOCKED', 'POST', NONCES, body, { config })
    expect(pointer).toBe('/itemData/nonceAuthority')
  }

  const key = Keypair.generate()
  const authority = await records.account({ privateKeyDetails: { privateKey: bs58.encode(key.secretKey) } })
  const created = await api.ok<CreatedNonces>(201, 'POST', NONCES, { nonceAuthority: authority, count: 1 }, { config })
  const [nonce] = created.newDurableNonceAccounts
  const pay = () =>
    api.send<Result>(
      'POST',
      PAY,
      { source: wallet, destination: authority, lamports: 1_000_000 },
      { config: { ...config, ...DURABLE } },
    )
  await eventually(async () => expect((await pay()).status).toBe(201))

  const { chain } = fixture.world
  const payer = Keypair.generate()
  await chain.airdrop(payer.publicKey.toBase58(), SOL)
  const handOver = new Transaction({ feePayer: payer.publicKey, ...(await chain.connection.getLatestBlockhash()) }).add(
    SystemProgram.nonceAuthorize({
      noncePubkey: new PublicKey(nonce!.onchainId),
      authorizedPubkey: key.publicKey,
      newAuthorizedPubkey: new PublicKey(escrow.onchainId),
    }),
  )
  handOver.sign(payer, key)
  await chain.connection.sendRawTransaction(handOver.serialize())
  await eventually(async () => {
    const page = await api.bulk(`${NONCES}/bulk`, {})
    expect(page).toMatchObject({ items: [{ nonceAuthority: { onchain: { id: escrow.onchainId } }, inUse: null }] })
  })
  const { status, body } = await pay()
  expect([status, JSON.stringify(body)]).toEqual([400, expect.stringContaining('NONCE_UNAVAILABLE')])
})
