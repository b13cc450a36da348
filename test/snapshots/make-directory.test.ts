// Creating a directory: with those above it, and with the error of the system where that is not possible.
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { makeDirectory } from '../../snapshots/make-directory.ts'

let root: string

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'holdfast-make-directory-'))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const codeOf = (path: string): unknown => {
  try {
    makeDirectory(path)
    return null
  } catch (error) {
    return (error as NodeJS.ErrnoException).code
  }
}

it('creates what is missing above it too, with the mode, and leaves what exists', () => {
  const path = join(root, 'a', 'b')
  makeDirectory(path, 0o700)
  makeDirectory(path, 0o700)
  for (const each of [path, join(root, 'a')]) expect(statSync(each).mode & 0o777).toBe(0o700)
})

it('refuses a file in its place, or above it', () => {
  writeFileSync(join(root, 'file'), '')
  expect(codeOf(join(root, 'file'))).toBe('EEXIST')
  expect(codeOf(join(root, 'file', 'a'))).toBe('ENOTDIR')
})

it.runIf(process.platform === 'linux')('ends where the system creates no directory', () => {
  expect(codeOf('/proc/holdfast/a')).toBe('ENOENT')
})
