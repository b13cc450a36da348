// A bank in a separate process, to be killed: it sends transfers continuously and writes to stdout which bytes it is
// about to send, and then what was acknowledged, one JSON line each. Arguments: data directory, milliseconds per slot,
// hex seed of the payer.

import { Keypair, PublicKey, SystemProgram, TransactionMessage, VersionedTransaction } from '@solana/web3.js'
import { openBank } from '../../src/localnet/bank.ts'
import { say as sayLine } from '../snapshots/say.ts'

const [dataDir, slotMs, seed] = process.argv.slice(2)
const bank = await openBank({ dataDir: dataDir!, slotMs: Number(slotMs), finalitySlots: 1 })
const payer = Keypair.fromSeed(Buffer.from(seed!, 'hex'))
// Synchronous, so that a kill loses no line about an acknowledged transfer.
const say = (line: unknown): void => sayLine(JSON.stringify(line))

say({ ready: true, height: bank.blockHeight('processed'), blockhash: bank.latestBlockhash('processed').blockhash })
if (!bank.account(payer.publicKey.toBytes())) await bank.airdrop(payer.publicKey.toBytes(), 10n ** 15n)
bank.on((event) => {
  if (event.type === 'slot')
    say({
      slot: event.slot,
      height: bank.blockHeight('processed'),
      blockhash: bank.latestBlockhash('processed').blockhash,
    })
})

async function work(): Promise<never> {
  for (;;) {
    const to = Keypair.generate().publicKey
    const message = new TransactionMessage({
      payerKey: payer.publicKey,
      recentBlockhash: bank.latestBlockhash('confirmed').blockhash,
      instructions: [
        SystemProgram.transfer({ fromPubkey: payer.publicKey, toPubkey: new PublicKey(to), lamports: 1_000_000 }),
      ],
    })
    const transaction = new VersionedTransaction(message.compileToV0Message())
    transaction.sign([payer])
    const bytes = Buffer.from(transaction.serialize())
    say({ sending: bytes.toString('hex') })
    const outcome = await bank.send(bytes)
    if (outcome.kind !== 'executed' || outcome.error !== null) throw new Error(JSON.stringify(outcome))
    say({ done: outcome.signature, to: to.toBase58(), slot: outcome.slot })
  }
}
await Promise.all(Array.from({ length: 8 }, work))
