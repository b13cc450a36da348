// The books: amounts are conserved, undoing is exact, and reservations are never negative.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { available, observe, release, reserve, settle, undo } from '../../machines/book.ts'
import { anyNegative, observeAll, settleAll, undoAll, type Books } from '../../machines/books.ts'
import type { Book } from '../../machines/holding.ts'
import type { Movement } from '../../machines/protocol.ts'

const units = fc.bigInt({ min: 0n, max: 10n ** 12n })
const book = fc
  .record({ balance: units, reserved: units })
  .map(({ balance, reserved }): Book => ({ balance: `${balance}`, reserved: `${reserved}` }))
const movement = fc
  .record({ released: units, debited: units, credited: units })
  .map(({ released, debited, credited }): Movement => ({
    asset: 'lamports',
    released: `${released}`,
    debited: `${debited}`,
    credited: `${credited}`,
  }))

describe('a balance', () => {
  it('is unchanged after settling and undoing', () => {
    fc.assert(
      fc.property(book, movement, (before, what) => {
        const result = settle(before, what)
        if (!result.ok) {
          expect(result.refusal.code).toBe('BOOK_NEGATIVE')
          expect(BigInt(what.released)).toBeGreaterThan(BigInt(before.reserved))
          return
        }
        expect(undo(result.value, what)).toStrictEqual({ ok: true, value: before })
      }),
    )
  })

  it('reserves at most what is available if checked, and never less than nothing', () => {
    fc.assert(
      fc.property(book, units, fc.boolean(), (before, amount, covered) => {
        const after = reserve(before, `${amount}`, covered)
        if (!after.ok) {
          expect([covered, available(before) < amount, after.refusal.code]).toStrictEqual([
            true,
            true,
            'INSUFFICIENT_BALANCE',
          ])
          return
        }
        expect(available(after.value)).toBe(available(before) - amount)
        if (covered) expect(available(after.value)).toBeGreaterThanOrEqual(0n)
        const reservation: Movement = { asset: 'lamports', released: `${amount}`, debited: '7', credited: '9' }
        expect(release(after.value, reservation)).toStrictEqual({ ok: true, value: before })
      }),
    )
  })

  it('adopts a balance from the chain and keeps reservations', () => {
    expect(observe({ balance: '5', reserved: '3' }, '0')).toStrictEqual({
      ok: true,
      value: { balance: '0', reserved: '3' },
    })
    // The chain may show an own credit that the book has not counted yet, and an outsider has already taken some of it.
    expect(observe({ balance: '5', reserved: '3' }, '-1')).toStrictEqual({
      ok: true,
      value: { balance: '-1', reserved: '3' },
    })
  })

  it('refuses invalid amounts', () => {
    const empty: Book = { balance: '0', reserved: '0' }
    for (const text of ['-1', '1.0', '', ' 1', '0x1', 'one']) {
      expect(reserve(empty, text, false)).toMatchObject({ ok: false, refusal: { code: 'MALFORMED_AMOUNT' } })
      if (text !== '-1')
        expect(observe(empty, text)).toMatchObject({ ok: false, refusal: { code: 'MALFORMED_AMOUNT' } })
    }
  })
})

describe('several balances', () => {
  /** Transfers between three records, each reserved, then settled, abandoned, or settled and undone. */
  const transfer = fc.record({
    from: fc.nat(2),
    to: fc.nat(2),
    amount: fc.bigInt({ min: 0n, max: 50n }).map(String),
    end: fc.constantFrom('settled', 'released', 'undone', 'open'),
  })

  it('conserve the sum over any transfers, and reserve exactly the open amounts', () => {
    fc.assert(
      fc.property(fc.array(transfer, { maxLength: 40 }), (transfers) => {
        const books: Book[] = [0, 1, 2].map(() => ({ balance: '100', reserved: '0' }))
        let open = 0n
        for (const { from, to, amount, end } of transfers) {
          const result = reserve(books[from]!, amount, true)
          if (!result.ok) continue
          books[from] = result.value
          const out: Movement = { asset: 'lamports', released: amount, debited: amount, credited: '0' }
          const into: Movement = { asset: 'lamports', released: '0', debited: '0', credited: amount }
          const apply = (at: number, step: typeof settle, what: Movement) => {
            const next = step(books[at]!, what)
            expect(next.ok).toBe(true)
            if (next.ok) books[at] = next.value
          }
          if (end === 'released') apply(from, release, out)
          if (end === 'settled' || end === 'undone') {
            apply(from, settle, out)
            apply(to, settle, into)
          }
          if (end === 'undone') {
            apply(to, undo, into)
            apply(from, undo, out)
          }
          if (end === 'open' || end === 'undone') open += BigInt(amount)
        }
        expect(books.reduce((sum, { balance }) => sum + BigInt(balance), 0n)).toBe(300n)
        expect(books.reduce((sum, { reserved }) => sum + BigInt(reserved), 0n)).toBe(open)
        for (const each of books) expect(available(each)).toBeGreaterThanOrEqual(0n)
      }),
    )
  })

  it('apply all movements or none, and undo them exactly', () => {
    const both: Books = { lamports: { balance: '10', reserved: '4' }, tokens: { balance: '5', reserved: '5' } }
    const fee: Movement = { asset: 'lamports', released: '4', debited: '3', credited: '0' }
    const out: Movement = { asset: 'tokens', released: '5', debited: '5', credited: '0' }
    const result = settleAll(both, [fee, out, { ...fee, released: '0' }])
    expect(result).toStrictEqual({
      ok: true,
      value: { lamports: { balance: '4', reserved: '0' }, tokens: { balance: '0', reserved: '0' } },
    })
    expect(result.ok && undoAll({ ...both, ...result.value }, [fee, out, { ...fee, released: '0' }])).toStrictEqual({
      ok: true,
      value: both,
    })
    expect(settleAll(both, [fee, { ...out, released: '6' }])).toMatchObject({
      ok: false,
      refusal: { code: 'BOOK_NEGATIVE' },
    })
    expect(settleAll({ lamports: both.lamports }, [out])).toMatchObject({
      ok: false,
      refusal: { code: 'NO_SUCH_BOOK' },
    })
  })

  it('adopt all balances from the chain or none, and keep those that were not read', () => {
    const both: Books = { lamports: { balance: '10', reserved: '4' }, tokens: { balance: '5', reserved: '5' } }
    expect(observeAll(both, { tokens: '7' })).toStrictEqual({
      ok: true,
      value: { tokens: { balance: '7', reserved: '5' } },
    })
    expect(observeAll(both, { lamports: '1', tokens: 'many' })).toMatchObject({
      ok: false,
      refusal: { code: 'MALFORMED_AMOUNT' },
    })
    expect(observeAll(both, { lamports: '1', supply: '7' })).toMatchObject({
      ok: false,
      refusal: { code: 'NO_SUCH_BOOK' },
    })
  })

  it('report a negative balance', () => {
    expect(anyNegative({ lamports: { balance: '0', reserved: '9' } })).toBe(false)
    expect(anyNegative({ lamports: { balance: '0', reserved: '0' }, supply: { balance: '-1', reserved: '0' } })).toBe(
      true,
    )
  })
})
