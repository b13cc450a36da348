// Hash of texts: FNV-1a over UTF-16 units, then the finalizer of MurmurHash3, so that high and low bits are equally
// well distributed. It can be computed piece by piece, so the parts of a text need not be joined first.

export const EMPTY_TEXT = 0x811c9dc5

/** Continues with a part of a text. */
export function extendHash(hash: number, text: string, from = 0, to = text.length): number {
  let next = hash
  for (let at = from; at < to; at += 1) next = Math.imul(next ^ text.charCodeAt(at), 0x01000193)
  return next
}

/** The hash of all parts passed to `extendHash`. */
export function finalHash(state: number): number {
  let hash = Math.imul(state ^ (state >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}

export function textHash(text: string): number {
  return finalHash(extendHash(EMPTY_TEXT, text))
}
