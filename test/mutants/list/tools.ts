// The commands on the data of an installation: backup, restore, verify, import.
import { mutantOf, type Mutant } from '../mutant.ts'

const mutant = mutantOf('tools')

export const TOOLS: readonly Mutant[] = [
  mutant(
    'a hand-over that ends without success leaves its request behind',
    'src/cli/cells/hand-over.ts',
    ['if (await rows.withdraw(cell, node))', 'if (cell === node)'],
    { file: 'test/postgres/nodes.test.ts', name: 'that nobody takes in time' },
  ),
  mutant(
    'what a cell has applied is reported as damage',
    'snapshots/backup/check-row.ts',
    ["new Set(['cell', 'heard'])", "new Set(['cell'])"],
    { file: 'test/snapshots/backup/check-row.test.ts', name: 'what a cell has applied' },
  ),
  mutant(
    'a backup whose rows cannot be read is written',
    'src/cli/backup.ts',
    ['if (problemCount > 0) {', 'if (problemCount < 0) {'],
    { file: 'test/cli/backup.test.ts', name: 'names damaged and missing rows' },
  ),
  mutant(
    'a file that was imported before is reported as imported',
    'src/cli/import/run.ts',
    ['isFirst && answer.isReplayed ?', '!isFirst && answer.isReplayed ?'],
    { file: 'test/e2e/import.test.ts', name: 'checked as a whole, then created once' },
  ),
  mutant(
    'a batch has the operation of the option, whatever its rows name',
    'src/cli/import/operation.ts',
    ['const value = operation ?? option', 'const value = option ?? operation'],
    { file: 'test/cli/mistakes.test.ts', name: 'that is missing, or not the same everywhere' },
  ),
  mutant(
    'cells are placed by a head that contradicts itself',
    'src/import-files/items.ts',
    ['else if (isHeadSound) items.push', 'else items.push'],
    { file: 'test/e2e/import.test.ts', name: 'with errors is refused' },
  ),
  mutant(
    'a command that reads makes the tables of a database',
    'src/cli/shared-copy.ts',
    ['{ ...CHECKING, readsOnly: true }', '{ ...CHECKING, readsOnly: true, makes: true }'],
    { file: 'test/postgres/tools.test.ts', name: 'a database without a store' },
  ),
  mutant(
    'a restore that is refused copies the key files',
    'src/cli/shared-copy.ts',
    ['    await assertFillable(database)\n', ''],
    { file: 'test/postgres/server/restores.test.ts', name: 'that is refused' },
  ),
  mutant(
    'a restore fences a node that claims a cell after the check',
    'snapshots/postgres/copy.ts',
    ['ON s.cell = c.cell AND s.epoch = c.epoch', 'ON s.cell = c.cell'],
    { file: 'test/postgres/server/restores.test.ts', name: 'after the check' },
  ),
  mutant(
    'a restore leaves the rows of an interrupted one',
    'snapshots/postgres/copy.ts',
    ['if (isRepeated) await clear(database, epoch)', 'if (isRepeated) await database.read(STATE, [])'],
    { file: 'test/postgres/server/restores.test.ts', name: 'half of a backup' },
  ),
  mutant(
    'half of a backup is read as a store',
    'snapshots/postgres/copy.ts',
    ['  await assertRestored(database)\n', ''],
    { file: 'test/postgres/server/restores.test.ts', name: 'half of a backup' },
  ),
  mutant(
    'a database without rows is a store',
    'src/cli/shared-copy.ts',
    ['if (rows === 0) throw', 'if (rows < 0) throw'],
    { file: 'test/postgres/tools.test.ts', name: 'a database without a store' },
  ),
  mutant(
    'doctor says that a service which holds its store is not running',
    'src/cli/doctor.ts',
    ['if (isHeld(error)) {', 'if (!isHeld(error)) {'],
    { file: 'test/cli/commands.test.ts', name: 'that holds its store' },
  ),
  mutant(
    'doctor believes a service that has another store',
    'src/cli/doctor.ts',
    ['if (running.store === storeName(store)) return running', 'if (running.pid > 0) return running'],
    { file: 'test/postgres/server/doctor.test.ts', name: 'only if it has the database' },
  ),
  mutant(
    'doctor asks for a data directory beside a database',
    'src/cli/doctor.ts',
    ['else if (!isShared) {', 'else {'],
    { file: 'test/postgres/tools.test.ts', name: 'audited and diagnosed' },
  ),
  mutant(
    'the wait that a service asks an import for is not kept',
    'src/cli/import/sender.ts',
    ["parseRetryAfter(response?.headers.get('retry-after') ?? undefined, Date.now()) ?? 0", '0'],
    { file: 'test/cli/import/sender.test.ts', name: 'waits until the date' },
  ),
  mutant(
    'a store that cannot be opened is a failure without a code',
    'snapshots/level-disk.ts',
    ["cause.code === 'LEVEL_IO_ERROR'", "cause.code === 'LEVEL_IO_ERRORS'"],
    { file: 'test/cli/start-refused.test.ts', name: 'names the store' },
  ),
  mutant(
    'a list of a setting may name an entry twice',
    'src/config/parse.ts',
    ['if (twice >= 0) throw', 'if (twice > parts.length) throw'],
    { file: 'test/config/settings.test.ts', name: 'is refused by name' },
  ),
  mutant(
    'a fee payer without funds is said to be an error of the item data',
    'src/operations/transactions/submit.ts',
    ['? FEE_PAYER_POINTER', "? '/itemData'"],
    { file: 'test/e2e/transactions/fee-payers.test.ts', name: 'if it has no funds' },
  ),
  mutant('a full disk is a wrong setting', 'src/config/disk-fault.ts', ["new Set(['ENOSPC', ", 'new Set(['], {
    file: 'test/cli/start-refused.test.ts',
    name: 'a supervisor starts the service again',
  }),
  mutant(
    'a cluster that does not answer at the first start has no code',
    'src/service/open-clusters.ts',
    ['isUnanswered(error) ? unreachable(id, error) : error', 'error'],
    { file: 'test/cli/start-refused.test.ts', name: 'names the cluster and its endpoint' },
  ),
  mutant(
    'an event that the backup has passed is replayed up to',
    'src/cli/replay.ts',
    ['if (count > 1)', 'if (count < 0)'],
    { file: 'test/cli/archive.test.ts', name: 'up to the last event of the backup' },
  ),
  mutant(
    'the answer of another server is an item that is done',
    'src/cli/import/run.ts',
    ['if (change === undefined) throw notTheService(sender.url)', 'if (change === undefined) return []'],
    { file: 'test/cli/mistakes.test.ts', name: 'is not taken for one that has done the work' },
  ),
  mutant(
    'an item that a policy holds back is done',
    'src/cli/import/run.ts',
    ["status === 'APPLIED'", "status !== 'REJECTED'"],
    { file: 'test/cli/mistakes.test.ts', name: 'that wait for the approval of a policy' },
  ),
  mutant(
    'output that cannot be written is ignored',
    'src/cli/print.ts',
    ["if (error.code === 'EPIPE') return", "if (error.code !== '') return"],
    { file: 'test/cli/mistakes.test.ts', name: 'fails the command: an API key is printed once' },
  ),
  mutant(
    'a signal leaves the copy of a backup',
    'src/cli/temporary.ts',
    ['for (const signal of SIGNALS) process.on(signal, endBy)', ''],
    { file: 'test/cli/mistakes.test.ts', name: 'leaves no copy of a backup behind' },
  ),
  mutant(
    'a signal is lost while another temporary file is made',
    'src/cli/temporary.ts',
    ['  if (isWatching) return', '  for (const signal of SIGNALS) process.off(signal, endBy)'],
    { file: 'test/cli/temporary.test.ts', name: 'without a gap' },
  ),
]
