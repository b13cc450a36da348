// The part of a link that the resumption of open transactions uses.
import type { ClusterLink, Submission } from '../../../src/submission/submission.ts'
import { CLUSTER } from '../engine-fixture.ts'

export interface Watched {
  readonly submission: Submission
  readonly known: object | undefined
}

export const noReview = (): never => {
  throw new Error('nothing is reviewed')
}

/**
 * @param isHeld true: a suspension holds the lane of every transaction
 */
export function listening(isHeld = false): {
  readonly links: ReadonlyMap<string, ClusterLink>
  readonly watched: Watched[]
  readonly held: string[]
} {
  const watched: Watched[] = []
  const held: string[] = []
  const link = {
    watch: (submission: Submission, known?: object) => void watched.push({ submission, known }),
    state: () => (isHeld ? { held: true } : null),
    hold: (id: string) => void held.push(id),
  }
  return { watched, held, links: new Map([[CLUSTER, link as unknown as ClusterLink]]) }
}
