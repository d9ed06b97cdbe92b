import type { App } from '../app.ts'
import type { Caller } from '../http/call.ts'
import type { ProjectSubject } from '../projects/project-subject.ts'
import { readMarkdown } from './markdown.ts'
import { resolveReferences } from './references/resolve-references.service.ts'

/** Plain Markdown as HTML that is safe to show. */
export async function viewMarkdown({ config }: App, text: string): Promise<string> {
  const read = await readMarkdown(text, { gfm: false, webUrl: config.externalUrl })
  return read.finish(new Map())
}

/**
 * Flavoured Markdown as HTML that is safe to show: with emoji, highlighted code, and links to what the text
 * refers to, as far as the caller may see it. Without a project only what names its place is looked for.
 */
export async function viewFlavored(
  app: App,
  caller: Caller,
  project: ProjectSubject | undefined,
  text: string,
): Promise<string> {
  const [html = ''] = await viewFlavoredAll(app, caller, project, [text])
  return html
}

/** `viewFlavored` of several texts; what they refer to is looked for once. */
export async function viewFlavoredAll(
  app: App,
  caller: Caller,
  project: ProjectSubject | undefined,
  texts: readonly string[],
): Promise<string[]> {
  const place = project?.row
  const context = {
    gfm: true,
    webUrl: app.config.externalUrl,
    project: place && { fullPath: place.fullPath, defaultBranch: place.defaultBranch },
  }
  const read = await Promise.all(texts.map((text) => readMarkdown(text, context)))
  const references = new Map(read.flatMap((text) => [...text.references]))
  const found = await resolveReferences({ app, caller, project }, references)
  return Promise.all(read.map((text) => text.finish(found)))
}
