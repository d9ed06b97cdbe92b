import type { markdownContract } from '@stithy/core'
import { requireProject } from '../../directory/projects/project-subject.ts'
import type { Call, Handlers } from '../../platform/http/call.ts'
import { type TextFile, viewFlavoredAll, viewMarkdown } from './markdown-view.service.ts'

interface Options extends TextFile {
  gfm?: boolean | undefined
  project?: string | undefined
}

export const markdownHandlers: Handlers<typeof markdownContract> = {
  async render({ app, caller, body }) {
    const [html = ''] = await renderAll({ app, caller }, [body.text], body)
    return { html }
  },

  async renderBatch({ app, caller, body }) {
    const rendered = await renderAll({ app, caller }, body.texts, body)
    return rendered.map((html) => ({ html }))
  },
}

/** Five kinds of references are looked up, whatever the number of texts. */
async function renderAll(
  { app, caller }: Pick<Call, 'app' | 'caller'>,
  texts: readonly string[],
  { gfm = false, project: fullPath, ...file }: Options,
): Promise<string[]> {
  // Checked without gfm too: a hidden project is a 404 in any case.
  const project = fullPath ? await requireProject(app, fullPath, caller) : undefined
  return gfm
    ? viewFlavoredAll(app, caller, project, texts, file)
    : Promise.all(texts.map((text) => viewMarkdown(app, text)))
}
