// Temporary directories that are removed with the test file that requested them.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { atEndOfFile } from '../cleanup.ts'

export function scratch(): string {
  const path = mkdtempSync(join(tmpdir(), 'holdfast-store-'))
  atEndOfFile(() => rmSync(path, { recursive: true, force: true }))
  return path
}
