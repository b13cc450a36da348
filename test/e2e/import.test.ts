// Imports from files, with the real service: each line is imported once, however often the command is stopped and run
// again, and errors name the line and the field.
import { Keypair } from '@solana/web3.js'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ImportProblems, importItems } from '../../src/import-files/items.ts'
import { importBatch, importEach, readImport, withAddresses } from '../../src/cli/import/run.ts'
import { uuidOfParts, Sender } from '../../src/cli/import/sender.ts'
import { atEndOfFile } from '../cleanup.ts'
import { startWorld, type World } from './harness.ts'
import type { Ids } from './models.ts'
import { SOL } from './records.ts'

let world: World
let sender: Sender
let payer: Ids
const folder = mkdtempSync(join(tmpdir(), 'holdfast-import-'))
atEndOfFile(() => rmSync(folder, { recursive: true, force: true }))

beforeAll(async () => {
  world = await startWorld()
  payer = await world.records.feePayer()
  sender = new Sender(world.url, world.api.bearer.slice('Bearer '.length))
})
afterAll(() => world.stop())

const SILENT = { at: () => undefined, done: () => undefined }

function fileOf(name: string, lines: readonly string[]): ReturnType<typeof readImport> {
  const path = join(folder, name)
  writeFileSync(path, `${lines.join('\r\n')}\r\n`)
  return readImport(path)
}

const countByPrefix = async (prefix: string): Promise<number> => {
  const itemQuery = {
    filter: [{ fieldName: 'code', filterValues: [{ filterType: 'STARTS_WITH', valueString: prefix }] }],
    limit: 0,
  }
  return ((await world.api.bulk('/accounts/bulk/identifiers', itemQuery)) as { count: number }).count
}

/** Stops after some requests, like a command that is killed. */
class Interrupted extends Sender {
  left = 3

  override post(...words: Parameters<Sender['post']>): ReturnType<Sender['post']> {
    if (this.left === 0) return Promise.reject(new Error('killed'))
    this.left -= 1
    return super.post(...words)
  }
}

describe('accounts of a file', () => {
  const lines = [
    'offchainReferences.code,offchainReferences.name,canPayFees',
    ...Array.from({ length: 12 }, (_, index) => `A-${index},"Holder, ${index}",false`),
  ]

  it('are created once, although the import was killed and run again', async () => {
    const file = fileOf('accounts.csv', lines)
    await expect(
      importEach(new Interrupted(world.url, world.api.bearer.slice('Bearer '.length)), 'accounts', file, SILENT),
    ).rejects.toThrow('killed')
    expect(await importEach(sender, 'accounts', file, SILENT)).toEqual({ items: 12, done: 12, problems: [] })
    expect(await importEach(sender, 'accounts', file, SILENT)).toEqual({ items: 12, done: 12, problems: [] })
    expect(await countByPrefix('A-')).toBe(12)
  })

  it('that are refused are reported by line and field, and the others are created', async () => {
    const file = fileOf('more.jsonl', [
      '{"offchainReferences":{"code":"B-1"}}',
      '',
      '{"offchainReferences":{"code":7}}',
      '{"offchainReferences":{"code":"B-2"}}',
    ])
    const report = await importEach(sender, 'accounts', file, SILENT)
    expect(report).toMatchObject({ items: 3, done: 2 })
    expect(report.problems).toEqual([expect.stringMatching(/^line 3: offchainReferences\.code: /)])
    expect(await countByPrefix('B-')).toBe(2)
  })
})

describe('counterparties of a file', () => {
  it('are created once, each with the address of its line', async () => {
    const lines = [
      'name,status,address,label',
      ...[1, 2].map((n) => `Broker ${n},ALLOWED,${Keypair.generate().publicKey.toBase58()},main`),
    ]
    const file = withAddresses(fileOf('counterparties.csv', lines))
    for (const _again of [1, 2])
      expect(await importEach(sender, 'counterparties', file, SILENT)).toEqual({ items: 2, done: 2, problems: [] })
    const { items } = (await world.api.bulk('/counterparties/bulk', {})) as {
      items: readonly { name: string; addresses: readonly object[] }[]
    }
    expect(items.map(({ name }) => name).sort()).toEqual(['Broker 1', 'Broker 2'])
    expect(items[0]!.addresses).toMatchObject([{ label: 'main' }])
  })
})

