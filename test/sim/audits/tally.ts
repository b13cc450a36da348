// What happened in a run, by kind, and what must not have happened.

export interface Violation {
  readonly kind: string
  readonly detail: string
  readonly step: number
}

export class Tally {
  readonly faults = new Map<string, number>()
  /** Operations by kind and outcome. */
  readonly operations = new Map<string, Map<string, number>>()
  readonly violations: Violation[] = []

  /** Counts it; true, to be used in conditions. */
  fault(kind: string): boolean {
    this.faults.set(kind, (this.faults.get(kind) ?? 0) + 1)
    return true
  }

  operation(kind: string, outcome: string): void {
    const outcomes = this.operations.get(kind) ?? new Map<string, number>()
    this.operations.set(kind, outcomes)
    outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
  }
}
