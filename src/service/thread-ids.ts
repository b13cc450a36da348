/** Node ids of the threads of a process. */
export function threadIds(nodeId: string, count: number): string[] {
  return Array.from({ length: count }, (_, at) => (at === 0 ? nodeId : `${nodeId}.${at + 1}`))
}