describe('the address of a counterparty of a file', () => {
  const address = Keypair.generate().publicKey.toBase58()
  const itemsOf = (name: string, ...rows: readonly string[]): readonly object[] =>
    withAddresses(fileOf(name, rows)).items.map(({ itemData }) => itemData)

  it('is in the column address or onchainId', () => {
    const [empty, listed] = [{ name: 'a' }, [{ onchainId: address, label: 'main' }]]
    for (const column of ['address', 'onchainId'])
      expect(itemsOf('columns.csv', `name,${column},label`, `a,${address},main`, 'a,,')).toEqual([
        { ...empty, addresses: listed },
        { ...empty, addresses: [] },
      ])
    expect(itemsOf('member.jsonl', `{"name":"a","onchainId":"${address}","label":"main"}`)).toEqual([
      { ...empty, addresses: listed },
    ])
  })

  it('is refused in both', () => {
    expect(() => itemsOf('both.csv', 'name,address,onchainId', `a,${address},`)).toThrow(
      'line 1: address and onchainId are two names of one column: give one of them',
    )
    const both = `{"name":"a","address":"${address}","onchainId":"${address}"}`
    expect(() => itemsOf('both.jsonl', '{"name":"a","addresses":[]}', both)).toThrow(
      'line 2: address and onchainId are two names of one member: give one of them',
    )
  })
})

describe('a batch of a file', () => {
  const batch = { operation: 'TRANSFER_NETWORK_CURRENCY', stopOnFailure: false }

  it('is checked as a whole, then created once', async () => {
    const [from, to] = [await world.records.funded({}, SOL), await world.records.funded({}, SOL)]
    const before = await world.chain.lamports(to.onchainId)
    const head = 'source.onchainId,destination.onchainId,amount,externalReference'
    const row = (amount: string, reference: string): string =>
      `${from.onchainId},${to.onchainId},${amount},${reference}`
    const wrong = await importBatch(
      sender,
      fileOf('wrong.csv', [head, row('0.001', 'one'), row('-1', 'two')]),
      batch,
      SILENT,
    )
    expect(wrong).toMatchObject({ items: 2, done: 0 })
    expect(wrong.problems[0]).toMatch(/^line 3: amount: /)
    expect(await world.chain.lamports(to.onchainId)).toBe(before)

    const right = fileOf('right.csv', [head, row('0.001', 'one'), row('0.002', 'two')])
    expect(await importBatch(sender, right, batch, SILENT)).toEqual({ items: 2, done: 2, problems: [] })
    expect(await importBatch(sender, right, batch, SILENT)).toEqual({
      ...{ items: 2, done: 2, problems: [] },
      importedBefore: expect.stringMatching(/^20\d\d-.*Z$/) as string,
    })
    for (const other of [{ stopOnFailure: true }, { externalReference: 'COUPON-2' }]) {
      const refused = await importBatch(sender, right, { ...batch, ...other }, SILENT)
      expect(refused).toMatchObject({ items: 2, done: 0 })
      expect(refused.problems).toEqual([expect.stringMatching(/imported before with another --external-reference or/)])
    }
    expect(await world.chain.lamports(to.onchainId)).toBe(before + 3_000_000n)
    expect(payer.onchainId).not.toBe(from.onchainId)
  })

  it('names the lines that conflict, and how many were cancelled after one that failed', async () => {
    const codes = fileOf('codes.csv', ['offchainReferences.code', 'D-1', 'D-2', 'D-1'])
    const { problems } = await importBatch(sender, codes, { ...batch, operation: 'CREATE_ACCOUNT' }, SILENT)
    expect(problems).toEqual([
      expect.stringMatching(/^line 4: offchainReferences: ALREADY_EXISTS: .* exists already, by line 2$/),
    ])
    const [from, to] = [await world.records.funded({}, SOL), await world.records.account()]
    const rows = ['0.01', '7', '0.01', '0.01'].map((amount) => `${from.onchainId},${to.onchainId},${amount},false`)
    const head = 'source.onchainId,destination.onchainId,amount,offchainBalanceAvailabilityPrecheck'
    const report = await importBatch(
      sender,
      fileOf('stop.csv', [head, ...rows]),
      { ...batch, stopOnFailure: true },
      SILENT,
    )
    expect(report).toMatchObject({ items: 4, done: 1 })
    expect(report.problems).toEqual([
      expect.stringMatching(/ ended as FAILED$/),
      expect.stringMatching(/^line 3: BLOCKCHAIN_ERROR: /),
      'cancelled, and not made: 2',
    ])
  })
})

