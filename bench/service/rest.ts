// A plain client of the REST interface for setup and checks; the measured load has its own.

export interface Rest {
  /**
   * The answer's body. Rejects with the problem document for any status but 200 and 201, and for a failed transaction.
   */
  post<Answer>(path: string, body: object, headers?: Readonly<Record<string, string>>): Promise<Answer>
}

export interface Ids {
  readonly onchainId: string
  readonly offchainId: string
}

interface MaybeTransaction {
  readonly success?: boolean
  readonly chainTransaction?: { readonly success: boolean }
}

export function restClient(host: string, port: number, apiKey: string): Rest {
  return {
    async post<Answer>(path: string, body: object, headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
      const response = await fetch(`http://${host}:${port}/api/v1${path}`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${apiKey}`, 'Content-Type': 'application/json', ...headers },
        body: JSON.stringify(body),
      })
      const text = await response.text()
      if (!response.ok) throw new Error(`POST ${path}: ${response.status} ${text}`)
      const answer = JSON.parse(text) as MaybeTransaction
      if (answer.success === false || answer.chainTransaction?.success === false)
        throw new Error(`POST ${path}: ${text}`)
      return answer as Answer
    },
  }
}

/** Runs `task` for 0..count-1, this many at a time, and returns the results in order. */
export async function inParallel<Result>(
  count: number,
  atOnce: number,
  task: (index: number) => Promise<Result>,
): Promise<Result[]> {
  const results = new Array<Result>(count)
  let next = 0
  const work = async (): Promise<void> => {
    while (next < count) {
      const index = next
      next += 1
      results[index] = await task(index)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  return results
}
