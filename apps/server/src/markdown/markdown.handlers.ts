import type { markdownContract } from '@stithy/core'
import { requireProject } from '../http/authorize.ts'
import type { Handlers } from '../http/call.ts'
import { viewFlavored, viewMarkdown } from './markdown-view.service.ts'

/** Markdown as HTML (document 3, Markdown). */
export const markdownHandlers: Handlers<typeof markdownContract> = {
  render: async ({ app, caller, body }) => {
    const { text, gfm = false, project: ref } = body
    // Also where it is of no use: what is hidden is hidden in any case.
    const project = ref ? await requireProject(app, ref, caller) : undefined
    const html = gfm
      ? await viewFlavored(app, caller, project, text)
      : await viewMarkdown(app, text)
    return { html }
  },
}
