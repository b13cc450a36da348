// A wallet as the Solana Pay specification describes it, which knows the URL of a transfer request and nothing else.
import {
  createTransferCheckedInstruction,
  getAssociatedTokenAddressSync,
  getMint,
  TOKEN_2022_PROGRAM_ID,
  TOKEN_PROGRAM_ID,
} from '@solana/spl-token'
import {
  Keypair,
  PublicKey,
  sendAndConfirmTransaction,
  SystemProgram,
  Transaction,
  TransactionInstruction,
  type Connection,
} from '@solana/web3.js'
import { MEMO_PROGRAM } from './onchain.ts'

export interface TransferRequest {
  readonly recipient: PublicKey
  /** Decimal text, display units. */
  readonly amount: string
  readonly splToken: PublicKey | null
  readonly references: readonly PublicKey[]
  readonly label: string | null
  readonly memo: string | null
}

export function parseUrl(text: string): TransferRequest {
  const url = new URL(text)
  if (url.protocol !== 'solana:') throw new Error(`${url.protocol} is not the protocol of Solana Pay`)
  const amount = url.searchParams.get('amount')
  if (amount === null || !/^\d+(?:\.\d+)?$/.test(amount)) throw new Error(`amount ${String(amount)}`)
  const token = url.searchParams.get('spl-token')
  return {
    recipient: new PublicKey(url.pathname),
    amount,
    splToken: token === null ? null : new PublicKey(token),
    references: url.searchParams.getAll('reference').map((reference) => new PublicKey(reference)),
    label: url.searchParams.get('label'),
    memo: url.searchParams.get('memo'),
  }
}

/** Pays in place of what the URL asks for. */
export interface Deviation {
  readonly amount?: string
  readonly splToken?: PublicKey
  readonly recipient?: PublicKey
}

/** Resolves with the signature once it is confirmed. */
export async function pay(
  connection: Connection,
  payer: Keypair,
  url: string,
  deviation: Deviation = {},
): Promise<string> {
  const { recipient, amount, splToken, references, memo } = { ...parseUrl(url), ...deviation }
  const transaction = new Transaction()
  if (memo !== null)
    transaction.add(
      new TransactionInstruction({ programId: new PublicKey(MEMO_PROGRAM), keys: [], data: Buffer.from(memo) }),
    )
  const transfer =
    splToken === null
      ? SystemProgram.transfer({ fromPubkey: payer.publicKey, toPubkey: recipient, lamports: units(amount, 9) })
      : await tokenTransfer(connection, payer.publicKey, recipient, splToken, amount)
  for (const pubkey of references) transfer.keys.push({ pubkey, isSigner: false, isWritable: false })
  return await sendAndConfirmTransaction(connection, transaction.add(transfer), [payer], { commitment: 'confirmed' })
}

async function tokenTransfer(
  connection: Connection,
  owner: PublicKey,
  to: PublicKey,
  mint: PublicKey,
  amount: string,
): Promise<TransactionInstruction> {
  const program = (await connection.getAccountInfo(mint))!.owner.equals(TOKEN_PROGRAM_ID)
    ? TOKEN_PROGRAM_ID
    : TOKEN_2022_PROGRAM_ID
  const { decimals } = await getMint(connection, mint, 'confirmed', program)
  const accountOf = (wallet: PublicKey): PublicKey => getAssociatedTokenAddressSync(mint, wallet, true, program)
  return createTransferCheckedInstruction(
    accountOf(owner),
    mint,
    accountOf(to),
    owner,
    units(amount, decimals),
    decimals,
    [],
    program,
  )
}

function units(amount: string, decimals: number): bigint {
  const [whole = '', fraction = ''] = amount.split('.')
  return BigInt(whole + fraction.padEnd(decimals, '0'))
}
