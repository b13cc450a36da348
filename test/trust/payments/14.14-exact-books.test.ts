// Books stay exact to the unit under any mixture of own payments, deposits, withdrawals by others, forks, restarts and
// reads of the chain. The audit, at every write of the real engine: a balance in the books, less the amounts booked for
// own transactions, is the sum moved by outsiders, and must be a sum that existed at some time. A deposit booked twice,
// or an own payment booked as a withdrawal, gives a sum that never existed, even if the next read corrects it.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Keypair, PublicKey, SystemProgram, TransactionMessage, VersionedTransaction } from '@solana/web3.js'
import bs58 from 'bs58'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { EMBEDDED_CLUSTER } from '../../../src/rpc/cluster-settings.ts'
import { QUICK } from '../../submission/linked.ts'
import { loadSettings } from '../../../src/config/settings.ts'
import { ofKind, isHolding } from '../../../src/engine/records/record.ts'
import { generateApiKey } from '../../../src/keys/api-key.ts'
import { bookedBalance } from '../../../src/operations/reconcile/balances.ts'
import { effectOf } from '../../../src/operations/reconcile/open-effects.ts'
import type { Platform } from '../../../src/operations/context/platform.ts'
import { startService, type Service } from '../../../src/service/service.ts'
import { Client } from '../../e2e/client.ts'
import { eventually } from '../../e2e/harness.ts'
import type { Ids, Result } from '../../e2e/models.ts'
import { Onchain } from '../../e2e/onchain.ts'
import { Records, SOL } from '../../e2e/records.ts'
import { serveChain, type ServedChain } from '../../localnet/rpc-chain.ts'

const PAY = '/positions/transfer-network-currency'
const FUNDS = SOL
const FEE_LAMPORTS = 5_000n

const dataDir = mkdtempSync(join(tmpdir(), 'holdfast-exact-'))
const { apiKey } = generateApiKey()
let chain: ServedChain
let service: Service
let platform: Platform
let api: Client
let records: Records
let onchain: Onchain
let fees: Ids
/** Every transaction of the service, recorded before it is sent. */
const transactions = new Set<string>()
let audits: Audit[] = []

async function start(): Promise<void> {
  const settings = loadSettings({
    HOLDFAST_DATA_DIR: dataDir,
    HOLDFAST_PORT: '0',
    HOLDFAST_BOOTSTRAP_KEY: apiKey,
    HOLDFAST_MASTER_KEY: Buffer.alloc(32, 7).toString('base64'),
    HOLDFAST_CLUSTERS: JSON.stringify({ CHAIN_DEVNET: chain.url }),
    HOLDFAST_RATE_LIMIT: '1000000/1000000',
    HOLDFAST_LOG_LEVEL: 'silent',
  })
  service = await startService(settings, {
    // Landed payments stay unsettled for a while, and only the test, payments without funds, and each start read the
    // chain.
    tune: () => ({
      ...EMBEDDED_CLUSTER,
      pool: QUICK.pool,
      watch: { ...EMBEDDED_CLUSTER.watch, pollMs: 100, resendMs: 100, proofMs: 100 },
      comparison: { roundMs: 3_600_000, questionsPerSecond: 100, subscribedAccounts: 0 },
    }),
    opened: (parts) => {
      ;({ platform } = parts)
      platform.engine.onCommitted((changes) => {
        for (const { next } of changes) if (next.kind === 'transaction') transactions.add(next.id)
        for (const audit of audits) audit.check()
      })
    },
  })
  api = new Client(service.url, apiKey)
  records = new Records(api, onchain)
}

beforeAll(async () => {
  chain = await serveChain({ slotMs: 20, finalitySlots: 12, faults: true })
  onchain = new Onchain(chain.url)
  await start()
  fees = await records.feePayer()
})
afterAll(async () => {
  await service.stop()
  await chain.close()
  rmSync(dataDir, { recursive: true, force: true })
})

