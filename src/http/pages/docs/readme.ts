// The README of this checkout, part by part: what it says of use and operation the documentation says in the same words, and the examples
// are those that its tests run. Read once, when it is first asked for.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { PROJECT } from '../../../config/programs.ts'

let text: string | undefined

/** Below the heading `## title`; empty when there is no README beside the program. */
export function partOf(title: string): string {
  text ??= read()
  const [, part = ''] = text.split(`\n## ${title}\n`)
  return part.split('\n## ')[0]!.trim()
}

/** The first block of code of a part, in the language. */
export function codeOf(title: string, language: string): string {
  return new RegExp(`^\`\`\`${language}\\n([^]*?)\\n\`\`\`$`, 'm').exec(partOf(title))?.[1] ?? ''
}

function read(): string {
  try {
    return readFileSync(join(PROJECT, 'README.md'), 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    return ''
  }
}
