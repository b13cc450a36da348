// What is closed again when a cell cannot be opened.
import { expect, it } from 'vitest'
import { CorruptRow, StoreClosed } from '../../snapshots/errors.ts'
import { CellUnreadable } from '../../src/nodes/errors.ts'
import { Undo } from '../../src/service/undo.ts'

const damaged = new CorruptRow('r!a', new SyntaxError('not JSON'))

it('undoes the steps in reverse order if rows cannot be read', async () => {
  const done: number[] = []
  const undo = new Undo()
  for (const step of [1, 2, 3])
    undo.add(async () => {
      await Promise.resolve()
      done.push(step)
    })
  const wrapped = new Error('the engine did not open', { cause: damaged })
  expect(await undo.after(wrapped)).toEqual(new CellUnreadable(wrapped))
  expect(done).toEqual([3, 2, 1])
})

it('lets the process end for another error, or if a step fails', async () => {
  const done: number[] = []
  const undo = new Undo()
  undo.add(() => done.push(1))
  const closed = new StoreClosed()
  expect(await undo.after(closed)).toBe(closed)
  expect(done).toEqual([])
  undo.add(() => Promise.reject(closed))
  expect(await undo.after(damaged)).not.toBeInstanceOf(CellUnreadable)
})
