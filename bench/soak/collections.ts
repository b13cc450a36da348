// The heap in use directly after a full garbage collection: unlike the memory of the process, it contains no garbage.

export interface HeapAfterCollection {
  /** Takes a line of V8's `--trace-gc`; every other line is ignored. */
  readonly onCollection: (line: string) => void
  /** After the last full collection of the largest heap, which is the main thread's; 0 before the first one. */
  megabytes(): number
}

/**
 * `[7:0x5d2] 812 ms Mark-Compact 130.1 (150.2) -> 96.4 (140.0) MB, ...`: the address of the heap and the bytes left.
 */
const FULL_COLLECTION = /^\[\d+:(0x[0-9a-f]+)\].*: Mark-Compact .*? -> ([\d.]+) \(/

export function heapAfterCollection(): HeapAfterCollection {
  const heaps = new Map<string, number>()
  return {
    onCollection(line) {
      const [, heap, left] = FULL_COLLECTION.exec(line) ?? []
      if (heap !== undefined) heaps.set(heap, Number(left))
    },
    megabytes: () => Math.max(0, ...heaps.values()),
  }
}
