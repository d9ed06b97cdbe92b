import { hash } from 'node:crypto'
import { escapeHtml } from '../sign-in/html.ts'
import { renderInThread } from './markdown-thread.ts'

/** Characters of HTML that are kept, so that a list does not render the same texts again and again. */
const maxKept = 8_000_000

const kept = new Map<string, string>()
let size = 0

/**
 * Turns Markdown into HTML that is safe to show: the one place where that happens. Text that cannot be
 * rendered within the limits of time and memory is shown as it was written.
 * @param limitMs milliseconds; the thread's own limit if not given
 */
export async function renderMarkdown(text: string, limitMs?: number): Promise<string> {
  if (text.trim() === '') return ''
  const key = hash('sha256', text, 'base64')
  const known = kept.get(key)
  if (known !== undefined) {
    // What was used last goes last.
    kept.delete(key)
    kept.set(key, known)
    return known
  }
  const html = (await renderInThread(text, limitMs)) ?? `<pre>${escapeHtml(text)}</pre>`
  keep(key, html)
  return html
}

function keep(key: string, html: string): void {
  if (kept.has(key)) return
  kept.set(key, html)
  size += html.length
  for (const [oldest, content] of kept) {
    if (size <= maxKept) return
    kept.delete(oldest)
    size -= content.length
  }
}
