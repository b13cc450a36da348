// What a process knows about the names of its open cells, beside a model that knows every name of every cell.
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { keyOf } from '../../../snapshots/keys.ts'
import { NameForms } from '../../../snapshots/name-forms.ts'
import { OpenNames, type CellNames } from '../../../snapshots/postgres/open-names.ts'
import type { StoreOp } from '../../../snapshots/store.ts'

const CELLS = ['main', 'red', 'blue']
const ALL = new Set(CELLS)
const NAMES = ['a', 'b', 'c', 'd', 'e']

const cell = fc.constantFrom(...CELLS)
const name = fc.constantFrom(...NAMES)
const step = fc.oneof(
  fc.record({ kind: fc.constant('written' as const), cell, name }),
  fc.record({ kind: fc.constant('reopened' as const), cell, name }),
  fc.record({ kind: fc.constant('closed' as const), cell }),
  fc.record({ kind: fc.constant('looked up' as const), cell, name }),
)

const forms = new NameForms()
const nameRow = (id: string): StoreOp => ({ type: 'name', tenant: 'ACME', cluster: 'C', id, name: id, held: true })

/** The open cells of a process, with the names in the database. */
class Process {
  readonly #stored = new Map(CELLS.map((each) => [each, new Set<string>()]))
  readonly #open = new Map<string, CellNames>()
  readonly names = new OpenNames()

  /** The cell may be open already: it is claimed once more, after another owner has written the name. */
  reopen(each: string, id: string): void {
    this.#stored.get(each)?.add(id)
    this.open(each)
  }

  open(each: string): void {
    const texts = [...(this.#stored.get(each) ?? [])].map((id) => [forms.of(id).text])
    this.#open.set(each, this.names.opened(each, { read: () => Promise.resolve(texts) }))
  }

  close(each: string): void {
    const known = this.#open.get(each)
    if (known !== undefined) this.names.closed(each, known)
    this.#open.delete(each)
  }

  write(each: string, id: string): void {
    const names = this.#open.get(each)
    if (names === undefined) return
    names.note([{ type: 'put', key: keyOf(nameRow(id)), value: '' }])
    this.#stored.get(each)?.add(id)
  }

  /** True: only the database can tell. */
  mayExist(each: string, id: string): boolean {
    return this.names.mayExistElsewhere(forms.of(id), ALL, this.#open.get(each))
  }

  /** Whether another cell has the name, or is not open. */
  expected(each: string, id: string): boolean {
    return CELLS.some((other) => !this.#open.has(other) || (other !== each && this.#stored.get(other)?.has(id)))
  }
}

it('a lookup answers from the latest names of the cells that are open', async () => {
  const property = fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 40 }), async (steps) => {
    const process = new Process()
    for (const each of CELLS) process.open(each)
    for (const each of steps) {
      if (each.kind === 'written') process.write(each.cell, each.name)
      else if (each.kind === 'closed') process.close(each.cell)
      else if (each.kind === 'reopened') process.reopen(each.cell, each.name)
      else {
        // The first lookup makes the cells load their names; until then it denies none.
        const before = process.mayExist(each.cell, each.name)
        await new Promise(setImmediate)
        const after = process.mayExist(each.cell, each.name)
        expect(after).toBe(process.expected(each.cell, each.name))
        expect(before || !after).toBe(true)
      }
    }
  })
  await fc.assert(property, { numRuns: 300 })
})

it('a cell that is not open here may have any name', async () => {
  const process = new Process()
  for (const each of CELLS) process.open(each)
  process.mayExist('main', 'a')
  await new Promise(setImmediate)
  expect(process.mayExist('main', 'a')).toBe(false)
  const own = process.names.opened('main', { read: () => Promise.resolve([]) })
  expect(process.names.mayExistElsewhere(forms.of('a'), new Set([...CELLS, 'green']), own)).toBe(true)
})
