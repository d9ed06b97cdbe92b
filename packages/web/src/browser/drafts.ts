import { all, onEach } from './dom.ts'

const prefix = 'draft '
/** Where the keys of what was just submitted are noted until the next page. */
const sentKey = 'sent drafts'
/** Drafts are forgotten after this many milliseconds. */
const maxAge = 14 * 86_400_000

interface Draft {
  text: string
  at: number
}

/**
 * Keeps what is typed in texts, by address and field, so that it survives a reload. It is dropped when
 * the form was accepted: the page that follows has no errors.
 */
export function startDrafts(): void {
  if (!('localStorage' in window)) return
  dropSent()
  dropOld()
  onEach<HTMLTextAreaElement>('form[method=post] textarea', keepDraft)
  document.addEventListener('submit', ({ target }) => {
    if (!(target instanceof HTMLFormElement)) return
    const keys = all<HTMLTextAreaElement>('textarea', target).map(keyOf)
    sessionStorage.setItem(sentKey, JSON.stringify(keys))
  })
}

function keyOf(field: HTMLTextAreaElement): string {
  return `${prefix}${location.pathname} ${field.form?.getAttribute('action') ?? ''} ${field.id || field.name}`
}

function dropSent(): void {
  const keys = JSON.parse(sessionStorage.getItem(sentKey) ?? '[]') as string[]
  sessionStorage.removeItem(sentKey)
  const isRefused = document.querySelector('[role=alert]') !== null || isErrorPage()
  if (!isRefused) for (const key of keys) localStorage.removeItem(key)
}

function isErrorPage(): boolean {
  return document.title.startsWith('Error: ')
}

function dropOld(): void {
  for (const key of Object.keys(localStorage)) {
    if (key.startsWith(prefix) && (read(key)?.at ?? 0) < Date.now() - maxAge) {
      localStorage.removeItem(key)
    }
  }
}

function read(key: string): Draft | undefined {
  try {
    return JSON.parse(localStorage.getItem(key) ?? 'null') ?? undefined
  } catch {
    return undefined
  }
}

function keepDraft(field: HTMLTextAreaElement): void {
  const key = keyOf(field)
  const initial = field.value
  const draft = read(key)
  // What the server shows, such as a form that was refused, is newer.
  if (
    draft !== undefined &&
    draft.text !== initial &&
    document.querySelector('[role=alert]') === null
  ) {
    field.value = draft.text
    const details = field.closest('details')
    if (details !== null) details.open = true
    field.dispatchEvent(new Event('input', { bubbles: true }))
  }
  field.addEventListener('input', () => {
    if (field.value === initial) localStorage.removeItem(key)
    else store(key, { text: field.value, at: Date.now() })
  })
}

function store(key: string, draft: Draft): void {
  try {
    localStorage.setItem(key, JSON.stringify(draft))
  } catch {
    // The storage is full: the text is still in the field.
  }
}
