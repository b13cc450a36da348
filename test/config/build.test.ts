// The build at a start: once for the same sources, also by concurrent starts, and none for sources that do not compile.
import { execFile } from 'node:child_process'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, expect, it } from 'vitest'

const ROOT = join(import.meta.dirname, '..', '..')
const FILES = {
  'machines/word.ts': "export const word: string = 'first'\n",
  'snapshots/none.ts': 'export {}\n',
  'src/main.ts':
    "import { word } from '../machines/word.ts'\nconsole.log(word, typeof (await import('xstate')).createMachine)\n",
  'src/localnet/main.ts': "console.log('chain')\n",
  'src/keys/players/main.ts': "console.log('player')\n",
}

let root = ''
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'holdfast-build-'))
  for (const [path, text] of Object.entries(FILES)) write(path, text)
  for (const name of ['build.mjs', 'holdfast.mjs']) cpSync(join(ROOT, 'src', name), join(root, 'src', name))
  write('package.json', '{ "type": "module" }\n')
  symlinkSync(join(ROOT, 'node_modules'), join(root, 'node_modules'))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

function write(path: string, text: string): void {
  mkdirSync(join(root, dirname(path)), { recursive: true })
  writeFileSync(join(root, path), text)
}

const start = async (): Promise<string> =>
  (await promisify(execFile)(process.execPath, [join(root, 'src/holdfast.mjs')])).stdout.trim()
const inDist = (): string[] => readdirSync(join(root, 'dist'))

it('is done once by concurrent starts, atomically', async () => {
  expect(await Promise.all([start(), start(), start()])).toEqual(Array.from({ length: 3 }, () => 'first function'))
  const [name, ...others] = inDist()
  expect(others).toEqual([])
  for (const program of ['localnet', 'player'])
    expect(readFileSync(join(root, 'dist', name!, `${program}.mjs`), 'utf8')).toContain('console.log')
})

it('contains libraries that are ES modules, as Node.js would load them', async () => {
  await start()
  const [name] = inDist()
  const elsewhere = mkdtempSync(join(tmpdir(), 'holdfast-build-'))
  try {
    cpSync(join(root, 'dist', name!), elsewhere, { recursive: true })
    const { stdout } = await promisify(execFile)(process.execPath, [join(elsewhere, 'main.mjs')])
    expect(stdout.trim()).toBe('first function')
    const texts = readdirSync(elsewhere).map((file) => readFileSync(join(elsewhere, file), 'utf8'))
    expect(texts.filter((text) => text.includes('.development.'))).toEqual([])
  } finally {
    rmSync(elsewhere, { recursive: true, force: true })
  }
})

it('is repeated when a source has changed, and old builds are deleted after a day', async () => {
  await start()
  const [old] = inDist()
  write('machines/word.ts', "export const word: string = 'second'\n")
  expect(await start()).toBe('second function')
  expect(inDist()).toHaveLength(2)
  utimesSync(join(root, 'dist', old!), 0, 0)
  write('machines/word.ts', "export const word: string = 'third'\n")
  expect(await start()).toBe('third function')
  expect(inDist()).toHaveLength(2)
  expect(inDist()).not.toContain(old)
})

it('reports a compile error, and leaves no output that the next start would use', async () => {
  write('machines/word.ts', 'export const word = {\n')
  await expect(start()).rejects.toThrow('word.ts')
  write('machines/word.ts', "export const word: string = 'mended'\n")
  expect(await start()).toBe('mended function')
})
