// A backup file with two of its frames exchanged and all checksums recomputed, as an attacker without the key could do.
import { createHash } from 'node:crypto'
import { DIGEST_BYTES, FRAME_HEAD_BYTES, PREAMBLE_BYTES } from '../../snapshots/backup/format.ts'

export function swapFrames(file: Buffer, one: number, other: number): Buffer {
  const preamble = file.subarray(0, PREAMBLE_BYTES)
  const frames: Buffer[] = []
  for (let at = PREAMBLE_BYTES; at < file.length;) {
    const end = at + FRAME_HEAD_BYTES + file.readUInt32BE(at)
    frames.push(file.subarray(at, end))
    at = end + DIGEST_BYTES
  }
  const order = frames.map((frame, index) => (index === one ? frames[other]! : index === other ? frames[one]! : frame))
  const digest = createHash('sha256').update(preamble)
  return Buffer.concat([preamble, ...order.flatMap((frame) => [frame, digest.update(frame).copy().digest()])])
}
