// Encodes frames into the bytes of a backup file.
import { createCipheriv, createHash, randomBytes } from 'node:crypto'
import {
  backupFileKey,
  FRAME_HEAD_BYTES,
  FRAME_KINDS,
  frameNonce,
  preambleOf,
  SALT_BYTES,
  TAG_BYTES,
} from './format.ts'
import type { FileKind, Frame, FrameKind, Sealing } from './format.ts'

/** Writes a file frame by frame. The first frame must be the manifest. */
export class FrameWriter {
  readonly preamble: Buffer
  readonly #key: Buffer | null
  readonly #running: ReturnType<typeof createHash>
  #count = 0

  constructor(what: FileKind, sealing: Sealing) {
    const salt = randomBytes(SALT_BYTES)
    this.#key = backupFileKey(sealing, salt)
    this.preamble = preambleOf(what, sealing.kind, salt)
    this.#running = createHash('sha256').update(this.preamble)
  }

  frame({ kind, body }: Frame): Buffer {
    return this.#frameOf(kind, body)
  }

  /** The trailer; no frame may follow. */
  end(): Buffer {
    const trailer = this.#frameOf('trailer', Buffer.from(JSON.stringify({ frames: this.#count })))
    this.#key?.fill(0)
    return trailer
  }

  #frameOf(kind: FrameKind, plain: Buffer): Buffer {
    const letter = FRAME_KINDS[kind]
    const body =
      this.#key === null
        ? plain
        : seal(this.#key, plain, Buffer.concat([this.preamble, Buffer.from(letter)]), this.#count)
    const head = Buffer.alloc(FRAME_HEAD_BYTES)
    head.writeUInt32BE(body.length)
    head.write(letter, 4, 'latin1')
    this.#running.update(head).update(body)
    this.#count += 1
    return Buffer.concat([head, body, this.#running.copy().digest()])
  }
}

/** Ends with the trailer; if the source fails, no complete file results. */
export async function* writeBackup(
  frames: AsyncIterable<Frame>,
  sealing: Sealing,
): AsyncGenerator<Buffer, void, undefined> {
  const writer = new FrameWriter('backup', sealing)
  yield writer.preamble
  for await (const frame of frames) yield writer.frame(frame)
  yield writer.end()
}

function seal(key: Buffer, plain: Buffer, context: Buffer, frame: number): Buffer {
  const cipher = createCipheriv('aes-256-gcm', key, frameNonce(frame), { authTagLength: TAG_BYTES })
  cipher.setAAD(context)
  return Buffer.concat([cipher.update(plain), cipher.final(), cipher.getAuthTag()])
}
