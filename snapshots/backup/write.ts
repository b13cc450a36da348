// Frames to the bytes of a backup file.
import { createCipheriv, createHash, randomBytes } from 'node:crypto'
import { fileKey, FRAME_HEAD_BYTES, KINDS, nonceOf, preambleOf, SALT_BYTES, TAG_BYTES } from './format.ts'
import type { Frame, FrameKind, Sealing } from './format.ts'

/** The first frame must be the manifest. Ends with the trailer; a source that fails makes no whole file. */
export async function* writeBackup(frames: AsyncIterable<Frame>, sealing: Sealing): AsyncGenerator<Buffer, void, undefined> {
  const salt = randomBytes(SALT_BYTES)
  const key = fileKey(sealing, salt)
  const preamble = preambleOf(sealing.kind, salt)
  const running = createHash('sha256').update(preamble)
  let count = 0
  const frameOf = (kind: FrameKind, plain: Buffer): Buffer => {
    const letter = KINDS[kind]
    const body = key === null ? plain : seal(key, plain, Buffer.concat([preamble, Buffer.from(letter)]), count)
    const head = Buffer.alloc(FRAME_HEAD_BYTES)
    head.writeUInt32BE(body.length)
    head.write(letter, 4, 'latin1')
    running.update(head).update(body)
    count += 1
    return Buffer.concat([head, body, running.copy().digest()])
  }
  yield preamble
  for await (const { kind, body } of frames) yield frameOf(kind, body)
  yield frameOf('trailer', Buffer.from(JSON.stringify({ frames: count })))
  key?.fill(0)
}

function seal(key: Buffer, plain: Buffer, context: Buffer, frame: number): Buffer {
  const cipher = createCipheriv('aes-256-gcm', key, nonceOf(frame), { authTagLength: TAG_BYTES })
  cipher.setAAD(context)
  return Buffer.concat([cipher.update(plain), cipher.final(), cipher.getAuthTag()])
}
