// Licences of the packages in a production install, read from the lockfile. All of them are permissive.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { PROJECT } from '../../../config/programs.ts'

interface Licensed {
  readonly name: string
  readonly licence: string
}

/** Of a checkout, or of a release. */
const LOCKFILES = ['package-lock.json', 'npm-shrinkwrap.json'] as const

/** Empty without a lockfile. */
export function productionLicences(): readonly Licensed[] {
  const file = LOCKFILES.map((name) => join(PROJECT, name)).find((path) => existsSync(path))
  if (file === undefined) return []
  const text = readFileSync(file, 'utf8')
  const { packages } = JSON.parse(text) as {
    packages: Readonly<Record<string, { readonly dev?: boolean; readonly license?: string }>>
  }
  const found = new Map<string, Licensed>()
  for (const [path, { dev, license }] of Object.entries(packages)) {
    if (path === '' || dev === true) continue
    const name = path.replace(/^.*node_modules\//, '')
    const licence = license ?? 'not stated'
    found.set(`${name} ${licence}`, { name, licence })
  }
  return [...found.values()]
}
