import { randomBytes } from 'node:crypto'
import type { ReferenceTarget } from '@stithy/core'
import type { Token } from 'markdown-it'
import { openHighlighter } from './highlighting.ts'
import { noElements } from './open-elements.ts'
import { buildInlineParser, buildParser } from './parser.ts'
import { collectReferences } from './references.ts'
import type { RenderContext, ResolvedReference } from './render-context.ts'
import type { RenderEnv } from './render-env.ts'
import { renderSegments } from './segments.ts'

const parsers = { blocks: buildParser(), inline: buildInlineParser() }

/** A parsed text that can be rendered once its references are resolved. */
export interface Rendering {
  /** Its references without duplicates, by key. */
  references: ReadonlyMap<string, ReferenceTarget>
  /**
   * Renders HTML that is safe to show, whatever the text. References missing in `resolved` remain
   * text.
   */
  finish: (resolved: ReadonlyMap<string, ResolvedReference>) => Promise<string>
}

/** Parses a text. Linear time for all but malicious texts. */
export function openRendering(text: string, context: RenderContext): Rendering {
  const env: RenderEnv = { context, resolved: new Map(), open: noElements() }
  const markdown = context.inline ? parsers.inline : parsers.blocks
  const tokens = context.inline
    ? markdown.parseInline(text.trim().split(/\s+/).join(' '), env)
    : markdown.parse(text, env)
  return {
    references: context.gfm ? collectReferences(tokens) : new Map(),
    finish: async (resolved) => {
      env.resolved = resolved
      if (context.gfm && tokens.some(namesLanguage)) env.highlight = await openHighlighter()
      return renderSegments(markdown, tokens, env, randomBytes(16).toString('hex'))
    },
  }
}

function namesLanguage({ type, info }: Token): boolean {
  return type === 'fence' && info !== ''
}
