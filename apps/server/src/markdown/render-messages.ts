import type { ReferenceTarget } from '@stithy/core'
import type { RenderContext, ResolvedReference } from './rendering/render-context.ts'

/** What a rendering thread is asked; with `resolved` it answers HTML in any case. */
export interface RenderRequest {
  /** The same in both questions about a text. */
  id: number
  text: string
  context: RenderContext
  resolved?: ReadonlyMap<string, ResolvedReference> | undefined
}

/** HTML, or what the text refers to, by its key: to be looked up and handed back. */
export type RenderAnswer = { html: string } | { references: ReadonlyMap<string, ReferenceTarget> }
