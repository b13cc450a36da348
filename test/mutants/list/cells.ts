// Several cells on one database. The tests start PostgreSQL themselves.
import { mutantOf, type Mutant } from '../mutant.ts'

const OPEN_NAMES = 'snapshots/postgres/open-names.ts'
const KNOWN_NAMES = [{ file: 'test/snapshots/postgres/open-names.test.ts' }]
const MOVING = 'snapshots/postgres/moving.ts'
const MOVES = [{ file: 'test/postgres/moving.test.ts' }]
const SYSTEM = [{ file: 'test/postgres/system-across-cells.test.ts' }]
const CALLBACKS = [{ file: 'test/postgres/custodian-callbacks.test.ts' }]
const TOGETHER = [{ file: 'test/postgres/cells-together.test.ts' }]
const QUEUE = 'snapshots/postgres/statement-queue.ts'
const QUEUED = [{ file: 'test/snapshots/postgres/statement-queue.test.ts' }]
const COMMITS = 'snapshots/postgres/commit-statement.ts'
const FENCE = 'snapshots/postgres/fence.ts'
const WRITER = 'snapshots/postgres/cell-writer.ts'
const SECOND_UNFENCED = '(c.epoch = a.epoch${skipsLocked ? " OR a.cell = ($1::text[])[2]" : ""})'
const WRONG_HEAD =
  "`(SELECT max(s.head) FROM holdfast.step AS s WHERE s.cell = ${isShared ? '($1::text[])[1]' : 'a.cell'}) = a.head - 1`"
const FACTS = [{ file: 'test/postgres/cell-facts.test.ts', name: 'an owner of restored cells' }]

const planted = mutantOf('cells')
const mutant = (name: string, file: string, edit: readonly [string, string], tests: Mutant['tests']): Mutant =>
  planted(name, file, edit, ...tests)

