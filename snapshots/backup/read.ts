// Decodes a backup file into frames. Each frame is verified before it is yielded. The generator ends only after a
// trailer that matches what was read, and throws BackupRefused otherwise: callers must discard results of frames used
// before the error.
import { createDecipheriv, createHash, timingSafeEqual } from 'node:crypto'
import {
  BackupRefused,
  CutShort,
  DIGEST_BYTES,
  backupFileKey,
  FRAME_HEAD_BYTES,
  FRAME_KINDS,
  MAX_FRAME_BYTES,
  frameNonce,
  PREAMBLE_BYTES,
} from './format.ts'
import { readPreamble, TAG_BYTES } from './format.ts'
import type { FileKind, Frame, FrameKind, Sealing } from './format.ts'

const KIND_OF = new Map<string, FrameKind>(
  Object.entries(FRAME_KINDS).map(([kind, letter]) => [letter, kind as FrameKind]),
)

/** @param opening how the file was sealed; BackupRefused if it does not match the file */
export async function* readBackup(
  bytes: AsyncIterable<Buffer>,
  opening: Sealing,
  what: FileKind = 'backup',
): AsyncGenerator<Frame, void, undefined> {
  const source = new Source(bytes, what)
  const preamble = await source.take(PREAMBLE_BYTES)
  const { sealing, salt } = readPreamble(what, preamble)
  const key = backupFileKey(fitting(what, opening, sealing), salt)
  const running = createHash('sha256').update(preamble)
  const damaged = (frame: number): BackupRefused =>
    new BackupRefused(`the ${what} is damaged, from part ${frame + 1} on`)
  for (let count = 0; ; count += 1) {
    const head = await source.take(FRAME_HEAD_BYTES)
    const length = head.readUInt32BE()
    const kind = KIND_OF.get(head.toString('latin1', 4))
    if (kind === undefined || length > MAX_FRAME_BYTES) throw damaged(count)
    const body = await source.take(length)
    running.update(head).update(body)
    if (!timingSafeEqual(running.copy().digest(), await source.take(DIGEST_BYTES))) throw damaged(count)
    if (key !== null && body.length < TAG_BYTES) throw damaged(count)
    const plain =
      key === null
        ? body
        : open(what, key, body, { context: Buffer.concat([preamble, Buffer.from(FRAME_KINDS[kind])]), frame: count })
    if ((kind === 'manifest') !== (count === 0)) throw damaged(count)
    if (kind !== 'trailer') {
      yield { kind, body: plain }
      continue
    }
    if (!agrees(plain, count) || !(await source.isOver())) throw damaged(count)
    key?.fill(0)
    return
  }
}

function fitting(what: FileKind, opening: Sealing, sealing: Sealing['kind']): Sealing {
  if (opening.kind === sealing) return opening
  if (sealing === 'none') throw new BackupRefused(`the ${what} is not encrypted: give neither passphrase nor key`)
  throw new BackupRefused(`the ${what} is encrypted: it needs its ${sealing}`)
}

function open(
  what: FileKind,
  key: Buffer,
  body: Buffer,
  { context, frame }: { readonly context: Buffer; readonly frame: number },
): Buffer {
  const tagAt = body.length - TAG_BYTES
  const decipher = createDecipheriv('aes-256-gcm', key, frameNonce(frame), { authTagLength: TAG_BYTES })
  decipher.setAAD(context)
  decipher.setAuthTag(body.subarray(tagAt))
  const plain = decipher.update(body.subarray(0, tagAt))
  try {
    decipher.final()
  } catch {
    plain.fill(0)
    // The checksum is correct, so the failure is not caused by damage.
    throw new BackupRefused(`the ${what} does not open: another passphrase or key, or somebody changed the file`)
  }
  return plain
}

function agrees(trailer: Buffer, count: number): boolean {
  try {
    return (JSON.parse(trailer.toString()) as { frames?: unknown }).frames === count
  } catch {
    return false
  }
}

/** Reads the byte stream in requested lengths. */
class Source {
  readonly #chunks: AsyncIterator<Buffer, void>
  #waiting: Buffer[] = []
  #buffered = 0
  readonly #kind: FileKind

  constructor(bytes: AsyncIterable<Buffer>, what: FileKind) {
    this.#kind = what
    this.#chunks = bytes[Symbol.asyncIterator]() as AsyncIterator<Buffer, void>
  }

  async take(length: number): Promise<Buffer> {
    while (this.#buffered < length)
      if (!(await this.#more())) throw new CutShort(`the ${this.#kind} is not whole: it ends too early`)
    const all = this.#waiting.length === 1 ? this.#waiting[0]! : Buffer.concat(this.#waiting)
    this.#waiting = all.length === length ? [] : [all.subarray(length)]
    this.#buffered -= length
    return all.subarray(0, length)
  }

  async isOver(): Promise<boolean> {
    return this.#buffered === 0 && !(await this.#more())
  }

  async #more(): Promise<boolean> {
    const next = await this.#chunks.next()
    if (next.done === true) return false
    this.#waiting.push(next.value)
    this.#buffered += next.value.length
    return true
  }
}
