// One pass over a body's text before it is parsed: how deep it nests, and whether a number in it has so many digits that a double
// may not hold it. Knows just enough of JSON to tell text from the rest; whether it is JSON is the parser's to say.

const QUOTE = 34
const BACKSLASH = 92
const DOT = 46
const EXACT_DIGITS = 15

export interface Inspection {
  readonly depth: number
  /** Some number has more than 15 digits as written. */
  readonly longNumber: boolean
}

export function inspect(text: string): Inspection {
  let depth = 0
  let deepest = 0
  let digits = 0
  let longNumber = false
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at)
    if (unit >= 48 && unit <= 57) {
      digits += 1
      if (digits > EXACT_DIGITS) longNumber = true
      continue
    }
    if (unit === DOT) continue
    digits = 0
    if (unit === QUOTE) at = endOfText(text, at + 1)
    else if (unit === 123 || unit === 91) deepest = Math.max(deepest, ++depth)
    else if (unit === 125 || unit === 93) depth -= 1
  }
  return { depth: deepest, longNumber }
}

/** Index of the closing quote; an even number of backslashes stands before it. */
function endOfText(text: string, from: number): number {
  let at = text.indexOf('"', from)
  while (at > 0 && text.charCodeAt(at - 1) === BACKSLASH) {
    let first = at - 1
    while (first > from && text.charCodeAt(first - 1) === BACKSLASH) first -= 1
    if ((at - first) % 2 === 0) return at
    at = text.indexOf('"', at + 1)
  }
  return at < 0 ? text.length : at
}
