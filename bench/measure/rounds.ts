// Rounds of several sides, alternately, so that other load on the machine affects all of them.

export interface Round<Subject, Baseline> {
  readonly subject: Subject
  readonly baseline: Baseline
}

/** Results by side, each with one per round. The side that begins changes with every round: a drift favours none. */
export async function inTurns<Result>(rounds: number, sides: readonly (() => Promise<Result>)[]): Promise<Result[][]> {
  const results = sides.map((): Result[] => [])
  for (let round = 0; round < rounds; round += 1) {
    for (let turn = 0; turn < sides.length; turn += 1) {
      const side = (round + turn) % sides.length
      results[side]!.push(await sides[side]!())
    }
  }
  return results
}

/** Two sides with results of different kinds. */
export async function alternate<Subject, Baseline>(
  rounds: number,
  subject: () => Promise<Subject>,
  baseline: () => Promise<Baseline>,
): Promise<Round<Subject, Baseline>[]> {
  const [subjects, baselines] = (await inTurns<Subject | Baseline>(rounds, [subject, baseline])) as [
    Subject[],
    Baseline[],
  ]
  return subjects.map((each, index) => ({ subject: each, baseline: baselines[index]! }))
}
