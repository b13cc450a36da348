// What the items of a batch would take: an address, references, the change of a state. Each item is checked without the
// effects of the others, so that two items that would take the same are found here.
import { Refusal } from '../../contract/refusal.ts'

interface Take {
  readonly index: number
  readonly name: string
  readonly taken: () => Refusal
}

export class TakenNames {
  /** Index of the first item that takes the name. */
  readonly #holders = new Map<string, number>()
  readonly #takes: Take[] = []

  note(index: number, name: string, taken: () => Refusal): void {
    this.#takes.push({ index, name, taken })
  }

  /**
   * Of the items noted since the last call, those that take what an earlier item takes: the refusal that each would get
   * if the earlier item were made. Their order of notes does not matter: items that run together note in any order.
   */
  refusals(): ReadonlyMap<number, Refusal> {
    const refusals = new Map<number, Refusal>()
    for (const { index, name, taken } of this.#takes.splice(0).sort((a, b) => a.index - b.index)) {
      const holder = this.#holders.get(name)
      if (holder === undefined) this.#holders.set(name, index)
      else if (holder !== index && !refusals.has(index)) refusals.set(index, takenBy(holder, taken()))
    }
    return refusals
  }
}

function takenBy(holder: number, { status, problems }: Refusal): Refusal {
  return new Refusal(
    status,
    problems.map((problem) => ({ ...problem, message: `${problem.message}, by item ${holder} of this batch` })),
  )
}
