import type { Env } from 'markdown-it'
import type { OpenElements } from './open-elements.ts'
import type { RenderContext, ResolvedReference } from './render-context.ts'
import { ownAttribute } from './sanitize.ts'

/** State that the rules of one rendering share. */
export interface RenderEnv extends Env {
  context: RenderContext
  resolved: ReadonlyMap<string, ResolvedReference>
  /** Highlights code as HTML; undefined for an unknown language. */
  highlight?: ((code: string, language: string) => string | undefined) | undefined
  /**
   * Set while a segment with raw HTML is rendered: marks the elements that the renderer creates.
   */
  nonce?: string | undefined
  /** Elements that the raw HTML of this segment has left open. */
  open: OpenElements
}

/**
 * The attribute that marks an element as the renderer's own; empty in segments without raw HTML.
 */
export function ownMark(env: RenderEnv): string {
  return env.nonce === undefined ? '' : ` ${ownAttribute}="${env.nonce}"`
}

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }

/** Escapes text between tags, where quotes are harmless. */
export function escapeText(text: string): string {
  return /[&<>]/.test(text) ? text.replace(/[&<>]/g, (found) => escapes[found] ?? found) : text
}

/** Escapes text in a quoted attribute. */
export function escapeAttribute(text: string): string {
  return escapeText(text).replaceAll('"', '&quot;')
}

/** Formats attributes with a leading space each; empty ones are left out, except `alt`. */
export function formatAttributes(attributes: Readonly<Record<string, string | number>>): string {
  return Object.entries(attributes)
    .filter(([name, value]) => value !== '' || name === 'alt')
    .map(([name, value]) => ` ${name}="${escapeAttribute(String(value))}"`)
    .join('')
}
