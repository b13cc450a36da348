// Checks the write-ahead logs of a LevelDB directory before LevelDB replays them. LevelDB itself skips a record with a
// wrong checksum and replays those after it: an acknowledged commit would be missing without an error.
//
// A log is a sequence of blocks of 32 KiB. A record never crosses a block: checksum (4 bytes), length (2), type (1),
// data; a longer batch is several records. A block ends with zeros where no header fits. Every batch is synced before
// the next is written, so a crash leaves at most the last batch incomplete, in any of its blocks. An unreadable record
// with the beginning of another batch after it is damage.
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DamagedLog } from './errors.ts'

const BLOCK_BYTES = 32_768
const HEADER_BYTES = 7
/** Record types: a whole batch, or the first, a middle or the last part of one. */
const FIRST_TYPE = 1
const LAST_TYPE = 4
/** Types of records that begin a batch. */
const BEGINNINGS: ReadonlySet<number> = new Set([1, 2])
const MASK_DELTA = 0xa282_ead8
const POLYNOMIAL = 0x82f6_3b78

const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let rest = byte
  for (let bit = 0; bit < 8; bit += 1) rest = rest & 1 ? (rest >>> 1) ^ POLYNOMIAL : rest >>> 1
  return rest >>> 0
})

/** Rejects with `DamagedLog`. A directory that does not exist, or has no log, passes. */
export async function checkLogs(path: string): Promise<void> {
  const names = await readdir(path).catch(whenMissing)
  for (const name of names?.filter((each) => each.endsWith('.log')) ?? []) {
    const bytes = await readFile(join(path, name)).catch(whenMissing)
    const damagedAt = bytes === undefined ? null : damageOf(bytes)
    if (damagedAt !== null) throw new DamagedLog(join(path, name), damagedAt)
  }
}

/** Offset of the first unreadable record with another batch after it; null: there is none. */
export function damageOf(log: Buffer): number | null {
  let unreadable: number | null = null
  for (let block = 0; block < log.length; block += BLOCK_BYTES) {
    const end = Math.min(block + BLOCK_BYTES, log.length)
    for (let at = block; at + HEADER_BYTES <= end;) {
      const length = log.readUInt16LE(at + 4)
      const next = at + HEADER_BYTES + length
      if (next > end || !isIntact(log, at, next)) {
        unreadable ??= at
        // The length itself may be damaged, so the rest of the block is searched for a record.
        at += 1
        continue
      }
      if (unreadable !== null && BEGINNINGS.has(log[at + 6]!)) return unreadable
      at = next
    }
  }
  return null
}

/** The checksum covers type and data. The type is checked first, because that is cheap. */
function isIntact(log: Buffer, at: number, end: number): boolean {
  const type = log[at + 6]!
  if (type < FIRST_TYPE || type > LAST_TYPE) return false
  let rest = 0xffff_ffff
  for (let index = at + 6; index < end; index += 1) rest = TABLE[(rest ^ log[index]!) & 0xff]! ^ (rest >>> 8)
  const checksum = ~rest >>> 0
  const masked = (((checksum >>> 15) | (checksum << 17)) + MASK_DELTA) >>> 0
  return log.readUInt32LE(at) === masked
}

function whenMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT' && error.code !== 'ENOTDIR') throw error
}
