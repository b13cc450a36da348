// The reference page: Swagger UI over the OpenAPI document of the service that serves the page. It requests nothing
// from another host and uses no validator, and the API key stays in the memory of the page.
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
