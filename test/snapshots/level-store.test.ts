import { openStore } from '../../snapshots/level-store.ts'
import { conformance } from './conformance.ts'
import { scratch } from './scratch.ts'

conformance('LevelDB', () => {
  const path = scratch()
  return {
    open: (onFatal) =>
      openStore({
        path,
        onFatal:
          onFatal ??
          ((error) => {
            throw error
          }),
      }),
  }
})
