import type { ReferenceTarget } from '@stithy/core'
import type { RenderContext, ResolvedReference } from './rendering/render-context.ts'

/** A request to a rendering thread; with `resolved` the response is always HTML. */
export interface RenderRequest {
  /** The same in both requests for a text. */
  id: number
  text: string
  context: RenderContext
  resolved?: ReadonlyMap<string, ResolvedReference> | undefined
}

/** HTML, or the references of the text by key: to be resolved and sent back. */
export type RenderAnswer = { html: string } | { references: ReadonlyMap<string, ReferenceTarget> }
