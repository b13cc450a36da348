// Buffers of answers are reused for one answer after the other, and never for two at a time.
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { JsonBytes } from '../../src/contract/json-bytes.ts'

const text = ({ bytes }: JsonBytes): string => Buffer.from(bytes).toString()

const step = fc.record({
  what: fc.constantFrom('open', 'add', 'release'),
  which: fc.nat(9),
  added: fc.oneof(
    fc.string(),
    fc.nat(60_000).map((length) => '€'.repeat(length)),
  ),
})

it('holds what was added to it, whatever others are opened and released meanwhile', () => {
  fc.assert(
    fc.property(fc.array(step, { minLength: 20, maxLength: 60 }), (steps) => {
      const open: { readonly page: JsonBytes; expected: string }[] = []
      for (const { what, which, added } of steps) {
        const at = open.length === 0 ? -1 : which % open.length
        if (what === 'open') open.push({ page: new JsonBytes(), expected: '' })
        else if (what === 'add' && at >= 0) {
          open[at]!.page.add(added)
          open[at]!.expected += added
        } else if (what === 'release' && at >= 0) {
          const { page } = open.splice(at, 1)[0]!
          page.release()
          // The second time it has nothing to return.
          page.release()
          expect(page.bytes).toHaveLength(0)
        }
        for (const { page, expected } of open) expect(text(page) === expected).toBe(true)
      }
      for (const { page } of open) page.release()
    }),
    { numRuns: 100 },
  )
})

it('uses a buffer again, but not one that is too long to be held', () => {
  const first = new JsonBytes()
  first.add('first')
  const { buffer } = first.bytes
  first.release()
  const second = new JsonBytes()
  second.add('second')
  expect([second.bytes.buffer === buffer, text(second)]).toEqual([true, 'second'])
  second.add('x'.repeat(2_000_000))
  const long = second.bytes.buffer
  second.release()
  const others = Array.from({ length: 9 }, () => new JsonBytes())
  for (const each of others) each.add('third')
  expect(others.some(({ bytes }) => bytes.buffer === long)).toBe(false)
})
