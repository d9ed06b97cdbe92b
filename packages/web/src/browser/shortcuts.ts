import { all, closest, element, scriptButton } from './dom.ts'

/** Keys that follow `g`, and where they lead to. */
const places: Readonly<Record<string, readonly [path: string, text: string]>> = {
  p: ['/projects', 'Your projects'],
  g: ['/dashboard/groups', 'Your groups'],
  i: ['/dashboard/issues', 'Your issues'],
  m: ['/dashboard/merge_requests', 'Your merge requests'],
  t: ['/dashboard/todos', 'Your to-do list'],
}

/** Milliseconds within which the second key of a pair must follow. */
const pairTime = 1500

/** Keys that lead to other pages, and through lists. */
export function startShortcuts(): void {
  let lastG = 0
  document.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event)) return
    const isSecond = Date.now() - lastG < pairTime
    lastG = event.key === 'g' && !isSecond ? Date.now() : 0
    const place = isSecond ? places[event.key] : undefined
    if (place !== undefined) location.assign(place[0])
    else if (act(event.key)) event.preventDefault()
  })
}

function isTyping(event: Event): boolean {
  return closest(event, 'input, textarea, select, [contenteditable], dialog') !== null
}

/** Whether a key does something. */
function act(key: string): boolean {
  if (key === '/') return focusSearch()
  if (key === 'j' || key === 'k') return step(key === 'j' ? 1 : -1)
  if (key !== '?') return false
  showHelp()
  return true
}

function focusSearch(): boolean {
  const field = document.querySelector<HTMLInputElement>('input[data-key="/"]')
  field?.focus()
  field?.select()
  return field !== null
}

/** Focuses the next or the previous title of a list, or file of a diff. */
function step(by: number): boolean {
  const stops = all('main .rows .title, main .diff-file > header h2')
  if (stops.length === 0) return false
  const at = stops.indexOf(document.activeElement as HTMLElement)
  const next =
    stops[at < 0 && by < 0 ? stops.length - 1 : Math.min(Math.max(at + by, 0), stops.length - 1)]
  if (next === undefined) return false
  if (next.tabIndex < 0) next.tabIndex = -1
  next.focus()
  next.scrollIntoView({ block: 'nearest' })
  return true
}

const helpId = 'keys'

function showHelp(): void {
  const known = document.getElementById(helpId)
  const dialog = known instanceof HTMLDialogElement ? known : buildHelp()
  dialog.showModal()
}

function buildHelp(): HTMLDialogElement {
  const keys: [string, string][] = [
    ['/', 'Search'],
    ['j', 'Next of a list'],
    ['k', 'Previous of a list'],
    ['Ctrl Enter', 'Send a comment'],
    ...Object.entries(places).map(([key, [, text]]): [string, string] => [`g ${key}`, text]),
    ['?', 'This help'],
  ]
  const rows = keys.map(([key, text]) =>
    element('tr', {}, element('td', {}, ...kbd(key)), element('td', {}, text)),
  )
  const title = element('h2', { id: `${helpId}-title` }, 'Keys')
  const table = element('table', {}, element('tbody', {}, ...rows))
  const dialog = element('dialog', { id: helpId, 'aria-labelledby': title.id }, title, table)
  dialog.append(scriptButton('Close', () => dialog.close()))
  document.body.append(dialog)
  return dialog
}

function kbd(keys: string): (Node | string)[] {
  return keys.split(' ').flatMap((key, at) => [...(at > 0 ? [' '] : []), element('kbd', {}, key)])
}
