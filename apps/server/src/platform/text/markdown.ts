import { hash } from 'node:crypto'
import type { ReferenceTarget } from '@stithy/core'
import { escapeHtml } from '@stithy/web'
import { LRUCache } from 'lru-cache'
import { askThread } from '../threads/worker-thread.ts'
import type { RenderContext, ResolvedReference } from './rendering/render-context.ts'
import type { RenderAnswer, RenderRequest } from './text-messages.ts'
import { openTextThread, timeoutFor } from './text-thread.ts'

/** A parsed text whose references need to be resolved. */
export interface ReadText {
  /** Its references, by the keys that `finish` takes. */
  references: ReadonlyMap<string, ReferenceTarget>
  /** Renders HTML that is safe to show; references that were not found remain text. */
  finish: (found: ReadonlyMap<string, ResolvedReference>) => Promise<string>
}

/** HTML of texts, so that lists don't render them again; the entry itself takes some memory. */
const cache = new LRUCache<string, string>({
  maxSize: 8_000_000,
  sizeCalculation: (html) => html.length + 200,
})

/**
 * Length in characters from which a text waits in a separate queue, so as not to block short ones.
 */
const longText = 32_768

/** Maximum time in the queue, in milliseconds. */
const waitMs = 15_000

const threads = { short: openTextThread(), long: openTextThread() }
const ask = askThread<RenderRequest, RenderAnswer>
let lastId = 0

/**
 * Parses Markdown, to render HTML that is safe to show; no other function does that. A text that
 * exceeds the limits of time and memory is shown as plain text.
 * @param limitMs milliseconds; by default depends on the length of the text
 */
export async function readMarkdown(
  text: string,
  context: RenderContext,
  limitMs?: number,
): Promise<ReadText> {
  if (text.trim() === '') return done('')
  const key = hash('sha256', JSON.stringify([text, context]), 'base64')
  const cached = cache.get(key)
  if (cached !== undefined) return done(cached)
  const thread = text.length < longText ? threads.short : threads.long
  const request = { id: ++lastId, text, context }
  const limits = { answerMs: limitMs ?? timeoutFor(text.length), waitMs }
  const read = await ask(thread, request, limits)
  if (read === 'late') return done(asPlainText(text, context))
  if (read !== undefined && 'references' in read) {
    const finish: ReadText['finish'] = async (resolved) => {
      const rendered = await ask(thread, { ...request, resolved }, limits)
      return typeof rendered === 'object' && 'html' in rendered
        ? rendered.html
        : asPlainText(text, context)
    }
    return { references: read.references, finish }
  }
  // A text that took too long is cached too, so that it isn't rendered with each request.
  const html = read?.html ?? asPlainText(text, context)
  if (read !== undefined || limitMs === undefined) cache.set(key, html)
  return done(html)
}

function done(html: string): ReadText {
  return { references: new Map(), finish: async () => html }
}

function asPlainText(text: string, { inline }: RenderContext): string {
  return inline ? escapeHtml(text) : `<pre>${escapeHtml(text)}</pre>`
}
