// The steps of `tour`, each with its expected result on the chain.
import { randomUUID } from 'node:crypto'
import type { ChainReader } from './chain-reader.ts'
import type { Printer } from './print.ts'
import type { RestAnswer, Ids, Rest, TransactionResult } from './rest.ts'
import { DECIMALS, Steps } from './steps.ts'

const LAMPORTS_PER_SOL = 1_000_000_000n

type WithTransaction<Member extends string> = Readonly<Record<Member, Ids>> & {
  readonly chainTransaction?: TransactionResult
}

/** One run of the tour. Names are unique to it, so that the tour can be repeated on the same service. */
interface Walk {
  readonly id: string
  readonly rest: Rest
  readonly chain: ChainReader
  readonly printer: Printer
  readonly steps: Steps
}

/** Results of the first steps, which the transfers use. `config` names the fee payer. */
interface Scene {
  readonly config: object
  readonly payer: Ids
  readonly alice: Ids
  readonly bob: Ids
  readonly alicePosition: Ids
  readonly bobPosition: Ids
}

export async function walk(rest: Rest, chain: ChainReader, printer: Printer): Promise<void> {
  const id = randomUUID().slice(0, 8).toUpperCase()
  const run = { id, rest, chain, printer, steps: new Steps(chain, printer) }
  await moveAssets(run, await setScene(run))
}

async function setScene(run: Walk): Promise<Scene> {
  const { chain, printer, steps } = run
  steps.next('A fee payer, funded by the chain')
  const payer = await createAccount(run, 'PAYER', 'WALLET', { itemData: { canPayFees: true } })
  const config = { chainTransactionConfig: { feePayer: idOf(payer) } }
  printer.detail('airdrop', await chain.airdrop(payer.onchainId, 10n * LAMPORTS_PER_SOL))
  await steps.holdsLamports('payer', payer, 10n * LAMPORTS_PER_SOL)

  steps.next('Two owners, one of them with network currency, and an issuer')
  const issuer = await createAccount(run, 'ISSUER', 'TOKEN_MANAGEMENT_AUTHORITY')
  const alice = await createAccount(run, 'ALICE', 'WALLET', { itemData: { seedAmount: 1 }, ...config })
  const bob = await createAccount(run, 'BOB', 'WALLET')
  await steps.holdsLamports('alice', alice, LAMPORTS_PER_SOL)
  await steps.holdsLamports('bob', bob, 0n)

  steps.next('A Token-2022 instrument with on-mint metadata')
  const bond = await createBond(run, issuer, config)
  const position = async (name: string, owner: Ids): Promise<Ids> => {
    const itemData = { owner: idOf(owner), financialInstrument: idOf(bond) }
    const { body } = await run.rest.call<WithTransaction<'newPosition'>>('POST', 'positions', { itemData, ...config })
    printer.detail(name, body.newPosition.onchainId)
    await steps.landed(body.chainTransaction)
    return body.newPosition
  }

  steps.next('A position for each owner')
  const alicePosition = await position('alice', alice)
  const bobPosition = await position('bob', bob)
  await steps.holdsTokens('alice', alicePosition, 0n)
  await steps.holdsTokens('bob', bobPosition, 0n)
  return { config, payer, alice, bob, alicePosition, bobPosition }
}

async function createBond({ id, rest, chain, steps }: Walk, issuer: Ids, config: object): Promise<Ids> {
  const onchainData = { name: 'Tour bond', symbol: 'TOUR', decimals: DECIMALS, simpleCustomMetadata: { walk: id } }
  const created = await rest.call<WithTransaction<'newFinancialInstrument'>>('POST', 'financial-instruments', {
    itemData: {
      mintAccount: { offchainReferences: { code: `BOND-${id}`, type: 'ASSET_TOKEN' } },
      mintAuthority: idOf(issuer),
      version: 'TOKEN_2022',
      onchainData,
    },
    ...config,
  })
  const bond = created.body.newFinancialInstrument
  await steps.landed(created.body.chainTransaction)
  const mint = await chain.mint(bond.onchainId)
  steps.expect('name', mint?.metadata?.name, onchainData.name)
  steps.expect('symbol', mint?.metadata?.symbol, onchainData.symbol)
  steps.expect('decimals', mint?.decimals, DECIMALS)
  steps.expect('authority', mint?.mintAuthority, issuer.onchainId)
  steps.expect('metadata', JSON.stringify(mint?.metadata?.additionalMetadata), JSON.stringify([['walk', id]]))
  return bond
}

