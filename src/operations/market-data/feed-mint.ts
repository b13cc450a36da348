// The account a feed stands in: a mint of supply 0 that nobody can ever mint from, whose metadata holds the value under one key.
import { TOKEN_2022_PROGRAM } from '../../solana/address.ts'
import { initializeMetadata, updateMetadataAuthority, updateMetadataField } from '../../solana/instructions/metadata.ts'
import { initializeMetadataPointer } from '../../solana/instructions/mint-extensions.ts'
import { initializeMint, setAuthority } from '../../solana/instructions/token-account.ts'
import { mintSize } from '../../solana/mint-size.ts'
import type { Instruction } from '../../solana/message.ts'
import { FEED_KEY, FEED_WIDTH } from '../../../machines/feed-text.ts'

const NAME = 'Onchain data source'

/** Of the longer of the two texts: a source may change its kind, and nothing pulls rent for a text that grows. */
export function feedMintSize() {
  const additional = [[FEED_KEY, ' '.repeat(FEED_WIDTH)]] as const
  return mintSize(['METADATA_POINTER', 'TOKEN_METADATA'], { name: NAME, symbol: '', uri: '', additional })
}

/**
 * After the account is allocated. The publisher is mint authority for as long as the metadata is begun, and gives that up at once; nobody
 * can point the mint at other metadata.
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
