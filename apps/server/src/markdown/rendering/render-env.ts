import type { Env } from 'markdown-it'
import type { OpenElements } from './open-elements.ts'
import type { RenderContext, ResolvedReference } from './render-context.ts'
import { ownAttribute } from './sanitise.ts'

/** What the rules of one rendering share. */
export interface RenderEnv extends Env {
  context: RenderContext
  resolved: ReadonlyMap<string, ResolvedReference>
  /** Code as HTML, undefined for an unknown language. */
  highlight?: ((code: string, language: string) => string | undefined) | undefined
  /** Set while a part with foreign HTML in it is rendered: marks what is made here. */
  sign?: string | undefined
  /** What the foreign HTML of this part has left open. */
  open: OpenElements
}

/** The attribute that saves an element of ours from being taken for a foreign one; empty where none is near. */
export function ownMark(env: RenderEnv): string {
  return env.sign === undefined ? '' : ` ${ownAttribute}="${env.sign}"`
}

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }

/** Text between tags: quotes have no meaning there. */
export function escapeText(text: string): string {
  return /[&<>]/.test(text) ? text.replace(/[&<>]/g, (found) => escapes[found] ?? found) : text
}

/** Text in a quoted attribute. */
export function escapeAttribute(text: string): string {
  return escapeText(text).replaceAll('"', '&quot;')
}

/** Attributes with a blank before each; those without a value are left out, but for `alt`. */
export function formatAttributes(attributes: Readonly<Record<string, string | number>>): string {
  return Object.entries(attributes)
    .filter(([name, value]) => value !== '' || name === 'alt')
    .map(([name, value]) => ` ${name}="${escapeAttribute(String(value))}"`)
    .join('')
}
