export { assets, createWeb, type Web, type WebRequest, type WebResponse } from './app/web.ts'
export { csrfName } from './platform/design/form-fields.ts'
export { escapeHtml, Html, html } from './platform/html/html.ts'
export type { Frame } from './platform/layout/document.ts'
