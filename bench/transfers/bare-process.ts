// The baseline of the transfers: one thread that only builds, signs and executes. LiteSVM checks the signatures and
// keeps no history. Its mint and positions are copies of those on the embedded chain, under owners whose keys are here.
import { createRequire } from 'node:module'
import { getAssociatedTokenAddressSync, TOKEN_2022_PROGRAM_ID } from '@solana/spl-token'
import { PublicKey } from '@solana/web3.js'
import type * as Engine from 'litesvm/dist/internal.js'
import { answerParent } from '../measure/child.ts'
import { bareKey, signedTransfer, type BareKey } from './bare-transfer.ts'

export interface AccountCopy {
  readonly lamports: bigint
  readonly data: Uint8Array
}

export interface BareScene {
  readonly kind: 'scene'
  readonly mintAddress: string
  readonly mint: AccountCopy
  /** One of the positions: owner at byte 32, amount at byte 64. */
  readonly position: AccountCopy
  readonly positions: number
  readonly decimals: number
  readonly unitLimit: number
}

export type BareQuestion = BareScene | { readonly kind: 'round'; readonly windowMs: number }

export interface BareRound {
  readonly transfers: number
  readonly seconds: number
  readonly cpuUs: number
}

const OWNER_OFFSET = 32
const AMOUNT_OFFSET = 64
const FUNDS_LAMPORTS = 1_000_000_000_000n
const RENT_EPOCH = 0xffff_ffff_ffff_ffffn
/** Transfers between two reads of the clock. */
const STRIDE = 64

const engine = createRequire(import.meta.url)('litesvm/dist/internal.js') as typeof Engine

interface Bare {
  readonly svm: Engine.LiteSvm
  readonly mint: PublicKey
  readonly feePayer: BareKey
  readonly owners: readonly BareKey[]
  readonly positions: readonly PublicKey[]
  readonly scene: BareScene
  readonly balances: bigint[]
  done: number
}

function build(scene: BareScene): Bare {
  const svm = new engine.LiteSvm()
  svm.setTransactionHistory(0n)
  svm.setSigverify(true)
  const mint = new PublicKey(scene.mintAddress)
  const program = TOKEN_2022_PROGRAM_ID.toBytes()
  const put = (address: PublicKey, { lamports, data }: AccountCopy): void => {
    svm.setAccount(address.toBytes(), new engine.Account(lamports, data, program, false, RENT_EPOCH))
  }
  put(mint, scene.mint)
  const feePayer = bareKey()
  if (svm.airdrop(feePayer.publicKey.toBytes(), FUNDS_LAMPORTS) instanceof engine.FailedTransactionMetadata)
    throw new Error('no airdrop')
  const owners = Array.from({ length: scene.positions }, bareKey)
  const positions = owners.map(({ publicKey }) => {
    const address = getAssociatedTokenAddressSync(mint, publicKey, false, TOKEN_2022_PROGRAM_ID)
    const data = Buffer.from(scene.position.data)
    data.set(publicKey.toBytes(), OWNER_OFFSET)
    put(address, { lamports: scene.position.lamports, data })
    return address
  })
  const amount = Buffer.from(scene.position.data).readBigUInt64LE(AMOUNT_OFFSET)
  return { svm, mint, feePayer, owners, positions, scene, balances: positions.map(() => amount), done: 0 }
}

function transferOnce(bare: Bare, blockhash: string): void {
  const { svm, mint, feePayer, owners, positions, scene, balances } = bare
  const n = bare.done
  const source = n % positions.length
  const destination = (source + 1 + (Math.floor(n / positions.length) % (positions.length - 1))) % positions.length
  const amount = BigInt(1000 + (n % 9000))
  const bytes = signedTransfer(
    {
      source: positions[source]!,
      mint,
      destination: positions[destination]!,
      amount,
      decimals: scene.decimals,
      unitLimit: scene.unitLimit,
      blockhash,
    },
    feePayer,
    owners[source]!,
  )
  const result = svm.sendVersionedTransaction(bytes)
  if (result instanceof engine.FailedTransactionMetadata) throw new Error(`the bare loop failed: ${result.toString()}`)
  balances[source]! -= amount
  balances[destination]! += amount
  bare.done = n + 1
}

function round(bare: Bare, windowMs: number): BareRound {
  bare.svm.expireBlockhash()
  const blockhash = bare.svm.latestBlockhash()
  const doneBefore = bare.done
  const cpuBefore = process.cpuUsage()
  const startedAt = performance.now()
  while (performance.now() - startedAt < windowMs) {
    for (let count = 0; count < STRIDE; count += 1) transferOnce(bare, blockhash)
  }
  const seconds = (performance.now() - startedAt) / 1000
  const { user, system } = process.cpuUsage(cpuBefore)
  check(bare)
  return { transfers: bare.done - doneBefore, seconds, cpuUs: user + system }
}

/** Every counted transfer has moved its amount. */
function check({ svm, positions, balances }: Bare): void {
  positions.forEach((address, index) => {
    const data = svm.getAccount(address.toBytes())?.data()
    const balance = data === undefined ? null : Buffer.from(data).readBigUInt64LE(AMOUNT_OFFSET)
    if (balance !== balances[index]) throw new Error('the bare loop did not do its transfers')
  })
}

let bare: Bare | null = null

answerParent((question: BareQuestion): Promise<BareRound | null> => {
  if (question.kind === 'scene') {
    bare = build(question)
    return Promise.resolve(null)
  }
  if (bare === null) throw new Error('no scene')
  return Promise.resolve(round(bare, question.windowMs))
})
