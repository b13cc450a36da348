// The statements on the tables `node` and `cell`. Only the clock of the database decides expiry.

type Value = string | number | null
type Row = readonly (string | null)[]

/** The database of all nodes. Rejects if a statement failed or was not answered in time. */
export interface NodeDatabase {
  query(statement: { text: string; name: string }, values: readonly Value[], boundMs: number): Promise<readonly Row[]>
}

/** A process with a node id. Each process with the same id has a different incarnation. */
export interface Incarnation {
  readonly id: string
  readonly incarnation: string
}

export interface LiveNode extends Incarnation {
  readonly url: string
  readonly release: string
  /** Version of the tables that the node's release supports. */
  readonly reads: number
  /** True: the node claims no cell. */
  readonly draining: boolean
  readonly leftMs: number
  /** Ids of its clusters, sorted; null: not stated. */
  readonly clusters: string | null
  /** Equal for nodes with the same secret; null: not stated. */
  readonly secretTag: string | null
}

export interface JoiningNode extends Pick<LiveNode, 'url' | 'release' | 'reads'> {
  readonly leaseMs: number
  readonly clusters?: string | null
  readonly secretTag?: string | null
}

export interface CellHolder extends Incarnation {
  readonly url: string | null
  /** Remaining time of its lease. */
  readonly leftMs: number
  /** Length of its lease. null: not stated. */
  readonly leaseMs: number | null
}

export interface CellRow {
  readonly cell: string
  readonly epoch: number
  /** null: the cell is free. */
  readonly owner: CellHolder | null
  /** The node to which an operator wants the cell to be handed over. */
  readonly wanted: string | null
  /** True during the move of a tenant from or to the cell: no node may own the cell. */
  readonly isHeld: boolean
  /** Not null: the database lost acknowledged commits. No node may own the cell until an operator has decided. */
  readonly lostHistory: string | null
  /** Not null: the last owner released the idle cell, and no node has claimed it since. */
  readonly rest: CellRest | null
}

/** The state of an idle cell. */
export interface CellRest {
  /** Time until work of the cell is due; 0 or less: it is due. null: there is no such work. */
  readonly dueInMs: number | null
}

/** True for a cell that is claimed only when a request needs it. */
export function isIdle({ rest }: Pick<CellRow, 'rest'>): boolean {
  return rest !== null && (rest.dueInMs === null || rest.dueInMs > 0)
}

const MS = `interval '1 millisecond'`
const NOT_HELD = '(cell.held_until IS NULL OR cell.held_until < now())'
/** True for a released idle cell. Any later claim or move gives the cell a different epoch. */
const AT_REST = '(cell.node IS NULL AND cell.idle_epoch = cell.epoch)'
/** An `int` is too small for a lease that was over 25 days ago. */
const leftMs = (table: string): string => `(extract(epoch FROM ${table}.expires_at - now()) * 1000)::bigint::text`

const JOIN = `
  INSERT INTO holdfast.node AS node
    (id, incarnation, url, release, reads, draining, expires_at, clusters, secret_tag, lease_ms)
  VALUES ($1, $2, $3, $4, $5, false, now() + $6::int * ${MS}, $7, $8, $6::int)
  ON CONFLICT (id) DO UPDATE SET incarnation = excluded.incarnation, url = excluded.url, release = excluded.release,
    reads = excluded.reads, draining = false, expires_at = excluded.expires_at, clusters = excluded.clusters,
    secret_tag = excluded.secret_tag, lease_ms = excluded.lease_ms
  WHERE node.expires_at < now() OR node.incarnation = excluded.incarnation
  RETURNING id`
const RENEW = `
  UPDATE holdfast.node SET expires_at = now() + $3 * ${MS} WHERE id = $1 AND incarnation = $2 RETURNING draining::text`
const LEAVE = `UPDATE holdfast.node SET expires_at = now() WHERE id = $1 AND incarnation = $2`
const LIVE = `
  SELECT id, incarnation::text, url, release, draining::text, ${leftMs('node')}, reads::text, clusters,
    secret_tag
  FROM holdfast.node WHERE expires_at > now() ORDER BY id`
const CELLS = `
  SELECT cell.cell, cell.epoch::text, cell.node, cell.incarnation::text, cell.wanted, node.url, ${leftMs('node')},
    cell.lost_history, (NOT ${NOT_HELD})::text, coalesce(${AT_REST}, false)::text,
    (extract(epoch FROM cell.due_at - now()) * 1000)::bigint::text, node.lease_ms::text
  FROM holdfast.cell LEFT JOIN holdfast.node ON node.id = cell.node AND node.incarnation = cell.incarnation
  ORDER BY cell.cell`
