// Frames of several requests or answers in one body.
import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { FrameReader, frameOf } from '../../src/nodes/frames.ts'

describe('frames', () => {
  it('are read as they were written, whatever the parts are in which they arrive', () => {
    const frames = fc.array(fc.tuple(fc.jsonValue(), fc.uint8Array({ maxLength: 300 })), { maxLength: 20 })
    fc.assert(
      fc.property(frames, fc.array(fc.integer({ min: 1, max: 400 }), { minLength: 1 }), (all, lengths) => {
        const read: [unknown, Uint8Array][] = []
        const reader = new FrameReader(1_000_000, (head, body) => void read.push([head, new Uint8Array(body)]))
        const bytes = Buffer.concat(all.map(([head, body]) => frameOf(head, body)))
        for (let start = 0, turn = 0; start < bytes.length; turn += 1) {
          const length = lengths[turn % lengths.length]!
          reader.push(bytes.subarray(start, start + length))
          start += length
        }
        expect(read).toEqual(all.map(([head, body]): unknown[] => [JSON.parse(JSON.stringify(head)), body]))
      }),
    )
  })

  it('are copied once, however long they are', () => {
    const [short, long] = [frameOf('short', Buffer.alloc(10)), frameOf('long', Buffer.alloc(1_000_000))]
    const bytes = Buffer.concat([short, long, short])
    const heads: unknown[] = []
    const reader = new FrameReader(long.length, (head) => void heads.push(head))
    const concat = vi.spyOn(Buffer, 'concat')
    for (let start = 0; start < bytes.length; start += 1_000) reader.push(bytes.subarray(start, start + 1_000))
    const copied = concat.mock.results.reduce((sum, { value }) => sum + (value as Buffer).length, 0)
    concat.mockRestore()
    expect(heads).toEqual(['short', 'long', 'short'])
    expect(copied).toBeLessThan(1.1 * bytes.length)
  })

  it('are refused if they are longer than agreed, before they have arrived', () => {
    const frame = frameOf({}, Buffer.alloc(100))
    const reader = new FrameReader(frame.length - 1, () => undefined)
    expect(() => reader.push(frame.subarray(0, 8))).toThrow('a frame has more than')
    expect(() => new FrameReader(frame.length, () => undefined).push(frame)).not.toThrow()
  })

  it('are refused if a head is not JSON', () => {
    const frame = frameOf('ab', Buffer.alloc(0))
    frame[8] = 0x7b
    expect(() => new FrameReader(1_000, () => undefined).push(frame)).toThrow(SyntaxError)
  })
})
