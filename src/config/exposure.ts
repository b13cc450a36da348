// Warnings about a service that listens beyond loopback.
import { isLoopbackHost } from './networks.ts'
import type { Settings } from './settings.ts'

/** Warnings for the log at the start. */
export function exposureOf({
  host,
  embeddedRpcHost,
  tlsCertificate,
  trustedProxy,
  clusters,
}: Settings): readonly string[] {
  const plain = `on ${host}, beyond loopback, without TLS: API keys and private keys can be read on the way`
  const rest = !isLoopbackHost(host) && tlsCertificate === null && trustedProxy.length === 0
  const chain = !isLoopbackHost(embeddedRpcHost) && clusters.some(({ endpoints }) => endpoints === 'embedded')
  return [
    ...(rest
      ? [
          `The service listens ${plain}. Set HOLDFAST_TLS_CERTIFICATE, or put a proxy before it and name it in HOLDFAST_TRUSTED_PROXY`,
        ]
      : []),
    ...(chain
      ? [`The embedded chain listens on ${embeddedRpcHost}, beyond loopback, to anybody: it gives funds to all who ask`]
      : []),
  ]
}
