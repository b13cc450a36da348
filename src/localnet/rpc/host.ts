// A chain that listens on loopback answers those who ask for it by a name of this machine: a page of any site can make its own name mean this
// machine (DNS rebinding), and what it then sends carries that name as Host.

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[?::1\]?)(?::\d*)?$/i

/** @param listening the host that the server listens on */
export function hostRule(listening: string): (host: string | undefined) => boolean {
  if (!LOOPBACK.test(listening)) return () => true
  // Browsers always send one.
  return (host) => host === undefined || LOOPBACK.test(host)
}
