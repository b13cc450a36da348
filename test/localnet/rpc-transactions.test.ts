// Sending, simulating and reading transactions, with outside clients and raw calls.
import {
  AddressLookupTableProgram,
  MessageV0,
  PublicKey,
  sendAndConfirmTransaction,
  SystemProgram,
  Transaction,
  TransactionInstruction,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js'
import { describe, expect, it } from 'vitest'
import bs58 from 'bs58'
import fc from 'fast-check'
import { at, eventually, signedTransfer, type ServedChain } from './rpc-chain.ts'
import { withConnection, chain, connection, payer, address } from './rpc-connection.ts'

withConnection()

const MEMO = new PublicKey('MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr')

const send = (bytes: Uint8Array, config: Record<string, unknown> = {}): ReturnType<ServedChain['call']> =>
  chain.call('sendTransaction', [Buffer.from(bytes).toString('base64'), { encoding: 'base64', ...config }])

async function final(signature: string): Promise<void> {
  await eventually(
    async () => (await connection.getSignatureStatus(signature)).value?.confirmationStatus === 'finalized',
  )
}

describe('sendTransaction', () => {
  it('answers the id once the transaction is durable, in base64 and base58', async () => {
    const to = address()
    const bytes = await signedTransfer(chain, payer, to, 1_000_000_000)
    const { result } = await send(bytes)
    expect(result).toBe(bs58.encode(bytes.subarray(1, 65)))
    expect(await connection.getBalance(to)).toBe(1_000_000_000)
    const other = await signedTransfer(chain, payer, to, 1_000_000_001)
    expect((await chain.call('sendTransaction', [bs58.encode(other)])).result).toBe(bs58.encode(other.subarray(1, 65)))
    expect(await connection.getBalance(to)).toBe(2_000_000_001)
  })

  it('refuses a transaction that would fail, with the outcome of the simulation', async () => {
    const before = await connection.getBalance(payer.publicKey)
    const { error } = await send(await signedTransfer(chain, payer, address(), 10 ** 15))
    expect(error).toMatchObject({
      code: -32002,
      message: 'Transaction simulation failed: Error processing Instruction 0: custom program error: 0x1',
      data: {
        err: { InstructionError: [0, { Custom: 1 }] },
        accounts: null,
        innerInstructions: null,
        returnData: null,
      },
    })
    expect(at(error?.data, 'logs')).toEqual(expect.arrayContaining([expect.stringContaining('insufficient lamports')]))
    expect(at(error?.data, 'unitsConsumed')).toBeGreaterThan(0)
    expect(await connection.getBalance(payer.publicKey)).toBe(before)
  })

  it('executes a failing transaction with skipPreflight, for its fee', async () => {
    const before = await connection.getBalance(payer.publicKey)
    const { result } = await send(await signedTransfer(chain, payer, address(), 10 ** 15), { skipPreflight: true })
    const status = (await connection.getSignatureStatus(String(result))).value
    expect(status?.err).toEqual({ InstructionError: [0, { Custom: 1 }] })
    expect(await connection.getBalance(payer.publicKey)).toBe(before - 5000)
  })

  it('reports an invalid signature, an old blockhash and a duplicate like a real node', async () => {
    const bytes = await signedTransfer(chain, payer, address(), 1_000_000)
    const forged = Buffer.from(bytes)
    forged[10]! ^= 1
    expect((await send(forged)).error).toMatchObject({
      code: -32003,
      message: 'Transaction signature verification failure',
    })

    const stale = new Transaction({
      feePayer: payer.publicKey,
      blockhash: address().toBase58(),
      lastValidBlockHeight: 0,
    })
    stale.add(SystemProgram.transfer({ fromPubkey: payer.publicKey, toPubkey: address(), lamports: 1 }))
    stale.sign(payer)
    expect((await send(stale.serialize())).error).toMatchObject({
      code: -32002,
      message: 'Transaction simulation failed: Blockhash not found',
      data: { err: 'BlockhashNotFound', logs: [] },
    })
    // The cluster drops it, and the sender is not informed.
    expect((await send(stale.serialize(), { skipPreflight: true })).result).toBe(bs58.encode(stale.signature!))
    expect(await connection.getSignatureStatus(bs58.encode(stale.signature!))).toMatchObject({ value: null })

    await send(bytes)
    expect((await send(bytes)).error).toMatchObject({
      code: -32002,
      message: 'Transaction simulation failed: This transaction has already been processed',
      data: { err: 'AlreadyProcessed' },
    })
    expect((await send(bytes, { skipPreflight: true })).result).toBe(bs58.encode(bytes.subarray(1, 65)))
  })

  it('refuses bytes that are no transaction', async () => {
    const refusal = async (...params: unknown[]): Promise<unknown> =>
      (await chain.call('sendTransaction', params)).error
    const type = 'solana_transaction::versioned::VersionedTransaction'
    expect(await refusal()).toMatchObject({ code: -32602 })
    expect(await refusal('AA==', { encoding: 'base64' })).toMatchObject({ code: -32602 })
    expect(await refusal('not base64!', { encoding: 'base64' })).toMatchObject({
      code: -32602,
      message: 'invalid base64 encoding',
    })
    expect(await refusal('0OIl')).toMatchObject({ code: -32602, message: 'invalid base58 encoding' })
    expect(await refusal('AA==', { encoding: 'hex' })).toMatchObject({
      message: 'unsupported encoding: hex. Supported encodings: base58, base64',
    })
    expect(await refusal('A'.repeat(1648), { encoding: 'base64' })).toMatchObject({
      message: `base64 encoded ${type} too large: 1648 bytes (max: encoded/raw 1644/1232)`,
    })
    const version1 = Buffer.from(await signedTransfer(chain, payer, address(), 1)).fill(0x81, 65, 66)
    expect(await refusal(version1.toString('base64'), { encoding: 'base64', skipPreflight: true })).toMatchObject({
      code: -32602,
    })
    const ahead = { encoding: 'base64', minContextSlot: 2 ** 50 }
    expect(await refusal((await signedTransfer(chain, payer, address(), 1)).toString('base64'), ahead)).toMatchObject({
      code: -32016,
    })
  })

  it('survives any damage to a transaction', async () => {
    const bytes = await signedTransfer(chain, payer, address(), 1_000_000)
    const damage = fc.record({
      at: fc.nat(bytes.length - 1),
      byte: fc.nat(255),
      cut: fc.nat(bytes.length),
      tail: fc.uint8Array({ maxLength: 40 }),
      skipPreflight: fc.boolean(),
    })
    await fc.assert(
      fc.asyncProperty(damage, async (hurt) => {
        const damaged = Buffer.concat([bytes.subarray(0, hurt.cut), hurt.tail])
        if (hurt.at < damaged.length) damaged[hurt.at] = hurt.byte
        const response = await send(damaged, { skipPreflight: hurt.skipPreflight })
        if (response.error !== undefined) expect([-32602, -32002, -32003]).toContain(response.error.code)
        const simulated = await chain.call('simulateTransaction', [damaged.toString('base64'), { encoding: 'base64' }])
        if (simulated.error !== undefined) expect(simulated.error.code).toBe(-32602)
        const fee = await chain.call('getFeeForMessage', [damaged.subarray(65).toString('base64')])
        if (fee.error !== undefined) expect(fee.error.code).toBe(-32602)
      }),
      { numRuns: 150 },
    )
  })

  it('executes a batch of a hundred concurrently', async () => {
    const to = address()
    const lifetime = await connection.getLatestBlockhash()
    const calls = Array.from({ length: 100 }, (_, index) => {
      const transaction = new Transaction({ feePayer: payer.publicKey, ...lifetime })
      transaction.add(
        SystemProgram.transfer({ fromPubkey: payer.publicKey, toPubkey: to, lamports: 1_000_000 + index }),
      )
      transaction.sign(payer)
      const params = [transaction.serialize().toString('base64'), { encoding: 'base64', skipPreflight: true }]
      return { jsonrpc: '2.0', id: index, method: 'sendTransaction', params }
    })
    const answers = JSON.parse((await chain.post(JSON.stringify(calls))).text) as { id: number; result: string }[]
    expect(answers.map((answer) => answer.id)).toEqual(calls.map((call) => call.id))
    expect(new Set(answers.map((answer) => answer.result)).size).toBe(100)
    expect(await connection.getBalance(to)).toBe(100 * 1_000_000 + 4950)
    const statuses = await connection.getSignatureStatuses(answers.map((answer) => answer.result))
    expect(statuses.value.every((status) => status?.err === null)).toBe(true)
  })
})

it.each([
  ['1', 'Memo1UhkJRfHyvLMcVucJwxXeuD728EqVDDwQDxFMNo'],
  ['3', MEMO.toBase58()],
  ['4', 'Memo4c2pN8afCj432Lb7RMVKi9PbQnnW7ewFFaV3oAH'],
])('runs version %s of the memo program', async (_version, program) => {
  const transaction = new Transaction().add(
    new TransactionInstruction({ programId: new PublicKey(program), keys: [], data: Buffer.from('rent for June') }),
  )
  const signature = await sendAndConfirmTransaction(connection, transaction, [payer])
  const config = { commitment: 'confirmed', maxSupportedTransactionVersion: 0 } as const
  const parsed = await connection.getParsedTransaction(signature, config)
  expect(parsed?.transaction.message.instructions).toMatchObject([{ program: 'spl-memo', parsed: 'rent for June' }])
  expect((await connection.getAccountInfo(new PublicKey(program)))?.executable).toBe(true)
})

describe('history', () => {
  it('returns a transaction in every encoding', async () => {
    const to = address()
    const transaction = new Transaction().add(
      SystemProgram.transfer({ fromPubkey: payer.publicKey, toPubkey: to, lamports: 5_000_000 }),
      new TransactionInstruction({ programId: MEMO, keys: [], data: Buffer.from('rent for May') }),
    )
    const signature = await sendAndConfirmTransaction(connection, transaction, [payer])
    const fetchedTransaction = await connection.getTransaction(signature, {
      commitment: 'confirmed',
      maxSupportedTransactionVersion: 0,
    })
    expect(fetchedTransaction).toMatchObject({
      version: 'legacy',
      meta: { err: null, fee: 5000, status: { Ok: null } },
    })
    expect(fetchedTransaction?.transaction.message.getAccountKeys().get(1)?.toBase58()).toBe(to.toBase58())
    const { preBalances, postBalances } = fetchedTransaction!.meta!
    expect(postBalances[1]! - preBalances[1]!).toBe(5_000_000)

    const parsed = await connection.getParsedTransaction(signature, {
      commitment: 'confirmed',
      maxSupportedTransactionVersion: 0,
    })
    expect(parsed?.transaction.message.instructions).toMatchObject([
      {
        program: 'system',
        parsed: {
          type: 'transfer',
          info: { source: payer.publicKey.toBase58(), destination: to.toBase58(), lamports: 5_000_000 },
        },
      },
      { program: 'spl-memo', parsed: 'rent for May' },
    ])
    expect(parsed?.transaction.message.accountKeys[0]).toMatchObject({
      signer: true,
      writable: true,
      source: 'transaction',
    })

    for (const encoding of ['base58', 'base64']) {
      const raw = await chain.result('getTransaction', [signature, { encoding, commitment: 'confirmed' }])
      const [text] = at(raw, 'transaction') as [string]
      const bytes = encoding === 'base58' ? Buffer.from(bs58.decode(text)) : Buffer.from(text, 'base64')
      expect(bs58.encode(Transaction.from(bytes).signature!)).toBe(signature)
      expect(raw).not.toHaveProperty('version')
    }
    expect(await chain.result('getTransaction', ['1'.repeat(64)])).toBeNull()

    await final(signature)
    const history = await connection.getSignaturesForAddress(to)
    expect(history).toMatchObject([
      { signature, err: null, memo: '[12] rent for May', confirmationStatus: 'finalized' },
    ])
  })

  it('pages through the history of an address, newest first', async () => {
    const to = address()
    const signatures: string[] = []
    for (let i = 0; i < 7; i++)
      signatures.unshift(String((await send(await signedTransfer(chain, payer, to, 1_000_000 + i))).result))
    await final(signatures[0]!)
    const list = async (config: Record<string, unknown>): Promise<unknown[]> =>
      ((await chain.result('getSignaturesForAddress', [to.toBase58(), config])) as unknown[]).map((entry) =>
        at(entry, 'signature'),
      )
    expect(await list({})).toEqual(signatures)
    expect(await list({ limit: 2 })).toEqual(signatures.slice(0, 2))
    expect(await list({ limit: 3, before: signatures[1] })).toEqual(signatures.slice(2, 5))
    expect(await list({ before: signatures[1], until: signatures[4] })).toEqual(signatures.slice(2, 4))
  })

  it('finds transactions by any account key, also by one without an account or signature', async () => {
    const reference = address()
    const references = [{ pubkey: reference, isSigner: false, isWritable: false }]
    const signatures: string[] = []
    for (const lamports of [1_000_000, 1_000_001]) {
      const transfer = SystemProgram.transfer({ fromPubkey: payer.publicKey, toPubkey: address(), lamports })
      transfer.keys.push(...references)
      const transaction = new Transaction({
        feePayer: payer.publicKey,
        ...(await connection.getLatestBlockhash()),
      }).add(transfer)
      transaction.sign(payer)
      signatures.unshift(String((await send(transaction.serialize())).result))
    }
    await final(signatures[0]!)
    expect((await connection.getSignaturesForAddress(reference)).map(({ signature }) => signature)).toEqual(signatures)
    expect(await connection.getAccountInfo(reference)).toBeNull()
  })

  it('requires the client to accept the version of the transaction', async () => {
    const recentSlot = (await connection.getSlot('finalized')) - 1
    const to = address()
    const [create, table] = AddressLookupTableProgram.createLookupTable({
      authority: payer.publicKey,
      payer: payer.publicKey,
      recentSlot,
    })
    const extend = AddressLookupTableProgram.extendLookupTable({
      payer: payer.publicKey,
      authority: payer.publicKey,
      lookupTable: table,
      addresses: [to],
    })
    await final(await sendAndConfirmTransaction(connection, new Transaction().add(create, extend), [payer]))
    const lookup = await eventually(async () => (await connection.getAddressLookupTable(table)).value)
    const { blockhash } = await connection.getLatestBlockhash()
    const message: MessageV0 = new TransactionMessage({
      payerKey: payer.publicKey,
      recentBlockhash: blockhash,
      instructions: [SystemProgram.transfer({ fromPubkey: payer.publicKey, toPubkey: to, lamports: 3_000_000 })],
    }).compileToV0Message([lookup])
    const transaction = new VersionedTransaction(message)
    transaction.sign([payer])
    const signature = await connection.sendTransaction(transaction)
    const response = await chain.call('getTransaction', [signature, { commitment: 'confirmed' }])
    expect(response.error).toMatchObject({
      code: -32015,
      message: expect.stringContaining('"maxSupportedTransactionVersion": 0') as string,
    })
    const fetchedTransaction = await connection.getTransaction(signature, {
      commitment: 'confirmed',
      maxSupportedTransactionVersion: 1,
    })
    expect(fetchedTransaction?.version).toBe(0)
    expect(fetchedTransaction?.meta?.loadedAddresses?.writable).toEqual([to])
    const parsed = await connection.getParsedTransaction(signature, {
      commitment: 'confirmed',
      maxSupportedTransactionVersion: 0,
    })
    expect(parsed?.transaction.message.accountKeys.at(-1)).toMatchObject({
      source: 'lookupTable',
      writable: true,
      signer: false,
    })
  })

  it('returns blocks in every detail, and the reason for a missing one', async () => {
    const to = address()
    const signature = String((await send(await signedTransfer(chain, payer, to, 4_000_000))).result)
    await final(signature)
    const { slot } = (await connection.getSignatureStatus(signature)).value!
    const full = await connection.getBlock(slot, { maxSupportedTransactionVersion: 0 })
    const height = await connection.getBlockHeight('finalized')
    expect(full?.transactions.map((entry) => entry.transaction.signatures[0])).toContain(signature)
    expect(full!.parentSlot).toBeLessThan(slot)
    expect(at(full, 'blockHeight')).toBeLessThanOrEqual(height)
    const detail = (transactionDetails: string): Promise<unknown> =>
      chain.result('getBlock', [slot, { transactionDetails, maxSupportedTransactionVersion: 0, rewards: false }])
    expect(at(await detail('signatures'), 'signatures')).toContain(signature)
    expect(await detail('none')).not.toHaveProperty('transactions')
    expect(await detail('none')).not.toHaveProperty('rewards')
    const accounts = at(await detail('accounts'), 'transactions') as unknown[]
    expect(accounts.map((entry) => at(entry, 'transaction', 'signatures', 0))).toContain(signature)
    expect(at(accounts[0], 'transaction', 'accountKeys', 0)).toMatchObject({ signer: true, writable: true })

    expect(await chain.result('getBlocks', [slot, slot])).toEqual([slot])
    expect(await chain.result('getBlocksWithLimit', [slot, 1])).toEqual([slot])
    expect(await connection.getBlockTime(slot)).toEqual(full!.blockTime)
    expect((await chain.call('getBlock', [slot + 1_000_000])).error?.code).toBe(-32004)
    expect((await chain.call('getBlockTime', [slot + 1_000_000])).error?.code).toBe(-32004)
  })
})
