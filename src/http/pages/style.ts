// The style sheet of our pages. It is inline, and the policy that lets it in names its digest.
import { createHash } from 'node:crypto'

export const STYLE = `
body { font: 16px/1.5 system-ui, sans-serif; margin: 0 auto; max-width: 60rem; padding: 1rem; color: #1b1f24; background: #fff }
h1, h2, h3 { line-height: 1.2 }
h3 { margin-top: 2.5rem }
code, pre { font: 14px/1.45 ui-monospace, monospace }
pre { background: #f4f5f7; padding: .75rem; overflow-x: auto; border-radius: 6px }
table { border-collapse: collapse; width: 100% }
td { border-bottom: 1px solid #d9dde2; padding: .3rem .6rem; text-align: left; vertical-align: top }
.method { background: #14532d; color: #fff; padding: .1rem .45rem; border-radius: 4px; font-size: .8em }
nav li { margin: .15rem 0 }
@media (prefers-color-scheme: dark) {
  body { background: #16191d; color: #e6e8eb }
  pre { background: #22272d }
  td { border-color: #3a4149 }
  a { color: #8ab4f8 }
}
`

/** For a page's Content-Security-Policy: its one style sheet, and nothing else. */
export const PAGE_POLICY = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; `
  + `base-uri 'none'; form-action 'none'; frame-ancestors 'none'`
