// Names of facts that each cell of a store has separately. Facts of the first cell, and of a store with one owner, have
// the plain name.

/** Never occurs in names of cells or in external ids. */
const MARK = '\u0001'

/** @param cell undefined: the first cell */
export function ownFact(name: string, cell: string | undefined): string {
  return cell === undefined ? name : ofCells(name) + cell
}

/** Prefix of the fact's names in all cells except the first. */
export const ofCells = (name: string): string => name + MARK
