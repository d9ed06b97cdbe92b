import { loadPage } from './api.ts'

/**
 * Leads from `#note_12` to the page of the discussion that has this comment, if the one that is shown has
 * not: the server never sees what follows the `#`.
 */
export function startNoteLinks(): void {
  addEventListener('hashchange', leadToNote)
  leadToNote()
}

async function leadToNote(): Promise<void> {
  const id = /^#note_(\d{1,15})$/.exec(location.hash)?.[1]
  if (id === undefined || document.getElementById(`note_${id}`) !== null) return
  if (document.querySelector('[data-live=discussion]') === null) return
  const href = `${location.pathname}?note_id=${id}`
  // Of a comment that was deleted, it says so.
  const page = await loadPage(href)
  if (page?.getElementById(`note_${id}`)) location.replace(`${href}#note_${id}`)
}
