import { z } from 'zod'
import { endpoint } from '../../platform/contract/endpoint.ts'
import { boolean, optional, text } from '../../platform/contract/fields.ts'
import { fullPathText, maxProseLength } from '../../platform/contract/text-options.ts'

export const RenderedMarkdown = z.object({ html: z.string() })

/** Markdown as HTML. */
export const markdownContract = {
  render: endpoint({
    name: 'markdown.render',
    method: 'POST',
    path: '/markdown',
    body: z.object({
      text: text({ max: maxProseLength }),
      ...optional({ gfm: boolean(), project: text(fullPathText) }),
    }),
    response: { 201: RenderedMarkdown },
    auth: 'optional',
    errors: ['not_found'],
    docs: {
      summary: 'Render Markdown as HTML',
      description:
        'With `gfm`, emoji codes and references are rendered as well. Short references such ' +
        'as `#1` are resolved within `project`; all others must name their project. Only ' +
        'references to what the caller can read become links.',
    },
  }),
}
