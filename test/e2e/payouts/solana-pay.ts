// A wallet that knows only the URL of a transfer request: the library of the ecosystem parses the URL and builds the
// transfer.
import { createTransfer, parseURL, type CreateTransferFields, type TransferRequestURL } from '@solana/pay'
import {
  createTransferCheckedInstruction,
  getAssociatedTokenAddressSync,
  getMint,
  TOKEN_2022_PROGRAM_ID,
} from '@solana/spl-token'
import { sendAndConfirmTransaction, Transaction, type Connection, type Keypair, type PublicKey } from '@solana/web3.js'

type OfAmount = TransferRequestURL & Pick<CreateTransferFields, 'amount'>

export function parseUrl(text: string): OfAmount {
  const parsed = parseURL(text)
  if (!('recipient' in parsed) || parsed.amount === undefined) throw new Error(`${text} is no transfer of an amount`)
  return { ...parsed, amount: parsed.amount }
}

/** Deviations from the payment that the URL requests. */
export interface Deviation {
  readonly amount?: string
  /** Null for SOL. */
  readonly splToken?: PublicKey | null
  readonly recipient?: PublicKey
}

/** Resolves with the signature once the payment is confirmed. */
export async function pay(
  connection: Connection,
  payer: Keypair,
  url: string,
  deviation: Deviation = {},
): Promise<string> {
  const requestUrl = new URL(url)
  if (deviation.amount !== undefined) requestUrl.searchParams.set('amount', deviation.amount)
  const { recipient, amount, splToken, reference, memo } = parseUrl(requestUrl.href)
  const token = deviation.splToken === undefined ? splToken : deviation.splToken
  const fields: CreateTransferFields = {
    recipient: deviation.recipient ?? recipient,
    amount,
    ...(token ? { splToken: token } : {}),
    ...(reference ? { reference } : {}),
    ...(memo === undefined ? {} : { memo }),
  }
  const transfer =
    token && (await connection.getAccountInfo(token))!.owner.equals(TOKEN_2022_PROGRAM_ID)
      ? await transferOfToken2022(connection, payer.publicKey, token, fields)
      : await createTransfer(connection, payer.publicKey, fields)
  return await sendAndConfirmTransaction(connection, transfer, [payer], { commitment: 'confirmed' })
}

/** As the specification defines it: version 0.2.6 of the library assumes the first token program for every mint. */
async function transferOfToken2022(
  connection: Connection,
  owner: PublicKey,
  mint: PublicKey,
  { recipient, amount, reference }: CreateTransferFields,
): Promise<Transaction> {
  const { decimals } = await getMint(connection, mint, 'confirmed', TOKEN_2022_PROGRAM_ID)
  const accountOf = (wallet: PublicKey): PublicKey =>
    getAssociatedTokenAddressSync(mint, wallet, true, TOKEN_2022_PROGRAM_ID)
  const transfer = createTransferCheckedInstruction(
    accountOf(owner),
    mint,
    accountOf(recipient),
    owner,
    BigInt(amount.shiftedBy(decimals).toFixed()),
    decimals,
    [],
    TOKEN_2022_PROGRAM_ID,
  )
  for (const pubkey of [reference ?? []].flat()) transfer.keys.push({ pubkey, isSigner: false, isWritable: false })
  return new Transaction().add(transfer)
}
