import { hash } from 'node:crypto'
import type { ReferenceTarget } from '@stithy/core'
import { escapeHtml } from '../sign-in/html.ts'
import { askThread, openLane } from './markdown-thread.ts'
import type { RenderContext, ResolvedReference } from './rendering/render-context.ts'

/** A text that was read, and needs to be told what it refers to. */
export interface ReadText {
  /** What it refers to, by the keys that are to be used for what is found. */
  references: ReadonlyMap<string, ReferenceTarget>
  /** HTML that is safe to show; references that nothing was found for stay text. */
  finish: (found: ReadonlyMap<string, ResolvedReference>) => Promise<string>
}

/** Characters of HTML that are kept, so that a list does not render the same texts again and again. */
const maxKept = 8_000_000

/** Characters from which on a text waits for others of its kind instead of holding up the short ones. */
const longText = 32_768

/** Milliseconds that a text waits for its turn. */
const waitMs = 15_000

const lanes = { short: openLane(), long: openLane() }
const kept = new Map<string, string>()
let size = 0
let asked = 0

/**
 * Reads Markdown, to turn it into HTML that is safe to show: the one place where that happens. Text that
 * cannot be rendered within the limits of time and memory is shown as it was written.
 * @param limitMs milliseconds; by the length of the text if not given
 */
export async function readMarkdown(
  text: string,
  context: RenderContext,
  limitMs?: number,
): Promise<ReadText> {
  if (text.trim() === '') return done('')
  const key = hash('sha256', JSON.stringify([text, context]), 'base64')
  const known = kept.get(key)
  if (known !== undefined) {
    // What was used last goes last.
    kept.delete(key)
    kept.set(key, known)
    return done(known)
  }
  const lane = text.length < longText ? lanes.short : lanes.long
  const request = { id: ++asked, text, context }
  const limits = { renderMs: limitMs ?? timeFor(text), waitMs }
  const read = await askThread(lane, request, limits)
  if (read === 'late') return done(asWritten(text))
  if (read !== undefined && 'references' in read) {
    const finish: ReadText['finish'] = async (resolved) => {
      const rendered = await askThread(lane, { ...request, resolved }, limits)
      return typeof rendered === 'object' && 'html' in rendered ? rendered.html : asWritten(text)
    }
    return { references: read.references, finish }
  }
  // What took too long once is not tried with each request.
  const html = read?.html ?? asWritten(text)
  if (read !== undefined || limitMs === undefined) keep(key, html)
  return done(html)
}

function done(html: string): ReadText {
  return { references: new Map(), finish: async () => html }
}

/** On an idle machine a million characters need a fifth of a second. */
function timeFor(text: string): number {
  return 2000 + text.length / 125
}

function asWritten(text: string): string {
  return `<pre>${escapeHtml(text)}</pre>`
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
