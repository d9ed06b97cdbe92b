import type { markdownContract } from '@stithy/core'
import { requireProject } from '../../directory/projects/project-subject.ts'
import type { Handlers } from '../../platform/http/call.ts'
import { viewFlavored, viewMarkdown } from './markdown-view.service.ts'

export const markdownHandlers: Handlers<typeof markdownContract> = {
  render: async ({ app, caller, body }) => {
    const { text, gfm = false, project: ref } = body
    // Checked without gfm too: a hidden project is a 404 in any case.
    const project = ref ? await requireProject(app, ref, caller) : undefined
    const html = gfm
      ? await viewFlavored(app, caller, project, text)
      : await viewMarkdown(app, text)
    return { html }
  },
}
