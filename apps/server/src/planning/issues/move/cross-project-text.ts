import { type RelativeReference, referenceKey } from '@stithy/core'
import type { ProjectSubject } from '../../../directory/projects/project-subject.ts'
import type { App } from '../../../platform/app.ts'
import type { Caller } from '../../../platform/http/call.ts'
import type { ResolvedReference } from '../../../platform/text/rendering/render-context.ts'
import { scanText } from '../../../platform/text/scan-text.ts'
import type { IssueItem } from '../../items/item.ts'
import { resolveReferences } from '../../markdown/references/resolve-references.service.ts'

/** Rewrites the references of a text. */
export type Rewrite = (text: string) => Promise<string>

/**
 * Creates a function that rewrites the texts of an issue for another project, so that references
 * keep their target: `#1` becomes `group/project#1`. Unchanged are references to nothing, to items
 * that the caller cannot see, and those that resolve to the same target there, such as a label of
 * the group. Resolves all references at once, regardless of the number of texts.
 */
export async function crossProjectRewrite(
  app: App,
  caller: Caller,
  { project }: IssueItem,
  target: ProjectSubject,
  texts: readonly string[],
): Promise<Rewrite> {
  const webUrl = app.config.externalUrl
  const byKey = new Map<string, RelativeReference>()
  for (const text of texts) {
    const references = await scanText('relativeReferences', text, { webUrl })
    for (const reference of references) byKey.set(referenceKey(reference), reference)
  }
  const inSource = await resolveReferences({ app, caller, project }, byKey)
  const inTarget = await resolveReferences({ app, caller, project: target }, byKey)
  const differing = [...inSource.keys()].filter(
    (key) => !isSame(inSource.get(key), inTarget.get(key)),
  )
  const { fullPath, namespaceFullPath } = project.row
  const paths = { fullPath, namespaceFullPath }
  const options = { webUrl, keys: new Set(differing), paths }
  return async (text) =>
    differing.length === 0 ? text : scanText('makeReferencesAbsolute', text, options)
}

/** Whether both refer to the same label or milestone; other targets are in one project only. */
function isSame(one: ResolvedReference | undefined, other: ResolvedReference | undefined): boolean {
  if (one === undefined || other === undefined) return false
  const ids = ({ data }: ResolvedReference) => data.label ?? data.milestone
  return ids(one) !== undefined && ids(one) === ids(other)
}
