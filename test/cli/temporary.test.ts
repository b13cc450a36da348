// The listeners that remove a command's temporary files when a signal ends it.
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { temporary, temporaryFolder } from '../../src/cli/temporary.ts'

const root = mkdtempSync(join(tmpdir(), 'holdfast-temporary-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

describe('temporary files', () => {
  it('are watched over from the first of them on, without a gap', () => {
    const removed: string[] = []
    const noteRemoved = (event: string | symbol): void => void removed.push(String(event))
    using first = temporaryFolder(join(root, 'first-'))
    const watchers = ['SIGINT', 'SIGTERM', 'SIGHUP'].map((signal) => process.listenerCount(signal))
    process.on('removeListener', noteRemoved)
    try {
      using second = temporaryFolder(join(root, 'second-'))
      using file = temporary(join(root, 'file'))
      expect([first, second].map(({ path }) => existsSync(path))).toEqual([true, true])
      expect(existsSync(file.path)).toBe(false)
    } finally {
      process.off('removeListener', noteRemoved)
    }
    expect(removed).toEqual([])
    expect(['SIGINT', 'SIGTERM', 'SIGHUP'].map((signal) => process.listenerCount(signal))).toEqual(watchers)
    expect(watchers.every((count) => count >= 1)).toBe(true)
  })

  it('are removed when they are disposed of', () => {
    let path: string
    {
      using folder = temporaryFolder(join(root, 'third-'))
      ;({ path } = folder)
      expect(existsSync(path)).toBe(true)
    }
    expect(existsSync(path)).toBe(false)
  })
})
