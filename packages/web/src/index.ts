export { type Asset, findAsset } from './app/assets.ts'
export { iconPath } from './app/icon.ts'
export { renderServerPage, type ServerPage } from './app/server-page.ts'
export type { ProfilePage } from './directory/users/profile-frame.ts'
export { actionButton } from './platform/design/button.ts'
export { card } from './platform/design/card.ts'
export {
  csrfField,
  csrfName,
  errorSummary,
  type TextField,
  textArea,
  textField,
} from './platform/design/form-fields.ts'
export { row, rows } from './platform/design/lists.ts'
export { shownOnce } from './platform/design/shown-once.ts'
export type { FormError } from './platform/forms/submit.ts'
export { escapeHtml, Html, html } from './platform/html/html.ts'
export type { Frame } from './platform/layout/document.ts'
export { explain } from './platform/pages/explanation.ts'
export { createPermits } from './platform/pages/permits.ts'
