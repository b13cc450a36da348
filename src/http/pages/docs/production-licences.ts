// Licences of the packages in a production install, read from the lockfile: the permissive ones, and the others with
// their reasons.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { PROJECT } from '../../../config/programs.ts'

export interface Licensed {
  readonly name: string
  readonly licence: string
}

export const PERMISSIVE: ReadonlySet<string> = new Set([
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC0-1.0',
  'ISC',
  'MIT',
  'Unlicense',
])
/** Packages whose manifest lacks the member `license`: licence according to their licence files. */
const STATED: Readonly<Record<string, string>> = { eyes: 'MIT', 'text-encoding-utf-8': 'Unlicense' }

/** Packages with any other licence, and why they are used. */
export const REASONS: Readonly<Record<string, string>> = {
  'rpc-websockets':
    'LGPL-3.0-only. A dependency of @solana/web3.js, which loads it with its Connection; Holdfast opens no socket by it. It is an ' +
    'unchanged package of its own under node_modules, which anybody may replace by another version; its licence is in that folder.',
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
    const licence = license ?? STATED[name] ?? 'not stated'
    found.set(`${name} ${licence}`, { name, licence })
  }
  return [...found.values()]
}
