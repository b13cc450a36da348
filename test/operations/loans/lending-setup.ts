// Tenants with instruments, prices, vaults and borrowers, for loans through the real operations on a real chain. Its
// clock stops until the test advances it, so that the model can compute interest to the raw unit.
import { Keypair, PublicKey, TransactionMessage, VersionedTransaction } from '@solana/web3.js'
import { createTransferInstruction } from '@solana/spl-token'
import { addressBytes, TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../../../src/solana/address.ts'
import { encodeBase58 } from '../../../src/solana/base58.ts'
import { decodeTokenAccount } from '../../../src/solana/token-layout.ts'
import { associatedTokenAddress } from '../../../src/solana/derive.ts'
import { addressKey, escrowKey } from '../../../src/engine/index/index-keys.ts'
import { ofKind, type RecordState } from '../../../src/engine/records/record.ts'
import { keypairFromPrivateKey } from '../../../src/keys/keypair.ts'
import { escrowVault } from '../../../src/lending/escrow-vault.ts'
import type { JsonObject } from '../../../src/contract/call.ts'
import { createInstrument } from '../../../src/operations/instruments/create.ts'
import { createStrategy } from '../../../src/operations/loans/create-strategy.ts'
import { mintTokens } from '../../../src/operations/positions/mint.ts'
import { positionBalance } from '../../../src/operations/positions/balance.ts'
import { Refusal } from '../../../src/contract/refusal.ts'
import type { Write } from '../../../src/operations/context/platform.ts'
import { dataSource } from '../../machines/records.ts'
import { CLUSTER, TenantsFixture, type Wallet } from '../tenants-fixture.ts'

export const ORGANIZATION = 'MINE'
const SOL = 1_000_000_000n
const START = 1_795_000_000

export interface Instrument {
  readonly onchainId: string
  readonly offchainId: string
  readonly decimals: number
  readonly program: string
}

export type Done = { readonly ok: true; readonly body: JsonObject } | { readonly ok: false; readonly code: string }

export const by = ({ onchainId }: { readonly onchainId: string }) => ({ onchainId })

export class LendingSetup {
  readonly setup: TenantsFixture
  readonly #time: { now: number }
  readonly #feeds = new Map<string, { readonly feed: Wallet; sequence: number }>()
  principals: readonly Instrument[] = []
  collaterals: readonly Instrument[] = []
  #issuer!: Wallet
  #stranger!: Wallet
  readonly #strangersKeys = Keypair.generate()

  private constructor(setup: TenantsFixture, time: { now: number }) {
    this.setup = setup
    this.#time = time
  }

  static async open(): Promise<LendingSetup> {
    const time = { now: START }
    const setup = await TenantsFixture.open(true, {
      clock: { now: () => time.now * 1000 },
      lending: new Map([[escrowVault.name, escrowVault]]),
    })
    const lendingSetup = new LendingSetup(setup, time)
    await setup.wallet(ORGANIZATION, { canPayFees: true }, 1_000n * SOL)
    lendingSetup.#issuer = await lendingSetup.wallet()
    lendingSetup.#stranger = await setup.wallet(
      ORGANIZATION,
      {},
      10n * SOL,
      keypairFromPrivateKey(encodeBase58(lendingSetup.#strangersKeys.secretKey)),
    )
    lendingSetup.principals = [await lendingSetup.instrument('SPL', 6), await lendingSetup.instrument('TOKEN_2022', 2)]
    lendingSetup.collaterals = [await lendingSetup.instrument('TOKEN_2022', 3), await lendingSetup.instrument('SPL', 0)]
    return lendingSetup
  }

  get instruments(): readonly Instrument[] {
    return [...this.principals, ...this.collaterals]
  }

  /** Unix seconds. */
  get now(): number {
    return this.#time.now
  }

  pass(seconds: number): void {
    this.#time.now += seconds
  }

  wallet(): Promise<Wallet> {
    return this.setup.wallet(ORGANIZATION, { canPayFees: true }, 10n * SOL)
  }

  async instrument(version: 'SPL' | 'TOKEN_2022', decimals: number): Promise<Instrument> {
    const itemData = { mintAccount: {}, version, mintAuthority: by(this.#issuer), onchainData: { decimals } }
    const { newFinancialInstrument } = await this.#write(createInstrument, { itemData })
    const ids = newFinancialInstrument as unknown as Wallet
    const instrument = {
      onchainId: ids.onchainId,
      offchainId: ids.offchainId,
      decimals,
      program: version === 'SPL' ? TOKEN_PROGRAM : TOKEN_2022_PROGRAM,
    }
    const feed = await this.#feed(instrument)
    this.#feeds.set(instrument.onchainId, { feed, sequence: 1 })
    await this.mint(this.#stranger, instrument, 1_000_000_000n)
    return instrument
  }

  async mint(owner: Wallet, instrument: Instrument, lamports: bigint): Promise<void> {
    const destination = { owner: by(owner), financialInstrument: by(instrument) }
    await this.#write(mintTokens, {
      itemData: { destination, lamports: lamports.toString(), initializeDestinationPositionIfNeeded: true },
    })
  }

  /** As if the chain had shown it: the publication of a value is not tested here. */
  async price(instrument: Instrument, value: string): Promise<void> {
    const feedState = this.#feeds.get(instrument.onchainId)!
    feedState.sequence += 1
    const { sequence, feed } = feedState
    const publication = { value, asOf: this.now, slot: sequence, sequence }
    await this.setup.engine.transact((unit) =>
      unit.send<'dataSource'>(feed.entry, { type: 'chain.published', publication, slot: sequence }),
    ).durable
  }

  async strategy(vault: Wallet, instrument: Instrument, terms: object): Promise<string> {
    const itemData = { strategyAccount: by(vault), financialInstrument: by(instrument), ...terms } as never
    return ((await this.#write(createStrategy, { itemData }))['newStrategy'] as unknown as Wallet).offchainId
  }

  /** The result of the write once it has settled. A transaction that fails on chain fails the test. */
  async attempt<Input>(write: Write<Input>, input: Input): Promise<Done> {
    try {
      return { ok: true, body: await this.#write(write, input) }
    } catch (error) {
      const code = error instanceof Refusal ? error.problems[0]?.code : undefined
      if (code === undefined) throw error
      return { ok: false, code }
    }
  }

  addressOf(owner: { readonly onchainId: string }, instrument: Instrument): string {
    return associatedTokenAddress(owner.onchainId, instrument.onchainId, instrument.program)
  }

  /** Raw units on chain. */
  balanceOf(owner: { readonly onchainId: string }, instrument: Instrument): bigint {
    const account = this.setup.chain!.bank.account(addressBytes(this.addressOf(owner, instrument)))
    return account === null || account.lamports === 0n
      ? 0n
      : decodeTokenAccount(account.data, instrument.program).amount
  }

  position(owner: { readonly onchainId: string }, instrument: Instrument): RecordState<'position'> | undefined {
    return this.setup.engine.directory
      .find(addressKey(CLUSTER, this.addressOf(owner, instrument)))
      .flatMap(({ head }) => ofKind(head, 'position') ?? [])
      .find(({ value }) => value !== 'closed')
  }

  loan(escrow: string): RecordState<'loan'> {
    const loans = this.setup.engine.directory
      .find(escrowKey(CLUSTER, escrow))
      .flatMap(({ head }) => ofKind(head, 'loan') ?? [])
    return loans[0]!
  }

  get stranger(): Wallet {
    return this.#stranger
  }

  /** Sent to the chain by an outside party, not through the service. */
  async gift(to: { readonly onchainId: string }, instrument: Instrument, amount: bigint): Promise<void> {
    const { bank } = this.setup.chain!
    const key = (address: string) => new PublicKey(address)
    const [from, at] = [this.addressOf(this.#stranger, instrument), this.addressOf(to, instrument)].map(key) as [
      PublicKey,
      PublicKey,
    ]
    const instruction = createTransferInstruction(
      from,
      at,
      this.#strangersKeys.publicKey,
      amount,
      [],
      key(instrument.program),
    )
    const { blockhash } = bank.latestBlockhash('confirmed')
    const message = new TransactionMessage({
      payerKey: this.#strangersKeys.publicKey,
      recentBlockhash: blockhash,
      instructions: [instruction],
    })
    const transaction = new VersionedTransaction(message.compileToV0Message())
    transaction.sign([this.#strangersKeys])
    const outcome = await bank.send(transaction.serialize())
    if (outcome.kind !== 'executed' || outcome.error !== null) throw new Error(JSON.stringify(outcome))
    // A second, equal transfer has another blockhash, so that it is another transaction.
    await bank.advance(1)
  }

  /** Updates the books from the chain. */
  async look(owner: { readonly onchainId: string }, instrument: Instrument): Promise<void> {
    const itemData = { position: { onchainId: this.addressOf(owner, instrument) } }
    await this.setup.read(ORGANIZATION, positionBalance, { itemData })
  }

  async #write<Input>(write: Write<Input>, input: Input): Promise<JsonObject> {
    const body = await this.setup.write(ORGANIZATION, write, input)
    const transaction = (body['chainTransaction'] ?? ('success' in body ? body : undefined)) as
      { success: boolean } | undefined
    if (transaction?.success === false) throw new Error(JSON.stringify(body))
    return body
  }

  async #feed({ onchainId, offchainId }: Instrument): Promise<Wallet> {
    const address = Keypair.generate().publicKey.toBase58()
    const financialInstrument = { address: onchainId, id: offchainId }
    const latest = { value: '1', asOf: this.now, slot: 1, sequence: 1 }
    const holding = {
      ...dataSource,
      address,
      organization: ORGANIZATION,
      financialInstrument,
      latest,
      landedSlot: 1,
      issued: 1,
    }
    const { result, durable } = this.setup.engine.transact((unit) =>
      unit.create(
        'dataSource',
        { tenant: ORGANIZATION, cluster: CLUSTER, id: crypto.randomUUID() },
        { state: 'active', holding },
      ),
    )
    await durable
    return { onchainId: address, offchainId: result.head.id, entry: result }
  }
}
