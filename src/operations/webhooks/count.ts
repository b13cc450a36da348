// Number of webhooks of an organization in a cluster.
import { webhooksKey } from '../../engine/index/index-keys.ts'
import type { Context } from '../context/platform.ts'

export function countWebhooks({ platform: { engine }, call: { cluster, organization } }: Context): number {
  return engine.directory.find(webhooksKey(cluster, organization)).length
}
