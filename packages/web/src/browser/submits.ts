import { all, closest } from './dom.ts'

/** Ctrl+Enter in a text submits its form; a form that was submitted is not submitted again. */
export function startSubmits(): void {
  document.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
    const form = closest<HTMLTextAreaElement>(event, 'textarea')?.form
    if (form === null || form === undefined) return
    event.preventDefault()
    form.requestSubmit(form.querySelector<HTMLButtonElement>('button.primary, button:not([type])'))
  })
  document.addEventListener('submit', (event) => {
    const form = event.target
    if (!(form instanceof HTMLFormElement) || form.method !== 'post') return
    if (form.dataset.sent !== undefined) {
      event.preventDefault()
      return
    }
    form.dataset.sent = ''
    // After the browser has read the form: a disabled button sends no value.
    setTimeout(() => setDisabled(form, true))
  })
  // Going back shows the page as it was left.
  addEventListener('pageshow', () => {
    for (const form of all<HTMLFormElement>('form[data-sent]')) {
      delete form.dataset.sent
      setDisabled(form, false)
    }
  })
}

function setDisabled(form: HTMLFormElement, isDisabled: boolean): void {
  for (const button of all<HTMLButtonElement>('button', form)) button.disabled = isDisabled
}
