// Whatever the package names for others is there.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const ROOT = join(import.meta.dirname, '..', '..')

/** A path, or paths by condition or by name. */
type Targets = string | { readonly [name: string]: Targets }

function pathsIn(targets: Targets): string[] {
  return typeof targets === 'string' ? [targets] : Object.values(targets).flatMap(pathsIn)
}

it('every program and every module that the package names exists once the client is built', () => {
  execFileSync(process.execPath, ['src/build-client.mjs'], { cwd: ROOT })
  const { bin, exports } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as Record<string, Targets>
  const paths = pathsIn({ bin: bin!, exports: exports! })
  expect(paths.length).toBeGreaterThan(0)
  expect(paths.filter((path) => !existsSync(join(ROOT, path)))).toEqual([])
})
