// The order in which live nodes claim a cell that is free: a hint that keeps them from claiming all at once. The fence
// decides, not this order.
import { createHash } from 'node:crypto'

/** Rendezvous hashing: the order for one cell does not depend on the other cells, nor on the nodes that are gone. */
export function ranked<Node extends { readonly id: string }>(cell: string, nodes: readonly Node[]): Node[] {
  const weights = new Map(nodes.map((node) => [node, weightOf(cell, node.id)]))
  return nodes.toSorted((a, b) => (weights.get(a)! < weights.get(b)! ? 1 : -1))
}

function weightOf(cell: string, node: string): string {
  return createHash('sha256')
    .update(JSON.stringify([cell, node]))
    .digest('hex')
}