/** The movements of outsiders in one account. */
class Audit {
  readonly account: Ids
  readonly faults: string[] = []
  readonly #moves: { readonly signature: string; readonly lamports: bigint }[] = []
  /** Every sum that existed. */
  readonly #sums = new Set<bigint>([0n, FUNDS])
  /** The amounts in the books for transactions that are final. */
  readonly #final = new Map<string, bigint>()

  constructor(account: Ids) {
    this.account = account
  }

  get sum(): bigint {
    return this.#moves.reduce((total, { lamports }) => total + lamports, FUNDS)
  }

  /** Before it is sent: it can be visible at once. */
  expect(lamports: bigint): void {
    this.#sums.add(this.sum + lamports)
  }

  moved(signature: string, lamports: bigint): void {
    this.#moves.push({ signature, lamports })
    this.#sums.add(this.sum)
  }

  /**
   * Removes the movements that a fork dropped. In the order in which the new sum becomes visible: no other sum lies
   * between.
   */
  async forked(): Promise<void> {
    // From the history: the recent signatures cover only a few seconds.
    const signatures = this.#moves.map(({ signature }) => signature)
    const { value } = await onchain.connection.getSignatureStatuses(signatures, { searchTransactionHistory: true })
    const remaining = this.#moves.filter((_, index) => value[index] != null)
    this.#moves.splice(0, this.#moves.length, ...remaining)
    this.#sums.add(this.sum)
  }

  outside(): bigint {
    const entry = platform.engine.directory.byId(this.account.offchainId)
    if (entry === undefined || !isHolding(entry.head)) throw new Error('the record of the account is missing')
    let own = 0n
    for (const id of transactions) own += this.#final.get(id) ?? this.#booked(id, entry.head)
    return BigInt(bookedBalance(entry.head, 'lamports') ?? '0') - own
  }

  check(): void {
    const outside = this.outside()
    if (!this.#sums.has(outside))
      this.faults.push(`the books say that outsiders moved ${outside}; it was one of ${[...this.#sums].join(', ')}`)
  }

  #booked(id: string, record: Parameters<typeof effectOf>[2]): bigint {
    const entry = platform.engine.directory.byId(id)
    const transaction = ofKind(entry?.head, 'transaction')
    if (entry === undefined || transaction === undefined) throw new Error(`transaction ${id} is missing`)
    const booked = effectOf(platform.engine, entry, record)?.booked.lamports ?? 0n
    if (transaction.context.finalAt !== null) this.#final.set(id, booked)
    return booked
  }
}

type Action =
  | { readonly kind: 'pay' | 'deposit' | 'withdraw'; readonly lamports: number }
  | { readonly kind: 'fork'; readonly slots: number }
  | { readonly kind: 'look' | 'restart' | 'lack' }

const amount = fc.integer({ min: 5_001, max: 1_000_000 })
const buildMove = (kind: 'pay' | 'deposit' | 'withdraw'): fc.Arbitrary<Action> =>
  fc.record({ kind: fc.constant(kind), lamports: amount })
const action: fc.Arbitrary<Action> = fc.oneof(
  { weight: 6, arbitrary: buildMove('pay') },
  { weight: 4, arbitrary: buildMove('deposit') },
  { weight: 2, arbitrary: buildMove('withdraw') },
  { weight: 5, arbitrary: fc.constant({ kind: 'look' } as const) },
  { weight: 2, arbitrary: fc.constant({ kind: 'lack' } as const) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('fork' as const), slots: fc.integer({ min: 1, max: 4 }) }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'restart' } as const) },
)

class Scene {
  readonly key = Keypair.generate()
  wallet!: Audit
  shop!: Audit

  async open(): Promise<void> {
    const privateKeyDetails = { privateKey: bs58.encode(this.key.secretKey) }
    const wallet = { onchainId: this.key.publicKey.toBase58(), privateKeyDetails, networkCurrencyDebitLimits: [] }
    this.wallet = new Audit(await records.account(wallet))
    this.shop = new Audit(await records.account())
    audits = [this.wallet, this.shop]
    transactions.clear()
    for (const { account } of audits) {
      const signature = await onchain.connection.requestAirdrop(new PublicKey(account.onchainId), Number(FUNDS))
      // No fork may drop it: a payment that needs it would fail.
      await this.#landed(signature, ['finalized'])
      await this.#read(account)
    }
  }

