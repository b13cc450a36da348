// Shared by tests of drains that take several instructions or messages: keys of the victim's organization, a thief
// outside, and positions whose rent the thief paid, so that a closing may return it to the thief.
import {
  Keypair,
  PublicKey,
  sendAndConfirmTransaction,
  SystemProgram,
  Transaction,
  VersionedMessage,
  VersionedTransaction,
  type TransactionInstruction,
} from '@solana/web3.js'
import {
  createAssociatedTokenAccountIdempotentInstruction,
  createSyncNativeInstruction,
  getAssociatedTokenAddressSync,
  NATIVE_MINT,
} from '@solana/spl-token'
import bs58 from 'bs58'
import { expect } from 'vitest'
import { eventually, startWorld, type World } from '../harness.ts'
import { LimitFixture, type Held, type Person } from './limit-fixture.ts'
import type { Ids, NewPosition, Problems, Result } from '../models.ts'
import { SOL, type Records } from '../records.ts'

export const key = ({ onchainId }: { readonly onchainId: string }): PublicKey => new PublicKey(onchainId)

export class DrainFixture {
  readonly world: World
  readonly limits: LimitFixture
  readonly admin: Person
  /** Signs and submits; may set no limits. */
  readonly operator: Person
  readonly records: Records
  readonly feePayer: Ids
  readonly thief = Keypair.generate()

  private constructor(world: World, limits: LimitFixture, people: readonly [Person, Person], feePayer: Ids) {
    this.world = world
    this.limits = limits
    ;[this.admin, this.operator] = people
    this.records = world.records.with(this.admin.api)
    this.feePayer = feePayer
  }

  static async start(): Promise<DrainFixture> {
    const world = await startWorld({ HOLDFAST_EMBEDDED_SLOT_MS: '200' })
    const limits = new LimitFixture(world)
    const organization = await limits.organization()
    const admin = await limits.person(organization, 'ADMIN')
    const operator = await limits.person(organization, 'OPERATOR')
    const feePayer = await world.records.with(admin.api).feePayer()
    const fixture = new DrainFixture(world, limits, [admin, operator], feePayer)
    await world.chain.airdrop(fixture.thief.publicKey.toBase58(), 5n * SOL)
    return fixture
  }

  get outside(): { readonly onchainId: string; readonly offPlatform: true } {
    return { onchainId: this.thief.publicKey.toBase58(), offPlatform: true }
  }

  loot(): Promise<bigint> {
    return this.world.chain.lamports(this.thief.publicKey.toBase58())
  }

  /** The thief's own transaction, sent past the service. */
  async steal(instructions: readonly TransactionInstruction[], signers: readonly Keypair[] = []): Promise<void> {
    const transaction = new Transaction().add(...instructions)
    const { connection } = this.world.chain
    await sendAndConfirmTransaction(connection, transaction, [this.thief, ...signers], { commitment: 'confirmed' })
  }

  /** A position of the owner whose rent the thief paid. */
  async paidOutside(owner: Ids, instrument: { readonly onchainId: string }): Promise<Ids> {
    const { api } = this.operator
    const item = { owner, financialInstrument: { onchainId: instrument.onchainId } }
    const made = await api.ok<
      NewPosition & { readonly chainTransaction: Result & { readonly serializedMessage: string } }
    >(201, 'POST', '/positions', item, { config: { feePayer: this.outside } })
    const { offchainId, serializedMessage } = made.chainTransaction
    const message = VersionedMessage.deserialize(Buffer.from(serializedMessage, 'base64'))
    const transaction = new VersionedTransaction(message)
    transaction.sign([this.thief])
    const payer = message.staticAccountKeys.findIndex((each) => each.equals(this.thief.publicKey))
    const signature = bs58.encode(transaction.signatures[payer]!)
    const signatures = [{ onchainId: this.outside.onchainId, signature }]
    await api.ok(200, 'POST', '/transactions/sign', { transaction: { offchainId }, signatures })
    await api.ok(200, 'POST', '/transactions/submit', { transaction: { offchainId } })
    const { newPosition } = made
    await eventually(async () => {
      expect(await this.world.chain.lamports(newPosition.onchainId)).toBeGreaterThan(0n)
    })
    return newPosition
  }

  /** The associated position of the owner with wrapped network currency. */
  async wrapped(owner: Ids, lamports: bigint): Promise<Ids> {
    const address = getAssociatedTokenAddressSync(NATIVE_MINT, key(owner))
    const { offchainId } = await this.signed(
      [
        createAssociatedTokenAccountIdempotentInstruction(key(this.feePayer), address, key(owner), NATIVE_MINT),
        SystemProgram.transfer({ fromPubkey: key(owner), toPubkey: address, lamports }),
        createSyncNativeInstruction(address),
      ],
      this.admin,
    )
    await this.submitted(offchainId)
    const item = { owner, financialInstrument: { onchainId: NATIVE_MINT.toBase58() } }
    return (await this.admin.api.ok<NewPosition>(201, 'POST', '/positions', item)).newPosition
  }

  /** The answer to the operator who has a message signed, and keeps it. */
  async sign(
    instructions: readonly TransactionInstruction[],
    { api }: Person = this.operator,
  ): Promise<{ status: number; body: Held & Problems }> {
    const serializedTransaction = await this.limits.foreign(this.feePayer.onchainId, instructions)
    return await this.limits.answer('/transactions/sign', { serializedTransaction }, api)
  }

  async signed(instructions: readonly TransactionInstruction[], person = this.operator): Promise<Held> {
    const { status, body } = await this.sign(instructions, person)
    expect(status, JSON.stringify(body)).toBe(200)
    expect(body.status, JSON.stringify(body)).toBe('SIGNED')
    return body
  }

  /** A message that a limit refuses. */
  async refuses(instructions: readonly TransactionInstruction[], code = 'DEBIT_LIMIT_EXCEEDED'): Promise<void> {
    const { status, body } = await this.sign(instructions)
    expect([400, 403], JSON.stringify(body)).toContain(status)
    expect(body.errors?.[0]?.code, JSON.stringify(body)).toBe(code)
  }

  async submitted(offchainId: string, success = true): Promise<void> {
    const { body } = await this.submit(offchainId)
    expect(body.success, JSON.stringify(body)).toBe(success)
  }

  submit(offchainId: string): Promise<{ status: number; body: Held & Problems }> {
    return this.limits.answer('/transactions/submit', { transaction: { offchainId } }, this.operator.api)
  }
}
