// The page "Licences": licences of the libraries that the web pages load into a browser. axe-core, Playwright and
// Chromium are only used in tests.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { PROJECT } from '../../../config/programs.ts'
import { slug } from './frame.ts'
import { codeHtml } from './markdown.ts'
import { productionLicences } from './production-licences.ts'

const TEXTS: Readonly<Record<string, readonly string[]>> = {
  'swagger-ui-dist': ['NOTICE', 'LICENSE', 'swagger-ui-es-bundle.js.LICENSE.txt'],
  preact: ['LICENSE'],
}

export function licencesPage(): string {
  const own = '<p>Holdfast is under the Apache License 2.0. The pages that are programs hold these libraries:</p>'
  const parts = Object.entries(TEXTS).map(([library, files]) => {
    const texts = [`node_modules/${library}`].flatMap((folder) =>
      files.map((file) => textOf(join(PROJECT, folder, file))),
    )
    return `<h2 id="${slug(library)}">${library}</h2>${texts.filter(Boolean).map(codeHtml).join('')}`
  })
  return own + parts.join('') + ofTheService()
}

function ofTheService(): string {
  const counts = new Map<string, number>()
  for (const { licence } of productionLicences()) counts.set(licence, (counts.get(licence) ?? 0) + 1)
  const rows = [...counts]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([licence, count]) => `<li>${licence}: ${count}</li>`)
  return [
    '<h2 id="production">Packages of the service</h2>',
    '<p>What a production install holds, by licence. None asks for more than its notice; the text of each is in its folder under node_modules.</p>',
    `<ul>${rows.join('')}</ul>`,
  ].join('')
}

/** Empty if the library is not installed; no page was built in that case. */
function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8').trim()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    return ''
  }
}
