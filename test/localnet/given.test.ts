// Programs and accounts from files: a program is executed at its address, an account is created once, and invalid files
// are reported by name.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Keypair, PublicKey, SystemProgram, TransactionInstruction } from '@solana/web3.js'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { GivenError } from '../../src/localnet/given.ts'
import { openTestBank, type TestBank } from './bank-chain.ts'

const MEMO = new PublicKey('MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr')
const folder = mkdtempSync(join(tmpdir(), 'given-'))
let plain: TestBank
beforeAll(async () => {
  plain = await openTestBank()
})
afterAll(async () => {
  await plain.remove()
  rmSync(folder, { recursive: true, force: true })
})

function write(name: string, contents: string | Uint8Array): string {
  const path = join(folder, name)
  writeFileSync(path, contents)
  return path
}

it('a program is installed at its address, runs, and is kept; a changed file replaces it', async () => {
  const elf = plain.bank.account(MEMO.toBytes())!
  // A bundled program may be stored behind a header of the loader.
  const data = Buffer.from(elf.data).subarray(Buffer.from(elf.data).indexOf(Buffer.from('7f454c46', 'hex')))
  const file = write('memo.so', data)
  const programId = Keypair.generate().publicKey
  const given = { programs: [{ address: programId.toBase58(), file }], accounts: [] }
  const test = await openTestBank({ given })
  for (let round = 0; round < 2; round += 1) {
    const payer = await test.funded()
    const instruction = new TransactionInstruction({ programId, keys: [], data: Buffer.from('hello') })
    const { logs } = await test.run([instruction], [payer])
    expect(logs.join('\n')).toContain(`Program ${programId.toBase58()} success`)
    await test.restart()
  }
  await test.remove()
})

it('an account is created if missing, and not again after the chain has changed it', async () => {
  const holder = Keypair.generate()
  const account = {
    lamports: 5_000_000_000,
    data: ['', 'base64'],
    owner: '1'.repeat(32),
    executable: false,
    rentEpoch: 0,
  }
  const file = write('account.json', JSON.stringify({ pubkey: holder.publicKey.toBase58(), account }))
  const test = await openTestBank({ given: { programs: [], accounts: [file] } })
  expect(test.bank.account(holder.publicKey.toBytes())?.lamports).toBe(5_000_000_000n)
  const to = Keypair.generate().publicKey
  await test.run(
    [SystemProgram.transfer({ fromPubkey: holder.publicKey, toPubkey: to, lamports: 1_000_000_000 })],
    [holder],
  )
  await test.restart()
  expect(test.bank.account(holder.publicKey.toBytes())?.lamports).toBeLessThan(4_000_000_000n)
  await test.remove()
})

it.each([
  [
    'a program that is missing',
    { programs: [{ address: MEMO.toBase58(), file: join(folder, 'none.so') }], accounts: [] },
    'none.so cannot be read: ENOENT',
  ],
  [
    'a program that is none',
    { programs: [{ address: MEMO.toBase58(), file: write('text.so', 'hello') }], accounts: [] },
    'text.so is not a compiled program',
  ],
  ['an account that is no JSON', { programs: [], accounts: [write('bad.json', '{')] }, 'bad.json is not JSON'],
  [
    'an account that is none',
    { programs: [], accounts: [write('odd.json', '{"pubkey":"x"}')] },
    'odd.json is not an account',
  ],
])('an error names %s', async (_, given, message) => {
  const opening = openTestBank({ given })
  await expect(opening).rejects.toThrow(GivenError)
  await expect(opening).rejects.toThrow(message)
})
