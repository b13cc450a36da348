// A QR code as SVG: one path, with the light margin of four modules that readers need.
import { encodeQr } from './encode.ts'

const MARGIN = 4

/** Throws RangeError when the text is too long. */
export function qrSvg(text: string): string {
  const matrix = encodeQr(text)
  const size = matrix.length + 2 * MARGIN
  const path = matrix
    .flatMap((row, y) => row.flatMap((dark, x) => (dark ? `M${x + MARGIN} ${y + MARGIN}h1v1h-1z` : [])))
    .join('')
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}" shape-rendering="crispEdges" role="img" aria-label="QR code">` +
    `<path fill="#fff" d="M0 0h${size}v${size}H0z"/><path fill="#000" d="${path}"/></svg>`
  )
}
