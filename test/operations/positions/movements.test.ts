// Transfers on a real chain: the books equal the chain, and a transfer to a wrong account is refused before a key is
// used.
import { createSetAuthorityInstruction, AuthorityType } from '@solana/spl-token'
import { Keypair, PublicKey, TransactionMessage, VersionedTransaction } from '@solana/web3.js'
import { beforeAll, describe, expect, it } from 'vitest'
import { addressBytes, TOKEN_PROGRAM } from '../../../src/solana/address.ts'
import { associatedTokenAddress } from '../../../src/solana/derive.ts'
import { keypairFromPrivateKey } from '../../../src/keys/keypair.ts'
import { encodeBase58 } from '../../../src/solana/base58.ts'
import { accountBalance } from '../../../src/operations/accounts/balance.ts'
import type { JsonObject } from '../../../src/contract/call.ts'
import { createInstrument } from '../../../src/operations/instruments/create.ts'
import { initializePosition } from '../../../src/operations/positions/initialize.ts'
import { mintTokens } from '../../../src/operations/positions/mint.ts'
import { Refusal } from '../../../src/contract/refusal.ts'
import { transferTokens } from '../../../src/operations/positions/transfer.ts'
import { transferNetworkCurrency } from '../../../src/operations/positions/transfer-network-currency.ts'
import { TenantsFixture, type Wallet } from '../tenants-fixture.ts'

const SOL = 1_000_000_000n
const by = ({ onchainId }: { readonly onchainId: string }) => ({ onchainId })

async function verdict(attempt: Promise<unknown>): Promise<string> {
  try {
    await attempt
    return 'done'
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return `${error.status} ${error.problems[0]?.code} ${error.problems[0]?.pointer}`
  }
}

let fixture: TenantsFixture
let payer: Wallet
let owner: Wallet
let ownerKeys: Keypair
let mint: { readonly onchainId: string }

beforeAll(async () => {
  fixture = await TenantsFixture.open()
  payer = await fixture.wallet('MINE', { canPayFees: true }, 10n * SOL)
  ownerKeys = Keypair.generate()
  owner = await fixture.wallet('MINE', {}, SOL, keypairFromPrivateKey(encodeBase58(ownerKeys.secretKey)))
  const creation = await fixture.write('MINE', createInstrument, {
    itemData: { mintAccount: {}, mintAuthority: by(owner), onchainData: { decimals: 2 } },
  })
  mint = creation['newFinancialInstrument'] as { onchainId: string }
  await mintTo(owner, '500')
})

async function mintTo(to: { readonly onchainId: string }, lamports: string): Promise<JsonObject> {
  const destination = { owner: by(to), financialInstrument: by(mint) }
  return await fixture.write('MINE', mintTokens, {
    itemData: { destination, lamports, initializeDestinationPositionIfNeeded: true },
  })
}

const transfer = (to: object, more: object = {}): Promise<JsonObject> =>
  fixture.write('MINE', transferTokens, {
    itemData: { source: { owner: by(owner), financialInstrument: by(mint) }, destination: to, lamports: '5', ...more },
  })
const associated = (to: { readonly onchainId: string }): string =>
  associatedTokenAddress(to.onchainId, mint.onchainId, TOKEN_PROGRAM)

