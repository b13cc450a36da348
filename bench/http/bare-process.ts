// Koa and nothing else: reads and parses the body, and returns the text of the id in it, or the same text for all.
import { answerParent } from '../measure/child.ts'
import { serveKoa } from './koa-server.ts'

export interface BareKoaRequest {
  readonly host: string
  /** Answers by offchain id, with status 200. */
  readonly answers: ReadonlyMap<string, string>
  /** Answer to every other body. */
  readonly otherwise: { readonly status: number; readonly text: string }
}

answerParent(({ host, answers, otherwise }: BareKoaRequest): Promise<number> =>
  serveKoa(host, (body) => {
    const text = answers.get((body as { itemData: { offchainId?: string } }).itemData.offchainId ?? '')
    return Promise.resolve(text === undefined ? otherwise : { status: 200, text })
  }),
)
