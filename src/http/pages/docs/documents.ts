// Reads the documentation texts: files of `src/docs/`, and parts of the README for the start page.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { PROJECT } from '../../../config/programs.ts'

/** A file of `src/docs/` without its heading: Markdown. */
export function documentOf(name: string): string {
  return read(join('src', 'docs', `${name}.md`))
    .replace(/^# .*\n/, '')
    .trim()
}

/** The part of the README under the heading `## title`: Markdown. */
export function readmePart(title: string): string {
  const [, part = ''] = read('README.md').split(`\n## ${title}\n`)
  return part.split('\n## ')[0]!.trim()
}

const read = (path: string): string => readFileSync(join(PROJECT, path), 'utf8')