describe('tokens', () => {
  it('reach a position created by the transfer, whose address already holds network currency', async () => {
    const to = await fixture.wallet('MINE')
    await fixture.chain!.bank.airdrop(addressBytes(associated(to)), SOL)
    const answer = await transfer(
      { owner: by(to), financialInstrument: by(mint) },
      { initializeDestinationPositionIfNeeded: true },
    )
    expect(answer).toMatchObject({ success: true })
    expect(fixture.book(payer).balance).toBe(String(fixture.lamports(payer)))
  })

  it('do not reach an associated account that belongs to another owner by now', async () => {
    const pair = Keypair.generate()
    const victim = await fixture.wallet('MINE', {}, SOL, keypairFromPrivateKey(encodeBase58(pair.secretKey)))
    const { bank } = fixture.chain!
    await mintTo(victim, '5')
    const takeover = createSetAuthorityInstruction(
      new PublicKey(associated(victim)),
      pair.publicKey,
      AuthorityType.AccountOwner,
      Keypair.generate().publicKey,
    )
    const { blockhash } = bank.latestBlockhash('confirmed')
    const message = new TransactionMessage({
      payerKey: pair.publicKey,
      recentBlockhash: blockhash,
      instructions: [takeover],
    })
    const transaction = new VersionedTransaction(message.compileToV0Message())
    transaction.sign([pair])
    expect(await bank.send(transaction.serialize())).toMatchObject({ kind: 'executed', error: null })
    // Without a record of the position, the service queries the chain.
    const destination = { owner: by(victim), financialInstrument: by(mint) }
    const entries = fixture.engine.directory.find(['a', 'CHAIN_DEVNET', associated(victim)].join('\u0000'))
    const touch = { transactionId: 't', signature: 's', at: new Date().toISOString() }
    for (const entry of entries)
      await fixture.engine.transact((unit) => unit.send<'position'>(entry, { type: 'chain.closed', touch })).durable
    expect(await verdict(transfer(destination, { initializeDestinationPositionIfNeeded: true }))).toBe(
      '400 LOOKUP_MISMATCH /itemData/destination/owner',
    )
  })

  it('of a position frozen by an administrator cannot move', async () => {
    const ownWallet = await fixture.wallet('MINE')
    await mintTo(ownWallet, '5')
    const [entry] = fixture.engine.directory.find(['a', 'CHAIN_DEVNET', associated(ownWallet)].join('\u0000'))
    await fixture.engine.transact((unit) => unit.send<'position'>(entry!, { type: 'command.freeze' })).durable
    const source = { owner: by(ownWallet), financialInstrument: by(mint) }
    expect(await verdict(transfer({ owner: by(owner), financialInstrument: by(mint) }, { source }))).toBe(
      '403 FROZEN /itemData',
    )
  })

  it('create no second record of an address', async () => {
    const to = await fixture.wallet('MINE')
    await fixture.wallet('MINE', { address: associated(to) }, 0n, null)
    const destination = { owner: by(to), financialInstrument: by(mint) }
    expect(await verdict(transfer(destination, { initializeDestinationPositionIfNeeded: true }))).toMatch(
      '400 ALREADY_EXISTS',
    )
  })

  it('can be held by accounts that pay no fees', async () => {
    const position = { canPayFees: true }
    const to = await fixture.wallet('MINE')
    expect(
      await verdict(
        fixture.write('MINE', initializePosition, {
          itemData: { position, owner: by(to), financialInstrument: by(mint) },
        }),
      ),
    ).toBe('400 FEE_PAYER_INVALID /itemData/position/canPayFees')
  })
})

describe('network currency', () => {
  it('is transferred to the last lamport, for any fee', async () => {
    const configs = [
      {},
      { limit: 30_000, price: 7_777 },
      { enable: false, price: 1_000_000 },
      { enable: true, price: 50 },
    ]
    for (const computeUnitConfig of configs) {
      const source = await fixture.wallet('MINE', { canPayFees: true }, SOL)
      const destination = await fixture.wallet('MINE', {}, SOL)
      const answer = await fixture.write('MINE', transferNetworkCurrency, {
        itemData: { source: by(source), destination: by(destination), transferEntireBalance: true },
        chainTransactionConfig: { feePayer: by(source), computeUnitConfig },
      })
      expect(answer).toMatchObject({ success: true })
      expect(fixture.lamports(source)).toBe(0n)
      expect(fixture.book(source)).toEqual({ balance: '0', reserved: '0' })
    }
  })

  it('received during balance queries is counted once', async () => {
    const destination = await fixture.wallet('MINE', {}, SOL)
    const paymentCount = 20
    for (let index = 0; index < paymentCount; index += 1) {
      const itemData = { source: by(owner), destination: by(destination), lamports: '1000' }
      await fixture.write('MINE', transferNetworkCurrency, { itemData }, { waitMs: 0 })
      await fixture.read('MINE', accountBalance, { itemData: by(destination) })
    }
    for (;;) {
      const { outOfBalance, onchain } = (await fixture.read('MINE', accountBalance, { itemData: by(destination) })) as {
        outOfBalance: boolean
        onchain: { lamports: number }
      }
      if (
        onchain.lamports === Number(SOL) + paymentCount * 1000 &&
        !outOfBalance &&
        fixture.book(owner).reserved === '0'
      )
        break
    }
    expect(fixture.book(destination).balance).toBe(String(SOL + BigInt(paymentCount) * 1000n))
  })
})
