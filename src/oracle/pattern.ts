// Regular expressions of jobs, in linear time: RE2 syntax, without backreferences and lookaround. The size of a
// compiled pattern, the length of the searched text and their product, the cost of a search, are bounded.
import { RE2JS, RE2JSException } from 're2js'

/** Not an RE2 pattern, or too large. */
export class PatternRefused extends Error {
  override readonly name = 'PatternRefused'
}

const MAX_LENGTH = 500
const MAX_PROGRAM = 2_000
const MAX_WORK = 8_000_000

export interface Pattern {
  readonly groups: number
  /** Cost of a search in the text, in units of work. Throws PatternRefused if the text is too long for the pattern. */
  readonly workOn: (text: string) => number
  /** Text of a group of the first match (0: the whole match); null: no match, or the group did not take part in it. */
  readonly extract: (text: string, group: number) => string | null
}

/** Throws PatternRefused. */
export function compilePattern(text: string): Pattern {
  if (text.length > MAX_LENGTH) throw new PatternRefused(`the pattern is longer than ${MAX_LENGTH} characters`)
  const compiled = compile(text)
  const size = compiled.programSize()
  if (size > MAX_PROGRAM) throw new PatternRefused('the pattern is too large')
  return {
    groups: compiled.groupCount(),
    workOn: (searched) => {
      const work = searched.length * size
      if (work > MAX_WORK) throw new PatternRefused('the text is too long to be searched with this pattern')
      return work
    },
    extract: (searched, group) => {
      const matcher = compiled.matcher(searched)
      return matcher.find() ? matcher.group(group) : null
    },
  }
}

function compile(text: string): RE2JS {
  try {
    return RE2JS.compile(text)
  } catch (error) {
    if (error instanceof RE2JSException) throw new PatternRefused(`the pattern is not understood (${error.message})`)
    throw error
  }
}
