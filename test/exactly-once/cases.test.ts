// The list of cases is complete: every test it names exists. A renamed or removed test fails here.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { CASES } from './cases.ts'

const ROOT = join(import.meta.dirname, '..', '..')

describe('exactly once, in every case', () => {
  it.each(Object.entries(CASES))('%s', (_, tests) => {
    expect(tests.length).toBeGreaterThan(0)
    for (const { file, words } of tests) {
      expect(existsSync(join(ROOT, file)), file).toBe(true)
      const text = readFileSync(join(ROOT, file), 'utf8')
      expect(text.includes(words), `${file}: ${words}`).toBe(true)
      expect(/\.(skip|todo|only)\b/.test(text), `${file} runs whole`).toBe(false)
    }
  })
})
