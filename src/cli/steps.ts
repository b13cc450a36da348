// The steps of `tour`: prints each step, and compares the chain with the expected values.
import type { ChainReader } from './chain-reader.ts'
import type { Printer } from './print.ts'
import type { Ids, TransactionResult } from './rest.ts'
import { TourFailed } from './tour-failed.ts'

/** Decimals of the instrument of the tour. */
export const DECIMALS = 2

export class Steps {
  readonly #chain: ChainReader
  readonly #printer: Printer
  #count = 0

  constructor(chain: ChainReader, printer: Printer) {
    this.#chain = chain
    this.#printer = printer
  }

  next(title: string): void {
    this.#count += 1
    this.#printer.line(`\n${this.#count}. ${title}`, 'bold')
  }

  /** Checks that a transaction succeeded according to the service and to the chain. */
  async landed(transaction: TransactionResult | undefined): Promise<void> {
    if (transaction === undefined) throw new TourFailed('the service created no transaction')
    this.#printer.detail('transaction', `${transaction.onchainId} ${transaction.status}`)
    if (!transaction.success)
      throw new TourFailed(`the transaction failed: ${transaction.errorMessage ?? 'without a message'}`)
    if (!['CONFIRMED', 'FINALIZED'].includes(transaction.status))
      throw new TourFailed(`the transaction is only ${transaction.status}`)
    await this.#chain.confirmed(transaction.onchainId)
  }

  async holdsLamports(name: string, { onchainId }: Ids, expected: bigint): Promise<void> {
    const found = await this.#chain.lamports(onchainId)
    this.#balance(name, found, expected, `${found} lamports`)
  }

  /** Raw units; null: the account is closed. */
  async holdsTokens(name: string, { onchainId }: Ids, expected: bigint | null): Promise<void> {
    const found = await this.#chain.tokens(onchainId)
    this.#balance(name, found, expected, found === null ? 'closed' : `${display(found)} tokens`)
  }

  expect(what: string, found: unknown, expected: unknown): void {
    this.#printer.detail(what, String(found))
    if (found !== expected) throw new TourFailed(`${what} is ${String(found)}, not ${String(expected)}`)
  }

  #balance(name: string, found: bigint | null, expected: bigint | null, text: string): void {
    this.#printer.detail(name, text)
    if (found !== expected)
      throw new TourFailed(`on chain, ${name} holds ${found ?? 'nothing'}, not ${expected ?? 'nothing'}`)
  }
}

function display(raw: bigint): string {
  const digits = raw.toString().padStart(DECIMALS + 1, '0')
  return `${digits.slice(0, -DECIMALS)}.${digits.slice(-DECIMALS)}`
}
