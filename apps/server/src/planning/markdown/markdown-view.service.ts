import type { ProjectSubject } from '../../directory/projects/project-subject.ts'
import type { App } from '../../platform/app.ts'
import type { Caller } from '../../platform/http/call.ts'
import { readMarkdown } from '../../platform/text/markdown.ts'
import { resolveReferences } from './references/resolve-references.service.ts'

/** Renders plain Markdown as sanitized HTML. */
export async function viewMarkdown({ config }: App, text: string): Promise<string> {
  const read = await readMarkdown(text, { gfm: false, webUrl: config.externalUrl })
  return read.finish(new Map())
}

/**
 * Renders GitLab Flavored Markdown as sanitized HTML: with emoji, highlighted code, and links for
 * references that the caller may see. Without a project only references with a full path are
 * resolved.
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

/** The file that a text is, to which its relative links are relative. */
export interface TextFile {
  /** A branch, tag or commit; by default the default branch. */
  ref?: string | undefined
  path?: string | undefined
  /** The slug of the page of a wiki that it is instead. */
  wiki?: string | undefined
}

/** A title, which is rendered as one line without a paragraph around it. */
export interface Title {
  title: string
}

/** `viewFlavored` for several texts; their references are resolved together. */
export async function viewFlavoredAll(
  app: App,
  caller: Caller,
  project: ProjectSubject | undefined,
  texts: readonly (string | Title)[],
  { ref, path, wiki }: TextFile = {},
): Promise<string[]> {
  const row = project?.row
  const context = {
    gfm: true,
    webUrl: app.config.externalUrl,
    project: row && {
      fullPath: row.fullPath,
      ref: ref ?? row.defaultBranch,
      ...(path === undefined ? {} : { path }),
      ...(wiki === undefined ? {} : { wiki }),
    },
  }
  const read = await Promise.all(
    texts.map((text) =>
      typeof text === 'string'
        ? readMarkdown(text, context)
        : readMarkdown(text.title, { ...context, inline: true }),
    ),
  )
  const references = new Map(read.flatMap((text) => [...text.references]))
  const found = await resolveReferences({ app, caller, project }, references)
  return Promise.all(read.map((text) => text.finish(found)))
}
