// Types of the parts of Swagger UI that are used here; the package declares none.
declare module 'swagger-ui-dist/swagger-ui-es-bundle.js' {
  export default function SwaggerUI(options: Readonly<Record<string, unknown>>): unknown
}
declare module '*.css'
