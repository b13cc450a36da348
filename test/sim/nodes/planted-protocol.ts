// Known bugs of the protocol between nodes and database, put around the real parts from outside: the product has no
// switch for them. The simulator must find each.
import type { Connection, Statement, Value } from '../../../snapshots/postgres/connection.ts'
import type { DiskOp } from '../../../snapshots/disk.ts'
import { kindOf } from './statements.ts'

export type Connect = (address: unknown, options: { readonly boundMs: number }) => Promise<Connection>
type Write = (ops: readonly DiskOp[]) => Promise<void>

/** Wrappers of what a node reaches the database through. */
export interface PlantedProtocol {
  readonly connect: (real: Connect) => Connect
  readonly write: (real: Write) => Write
}

export const NOTHING_PLANTED: PlantedProtocol = { connect: (real) => real, write: (real) => real }

type Asks = (
  real: Connection['query'],
  ...asked: [statement: Statement, values: readonly Value[], boundMs: number]
) => ReturnType<Connection['query']>

/** Statements that are asked for otherwise than the service means them. */
function asking(asks: Asks): PlantedProtocol {
  const connect = (real: Connect): Connect => {
    return async (...given) => {
      const connection = await real(...given)
      const query = connection.query.bind(connection)
      connection.query = (...asked) => asks(query, ...asked)
      return connection
    }
  }
  return { ...NOTHING_PLANTED, connect }
}

/** A commit is applied whatever epoch the cell has. */
export const commitsWithoutFence: PlantedProtocol = asking((real, { text, ...statement }, ...more) =>
  real({ ...statement, text: text.replace('AND c.epoch = a.epoch', '') }, ...more),
)

/** A commit whose answer did not come is asked for again under another id. */
export function renewsCommitIds(): PlantedProtocol {
  let ids = 0
  return asking((real, statement, values, boundMs) => {
    if (kindOf(statement).kind !== 'commit') return real(statement, values, boundMs)
    ids += 1
    return real(statement, [...values.slice(0, 3), `renewed ${ids}`, ...values.slice(4)], boundMs)
  })
}

/** A commit counts as durable before the database has answered: a freeze is reported, and forgotten at a takeover. */
export const acknowledgesWithoutWaiting: PlantedProtocol = {
  ...NOTHING_PLANTED,
  write: (real) => {
    let last = Promise.resolve()
    return (ops) => {
      last = last.then(() => real(ops))
      last.catch(() => undefined)
      return Promise.resolve()
    }
  },
}

/** A takeover leaves the epoch as it is. */
export const claimsWithoutEpoch: PlantedProtocol = asking((real, { text, ...statement }, ...more) =>
  real({ ...statement, text: text.replace('epoch = epoch + 1, node = $2', 'epoch = epoch, node = $2') }, ...more),
)

/** The head that a new owner continues from is read with the claim: of before the wait for the commit under way. */
export function readsHeadBeforeClaim(): PlantedProtocol {
  const head = { text: 'SELECT head, commit_id FROM holdfast.step WHERE cell = $1 ORDER BY head DESC LIMIT 1' }
  let before: Awaited<ReturnType<Connection['query']>> | null = null
  return asking(async (real, statement, values, boundMs) => {
    const { kind } = kindOf(statement)
    if (kind === 'claim') before = await real(head, ['main'], boundMs)
    return kind === 'head' && before !== null ? before : await real(statement, values, boundMs)
  })
}
