// The order in which live nodes claim a free cell. It only keeps them from claiming all at once; the fence decides
// which node owns the cell.
import { createHash } from 'node:crypto'

/** Rendezvous hashing: the order for one cell does not depend on other cells or on nodes that are no longer alive. */
export function rankNodes<Node extends { readonly id: string }>(cell: string, nodes: readonly Node[]): Node[] {
  const weights = new Map(nodes.map((node) => [node, weightOf(cell, node.id)]))
  return nodes.toSorted((a, b) => (weights.get(a)! < weights.get(b)! ? 1 : -1))
}

function weightOf(cell: string, node: string): string {
  return createHash('sha256')
    .update(JSON.stringify([cell, node]))
    .digest('hex')
}
