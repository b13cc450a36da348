// Host header check against DNS rebinding. A website can make its own name resolve to this machine, and its requests
// then carry that name as Host. A chain that listens on loopback therefore answers only requests for a name of this
// machine.

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[?::1\]?)(?::\d*)?$/i

/** @param listening the host that the server listens on */
export function hostRule(listening: string): (host: string | undefined) => boolean {
  if (!LOOPBACK.test(listening)) return () => true
  // Browsers always send a Host header.
  return (host) => host === undefined || LOOPBACK.test(host)
}
