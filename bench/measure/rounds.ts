// Rounds of two sides in turns, so that what else happens on the machine happens to both.

export interface Round<Subject, Baseline> {
  readonly subject: Subject
  readonly baseline: Baseline
}

/** The side that begins changes with every round: a drift favours neither. */
export async function alternate<Subject, Baseline>(
  rounds: number, subject: () => Promise<Subject>, baseline: () => Promise<Baseline>,
): Promise<Round<Subject, Baseline>[]> {
  const done: Round<Subject, Baseline>[] = []
  for (let round = 0; round < rounds; round += 1) {
    if (round % 2 === 0) {
      const first = await subject()
      done.push({ subject: first, baseline: await baseline() })
    } else {
      const first = await baseline()
      done.push({ subject: await subject(), baseline: first })
    }
  }
  return done
}
