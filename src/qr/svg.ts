// A QR code as SVG: one path, with the light margin of four modules that readers need.
import { encodeQR } from 'qr'

const MARGIN = 4

/** In byte mode (UTF-8) at error correction level M. Throws when the text has more than 2,331 bytes. */
export function qrSvg(text: string): string {
  const rows = encodeQR(text, 'raw', { encoding: 'byte', ecc: 'medium', border: MARGIN })
  const size = rows.length
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}" shape-rendering="crispEdges" role="img" aria-label="QR code">` +
    `<path fill="#fff" d="M0 0h${size}v${size}H0z"/><path fill="#000" d="${rows.map(pathOf).join('')}"/></svg>`
  )
}

/** One rectangle for each run of dark modules. */
function pathOf(row: readonly boolean[], y: number): string {
  let path = ''
  for (let x = 0, end; x < row.length; x = end + 1) {
    end = row.indexOf(false, x)
    if (end > x) path += `M${x} ${y}h${end - x}v1h${x - end}z`
  }
  return path
}
