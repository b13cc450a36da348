// The generated clients in Python and Go: a function for each operation, and the programs of the documentation run as
// printed, if the language is installed.
import { execFile, execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { goClient } from '../../../src/http/pages/clients/go.ts'
import { clientOperations } from '../../../src/http/pages/clients/operations.ts'
import { pythonClient, snake } from '../../../src/http/pages/clients/python.ts'
import { openApi } from '../../../src/http/pages/openapi.ts'
import { routes } from '../../../src/http/routes.ts'
import { ChainReader } from '../../../src/cli/chain-reader.ts'
import { startProcess } from '../../cli/service-process.ts'

const TEXT = readFileSync(join(import.meta.dirname, '..', '..', '..', 'src', 'docs', 'other-languages.md'), 'utf8')
const document = openApi(routes, ['CHAIN_DEVNET'])
const operations = clientOperations(document)

function isInstalled(command: string, argument: string): boolean {
  try {
    execFileSync(command, [argument], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

/** The blocks under a heading: the commands, and the program with the file name that the text gives. */
function chapter(language: string): {
  readonly commands: readonly string[]
  readonly program: string
  readonly name: string
} {
  const text = TEXT.split(`\n## ${language}\n`)[1]!.split('\n## ')[0]!
  const commands = [...text.matchAll(/^```sh\n([^]*?)^```$/gm)].map(([, code = '']) => code)
  const [, program = ''] = /^```(?:python|go)\n([^]*?)^```$/m.exec(text) ?? []
  const [, name = ''] = /Save this as `([^`]+)`/.exec(text) ?? []
  return { commands, program, name }
}

async function runs(language: string): Promise<void> {
  const { commands, program, name } = chapter(language)
  await using service = await startProcess()
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-client-'))
  const withUrls = (text: string): string =>
    text.replaceAll('http://127.0.0.1:8080', service.url).replaceAll('http://127.0.0.1:8899', service.rpcUrl)
  try {
    mkdirSync(join(folder, 'data'))
    cpSync(join(service.fixture.dataDir, 'bootstrap.key'), join(folder, 'data', 'bootstrap.key'))
    writeFileSync(join(folder, name), withUrls(program))
    let last = ''
    for (const command of commands)
      last = (await promisify(execFile)('sh', ['-euc', withUrls(command)], { cwd: folder })).stdout
    const [status, signature = '', ...amounts] = last.trim().split(' ')
    expect(status).toMatch(/^(?:CONFIRMED|FINALIZED)$/)
    expect(amounts).toEqual(['250.25', '250.25'])
    await new ChainReader(service.rpcUrl).confirmed(signature)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

it('the operations are all endpoints that answer with JSON', () => {
  const documented = Object.values(document.paths).flatMap((methods) => Object.values(methods))
  expect(
    documented
      .map(({ operationId }) => operationId)
      .filter((id) => !operations.some((each) => each.id === id))
      .sort(),
  ).toEqual(['getEventsStream', 'getFinancialInstrumentLogo'])
  for (const { path, method, writes } of operations) {
    const route = routes.find((each) => each.path === path && each.method === method)
    if (route !== undefined) expect([path, writes]).toEqual([path, route.kind === 'write'])
  }
})

describe('Python', () => {
  const source = pythonClient(document)
  const has = isInstalled('python3', '--version')

  it('has a method for each operation', () => {
    for (const { id, method, path } of operations) {
      expect(source).toContain(`    def ${snake(id)}(self, `)
      if (!path.includes('{')) expect(source).toContain(`self._call("${method}", "${path}"`)
    }
    const methods = source.slice(source.indexOf('\nclass Holdfast:'))
    expect(methods.match(/\n {4}def [a-z]\w*\(/g)).toHaveLength(operations.length)
  })

  it(`runs as printed${has ? '' : ': python3 is not installed, so only the text is checked'}`, async () => {
    const { program, commands } = chapter('Python')
    for (const [, method = ''] of program.matchAll(/\bhf\.(\w+)\(/g)) expect(source).toContain(`def ${method}(`)
    expect(commands).toHaveLength(2)
    if (has) await runs('Python')
  })
})

describe('Go', () => {
  const source = goClient(document)
  const has = isInstalled('go', 'version')

  it('has a method for each operation, and balanced brackets', () => {
    for (const { id, method } of operations) {
      const name = `${id.charAt(0).toUpperCase()}${id.slice(1)}`
      expect(source).toMatch(
        new RegExp(
          `func \\(c \\*Client\\) ${name}\\(ctx context\\.Context, [^\\n]*\\) \\(Object, error\\) \\{\\n\\treturn c\\.call\\(ctx, "${method}"`,
        ),
      )
    }
    expect(source.match(/\nfunc \(c \*Client\) [A-Z]/g)).toHaveLength(operations.length)
    for (const text of [source, chapter('Go').program]) {
      const bare = text.replaceAll(/"(?:[^"\\]|\\.)*"|\/\/.*/g, '')
      for (const [open, close] of ['{}', '()', '[]'] as const) {
        expect(bare.split(open!).length, `${open!}${close!}`).toBe(bare.split(close!).length)
      }
      const [, imports = ''] = /\nimport \(\n([^)]*)\)/.exec(text) ?? []
      for (const [, name = ''] of imports.matchAll(/"(?:[\w./-]+\/)?(\w+)"/g))
        expect(bare, `${name} is imported and not used`).toContain(`${name}.`)
    }
  })

  it(`runs as printed${has ? '' : ': go is not installed, so only the text is checked'}`, async () => {
    const { program, commands } = chapter('Go')
    for (const [, method = ''] of program.matchAll(/\bhf\.(\w+)\(/g))
      expect(source).toContain(`) ${method}(ctx context.Context`)
    expect(commands).toHaveLength(2)
    if (has) await runs('Go')
  })
})