export const CELLS: readonly Mutant[] = [
  mutant(
    'a name that was looked up before it existed stays unknown',
    OPEN_NAMES,
    ['holders?.includes(holder) === false', 'holders?.includes(holder) === undefined'],
    KNOWN_NAMES,
  ),
  mutant(
    'the holders of names outlast the cells that have them',
    OPEN_NAMES,
    ['    this.#cells.set(cell, names)\n    this.#forget()\n', '    this.#cells.set(cell, names)\n'],
    KNOWN_NAMES,
  ),
  mutant(
    'a cell that is closed has no names',
    OPEN_NAMES,
    ['    this.#cells.delete(cell)\n    this.#forget()\n', '    this.#cells.delete(cell)\n'],
    KNOWN_NAMES,
  ),
  mutant(
    'a statement keeps the plan of a small table',
    'snapshots/postgres/connection.ts',
    ["('enable_seqscan', 'off'), ", ''],
    [{ file: 'test/postgres/server/plans.test.ts' }],
  ),
  mutant(
    'a commit is taken before the statement that it waits for',
    QUEUE,
    ['    if (this.#isLate) await nextTurn()\n', '    if (this.#options.maxWeight > 0) await nextTurn()\n'],
    QUEUED,
  ),
  mutant(
    'a statement that takes too long keeps those that wait for the next',
    QUEUE,
    ['    this.#isLate = true\n    this.#callBeforeNext()\n', '    this.#isLate = true\n'],
    QUEUED,
  ),
  mutant(
    'a cell that another move holds is held',
    MOVING,
    [' AND (held_until IS NULL OR held_until < now())\n  ORDER BY', '\n  ORDER BY'],
    MOVES,
  ),
  mutant('one of two cells is held', MOVING, [' AND (SELECT count(*) FROM free) = cardinality($3::text[])', ''], MOVES),
  mutant(
    'a hold that was over is renewed',
    MOVING,
    ['$2 * ${MS} WHERE ${HELD} RETURNING', '$2 * ${MS} WHERE held_by = $1 RETURNING'],
    MOVES,
  ),
  mutant(
    'the end of a move ends others',
    MOVING,
    [
      "held_until = NULL WHERE held_by = $1' }\n\nconst LOCK",
      "held_until = NULL WHERE held_by IS NOT NULL OR $1::text IS NULL' }\n\nconst LOCK",
    ],
    MOVES,
  ),
  mutant(
    'a tenant moves without a hold',
    MOVING,
    ['WHERE ${HELD} AND node IS NULL', "WHERE $1 <> '' AND node IS NULL"],
    MOVES,
  ),
  mutant(
    'a tenant leaves an owner that serves',
    MOVING,
    [' AND node IS NULL AND lost_history', ' AND lost_history'],
    MOVES,
  ),
  mutant(
    'a tenant moves after commits were lost',
    MOVING,
    [' AND node IS NULL AND lost_history IS NULL', ' AND node IS NULL'],
    MOVES,
  ),
  mutant(
    'a tenant leaves a cell that was owned since',
    MOVING,
    ['(cell = $2 AND epoch = $3::bigint)', '(cell = $2 AND epoch >= $3::bigint)'],
    MOVES,
  ),
  mutant(
    'cells are not locked while a tenant moves',
    MOVING,
    ['ORDER BY cell FOR UPDATE`,\n}\nconst MOVE', 'ORDER BY cell`,\n}\nconst MOVE'],
    MOVES,
  ),
  mutant(
    'a tenant leaves a cell that it is not in',
    MOVING,
    ['WHERE tenant = $1 AND cell = $2 RETURNING', 'WHERE tenant = $1 AND $2::text IS NOT NULL RETURNING'],
    MOVES,
  ),
  mutant('the epochs stay when a tenant moves', MOVING, ['SET epoch = epoch + 1, held_by', 'SET held_by'], MOVES),
  mutant(
    'a move goes on with its hold',
    MOVING,
    ['epoch = epoch + 1, held_by = NULL, held_until = NULL', 'epoch = epoch + 1'],
    MOVES,
  ),
  mutant(
    'a tenant leaves its facts behind',
    MOVING,
    ['if (merged !== undefined) await query(WRITE_FACT', 'if (merged === null) await query(WRITE_FACT'],
    MOVES,
  ),
  mutant(
    'a move is done in parts',
    MOVING,
    ["await connection.script('BEGIN', boundMs)", "await connection.script('SELECT 1', boundMs)"],
    MOVES,
  ),
  mutant(
    'a move that was done is done again',
    MOVING,
    ['return home?.[0] === move.to.cell', 'return home === undefined'],
    MOVES,
  ),
  mutant(
    'a held cell is claimed',
    'src/nodes/node-rows.ts',
    ['lost_history IS NULL AND ${NOT_HELD}\n', 'lost_history IS NULL\n'],
    MOVES,
  ),
  mutant(
    'a held cell is handed on',
    'src/nodes/node-rows.ts',
    ['expires_at > now() AND ${NOT_HELD}\n', 'expires_at > now()\n'],
    MOVES,
  ),
  mutant(
    'a key of SYSTEM is forgotten with a move',
    'src/operations/transactions/idempotency.ts',
    ['writersRow(context) ?? callersRow(context)', 'callersRow(context)'],
    SYSTEM,
  ),
  mutant(
    'SYSTEM is not sent the outcome of its request',
    'src/operations/transactions/idempotency.ts',
    ['if (writer !== tenant) unit.sendMessage', "if (writer === '') unit.sendMessage"],
    SYSTEM,
  ),
  mutant(
    'a repeated switch does not wait for other cells',
    'src/operations/transactions/perform.ts',
    ['    await untilOthersAct(this.#platform, outcome)\n', ''],
    SYSTEM,
  ),
  mutant(
    'a switch does not wait for the tenants that it concerns',
    'src/operations/transactions/heard-by.ts',
    ['if (heardBy.tenants.length > 0)', 'if (heardBy.tenants.length < 0)'],
    SYSTEM,
  ),
  mutant(
    'an account is switched by what SYSTEM knows of it',
    'src/operations/admin/freeze-target.ts',
    ['  requireServedHere(context, entry.head.tenant)\n', ''],
    SYSTEM,
  ),
  mutant(
    'records of an address are switched as of a moment ago',
    'src/operations/admin/freeze-target.ts',
    ['  await readAddressesAgain(', "  if (address === '') await readAddressesAgain("],
    [{ file: 'test/postgres/system-across-cells.test.ts', name: 'made since the cell' }],
  ),
  mutant('requests to custodians have no name', 'src/engine/index/names.ts', ['|pay|ask|', '|pay|'], CALLBACKS),
  mutant(
    'facts of other cells are joined at every start',
    'src/engine/movements/merged.ts',
    [', ...left] }])', '] }])'],
    FACTS,
  ),
  mutant(
    'facts of one cell count for all',
    'src/engine/movements/merged.ts',
    ['kept.reduce(mergedMovements)', 'kept.at(-1)'],
    FACTS,
  ),
  mutant(
    'a position of another cell does not start frozen',
    'src/operations/transactions/books.ts',
    ['= liveStateAt(directory, asker', '= stateAt(directory, asker'],
    [{ file: 'test/postgres/across-cells.test.ts' }],
  ),
  mutant(
    'a node joins those with other clusters',
    'src/nodes/common-settings.ts',
    ['if (differ(mine.clusters, clusters))', 'if (differ(mine.clusters, mine.clusters))'],
    [{ file: 'test/postgres/nodes.test.ts', name: 'other clusters' }],
  ),
  mutant(
    'a lease counts again before switches of SYSTEM are read',
    'src/nodes/member.ts',
    ['if (!wasHeld) await this.#catchUp()', 'if (!wasHeld) await this.#pollAgain()'],
    [{ file: 'test/nodes/member.test.ts', name: 'has read what was changed without it' }],
  ),
  mutant(
    'a cell is handed over to a node that drains',
    'src/nodes/cell-ownership.ts',
    ['id === wanted && !drains', 'id === wanted'],
    [{ file: 'test/postgres/nodes.test.ts', name: 'to a node that drains does not begin' }],
  ),
  mutant(
    'a cell whose lease was over reads no switches',
    'src/nodes/cell-ownership.ts',
    [
      "if (this.#state !== 'away') await options.runtime.catchUp?.()",
      "if (this.#state === 'away') await options.runtime.catchUp?.()",
    ],
    [{ file: 'test/nodes/cell-ownership.test.ts', name: 'reads what other cells have decided' }],
  ),
  mutant(
    'a late poll takes switches back',
    'src/engine/following.ts',
    ['if (this.#applied !== appliedBefore && head <= this.#applied) return', 'if (head < 0) return'],
    [{ file: 'test/engine/following.test.ts', name: 'catches up without waiting' }],
  ),
  mutant(
    'keys sign after the lease is over',
    'src/operations/transactions/signing/gather.ts',
    ['if (signing.length > 0) requireMayAct(platform)', 'if (signing.length < 0) requireMayAct(platform)'],
    [{ file: 'test/operations/signing/lease-over.test.ts', name: 'signs with no key' }],
  ),
  mutant(
    'keys sign for other cells after the lease is over',
    'src/operations/transactions/countersign/for-other-cells.ts',
    ['      requireMayAct(platform)\n      return work', '      return work'],
    [{ file: 'test/operations/signing/lease-over.test.ts', name: 'neither consents nor signs' }],
  ),
  mutant(
    'a plan fails when the database does not answer',
    'src/operations/background/plan-driver.ts',
    [
      'if (isRetryable(failure)) {',
      "if (isRetryable(failure) && failure.refusal?.problems[0]?.code !== 'TENANT_UNAVAILABLE') {",
    ],
    [{ file: 'test/operations/transactions/plans.test.ts', name: 'the database did not answer' }],
  ),
  mutant(
    'a late claim takes the cell from a node that has joined since',
    'src/nodes/node-rows.ts',
    ["    AND ${asSeen('$6')}\n", '    AND $6::bigint IS NOT NULL\n'],
    [{ file: 'test/postgres/nodes.test.ts', name: 'while an earlier claim was waiting' }],
  ),
  mutant(
    'the lease of a node that is long gone cannot be read',
    'src/nodes/node-rows.ts',
    ['${table}.expires_at - now()) * 1000)::bigint::text', '${table}.expires_at - now()) * 1000)::int::text'],
    [{ file: 'test/postgres/nodes.test.ts', name: 'an integer counts milliseconds' }],
  ),
  mutant('a commit is not fenced', FENCE, [' AND c.epoch = a.epoch', ''], TOGETHER),
  mutant('locks waited for', FENCE, ["skipsLocked ? ' SKIP LOCKED' : ''", "''"], TOGETHER),
  mutant('a commit does not look at the one before it', COMMITS, [' = a.head - 1', ' IS NOT NULL'], TOGETHER),
  mutant(
    'a commit looks at the one before that of another cell',
    COMMITS,
    ["'(SELECT max(s.head) FROM holdfast.step AS s WHERE s.cell = a.cell) = a.head - 1'", WRONG_HEAD],
    TOGETHER,
  ),
  mutant('the second commit of a statement is not fenced', FENCE, ['c.epoch = a.epoch', SECOND_UNFENCED], TOGETHER),
  mutant(
    'a commit has the id of another cell',
    COMMITS,
    ['SELECT cell, head, id FROM owner', "SELECT cell, head, ${isShared ? '($4::uuid[])[1]' : 'id'} FROM owner"],
    TOGETHER,
  ),
  mutant(
    'rows of a refused cell are written',
    COMMITS,
    ['return `fence JOIN ${source}', 'return `owner AS fence JOIN ${source}'],
    TOGETHER,
  ),
  mutant(
    'rows are written before all heads are taken',
    COMMITS,
    ["= '(SELECT count(*) FROM fence) > 0'", "= 'true'"],
    TOGETHER,
  ),
  mutant(
    'rows have the number of the commit of another cell',
    COMMITS,
    ['SELECT r.key, r.value, fence.head\n', 'SELECT r.key, r.value, (SELECT min(head) FROM fence)\n'],
    TOGETHER,
  ),
  mutant(
    'a message belongs to its last writer',
    COMMITS,
    ["known.key LIKE 'h!%' AND known.value <> excluded.value", "known.key LIKE 'h!%' AND false"],
    TOGETHER,
  ),
  mutant(
    'a tenant belongs to its last writer',
    COMMITS,
    ['CASE WHEN tenant.cell = excluded.cell THEN excluded.cell END', 'excluded.cell'],
    TOGETHER,
  ),
  mutant(
    'a commit that was refused among others counts as durable',
    COMMITS,
    ["(applied.has(cell) ? 'applied' : 'refused')", "(applied.size > 0 || applied.has(cell) ? 'applied' : 'refused')"],
    TOGETHER,
  ),
  mutant(
    'old steps stay',
    WRITER,
    ['#prunedAt >= 2 * KEPT_STEPS', '#prunedAt < 0'],
    [{ file: 'test/postgres/cell-stores.test.ts', name: 'leaves behind' }],
  ),
  mutant(
    'an owner removes the steps of other cells',
    WRITER,
    ['WHERE step.cell = owner.cell AND head <', 'WHERE head <'],
    [{ file: 'test/postgres/cell-stores.test.ts', name: 'leaves behind' }],
  ),
  mutant(
    'a commit without an answer counts as durable',
    WRITER,
    ["if (outcome !== 'applied') await", "if (outcome === 'unsent' || outcome === 'refused') await"],
    TOGETHER,
  ),
  mutant(
    'an unanswered commit is made under another id',
    WRITER,
    ['await this.#commitAlone(commit,', 'await this.#commitAlone({ ...commit, id: randomUUID() },'],
    TOGETHER,
  ),
  mutant(
    'a node that is stopped waits for its database for ever',
    'src/nodes/member.ts',
    [
      'if (nowMs - heldMs > leaseMs) reject(new DatabaseUnreachable())',
      'if (nowMs < heldMs) reject(new DatabaseUnreachable())',
    ],
    [{ file: 'test/nodes/member.test.ts', name: 'is given up' }],
  ),
  mutant(
    'a node that is stopped does not wait for a database that is away for a moment',
    'src/nodes/member.ts',
    [
      'if (nowMs - heldMs > leaseMs) reject(new DatabaseUnreachable())',
      'if (nowMs > heldMs) reject(new DatabaseUnreachable())',
    ],
    [{ file: 'test/nodes/member.test.ts', name: 'is waited for' }],
  ),
  mutant(
    'an account that one cell forgets is forgotten for all',
    'src/rpc/shared-feeds.ts',
    [
      'if (users?.delete(use) !== true || users.size > 0) return false',
      'if (users?.delete(use) !== true) return false',
    ],
    [{ file: 'test/rpc/shared-feeds.test.ts', name: 'hear every change' }],
  ),
  mutant(
    'a cell does not compare an account that another cell watches already',
    'src/rpc/shared-feeds.ts',
    ['if (feed.isSubscribed(address)) notify(address, 0)', 'if (feed.isSubscribed(address)) void 0'],
    [{ file: 'test/rpc/shared-feeds.test.ts', name: 'each compare' }],
  ),
  mutant(
    'a loan is taken with a wallet of another cell',
    'src/operations/loans/create.ts',
    ['owner !== undefined && !platform.engine.owns(owner.tenant)', 'owner !== undefined && owner.tenant === ""'],
    [{ file: 'test/postgres/across/granted-wallets.test.ts' }],
  ),
  mutant(
    'a cell is claimed after commits of another one were lost',
    'snapshots/postgres/lost-history.ts',
    ['FROM holdfast.cell WHERE lost_history IS NULL ORDER', 'FROM holdfast.cell WHERE cell = $1 ORDER'],
    [{ file: 'test/postgres/cells-together.test.ts', name: 'lets nobody claim any cell' }],
  ),
]
