// File format of backups and archive files. A plaintext preamble: magic line, format version, type of sealing, salt.
// Then frames: length of the body (u32), kind (one letter), body, and the SHA-256 of the file up to this point, so that
// damage is detected at its frame. In a sealed file the body is AES-256-GCM, bound to the preamble, the kind and the
// position, so a moved, repeated or omitted frame cannot be opened. The first frame is the manifest. The last is the
// trailer with the number of the others; nothing follows it.
import { hkdfSync, scryptSync } from 'node:crypto'

/** The magic lines must have the same length. */
const MAGIC = { backup: 'HOLDFAST BACKUP\n', archive: 'HOLDFAST REPLAY\n' } as const
export type FileKind = keyof typeof MAGIC
const FORMAT = 1
export const SALT_BYTES = 32
export const DIGEST_BYTES = 32
export const TAG_BYTES = 16
export const PREAMBLE_BYTES = MAGIC.backup.length + 2 + SALT_BYTES
export const FRAME_HEAD_BYTES = 5
/** A greater length indicates damage: no row is this long. */
export const MAX_FRAME_BYTES = 256 * 1024 * 1024

export const FRAME_KINDS = {
  manifest: 'M',
  store: 'S',
  chain: 'C',
  file: 'F',
  batch: 'B',
  chainBatch: 'K',
  trailer: 'T',
} as const
export type FrameKind = keyof typeof FRAME_KINDS

export interface Frame {
  readonly kind: Exclude<FrameKind, 'trailer'>
  readonly body: Buffer
}

/** The sealing of a file. `none`: the content is readable, except for parts sealed individually. */
export type Sealing =
  | { readonly kind: 'none' }
  /** Chosen by a person; any length. */
  | { readonly kind: 'passphrase'; readonly passphrase: string }
  /** 32 random bytes. */
  | { readonly kind: 'key'; readonly key: Uint8Array }

const NAMES = { backup: 'a backup', archive: 'an archive' } as const

const SEALINGS: readonly Sealing['kind'][] = ['none', 'passphrase', 'key']

/** The file is invalid. The message is suitable for the person who restores it. */
export class BackupRefused extends Error {
  override readonly name = 'BackupRefused'
}

/** The file ends early. */
export class CutShort extends BackupRefused {}

export function preambleOf(what: FileKind, sealing: Sealing['kind'], salt: Buffer): Buffer {
  return Buffer.concat([Buffer.from(MAGIC[what]), Buffer.from([FORMAT, SEALINGS.indexOf(sealing)]), salt])
}

/** Throws BackupRefused. */
export function readPreamble(
  what: FileKind,
  bytes: Buffer,
): { readonly sealing: Sealing['kind']; readonly salt: Buffer } {
  const { length } = MAGIC[what]
  if (bytes.toString('latin1', 0, length) !== MAGIC[what])
    throw new BackupRefused(`this is not ${NAMES[what]} of Holdfast`)
  const version = bytes[length]!
  if (version !== FORMAT)
    throw new BackupRefused(`the ${what} has format version ${version}; this release reads version ${FORMAT}`)
  const sealing = SEALINGS[bytes[length + 1]!]
  if (sealing === undefined) throw new BackupRefused(`the ${what} is damaged: its preamble says nothing known`)
  return { sealing, salt: bytes.subarray(length + 2, PREAMBLE_BYTES) }
}

/**
 * scrypt (RFC 7914): each guess of a passphrase takes 128 MiB and some tenths of a second. The parameters are part of
 * the format; a change requires a new format version.
 */
const SCRYPT = { N: 2 ** 17, r: 8, p: 1, maxmem: 256 * 1024 * 1024 }

/** Key of one file. Each file has its own salt, so that the frame number is a unique nonce. null: not sealed. */
export function backupFileKey(sealing: Sealing, salt: Buffer): Buffer | null {
  switch (sealing.kind) {
    case 'none':
      return null
    case 'passphrase':
      return scryptSync(sealing.passphrase.normalize('NFKC'), salt, 32, SCRYPT)
    case 'key':
      return Buffer.from(hkdfSync('sha256', sealing.key, salt, 'holdfast backup', 32))
  }
}

export function frameNonce(frame: number): Buffer {
  const nonce = Buffer.alloc(12)
  nonce.writeBigUInt64BE(BigInt(frame), 4)
  return nonce
}
