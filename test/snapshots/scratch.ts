// Temporary directories that go away with the test file that asked for them.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'

const made: string[] = []

afterAll(() => {
  for (const path of made.splice(0)) rmSync(path, { recursive: true, force: true })
})

export function scratch(): string {
  const path = mkdtempSync(join(tmpdir(), 'holdfast-store-'))
  made.push(path)
  return path
}
