import { loadPage } from '../api.ts'
import { closest } from '../dom.ts'

/** The form for a comment on a line opens below it, without loading the page again. */
export function startInlineForms(): void {
  document.addEventListener('click', (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return
    const link = closest<HTMLAnchorElement>(event, 'a[data-inline]')
    if (link !== null) {
      event.preventDefault()
      open(link)
    }
    const cancel = closest(event, 'a[data-cancel]')
    if (cancel !== null) {
      event.preventDefault()
      close()
    }
  })
}

function close(): void {
  const form = document.getElementById('form')
  const row = form?.closest('tr')
  form?.remove()
  if (row?.querySelector('.thread') === null) row.remove()
}

async function open(link: HTMLAnchorElement): Promise<void> {
  const row = link.closest('tr')
  const page = await loadPage(link.href)
  const form = page?.getElementById('form')
  if (!row || !form) {
    location.assign(link.href)
    return
  }
  const text = document.querySelector<HTMLTextAreaElement>('#form textarea')?.value ?? ''
  close()
  const cell = cellBelow(row)
  cell.append(document.adoptNode(form))
  const field = cell.querySelector('textarea')
  if (field === null) return
  if (text !== '' && field.value === '') field.value = text
  field.focus()
}

/** The cell below a line, which has its threads already, or is new. */
function cellBelow(row: HTMLTableRowElement): HTMLElement {
  const next = row.nextElementSibling
  const known = next?.matches('.below') === true ? next.querySelector<HTMLElement>('td') : null
  if (known !== null) return known
  const cell = document.createElement('td')
  cell.colSpan = 4
  const below = document.createElement('tr')
  below.className = 'below'
  below.append(cell)
  row.after(below)
  return cell
}
