import { callApi } from '../api.ts'
import { announce, closest } from '../dom.ts'
import { fold } from './folding.ts'
import { load } from './loading.ts'

/** Marks files as viewed, or as not viewed, without loading the page again. */
export function startViewed(): void {
  document.addEventListener('click', (event) => {
    const button = closest<HTMLButtonElement>(event, '[data-viewed] button')
    if (button === null) return
    event.preventDefault()
    toggle(button)
  })
}

async function toggle(button: HTMLButtonElement): Promise<void> {
  const { form } = button
  if (form === null || button.ariaBusy === 'true') return
  const isViewed = button.ariaPressed !== 'true'
  button.ariaBusy = 'true'
  const done = await callApi(form.dataset.viewed ?? '', {
    method: isViewed ? 'PUT' : 'DELETE',
    body: isViewed ? { version_id: Number(new FormData(form).get('version_id')) } : {},
  })
  button.ariaBusy = null
  // The page says what is wrong.
  if (done === undefined) form.requestSubmit(button)
  else show(button, isViewed)
}

function show(button: HTMLButtonElement, isViewed: boolean): void {
  button.ariaPressed = String(isViewed)
  button.value = isViewed ? '0' : '1'
  const count = document.querySelector('[data-viewed-count]')
  if (count !== null) {
    count.textContent = String(Number(count.textContent) + (isViewed ? 1 : -1))
    announce(count.parentElement?.textContent ?? '')
  }
  const file = button.closest<HTMLElement>('.diff-file')
  if (file === null) return
  fold(file, isViewed)
  const link = file.querySelector<HTMLAnchorElement>('a[data-load=asked]')
  if (!isViewed && link !== null) load(link)
}
