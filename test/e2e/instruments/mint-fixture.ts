// Mints that an outside party creates with the standard libraries and its own key.
import {
  createInitializeDefaultAccountStateInstruction,
  createInitializeMetadataPointerInstruction,
  createInitializeMint2Instruction,
  createInitializePausableConfigInstruction,
  createInitializeScaledUiAmountConfigInstruction,
  createInitializeTransferFeeConfigInstruction,
  createInitializeNonTransferableMintInstruction,
  createSetAuthorityInstruction,
  AccountState,
  AuthorityType,
  ExtensionType,
  getMintLen,
  TOKEN_2022_PROGRAM_ID,
  TOKEN_PROGRAM_ID,
} from '@solana/spl-token'
import { createInitializeInstruction, createUpdateFieldInstruction } from '@solana/spl-token-metadata'
import { Keypair, PublicKey, SystemProgram, Transaction, type TransactionInstruction } from '@solana/web3.js'
import type { World } from '../harness.ts'

export interface OutsideMint {
  readonly address: string
  readonly key: Keypair
}

export class MintFixture {
  readonly #world: World
  readonly payer: Keypair

  private constructor(world: World, payer: Keypair) {
    this.#world = world
    this.payer = payer
  }

  static async open(world: World): Promise<MintFixture> {
    const payer = Keypair.generate()
    await world.chain.airdrop(payer.publicKey.toBase58(), 100_000_000_000n)
    return new MintFixture(world, payer)
  }

  async spl(decimals: number): Promise<OutsideMint> {
    const key = Keypair.generate()
    await this.send(
      [
        await this.#account(key, 82, 82, TOKEN_PROGRAM_ID),
        createInitializeMint2Instruction(
          key.publicKey,
          decimals,
          this.payer.publicKey,
          this.payer.publicKey,
          TOKEN_PROGRAM_ID,
        ),
      ],
      [key],
    )
    return { address: key.publicKey.toBase58(), key }
  }

  /** With default state, pausable, a multiplier of 2.5 and metadata of its own. */
  async rich(decimals: number, name: string, pair: readonly [string, string]): Promise<OutsideMint> {
    const key = Keypair.generate()
    const mint = key.publicKey
    const by = this.payer.publicKey
    const types = [
      ExtensionType.DefaultAccountState,
      ExtensionType.PausableConfig,
      ExtensionType.ScaledUiAmountConfig,
      ExtensionType.MetadataPointer,
    ]
    await this.send(
      [
        await this.#account(key, getMintLen(types), 1_000, TOKEN_2022_PROGRAM_ID),
        createInitializeDefaultAccountStateInstruction(mint, AccountState.Frozen, TOKEN_2022_PROGRAM_ID),
        createInitializePausableConfigInstruction(mint, by, TOKEN_2022_PROGRAM_ID),
        createInitializeScaledUiAmountConfigInstruction(mint, by, 2.5, TOKEN_2022_PROGRAM_ID),
        createInitializeMetadataPointerInstruction(mint, by, mint, TOKEN_2022_PROGRAM_ID),
        createInitializeMint2Instruction(mint, decimals, by, by, TOKEN_2022_PROGRAM_ID),
        createInitializeInstruction({
          programId: TOKEN_2022_PROGRAM_ID,
          metadata: mint,
          updateAuthority: by,
          mint,
          mintAuthority: by,
          name,
          symbol: 'OUT',
          uri: 'https://example.org',
        }),
        createUpdateFieldInstruction({
          programId: TOKEN_2022_PROGRAM_ID,
          metadata: mint,
          updateAuthority: by,
          field: pair[0],
          value: pair[1],
        }),
      ],
      [key],
    )
    return { address: mint.toBase58(), key }
  }

  /** Its metadata is in another account. */
  async pointing(elsewhere: string): Promise<OutsideMint> {
    const key = Keypair.generate()
    await this.send(
      [
        await this.#account(key, getMintLen([ExtensionType.MetadataPointer]), 300, TOKEN_2022_PROGRAM_ID),
        createInitializeMetadataPointerInstruction(
          key.publicKey,
          this.payer.publicKey,
          new PublicKey(elsewhere),
          TOKEN_2022_PROGRAM_ID,
        ),
        createInitializeMint2Instruction(key.publicKey, 0, this.payer.publicKey, null, TOKEN_2022_PROGRAM_ID),
      ],
      [key],
    )
    return { address: key.publicKey.toBase58(), key }
  }

  /** Its metadata pointer names the mint itself, which has no metadata. */
  async bare(mintAuthority: string | null): Promise<OutsideMint> {
    const key = Keypair.generate()
    const by = mintAuthority === null ? this.payer.publicKey : new PublicKey(mintAuthority)
    const instructions = [
      await this.#account(key, getMintLen([ExtensionType.MetadataPointer]), 300, TOKEN_2022_PROGRAM_ID),
      createInitializeMetadataPointerInstruction(key.publicKey, by, key.publicKey, TOKEN_2022_PROGRAM_ID),
      createInitializeMint2Instruction(key.publicKey, 2, by, null, TOKEN_2022_PROGRAM_ID),
    ]
    const givenUp = createSetAuthorityInstruction(
      key.publicKey,
      by,
      AuthorityType.MintTokens,
      null,
      [],
      TOKEN_2022_PROGRAM_ID,
    )
    await this.send(mintAuthority === null ? [...instructions, givenUp] : instructions, [key])
    return { address: key.publicKey.toBase58(), key }
  }

  /** With extensions that the service does not support. */
  async foreign(): Promise<OutsideMint> {
    const key = Keypair.generate()
    const by = this.payer.publicKey
    const types = [ExtensionType.TransferFeeConfig, ExtensionType.NonTransferable]
    await this.send(
      [
        await this.#account(key, getMintLen(types), 600, TOKEN_2022_PROGRAM_ID),
        createInitializeTransferFeeConfigInstruction(key.publicKey, by, by, 100, 10n, TOKEN_2022_PROGRAM_ID),
        createInitializeNonTransferableMintInstruction(key.publicKey, TOKEN_2022_PROGRAM_ID),
        createInitializeMint2Instruction(key.publicKey, 0, by, null, TOKEN_2022_PROGRAM_ID),
      ],
      [key],
    )
    return { address: key.publicKey.toBase58(), key }
  }

  async send(instructions: readonly TransactionInstruction[], signers: readonly Keypair[] = []): Promise<void> {
    const { connection } = this.#world.chain
    const transaction = new Transaction({
      feePayer: this.payer.publicKey,
      ...(await connection.getLatestBlockhash()),
    }).add(...instructions)
    transaction.sign(this.payer, ...signers)
    const signature = await connection.sendRawTransaction(transaction.serialize())
    for (;;) {
      const { value } = await connection.getSignatureStatuses([signature])
      if (value[0]?.err) throw new Error(JSON.stringify(value[0].err))
      if (value[0]?.confirmationStatus === 'confirmed' || value[0]?.confirmationStatus === 'finalized') return
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }

  async #account(key: Keypair, space: number, rentOf: number, programId: PublicKey): Promise<TransactionInstruction> {
    const lamports = Number(await this.#world.chain.rent(rentOf))
    return SystemProgram.createAccount({
      fromPubkey: this.payer.publicKey,
      newAccountPubkey: key.publicKey,
      lamports,
      space,
      programId,
    })
  }
}
