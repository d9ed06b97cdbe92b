import { all, onEach } from './dom.ts'

/** Tasks of a description are ticked in the text itself: the forms for it stand in a list beside it. */
export function startTasks(): void {
  onEach<HTMLDetailsElement>('details[data-tasks]', (list) => {
    const buttons = all<HTMLButtonElement>('form button', list)
    const boxes = boxesBefore(list)
    if (buttons.length === 0 || boxes.length !== buttons.length) return
    list.hidden = true
    for (const [at, box] of boxes.entries()) {
      box.disabled = false
      box.setAttribute('aria-label', box.parentElement?.textContent.trim().split('\n')[0] ?? 'Task')
      box.addEventListener('change', () => buttons[at]?.click())
    }
  })
}

/** The checkboxes of the text that stands beside a list of tasks. */
function boxesBefore(list: HTMLElement): HTMLInputElement[] {
  const prose = list.parentElement?.querySelector('.prose')
  return prose ? all<HTMLInputElement>('input[type=checkbox]', prose) : []
}
