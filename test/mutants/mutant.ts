// A mutant: one bug planted in one file of the product by replacing text, and the tests that must fail because of it.

export interface MutantTest {
  /** From the root of the project. */
  readonly file: string
  /** Part of the full name of the test, as `vitest -t` takes it, but as plain text. Absent: every test of the file. */
  readonly name?: string
}

export interface Edit {
  /** Occurs in the file exactly once. */
  readonly find: string
  readonly replace: string
}

export interface Mutant {
  readonly name: string
  /** From the root of the project. */
  readonly file: string
  /** Nearly always one. */
  readonly edits: readonly Edit[]
  /** At least one of them must fail. */
  readonly tests: readonly MutantTest[]
}

/** A mutant of one edit, whose name begins with the area. */
export const mutantOf =
  (area: string) =>
  (
    name: string,
    file: string,
    [find, replace]: readonly [string, string],
    ...tests: readonly MutantTest[]
  ): Mutant => ({
    name: `${area}: ${name}`,
    file,
    edits: [{ find, replace }],
    tests,
  })

export type Verdict =
  | 'caught'
  /** Every named test passes on the mutant. */
  | 'survived'
  /** The text is missing from the file or occurs more than once, or a named test does not exist. */
  | 'no longer applies'
  /** No verdict: a named file could not be loaded, or the run did not end in time. */
  | 'did not run'

export interface TrialResult {
  readonly mutant: Mutant
  readonly verdict: Verdict
  /** The first test that failed, or why there is no such test. */
  readonly detail: string
  readonly ms: number
}
