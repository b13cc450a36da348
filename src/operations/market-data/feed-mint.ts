// The account of a feed: a mint with supply 0 from which nothing can ever be minted, whose metadata holds the value
// under one key.
import { TOKEN_2022_PROGRAM } from '../../solana/address.ts'
import { initializeMetadata, updateMetadataAuthority, updateMetadataField } from '../../solana/instructions/metadata.ts'
import { initializeMetadataPointer } from '../../solana/instructions/mint-extensions.ts'
import { initializeMint, setAuthority } from '../../solana/instructions/token-account.ts'
import { mintSize } from '../../solana/mint-size.ts'
import type { Instruction } from '../../solana/message.ts'
import { FEED_KEY, FEED_WIDTH } from '../../../machines/feed-text.ts'

const NAME = 'Onchain data source'

/**
 * Size for the longer of the two texts: a source may change its kind, and the token program does not take rent for a
 * text that grows.
 */
export function feedMintSize() {
  const additional = [[FEED_KEY, ' '.repeat(FEED_WIDTH)]] as const
  return mintSize(['METADATA_POINTER', 'TOKEN_METADATA'], { name: NAME, symbol: '', uri: '', additional })
}

/**
 * Instructions after the allocation of the account. The publisher is the mint authority only while the metadata is
 * initialized. The metadata pointer has no authority, so the mint can never point to other metadata.
 */
export function feedMintInstructions(mint: string, publisher: string, text: string): Instruction[] {
  const program = TOKEN_2022_PROGRAM
  return [
    initializeMetadataPointer(mint, null, mint),
    initializeMint({ program, mint, decimals: 0, mintAuthority: publisher, freezeAuthority: null }),
    initializeMetadata({ mint, mintAuthority: publisher, updateAuthority: publisher, name: NAME, symbol: '', uri: '' }),
    publishInstruction(mint, publisher, text),
    setAuthority({ program, account: mint, which: 'MINT_TOKENS', authority: publisher, next: null }),
  ]
}

export function publishInstruction(mint: string, publisher: string, text: string): Instruction {
  return updateMetadataField(mint, publisher, { key: FEED_KEY }, text)
}

export function handOverInstruction(mint: string, publisher: string, next: string): Instruction {
  return updateMetadataAuthority(mint, publisher, next)
}
