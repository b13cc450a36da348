// Checks on the chain, by a client that shares no code with the service: every balance must be the sum of the
// acknowledged transfers, the fees must be those of exactly this number of transactions, and a transaction must equal
// the one of the baseline.
import { PublicKey, type Connection } from '@solana/web3.js'
import { compileTransfer } from './bare-transfer.ts'
import { DECIMALS } from '../service/assets.ts'
import type { Payer, Scene } from './setup.ts'
import type { TransferTally } from './traffic.ts'

const AMOUNT_OFFSET = 64
const FEE_LAMPORTS = 10_000n
const PAGE = 100
const UNIT_LIMIT_TAG = 2

/** The acknowledged transfers, and the payer of their fees. */
export interface Acknowledged {
  readonly payer: Payer
  readonly tally: Pick<TransferTally, 'acknowledged' | 'moved'>
}

/** Throws on a deviation from the acknowledged work. Returns the successful checks. */
export async function audit(chain: Connection, scene: Scene, sides: readonly Acknowledged[]): Promise<string[]> {
  const found = await balances(
    chain,
    scene.holders.map(({ position }) => position.onchainId),
  )
  found.forEach((balance, index) => {
    const expected = sides.reduce((sum, { tally }) => sum + BigInt(tally.moved[index]!), scene.minted)
    if (balance !== expected)
      throw new Error(`position ${index} holds ${balance} on chain, not ${expected} as acknowledged`)
  })
  for (const { payer, tally } of sides) {
    const paid = payer.fundsLamports - BigInt(await chain.getBalance(new PublicKey(payer.onchainId), 'confirmed'))
    const due = FEE_LAMPORTS * BigInt(tally.acknowledged)
    if (paid !== due)
      throw new Error(`fees of ${paid} lamports were paid; ${tally.acknowledged} acknowledged transfers cost ${due}`)
  }
  const all = sides.reduce((sum, { tally }) => sum + tally.acknowledged, 0)
  return [
    `${found.length} balances on chain are what ${all} acknowledged transfers make them`,
    `the fees paid are those of ${all} transactions with two signatures`,
  ]
}

async function balances(chain: Connection, addresses: readonly string[]): Promise<bigint[]> {
  const result: bigint[] = []
  for (let start = 0; start < addresses.length; start += PAGE) {
    const keys = addresses.slice(start, start + PAGE).map((address) => new PublicKey(address))
    for (const account of await chain.getMultipleAccountsInfo(keys, 'confirmed')) {
      if (account === null) throw new Error('a position is not on chain')
      result.push(account.data.readBigUInt64LE(AMOUNT_OFFSET))
    }
  }
  return result
}

export interface SameTransaction {
  readonly unitLimit: number
  readonly bytes: number
}

/**
 * The compute unit limit of a transfer of the service, after proving that the baseline's message is the same, byte for
 * byte.
 */
export async function sameTransaction(
  chain: Connection,
  scene: Scene,
  { last }: TransferTally,
): Promise<SameTransaction> {
  if (last === null) throw new Error('no transfer was acknowledged')
  const fetched = await chain.getTransaction(last.signature, {
    commitment: 'confirmed',
    maxSupportedTransactionVersion: 0,
  })
  if (fetched === null) throw new Error(`${last.signature} is not on chain`)
  const { message } = fetched.transaction
  const instructions = message.compiledInstructions.map(({ data }) => Buffer.from(data))
  const unitLimit = instructions.find((data) => data[0] === UNIT_LIMIT_TAG && data.length === 5)?.readUInt32LE(1)
  if (unitLimit === undefined) throw new Error('the transfer sets no compute unit limit')
  const source = scene.holders[last.source]!
  const bare = compileTransfer({
    feePayer: new PublicKey(scene.feePayer.onchainId),
    owner: new PublicKey(source.owner.onchainId),
    source: new PublicKey(source.position.onchainId),
    mint: new PublicKey(scene.instrument.onchainId),
    destination: new PublicKey(scene.holders[last.destination]!.position.onchainId),
    amount: BigInt(last.amount),
    decimals: DECIMALS,
    unitLimit,
    blockhash: message.recentBlockhash,
  })
  const [theirs, ours] = [Buffer.from(message.serialize()), Buffer.from(bare.serialize())]
  if (!theirs.equals(ours))
    throw new Error(`not the baseline's transaction:\n${theirs.toString('hex')}\n${ours.toString('hex')}`)
  return { unitLimit, bytes: ours.length }
}
