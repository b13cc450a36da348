// The thread of the service from its sources: a loader given to node on the command line does not reach threads.
import { register } from 'tsx/esm/api'

register()
await import('./service/worker.ts')
