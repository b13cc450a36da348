// The failures of `failover-cases.ts` at nodes that do not check their own leases: an earlier owner is stopped by the
// fence of its commits alone.
import { testFailures } from './failover-cases.ts'

testFailures({ isUnchecked: true })
