import { z } from 'zod'
import { endpoint } from '../contract/endpoint.ts'
import { boolean, optional, text } from '../contract/fields.ts'

export const RenderedMarkdown = z.object({ html: z.string() })

/** Markdown as HTML (document 3, Markdown). */
export const markdownContract = {
  render: endpoint({
    method: 'POST',
    path: '/markdown',
    body: z.object({ text: text(), ...optional({ gfm: boolean(), project: text() }) }),
    response: { 201: RenderedMarkdown },
    auth: 'optional',
    errors: ['not_found'],
    docs: {
      summary: 'Render Markdown as HTML',
      tag: 'Markdown',
      description:
        'With `gfm` emoji and references become what they stand for: within `project` also the short ones ' +
        '(`#1`), elsewhere those that name their project. Only what the caller may see becomes a link.',
    },
  }),
}