async function moveAssets(run: Walk, scene: Scene): Promise<void> {
  const { rest, chain, steps } = run
  const { config, payer, alice, bob, alicePosition, bobPosition } = scene
  const move = async (
    path: string,
    itemData: object,
    method: 'POST' | 'PATCH' = 'POST',
  ): Promise<RestAnswer<TransactionResult>> => {
    const answer = await rest.call<TransactionResult>(method, `positions/${path}`, { itemData, ...config })
    await steps.landed(answer.body)
    return answer
  }

  steps.next('1000 tokens are minted to alice')
  await move('mint', { destination: { position: idOf(alicePosition) }, amount: 1000 })
  await steps.holdsTokens('alice', alicePosition, 100_000n)

  steps.next('Alice transfers 250.25 tokens to bob')
  const transfer = {
    source: { position: idOf(alicePosition) },
    destination: { position: idOf(bobPosition) },
    amount: '250.25',
    memo: 'first transfer',
    idempotencyId: randomUUID(),
  }
  const first = await move('transfer', transfer)
  steps.expect('replayed', first.replayed, false)
  await steps.holdsTokens('alice', alicePosition, 74_975n)
  await steps.holdsTokens('bob', bobPosition, 25_025n)

  steps.next('Repeating the request changes nothing')
  const again = await move('transfer', transfer)
  steps.expect('replayed', again.replayed, true)
  steps.expect('signature', again.body.onchainId, first.body.onchainId)
  await steps.holdsTokens('alice', alicePosition, 74_975n)
  await steps.holdsTokens('bob', bobPosition, 25_025n)

  steps.next('Alice transfers 0.25 of network currency to bob')
  await move('transfer-network-currency', { source: idOf(alice), destination: idOf(bob), amount: 0.25 })
  await steps.holdsLamports('alice', alice, 750_000_000n)
  await steps.holdsLamports('bob', bob, 250_000_000n)

  steps.next("Alice's position is closed; what it holds goes to bob, its rent back to the fee payer")
  const before = await chain.lamports(payer.onchainId)
  const rent = await chain.lamports(alicePosition.onchainId)
  const toBob = { position: idOf(bobPosition) }
  await move('close', { position: { position: idOf(alicePosition) }, transferRemainingTokenBalanceTo: toBob }, 'PATCH')
  await steps.holdsTokens('alice', alicePosition, null)
  await steps.holdsTokens('bob', bobPosition, 100_000n)
  // Two signatures: the fee payer's and alice's.
  await steps.holdsLamports('payer', payer, before + rent - 10_000n)
}

async function createAccount(
  { id, rest, printer, steps }: Walk,
  code: string,
  type: string,
  { itemData, ...config }: { readonly itemData?: object; readonly chainTransactionConfig?: object } = {},
): Promise<Ids> {
  const account = { managed: true, offchainReferences: { code: `${code}-${id}`, type }, ...itemData }
  const { body } = await rest.call<WithTransaction<'newAccount'>>('POST', 'accounts', { itemData: account, ...config })
  printer.detail(code.toLowerCase(), body.newAccount.onchainId)
  if (body.chainTransaction !== undefined) await steps.landed(body.chainTransaction)
  return body.newAccount
}

function idOf({ offchainId }: Ids): { readonly offchainId: string } {
  return { offchainId }
}
