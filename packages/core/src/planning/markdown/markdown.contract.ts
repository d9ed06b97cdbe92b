import { z } from 'zod'
import { endpoint } from '../../platform/contract/endpoint.ts'
import { boolean, optional, text } from '../../platform/contract/fields.ts'
import { orderedTexts } from '../../platform/contract/list-fields.ts'
import { filePathText, fullPathText, maxProseLength } from '../../platform/contract/text-options.ts'

export const RenderedMarkdown = z.object({ html: z.string() })

/** The maximum number of texts that are rendered by one call. */
export const maxRenderedTexts = 100

const options = optional({
  gfm: boolean(),
  project: text(fullPathText),
  ref: text(),
  path: text(filePathText),
  wiki: text(filePathText),
})

/** Markdown as HTML. */
export const markdownContract = {
  render: endpoint({
    name: 'markdown.render',
    method: 'POST',
    path: '/markdown',
    body: z.object({ text: text({ max: maxProseLength }), ...options }),
    response: { 201: RenderedMarkdown },
    auth: 'optional',
    errors: ['not_found'],
    docs: {
      summary: 'Render Markdown as HTML',
      description:
        'With `gfm`, emoji codes and references are rendered as well. Short references such ' +
        'as `#1` are resolved within `project`; all others must name their project. Only ' +
        'references to what the caller can read become links. With `ref` and `path`, extensions, ' +
        'relative links of a file of `project` lead to what is beside it; with `wiki`, the slug of a ' +
        'page, they lead to other pages of its wiki.',
    },
  }),
  renderBatch: endpoint({
    name: 'markdown.renderBatch',
    method: 'POST',
    path: '/markdown/batch',
    body: z.object({
      texts: orderedTexts({ maxItems: maxRenderedTexts, max: maxProseLength }),
      ...options,
    }),
    response: { 201: z.array(RenderedMarkdown) },
    auth: 'optional',
    errors: ['not_found'],
    docs: {
      summary: 'Render several Markdown texts as HTML',
      description:
        'Extension: as `POST /markdown` for each text, in their order, with one lookup of all ' +
        `references. Up to ${maxRenderedTexts} texts.`,
    },
  }),
}
