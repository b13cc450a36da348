// Facts that each cell of a store has for itself. Those of the first cell, and of a store with one owner, have the
// plain name.

/** In no name of a cell, and in no external id. */
const MARK = '\u0001'

/** @param cell undefined: the first cell */
export function ownFact(name: string, cell: string | undefined): string {
  return cell === undefined ? name : ofCells(name) + cell
}

/** What the names of the fact begin with in all cells but the first. */
export const ofCells = (name: string): string => name + MARK
