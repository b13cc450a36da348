// What a backup file, and a file of an archive, is made of. It begins with a preamble in the clear: the magic line, the version of the format, how it is sealed and
// the salt. Frames follow: the length of the body (u32), the kind (one letter), the body, and the SHA-256 of the whole file up to here, so that
// damage shows at the frame that has it. In a sealed file the body is AES-256-GCM, bound to the preamble, its kind and its place: what is
// moved, repeated or left out does not open. The first frame is the manifest, the last the trailer, which counts the others; nothing follows it.
import { hkdfSync, scryptSync } from 'node:crypto'

/** Of one length. */
const MAGIC = { backup: 'HOLDFAST BACKUP\n', archive: 'HOLDFAST REPLAY\n' } as const
export type FileKind = keyof typeof MAGIC
export const FORMAT = 1
export const SALT_BYTES = 32
export const DIGEST_BYTES = 32
export const TAG_BYTES = 16
export const PREAMBLE_BYTES = MAGIC.backup.length + 2 + SALT_BYTES
export const FRAME_HEAD_BYTES = 5
/** A length above this is damage: no row is so long. */
export const MOST_BODY_BYTES = 256 * 1024 * 1024

export const KINDS = { manifest: 'M', store: 'S', chain: 'C', file: 'F', batch: 'B', chainBatch: 'K', trailer: 'T' } as const
export type FrameKind = keyof typeof KINDS

export interface Frame {
  readonly kind: Exclude<FrameKind, 'trailer'>
  readonly body: Buffer
}

/** What a file is sealed with; `none`: anybody who has the file can read it, but for what is sealed inside of it. */
export type Sealing =
  | { readonly kind: 'none' }
  /** From a person, of any length. */
  | { readonly kind: 'passphrase'; readonly passphrase: string }
  /** 32 bytes of chance. */
  | { readonly kind: 'key'; readonly key: Uint8Array }

const NAMES = { backup: 'a backup', archive: 'an archive' } as const

const SEALINGS: readonly Sealing['kind'][] = ['none', 'passphrase', 'key']

/** The file is not what it must be. The message is fit for whoever restores it. */
export class BackupRefused extends Error {
  override readonly name = 'BackupRefused'
}

/** It ends before it is whole. */
export class CutShort extends BackupRefused {}

export function preambleOf(what: FileKind, sealing: Sealing['kind'], salt: Buffer): Buffer {
  return Buffer.concat([Buffer.from(MAGIC[what]), Buffer.from([FORMAT, SEALINGS.indexOf(sealing)]), salt])
}

/** Throws BackupRefused. */
export function readPreamble(what: FileKind, bytes: Buffer): { readonly sealing: Sealing['kind']; readonly salt: Buffer } {
  const { length } = MAGIC[what]
  if (bytes.toString('latin1', 0, length) !== MAGIC[what]) throw new BackupRefused(`this is not ${NAMES[what]} of Holdfast`)
  const version = bytes[length]!
  if (version !== FORMAT) throw new BackupRefused(`the ${what} has format version ${version}; this release reads version ${FORMAT}`)
  const sealing = SEALINGS[bytes[length + 1]!]
  if (sealing === undefined) throw new BackupRefused(`the ${what} is damaged: its preamble says nothing known`)
  return { sealing, salt: bytes.subarray(length + 2, PREAMBLE_BYTES) }
}

/** 128 MiB and some tenths of a second for each guess at a passphrase (RFC 7914). Part of the format: another choice is another version. */
const SCRYPT = { N: 2 ** 17, r: 8, p: 1, maxmem: 256 * 1024 * 1024 }

/** The key of one file: with a salt of its own each, so that counting the frames makes every nonce unique. Null: not sealed. */
export function fileKey(sealing: Sealing, salt: Buffer): Buffer | null {
  switch (sealing.kind) {
    case 'none':
      return null
    case 'passphrase':
      return scryptSync(sealing.passphrase.normalize('NFKC'), salt, 32, SCRYPT)
    case 'key':
      return Buffer.from(hkdfSync('sha256', sealing.key, salt, 'holdfast backup', 32))
  }
}

export function nonceOf(frame: number): Buffer {
  const nonce = Buffer.alloc(12)
  nonce.writeBigUInt64BE(BigInt(frame), 4)
  return nonce
}