describe('a file', () => {
  const problems = (text: string, format: 'csv' | 'jsonl'): readonly string[] => {
    try {
      importItems(text, format)
    } catch (error) {
      if (error instanceof ImportProblems) return error.problems
    }
    return []
  }

  it('with errors is refused with all lines that have errors', () => {
    expect(problems('canPayFees,a.b\nyes,1\nfalse\n"x', 'csv')).toEqual([
      'line 4: a quoted cell without its closing quote',
    ])
    expect(problems('canPayFees,a.b\nyes,1\nfalse\n', 'csv')).toEqual([
      'line 2: canPayFees: "yes" is not true or false',
      'line 3: 1 cells, and the first row has 2',
    ])
    expect(problems('a,a.b,a.b,__proto__.x\n', 'csv')).toHaveLength(3)
    for (const head of ['a,a.b', 'a.b,a', 'a.b.c,a.b'])
      expect(problems(`${head}\nx,y\n`, 'csv'), head).toEqual([
        expect.stringMatching(/^line 1: a(\.b)? is a value and has members$/),
      ])
    expect(problems('{}\n[]\nnull\n{', 'jsonl')).toEqual([
      'line 2: not a JSON object',
      'line 3: not a JSON object',
      'line 4: not a JSON object',
    ])
  })

  it('with a number that would be sent changed is refused with its lines, as the service refuses it', () => {
    for (const long of ['1234567890123450001', '-0.1234567890123456', '12345678901234567e-3', '1e400', '1e-400'])
      expect(problems(`{"a":"${long}"}\n{"a":[{"b":1.50e3},0.0,${long}]}\n`, 'jsonl'), long).toEqual([
        `line 2: TOO_PRECISE: ${long} is a number of more than 15 significant digits, or out of range: send it as a string`,
      ])
    const exact = ['123456789012345', '0.000000000000000000012', '-1e21', '"\\"1234567890123450001"', '-0', '1.5E+3']
    expect(importItems(exact.map((each) => `{"a":${each}}`).join('\n'), 'jsonl')).toHaveLength(exact.length)
  })

  it.each(['latin.csv', 'latin.jsonl'])('that is not UTF-8 is refused: %s', (name) => {
    const path = join(folder, name)
    writeFileSync(path, Buffer.from('{"comments":"M\u00fcller"}\n', 'latin1'))
    expect(() => readImport(path)).toThrow(new ImportProblems(['the file is not UTF-8 text']))
    // With a byte order mark, as spreadsheets write it.
    writeFileSync(path, '\uFEFF{"comments":"M\u00fcller"}\n')
    if (name.endsWith('jsonl'))
      expect(readImport(path).items).toEqual([{ line: 1, itemData: { comments: 'M\u00fcller' } }])
  })

  it('has the same keys for the same content, and different keys for another line or file', () => {
    expect(uuidOfParts('accounts', 'hash', 1)).toBe(uuidOfParts('accounts', 'hash', 1))
    expect(
      new Set([
        uuidOfParts('accounts', 'hash', 1),
        uuidOfParts('accounts', 'hash', 2),
        uuidOfParts('accounts', 'other', 1),
        uuidOfParts('batches', 'hash', 1),
      ]).size,
    ).toBe(4)
    expect(uuidOfParts('a')).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/)
  })
})
