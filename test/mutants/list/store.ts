// The store: an acknowledged commit is on disk, and one message is one transaction.
import type { Mutant } from '../mutant.ts'

export const STORE: readonly Mutant[] = [
  {
    name: 'store: commit acknowledged with the batch before its own',
    file: 'snapshots/group-commit.ts',
    edits: [
      {
        find: 'for (const unit of units) unit.resolve()',
        replace: 'for (const unit of [...units, ...this.#queue]) unit.resolve()',
      },
    ],
    tests: [{ file: 'test/snapshots/group-commit.test.ts' }],
  },
  {
    name: 'store: commit acknowledged while another is being written',
    file: 'snapshots/group-commit.ts',
    edits: [
      {
        find: 'this.#draining ??= this.#drain()',
        replace: 'if (this.#inFlight.length > 0) resolve()\n      this.#draining ??= this.#drain()',
      },
    ],
    tests: [{ file: 'test/snapshots/group-commit.test.ts' }],
  },
  {
    name: 'store: batch written without a sync',
    file: 'snapshots/group-commit.ts',
    edits: [
      {
        find: 'await this.#write(ops, { sync: true })',
        replace: 'await this.#write(ops, { sync: false })',
      },
    ],
    tests: [{ file: 'test/snapshots/group-commit.test.ts' }],
  },
  {
    name: 'store: store that goes on after a failed write',
    file: 'snapshots/group-commit.ts',
    edits: [
      {
        find: 'if (this.#failure !== undefined) return Promise.reject(this.#failure)',
        replace: '',
      },
    ],
    tests: [{ file: 'test/snapshots/group-commit.test.ts' }],
  },
  {
    name: 'store: message that is only handed over is free for another transaction',
    file: 'snapshots/disk-store.ts',
    edits: [
      {
        find: 'return this.#messages.get(key) ?? (',
        replace: 'return (',
      },
    ],
    tests: [{ file: 'test/snapshots/level-store.test.ts' }],
  },
  {
    name: 'store: message forgotten before its batch is written',
    file: 'snapshots/disk-store.ts',
    edits: [
      {
        find: 'await this.#group.add(rows)\n    if (claims !== undefined) for (const key of claims.keys()) this.#messages.delete(key)',
        replace:
          'if (claims !== undefined) for (const key of claims.keys()) this.#messages.delete(key)\n    await this.#group.add(rows)',
      },
    ],
    tests: [{ file: 'test/snapshots/level-store.test.ts' }],
  },
  {
    name: 'store: new key that the filters do not learn',
    file: 'snapshots/disk-store.ts',
    edits: [
      {
        find: 'if (shared === undefined && keys.isMostlyNew(key)) this.#seen.add(key)',
        replace: '',
      },
    ],
    tests: [{ file: 'test/snapshots/seen-keys.test.ts' }],
  },
  {
    name: 'store: key that other threads may deny when its row can be read',
    file: 'snapshots/cells/cell-disk.ts',
    edits: [
      {
        find: "for (const { type, key } of ops) if (type === 'put') this.#own.keys.note(key)",
        replace: '',
      },
    ],
    tests: [{ file: 'test/snapshots/cells/shared-keys.test.ts' }],
  },
  {
    name: 'store: change of a record that outlives its next whole row',
    file: 'snapshots/record-changes.ts',
    edits: [
      {
        find: "op.type === 'unloaded' || (op.type === 'record' && op.isAlone !== true)",
        replace: "op.type === 'unloaded'",
      },
    ],
    tests: [{ file: 'test/snapshots/record-changes.test.ts' }],
  },
  {
    name: 'store: change of an earlier row of the record is read',
    file: 'snapshots/rows.ts',
    edits: [{ find: 'if (since !== revision) throw', replace: 'if (since > revision) throw' }],
    tests: [{ file: 'test/snapshots/record-changes.test.ts' }],
  },
  {
    name: 'records: change since the last change, and not since the row',
    file: 'src/engine/records/written-rows.ts',
    edits: [{ find: 'change === undefined ? envelope : row!)', replace: 'envelope)' }],
    tests: [{ file: 'test/engine/records/written-rows.test.ts' }],
  },
  {
    name: 'records: plain record whose change reserves an amount',
    file: 'src/engine/records/row-scan.ts',
    edits: [
      { find: '|| !this.#forget(scanned) ||', replace: '||' },
      { find: '!this.#value(scanned)) return false\n    }\n', replace: "!this.#value('skip')) return false\n    }\n" },
    ],
    tests: [{ file: 'test/engine/records/written-rows.test.ts' }],
  },
  {
    name: 'store: time of a packed row in the minute of the time before',
    file: 'snapshots/packed-row.ts',
    edits: [{ find: '!text.startsWith(minute)', replace: "minute === '?'" }],
    tests: [{ file: 'test/snapshots/packed-row.test.ts', name: 'is read as the text of which it was made' }],
  },
  {
    name: 'store: packed row that is longer than its value is read',
    file: 'snapshots/packed-row.ts',
    edits: [{ find: 'return next === stored.length', replace: 'return next <= stored.length' }],
    tests: [{ file: 'test/snapshots/packed-row.test.ts', name: 'never fails' }],
  },
  {
    name: 'store: rows of a snapshot are read as they are packed',
    file: 'snapshots/packed-disk.ts',
    edits: [{ find: 'pages: (range, limit) => textPages(snapshot', replace: 'pages: (range, limit) => (snapshot' }],
    tests: [{ file: 'test/snapshots/packed-row.test.ts', name: 'gives its text to every reader' }],
  },
  {
    name: 'store: a directory without its file CURRENT becomes an empty store',
    file: 'snapshots/level-disk.ts',
    edits: [{ find: '    refuseHalfDirectory(path)\n', replace: '' }],
    tests: [{ file: 'test/cli/damage.test.ts', name: 'if the file is missing that names the others' }],
  },
  {
    name: 'store: a start with a database user that may not write',
    file: 'snapshots/postgres/schema.ts',
    edits: [{ find: 'if (readOnly != null) throw', replace: "if (readOnly === '') throw" }],
    tests: [{ file: 'test/postgres/server/refusals.test.ts', name: 'a user without the rights' }],
  },
  {
    name: 'store: the host name of a database is not checked',
    file: 'snapshots/postgres/connection.ts',
    edits: [{ find: "sslMode === 'verify-ca' ?", replace: "sslMode !== 'disable' ?" }],
    tests: [{ file: 'test/postgres/server/tls.test.ts' }],
  },
  {
    name: 'store: the issuer of the certificate of a database is not checked',
    file: 'snapshots/postgres/connection.ts',
    edits: [
      { find: "rejectUnauthorized: sslMode !== 'require'", replace: "rejectUnauthorized: sslMode === 'verify-full'" },
    ],
    tests: [{ file: 'test/postgres/server/tls.test.ts' }],
  },
]
