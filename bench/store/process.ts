// The process in which the store and the bare database are measured.
import { answerParent } from '../measure/child.ts'
import { checkRows, MeasuredStore, type StoreRound } from './measured.ts'
import { STORE_SIDES, type StoreSideName } from './sides.ts'

export type StoreQuestion =
  | { readonly kind: 'open'; readonly side: StoreSideName; readonly path: string; readonly clients: number }
  | { readonly kind: 'round'; readonly path: string; readonly windowMs: number }
  /** Closes all open stores, and returns how many units were found on disk. */
  | { readonly kind: 'check' }

const open = new Map<string, MeasuredStore>()

answerParent(async (question: StoreQuestion): Promise<StoreRound | number | null> => {
  switch (question.kind) {
    case 'open': {
      const { side, path, clients } = question
      open.set(path, new MeasuredStore(await STORE_SIDES[side](clients)(path), clients))
      return null
    }
    case 'round':
      return await open.get(question.path)!.round(question.windowMs)
    case 'check': {
      let units = 0
      for (const [path, measured] of open) {
        await measured.close()
        await checkRows(path, measured.units)
        units += measured.units
      }
      open.clear()
      return units
    }
  }
})
