// Koa only: reads the body, parses it, and answers with the text for the id in it, or with one text for all.
import { answerParent } from '../measure/child.ts'
import { serveKoa } from './koa-server.ts'

export interface BareKoaRequest {
  readonly host: string
  /** By offchain id; answered with 200. */
  readonly answers: ReadonlyMap<string, string>
  /** For every other body. */
  readonly otherwise: { readonly status: number; readonly text: string }
}

answerParent(({ host, answers, otherwise }: BareKoaRequest): Promise<number> =>
  serveKoa(host, (body) => {
    const text = answers.get((body as { itemData: { offchainId?: string } }).itemData.offchainId ?? '')
    return Promise.resolve(text === undefined ? otherwise : { status: 200, text })
  }),
)
