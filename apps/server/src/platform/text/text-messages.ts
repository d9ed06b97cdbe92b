import type { ReferenceTarget } from '@stithy/core'
import type { RenderContext, ResolvedReference } from './rendering/render-context.ts'
import type { ScanName } from './text-scans.ts'

/** A request to render a text; with `resolved` the response is always HTML. */
export interface RenderRequest {
  /** The same in both requests for a text. */
  id: number
  text: string
  context: RenderContext
  resolved?: ReadonlyMap<string, ResolvedReference> | undefined
}

/** HTML, or the references of the text by key: to be resolved and sent back. */
export type RenderAnswer = { html: string } | { references: ReadonlyMap<string, ReferenceTarget> }

/** A request to highlight lines of code. */
export interface HighlightRequest {
  code: string
  /** Names by which the language may be known, the likeliest first. */
  names: readonly string[]
}

/** Code as HTML, in which no element goes beyond its line. */
export interface HighlightAnswer {
  html: string
  /** Null for plain text. */
  language: string | null
}

/** A request to scan a text. */
export interface ScanRequest {
  scan: ScanName
  args: readonly unknown[]
}

export interface ScanAnswer {
  scanned: unknown
}