  async run(each: Action): Promise<void> {
    if (each.kind === 'pay') await this.#pay(BigInt(each.lamports))
    else if (each.kind === 'deposit') await this.#outside(BigInt(each.lamports))
    else if (each.kind === 'withdraw') await this.#outside(-BigInt(each.lamports))
    else if (each.kind === 'look') for (const { account } of audits) await this.#read(account)
    else if (each.kind === 'lack') await this.#lack()
    else if (each.kind === 'fork') {
      await chain.result('holdfast_forkAway', [{ slots: each.slots }])
      for (const audit of audits) await audit.forked()
    } else {
      await service.stop()
      await start()
    }
  }

  /** Everything has ended: the books equal the chain, before and after a last read. */
  async close(): Promise<void> {
    await eventually(async () => {
      for (const id of transactions)
        expect((await api.read<Result>('/transactions/status', { offchainId: id })).status).toMatch(
          /^(FINALIZED|EXPIRED)$/,
        )
    }, 120_000)
    for (const { account } of audits) await this.#read(account)
    expect(audits.flatMap(({ faults }) => faults)).toEqual([])
    for (const audit of audits) {
      expect(audit.outside()).toBe(audit.sum)
      const { offchain } = await records.accountRecord(audit.account)
      expect(BigInt(offchain.lamportsBalance)).toBe(await onchain.lamports(audit.account.onchainId))
    }
    audits = []
  }

  async #pay(lamports: bigint): Promise<void> {
    const body = { source: this.wallet.account, destination: this.shop.account, lamports: lamports.toString() }
    await api.ok<Result>(201, 'POST', PAY, body, { config: { feePayer: fees }, headers: { prefer: 'respond-async' } })
  }

  /** An impossible payment: it is refused after a read of the chain. */
  async #lack(): Promise<void> {
    const body = { source: this.wallet.account, destination: this.shop.account, lamports: (1_000n * SOL).toString() }
    const { status } = await api.send('POST', PAY, body, { config: { feePayer: fees } })
    expect(status).toBe(400)
  }

  async #read({ offchainId }: Ids): Promise<void> {
    await api.read('/accounts/single/balance', { offchainId })
  }

  async #outside(lamports: bigint): Promise<void> {
    this.wallet.expect(lamports)
    const { connection } = onchain
    const signature =
      lamports > 0n
        ? await connection.requestAirdrop(this.key.publicKey, Number(lamports))
        : await connection.sendTransaction(await this.#withdrawal(-lamports), { preflightCommitment: 'confirmed' })
    await this.#landed(signature)
    this.wallet.moved(signature, lamports)
  }

  /** Takes this total: its fee is part of it. */
  async #withdrawal(lamports: bigint): Promise<VersionedTransaction> {
    const [fromPubkey, toPubkey] = [this.key.publicKey, new PublicKey(fees.onchainId)]
    const { blockhash } = await onchain.connection.getLatestBlockhash('confirmed')
    const instructions = [SystemProgram.transfer({ fromPubkey, toPubkey, lamports: lamports - FEE_LAMPORTS })]
    const message = new TransactionMessage({
      payerKey: fromPubkey,
      recentBlockhash: blockhash,
      instructions,
    }).compileToV0Message()
    const transaction = new VersionedTransaction(message)
    transaction.sign([this.key])
    return transaction
  }

  async #landed(signature: string, levels: readonly string[] = ['confirmed', 'finalized']): Promise<void> {
    await eventually(async () => {
      const { value } = await onchain.connection.getSignatureStatuses([signature], { searchTransactionHistory: true })
      expect(levels).toContain(value[0]?.confirmationStatus)
    })
  }
}

it('14.14 books are exact to the unit through any deposits, debits, dropped forks and stops', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(action, { minLength: 3, maxLength: 16 }), async (actions) => {
      const scene = new Scene()
      await scene.open()
      for (const each of actions) await scene.run(each)
      await scene.close()
    }),
    { numRuns: 10 },
  )
}, 600_000)