/**
 * As the asking node has seen the cell. A statement that waits for a lock, or comes late, sees the tables of nodes as
 * they were: a node that has joined since, and owns the cell, would count as gone.
 */
const asSeen = (parameter: string): string => `(${parameter}::bigint IS NULL OR epoch = ${parameter}::bigint)`
/**
 * An owner with an expired lease loses the cell, unless the database started less than its lease ago, because no node
 * could renew before. A claim waits for a running commit, which holds a share lock on the row.
 */
const CLAIM = `
  UPDATE holdfast.cell SET epoch = epoch + 1, node = $2, incarnation = $3, wanted = NULL
  WHERE cell = $1 AND lost_history IS NULL AND ${NOT_HELD}
    AND (node IS NULL OR (node = $2 AND incarnation <> $3)
      OR ($4::boolean AND pg_postmaster_start_time() + $5 * ${MS} < now() AND NOT EXISTS (
        SELECT 1 FROM holdfast.node AS holder
        WHERE holder.id = cell.node AND holder.incarnation = cell.incarnation AND holder.expires_at >= now())))
    AND EXISTS (
      SELECT 1 FROM holdfast.node AS me WHERE me.id = $2 AND me.incarnation = $3 AND me.expires_at > now())
    AND ${asSeen('$6')}
  RETURNING epoch::text`
/** Makes the cell free if the target is no longer alive, the cell is held for a move, or commits were lost. */
const HAND_OVER = `
  UPDATE holdfast.cell SET epoch = epoch + 1, wanted = NULL, (node, incarnation) = (
    SELECT id, incarnation FROM holdfast.node AS target WHERE target.id = $4 AND target.expires_at > now() AND ${NOT_HELD}
      AND cell.lost_history IS NULL)
  WHERE cell = $1 AND node = $2 AND incarnation = $3 AND ${asSeen('$5')} RETURNING epoch::text`
/** Keeps `wanted`, so that the node that the operator named claims the cell. */
const REST = `
  UPDATE holdfast.cell SET epoch = epoch + 1, node = NULL, incarnation = NULL, idle_epoch = epoch + 1,
    due_at = now() + $4::float8 * ${MS}
  WHERE cell = $1 AND node = $2 AND incarnation = $3 AND ${asSeen('$5')} RETURNING epoch::text`
const WAKE = `
  UPDATE holdfast.cell SET due_at = now() WHERE cell = $1 AND ${AT_REST} AND (due_at IS NULL OR due_at > now())`
/** The history of a cell starts with step 0, before its first commit. */
const CREATE = `
  WITH new AS (
    INSERT INTO holdfast.cell (cell, epoch) SELECT $1, 0
    WHERE NOT EXISTS (SELECT 1 FROM holdfast.node WHERE expires_at > now() AND reads < $2::int)
    ON CONFLICT DO NOTHING RETURNING cell)
  INSERT INTO holdfast.step (cell, head, commit_id)
  SELECT cell, 0, '00000000-0000-0000-0000-000000000000' FROM new RETURNING cell`
const WANT = `UPDATE holdfast.cell SET wanted = $2 WHERE cell = $1 RETURNING cell`
const WITHDRAW = `UPDATE holdfast.cell SET wanted = NULL WHERE cell = $1 AND wanted = $2 RETURNING cell`
const DRAIN = `UPDATE holdfast.node SET draining = true WHERE id = $1 AND expires_at > now() RETURNING id`

export interface ClaimRequest {
  readonly maySeizeExpired: boolean
  /** Length of the lease of the owner. */
  readonly leaseMs: number
  readonly epoch?: number | null
}

export class NodeRows {
  readonly #database: NodeDatabase
  readonly #boundMs: number

  /** @param boundMs timeout of each statement */
  constructor(database: NodeDatabase, boundMs: number) {
    this.#database = database
    this.#boundMs = boundMs
  }

