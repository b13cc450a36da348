// Applies operators' suspensions to the cluster links: stored suspensions before anything is sent after a start, later
// ones when they are committed.
import type { ClusterLink } from '../submission/submission.ts'
import type { Engine } from './engine.ts'
import type { Change } from './records/change.ts'
import { ofKind, type RecordState } from './records/record.ts'

/** Decides which of these unsent transactions are sent after their lane was resumed. */
export type ReviewHeld = (cluster: string, transactionIds: readonly string[]) => void

export interface SwitchLog {
  info(fields: object, message: string): void
}

/** Must run before open transactions are handed to the links. Returns the number of suspensions in force. */
export function followSuspensions(
  engine: Engine,
  links: ReadonlyMap<string, ClusterLink>,
  log: SwitchLog,
  review: ReviewHeld,
): number {
  let inForce = 0
  for (const entry of engine.directory.known('suspension')) {
    const suspension = ofKind(entry.head, 'suspension')
    if (suspension?.value !== 'suspended') continue
    links.get(suspension.cluster)?.suspend(suspension.context.scope)
    inForce += 1
  }
  const take = (changes: readonly Change[]): void => {
    for (const { next } of changes) {
      const suspension = ofKind(next, 'suspension')
      if (suspension !== undefined) turn(suspension, links.get(suspension.cluster), log, review)
    }
  }
  engine.onCommitted(take)
  engine.onFollowed(take)
  return inForce
}

function turn(
  { value, cluster, context }: RecordState<'suspension'>,
  link: ClusterLink | undefined,
  log: SwitchLog,
  review: ReviewHeld,
): void {
  const { scope, by } = context
  const fields = { cluster, ...scope, keyId: by }
  if (value === 'suspended') {
    link?.suspend(scope)
    log.info(fields, 'submission lanes suspended')
  } else {
    link?.resume(scope, (transactionIds) => review(cluster, transactionIds))
    log.info(fields, 'submission lanes resumed')
  }
}
