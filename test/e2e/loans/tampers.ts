// Manipulations that a lending provider could make to an honest answer of two transactions (collateral in, principal
// out), and the code of the refusal of each.
import {
  createTransferCheckedInstruction,
  getAssociatedTokenAddressSync,
  TOKEN_2022_PROGRAM_ID,
  TOKEN_PROGRAM_ID,
} from '@solana/spl-token'
import { Keypair, PublicKey, SystemProgram, TransactionInstruction } from '@solana/web3.js'
import type { Ids } from '../models.ts'
import { MEMO_PROGRAM, programOf, type Version } from '../onchain.ts'
import type { Order, Part, ScriptedProvider } from './scripted-provider.ts'

export interface EngineFixture {
  readonly provider: ScriptedProvider
  /** Principal, of SPL; collateral, of TOKEN_2022; and an instrument of SPL without a part in the loan. */
  readonly cash: Ids
  readonly bond: Ids
  readonly other: Ids
  /** An account with a key of the service, and without a part in the loan. */
  readonly bystander: Ids
  readonly thief: Keypair
}

type Tamper = (parts: readonly Part[], order: Order, fixture: EngineFixture) => readonly Part[]

export function addressOf(owner: string, mint: Ids, version: Version = 'SPL'): string {
  return getAssociatedTokenAddressSync(
    new PublicKey(mint.onchainId),
    new PublicKey(owner),
    true,
    programOf(version),
  ).toBase58()
}

const withMore = (part: Part, ...more: TransactionInstruction[]): Part => ({
  ...part,
  instructions: [...part.instructions, ...more],
})
const withLast = (part: Part, last: TransactionInstruction): Part => ({
  ...part,
  instructions: [...part.instructions.slice(0, -1), last],
})

export function buildTransfer(
  mint: Ids,
  owner: string,
  to: string,
  amount: bigint,
  version: Version = 'SPL',
): TransactionInstruction {
  const [from, program] = [
    addressOf(owner, mint, version),
    version === 'SPL' ? TOKEN_PROGRAM_ID : TOKEN_2022_PROGRAM_ID,
  ]
  const key = (text: string): PublicKey => new PublicKey(text)
  return createTransferCheckedInstruction(key(from), key(mint.onchainId), key(to), key(owner), amount, 6, [], program)
}

function memo(text: string, signer: string): TransactionInstruction {
  const keys = [{ pubkey: new PublicKey(signer), isSigner: true, isWritable: false }]
  return new TransactionInstruction({ programId: new PublicKey(MEMO_PROGRAM), keys, data: Buffer.from(text) })
}

const LENT = 100_000_000n
const PLEDGED = 300_000_000n

export const TAMPERS: readonly (readonly [string, Tamper, RegExp])[] = [
  [
    'an extra transfer',
    ([first, second], { feePayer }, { bond, thief }) => [
      first!,
      withMore(
        second!,
        buildTransfer(bond, feePayer, addressOf(thief.publicKey.toBase58(), bond, 'TOKEN_2022'), 1n, 'TOKEN_2022'),
      ),
    ],
    /more than was decided/,
  ],
  [
    'an extra transfer of network currency',
    ([first, second], { feePayer }, { thief }) => [
      withMore(
        first!,
        SystemProgram.transfer({ fromPubkey: new PublicKey(feePayer), toPubkey: thief.publicKey, lamports: 1 }),
      ),
      second!,
    ],
    /is not what was decided/,
  ],
  [
    'another payer',
    ([first, second], _, { provider, thief }) => [
      first!,
      { ...second!, payer: thief.publicKey.toBase58(), signers: [provider.lender, thief] },
    ],
    /the fee payer is/,
  ],
  [
    'another mint',
    ([first, second], { feePayer }, { provider, other }) => [
      first!,
      withLast(second!, buildTransfer(other, provider.address, addressOf(feePayer, other), LENT)),
    ],
    /is not what was decided/,
  ],
  [
    'another amount lent',
    ([first, second], { feePayer }, { provider, cash }) => [
      first!,
      withLast(second!, buildTransfer(cash, provider.address, addressOf(feePayer, cash), LENT - 1n)),
    ],
    /is not what was decided/,
  ],
  [
    'another amount pledged',
    ([first, second], { feePayer, steps }, { bond }) => [
      withLast(
        first!,
        buildTransfer(
          bond,
          feePayer,
          steps.find(({ authority }) => authority === feePayer)!['to']!,
          PLEDGED + 1n,
          'TOKEN_2022',
        ),
      ),
      second!,
    ],
    /is not what was decided/,
  ],
  [
    'another destination',
    ([first, second], { feePayer }, { bond, thief }) => [
      withLast(
        first!,
        buildTransfer(bond, feePayer, addressOf(thief.publicKey.toBase58(), bond, 'TOKEN_2022'), PLEDGED, 'TOKEN_2022'),
      ),
      second!,
    ],
    /is not what was decided/,
  ],
  [
    'a signer of ours who has no part in it',
    ([first, second], _, { bystander }) => [withMore(first!, memo('and him', bystander.onchainId)), second!],
    /who has no part in this/,
  ],
  ['its transactions in the other order', ([first, second]) => [second!, first!], /is not what was decided/],
  ['one of them left out', ([first]) => [first!], /lack a step/],
  ['one of them twice', ([first, second]) => [first!, second!, second!], /is there twice/],
  ['no signature of its own', ([first, second]) => [first!, { ...second!, signers: [] }], /who has no part in this/],
  [
    'a program that nobody named',
    ([first, second], _, { thief }) => [
      first!,
      withMore(second!, new TransactionInstruction({ programId: thief.publicKey, keys: [], data: Buffer.alloc(1) })),
    ],
    /is more than was decided|is not what was decided/,
  ],
  [
    'a blockhash that is not valid',
    ([first, second]) => [first!, { ...second!, blockhash: Keypair.generate().publicKey.toBase58() }],
    /blockhash that is not valid/,
  ],
]
