// Sorting that yields: a bottom-up merge sort, and a selection of the first few rows without sorting the rest.
import type { SlicedJob } from './slices.ts'

export type CompareRows = (left: number, right: number) => number

const STEPS = 2_048
const RUN = 8
/** Each offered row may need about twenty comparisons. */
const OFFERED_PER_YIELD = 256

/** Sorts in place and returns the same array. */
export function* sortRows(rows: Uint32Array, compare: CompareRows): SlicedJob<Uint32Array> {
  for (let from = 0; from < rows.length; from += STEPS) {
    insertionRuns(rows, from, Math.min(from + STEPS, rows.length), compare)
    yield
  }
  let source = rows
  let target: Uint32Array = new Uint32Array(rows.length)
  for (let width = RUN; width < rows.length; width *= 2) {
    for (let from = 0; from < rows.length; from += 2 * width) {
      const middle = Math.min(from + width, rows.length)
      const end = Math.min(from + 2 * width, rows.length)
      const cursor: Merge = { left: from, right: middle, at: from }
      while (!mergeSome(source, target, cursor, { middle, end, compare })) yield
      if (from % STEPS === 0) yield
    }
    ;[source, target] = [target, source]
  }
  if (source !== rows) rows.set(source)
  return rows
}

function insertionRuns(rows: Uint32Array, start: number, end: number, compare: CompareRows): void {
  for (let from = start; from < end; from += RUN) {
    const stop = Math.min(from + RUN, end)
    for (let next = from + 1; next < stop; next += 1) {
      const row = rows[next]!
      let at = next
      while (at > from && compare(rows[at - 1]!, row) > 0) {
        rows[at] = rows[at - 1]!
        at -= 1
      }
      rows[at] = row
    }
  }
}

interface Merge {
  left: number
  right: number
  at: number
}

/** Returns true when both runs are merged. */
function mergeSome(
  source: Uint32Array,
  target: Uint32Array,
  cursor: Merge,
  { middle, end, compare }: { readonly middle: number; readonly end: number; readonly compare: CompareRows },
): boolean {
  let { left, right, at } = cursor
  const stop = Math.min(at + STEPS, end)
  while (at < stop && left < middle && right < end) {
    if (compare(source[left]!, source[right]!) <= 0) {
      target[at] = source[left]!
      left += 1
    } else {
      target[at] = source[right]!
      right += 1
    }
    at += 1
  }
  while (at < stop) {
    if (left < middle) {
      target[at] = source[left]!
      left += 1
    } else {
      target[at] = source[right]!
      right += 1
    }
    at += 1
  }
  cursor.left = left
  cursor.right = right
  cursor.at = at
  return at === end
}

/** The first `count` rows in order. */
export function* firstRows(rows: Uint32Array, count: number, compare: CompareRows): SlicedJob<Uint32Array> {
  if (count * 4 > rows.length) return (yield* sortRows(rows.slice(), compare)).subarray(0, count)
  // A heap with the greatest kept row on top: one comparison rejects nearly all others.
  const heap = new Uint32Array(count)
  let size = 0
  for (let from = 0; from < rows.length; from += OFFERED_PER_YIELD) {
    const end = Math.min(from + OFFERED_PER_YIELD, rows.length)
    for (let at = from; at < end; at += 1) {
      const row = rows[at]!
      if (size < count) {
        heap[size] = row
        size += 1
        siftUp(heap, size - 1, compare)
      } else if (size > 0 && compare(row, heap[0]!) < 0) {
        heap[0] = row
        siftDown(heap, size, compare)
      }
    }
    yield
  }
  return yield* sortRows(heap.subarray(0, size), compare)
}

function siftUp(heap: Uint32Array, start: number, compare: CompareRows): void {
  const row = heap[start]!
  let at = start
  while (at > 0) {
    const parent = (at - 1) >>> 1
    if (compare(heap[parent]!, row) >= 0) break
    heap[at] = heap[parent]!
    at = parent
  }
  heap[at] = row
}

function siftDown(heap: Uint32Array, size: number, compare: CompareRows): void {
  const row = heap[0]!
  let at = 0
  for (let child = 1; child < size; child = 2 * at + 1) {
    if (child + 1 < size && compare(heap[child + 1]!, heap[child]!) > 0) child += 1
    if (compare(row, heap[child]!) >= 0) break
    heap[at] = heap[child]!
    at = child
  }
  heap[at] = row
}
