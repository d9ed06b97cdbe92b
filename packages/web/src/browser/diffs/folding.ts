import { scriptButton } from '../dom.ts'

/** Adds a button to a file of a diff that hides its lines. */
export function addFolding(file: HTMLElement): void {
  const header = file.querySelector(':scope > header')
  const name = header?.querySelector('h2')?.textContent ?? ''
  if (header === null) return
  const button = scriptButton('▾', () => fold(file, !file.classList.contains('folded')), {
    class: 'quiet',
    'aria-expanded': 'true',
    'aria-label': `Lines of ${name}`,
  })
  header.prepend(button)
}

/** Hides the lines of a file, or shows them. */
export function fold(file: HTMLElement, isFolded: boolean): void {
  file.classList.toggle('folded', isFolded)
  const button = file.querySelector(':scope > header > [aria-expanded]')
  if (button === null) return
  button.textContent = isFolded ? '▸' : '▾'
  button.setAttribute('aria-expanded', String(!isFolded))
}
