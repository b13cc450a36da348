// The reference: Swagger UI over the document of this very service, asked from where the page is from. Nothing leaves
// it: no validator, no other host, and the API key that is given stays in the memory of the page.
import SwaggerUI from 'swagger-ui-dist/swagger-ui-es-bundle.js'
import 'swagger-ui-dist/swagger-ui.css'
import { layout, LAYOUT } from './layout.ts'
import { keepMended } from './mend.ts'
import './reference.css'

SwaggerUI({
  dom_id: '#reference',
  url: '/openapi.json',
  plugins: [layout],
  layout: LAYOUT,
  validatorUrl: null,
  deepLinking: true,
  docExpansion: 'none',
  defaultModelsExpandDepth: -1,
  displayRequestDuration: true,
  filter: true,
  persistAuthorization: false,
  queryConfigEnabled: false,
  showMutatedRequest: false,
  syntaxHighlight: { activated: false },
  tryItOutEnabled: false,
})

keepMended(document.getElementById('reference')!)

const dark = matchMedia('(prefers-color-scheme: dark)')
const follow = (): void => void document.documentElement.classList.toggle('dark-mode', dark.matches)
dark.addEventListener('change', follow)
follow()