  /** False: a live node of another incarnation has this id. */
  async join(
    { id, incarnation }: Incarnation,
    { url, release, reads, leaseMs, clusters = null, secretTag = null }: JoiningNode,
  ): Promise<boolean> {
    const values = [id, incarnation, url, release, reads, leaseMs, clusters, secretTag]
    return (await this.#query('join', JOIN, values)).length > 0
  }

  /** null: another incarnation has taken the id. */
  async renew({ id, incarnation }: Incarnation, leaseMs: number): Promise<{ readonly draining: boolean } | null> {
    const [row] = await this.#query('renew', RENEW, [id, incarnation, leaseMs])
    return row === undefined ? null : { draining: row[0] === 'true' }
  }

  /** Ends the lease at once, so that other nodes need not wait for its expiry. */
  async leave({ id, incarnation }: Incarnation): Promise<void> {
    await this.#query('leave', LEAVE, [id, incarnation])
  }

  async live(): Promise<readonly LiveNode[]> {
    return (await this.#query('live', LIVE, [])).map((row) => ({
      id: row[0] ?? '',
      incarnation: row[1] ?? '',
      url: row[2] ?? '',
      release: row[3] ?? '',
      draining: row[4] === 'true',
      leftMs: Number(row[5]),
      reads: Number(row[6]),
      clusters: row[7] ?? null,
      secretTag: row[8] ?? null,
    }))
  }

  async cells(): Promise<readonly CellRow[]> {
    return (await this.#query('cells', CELLS, [])).map(cellOf)
  }

  /**
   * Returns the new epoch; null: the cell belongs to a node with a valid lease. Read rows of the cell only after this
   * resolves, because a commit of the former owner may be running before.
   *
   * @param maySeizeExpired false: an expired lease of the owner is not ignored
   * @param epoch of the cell as it was seen: with another one it is not claimed. Absent: with any
   */
  async claim(
    cell: string,
    { id, incarnation }: Incarnation,
    { maySeizeExpired, leaseMs, epoch = null }: ClaimRequest,
  ): Promise<number | null> {
    return epochOf(await this.#query('claim', CLAIM, [cell, id, incarnation, String(maySeizeExpired), leaseMs, epoch]))
  }

  /**
   * Hands the cell over and returns its new epoch; null: this node does not own the cell any more.
   *
   * @param to null: the cell becomes free
   * @param epoch under which this node owns it. Absent: any
   */
  async handOver(
    cell: string,
    { id, incarnation }: Incarnation,
    to: string | null,
    epoch: number | null = null,
  ): Promise<number | null> {
    return epochOf(await this.#query('hand-over', HAND_OVER, [cell, id, incarnation, to, epoch]))
  }

  /**
   * Releases the cell as idle: no node claims it before its work is due or a request needs it. Returns the new epoch;
   * null: this node does not own the cell any more.
   *
   * @param dueInMs null: it has no work of its own
   * @param epoch under which this node owns it
   */
  async rest(
    cell: string,
    { id, incarnation }: Incarnation,
    dueInMs: number | null,
    epoch: number,
  ): Promise<number | null> {
    return epochOf(await this.#query('rest', REST, [cell, id, incarnation, dueInMs, epoch]))
  }

  /** Makes an idle cell due now, so that a node claims it. */
  async wake(cell: string): Promise<void> {
    await this.#query('wake', WAKE, [cell])
  }

  /**
   * Creates a cell without tenants, which any node may claim. False: the cell exists already, or the release of a live
   * node does not support this version of the tables.
   */
  async create(cell: string, tables: number): Promise<boolean> {
    return (await this.#query('create', CREATE, [cell, tables])).length > 0
  }

  /** Tells the owner of the cell to hand it over. False: there is no such cell. */
  async want(cell: string, to: string | null): Promise<boolean> {
    return (await this.#query('want', WANT, [cell, to])).length > 0
  }

  /** Withdraws what `want` asked for. False: it is done, or another request has replaced it. */
  async withdraw(cell: string, to: string): Promise<boolean> {
    return (await this.#query('withdraw', WITHDRAW, [cell, to])).length > 0
  }

  /** False: there is no such live node. */
  async drain(id: string): Promise<boolean> {
    return (await this.#query('drain', DRAIN, [id])).length > 0
  }

  #query(name: string, text: string, values: readonly Value[]): Promise<readonly Row[]> {
    return this.#database.query({ text, name: `node-${name}` }, values, this.#boundMs)
  }
}

function epochOf([row]: readonly Row[]): number | null {
  return row === undefined ? null : Number(row[0])
}

function cellOf([cell, epoch, id, incarnation, wanted, url, left, lostHistory, held, rests, due, lease]: Row): CellRow {
  const owner =
    id == null || incarnation == null
      ? null
      : {
          ...{ id, incarnation, url: url ?? null, leftMs: Math.max(0, Number(left ?? 0)) },
          leaseMs: lease == null ? null : Number(lease),
        }
  return {
    ...{ cell: cell ?? '', epoch: Number(epoch), owner, wanted: wanted ?? null },
    ...{ isHeld: held === 'true', lostHistory: lostHistory ?? null },
    rest: rests === 'true' ? { dueInMs: due == null ? null : Number(due) } : null,
  }
}
