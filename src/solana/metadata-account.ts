/**
 * Metadata outside the mint: decodes the account that a mint's metadata pointer names, of any program of the interface.
 */
import { TOKEN_2022_PROGRAM } from './address.ts'
import { AccountBytes } from './account-bytes.ts'
import { FormatError } from './format-error.ts'
import { decodeMint, readMetadata } from './mint-layout.ts'
import type { TokenMetadata } from './mint-layout.ts'

/** Metaplex, whose own layout has the metadata of most tokens that keep it outside the mint. */
const METAPLEX_PROGRAM = 'metaqbxxUerdq28cj1RbAWkYQm3ybzjb6a8bt518x1s'
const METAPLEX_KIND = 4
const METAPLEX_TEXTS_OFFSET = 65

/** First 8 bytes of SHA-256 of `spl_token_metadata_interface:token_metadata`: the type of the TLV entry. */
const INTERFACE_TYPE = Uint8Array.of(112, 132, 90, 90, 11, 88, 157, 87)
const ENTRY_HEADER_BYTES = 12

/**
 * @param data the account's data
 * @param owner the program that owns the account
 * @returns null for an account without readable metadata
 */
export function decodeMetadataAccount(data: Uint8Array, owner: string): TokenMetadata | null {
  try {
    if (owner === TOKEN_2022_PROGRAM) return decodeMint(data, owner).extensions.metadata ?? null
    if (owner === METAPLEX_PROGRAM) return readMetaplex(new AccountBytes(data))
    return readEntries(data)
  } catch (error) {
    if (error instanceof FormatError) return null
    throw error
  }
}

function readEntries(data: Uint8Array): TokenMetadata | null {
  const bytes = new AccountBytes(data)
  let at = 0
  while (at + ENTRY_HEADER_BYTES <= data.length) {
    const length = bytes.u32(at + 8)
    if (INTERFACE_TYPE.every((byte, index) => data[at + index] === byte))
      return readMetadata(bytes.part(at + ENTRY_HEADER_BYTES, length))
    at += ENTRY_HEADER_BYTES + length
  }
  return null
}

/** The texts are padded with zeros. */
function readMetaplex(bytes: AccountBytes): TokenMetadata | null {
  if (bytes.u8(0) !== METAPLEX_KIND) return null
  let at = METAPLEX_TEXTS_OFFSET
  const next = (): string => {
    const length = bytes.u32(at)
    const text = bytes.text(at + 4, length)
    at += 4 + length
    return text.replace(/\0+$/, '')
  }
  const [name, symbol, uri] = [next(), next(), next()]
  return { updateAuthority: bytes.optionalAddress(1), mint: bytes.address(33), name, symbol, uri, additional: [] }
}
