import { all, closest } from './dom.ts'

/** Menus close when something else is pressed, on Escape, and are walked through with arrow keys. */
export function startMenus(): void {
  document.addEventListener('click', (event) => closeOthers(closest(event, 'details[data-menu]')))
  document.addEventListener('toggle', onToggle, true)
  document.addEventListener('keydown', onKey)
}

function openMenus(): HTMLDetailsElement[] {
  return all<HTMLDetailsElement>('details[data-menu][open]')
}

function closeOthers(kept: Element | null): void {
  for (const menu of openMenus()) if (menu !== kept) menu.open = false
}

function onToggle(event: Event): void {
  const menu = closest<HTMLDetailsElement>(event, 'details[data-menu]')
  if (menu?.open === true) closeOthers(menu)
}

const items = '.panel a, .panel button, .panel input, .panel select'

function onKey(event: KeyboardEvent): void {
  const menu = closest<HTMLDetailsElement>(event, 'details[data-menu][open]') ?? openMenus()[0]
  if (menu === undefined) return
  if (event.key === 'Escape') {
    menu.open = false
    menu.querySelector('summary')?.focus()
    return
  }
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  if (step === undefined || closest(event, 'input, select, textarea') !== null) return
  const choices = all(items, menu)
  const at = choices.indexOf(document.activeElement as HTMLElement)
  choices[(at + step + choices.length) % choices.length]?.focus()
  event.preventDefault()
}
