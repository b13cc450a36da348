// Runs the blocks of a tutorial as printed, in one shell, on a service of its own.
import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { ServiceProcess } from './cli/service-process.ts'

const DOCUMENTS = join(import.meta.dirname, '..', 'src', 'docs')
const SEPARATOR = '@@@ block'

/** Blocks of shell lines, in order. */
export function blocksOf(tutorial: string): readonly string[] {
  const text = readFileSync(join(DOCUMENTS, `${tutorial}.md`), 'utf8')
  return [...text.matchAll(/^```sh\n([^]*?)^```$/gm)].map(([, code = '']) => code)
}

/** A line of output as JSON, or as it is. */
export type Line = Readonly<Record<string, unknown>> | string

/** The lines that each block prints. Rejects when a block fails or writes an error. */
export async function runBlocks(
  blocks: readonly string[],
  { url, rpcUrl, fixture }: ServiceProcess,
  more: readonly (readonly [printed: string, real: string])[] = [],
): Promise<readonly (readonly Line[])[]> {
  const places = [
    ['http://127.0.0.1:8080', url],
    ['http://127.0.0.1:8899', rpcUrl],
    ['data/bootstrap.key', `${fixture.dataDir}/bootstrap.key`],
    ...more,
  ] as const
  const code = blocks.map((block) => `echo '${SEPARATOR}'\n${block}`).join('')
  const program = places.reduce((text, [printed, real]) => text.replaceAll(printed, real), code)
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-tutorial-'))
  try {
    const { stdout, stderr } = await promisify(execFile)('sh', ['-euc', program], { cwd: folder })
    if (stderr !== '') throw new Error(stderr)
    return stdout
      .split(`${SEPARATOR}\n`)
      .slice(1)
      .map((text) => text.trimEnd().split('\n').map(lineOf))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function lineOf(text: string): Line {
  return text.startsWith('{') ? (JSON.parse(text) as Line) : text
}
